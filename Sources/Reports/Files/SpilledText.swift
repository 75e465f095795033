/// A part of a report that grows while the run lasts, of which only the end is kept in memory.
struct SpilledText: ~Copyable {
    /// What was not spilled.
    var bytes = ByteBuffer()
    private var parts: [ReportFile.Part] = []

    /// The most bytes that are kept in memory.
    private static let mostBytes = 1 << 20

    /// True while nothing was appended.
    var isEmpty: Bool { bytes.isEmpty && parts.isEmpty }

    /// All of the text, in order.
    var pieces: [ReportFile.Piece] { parts.map { .part($0) } + [.bytes(bytes.array)] }

    /// Spills the bytes when they are many.
    mutating func spillIfLong(to file: inout ReportFile) throws(ReportError) {
        guard bytes.count > Self.mostBytes else { return }
        parts.append(try file.spill(bytes))
        bytes.removeAll()
    }
}
