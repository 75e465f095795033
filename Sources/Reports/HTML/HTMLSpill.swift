/// Bytes of a page that are made one after another, of which only the last are in memory.
struct HTMLSpill: ~Copyable {
    /// The bytes that are not spilled yet.
    var buffer = ByteBuffer()
    private var parts: [ReportFile.Part] = []

    /// Moves what is in memory to the report's file.
    mutating func spill(to file: inout ReportFile) throws(ReportError) {
        let part = try file.spill(buffer)
        buffer.removeAll()
        if let last = parts.last, last.upperBound == part.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
            parts.append(part)
        }
    }

    /// All bytes, in order.
    var pieces: [ReportFile.Piece] { parts.map { .part($0) } + [.bytes(buffer.array)] }
}
