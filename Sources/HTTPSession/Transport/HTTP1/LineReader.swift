/// Gives the lines of a section without their ends, CRLF or LF.
struct LineReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next line, or nil where none ends any more.
    mutating func next() -> Range<Int>? {
        guard let lineFeed = bytes.firstLineFeed(from: position) else { return nil }
        let start = position
        position = lineFeed + 1
        let end = lineFeed > start && bytes[lineFeed - 1] == 13 ? lineFeed - 1 : lineFeed
        return start..<end
    }
}
