/// Why a file could not be written.
public struct FileWriteFailure: Error, Sendable {
    /// The reason, in the system's words.
    public let reason: String
}
