/// Why a file holds no snapshot.
public struct SnapshotFormatError: Error, Sendable, Hashable {
    /// What is wrong, as a sentence without a final full stop.
    public let message: String
    /// The line, from 1.
    public let line: Int

    init(_ message: String, line: Int = 1) {
        self.message = message
        self.line = line
    }
}
