/// Cuts a stream of bytes into lines that end with LF, CR LF or CR, wherever the borders of its pieces are.
package struct LineScanner {
    /// The largest number of bytes of a line, without its end.
    package let limit: Int
    /// Whether a line was longer than the limit; no line is given from then on.
    package private(set) var isOverLimit = false

    private var piece: [UInt8] = []
    private var start = 0
    /// What an earlier piece had of the line that has not ended.
    private var carried: [UInt8] = []
    /// A CR has ended the last line, so that an LF right behind it belongs to its end.
    private var skipsLineFeed = false

    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Takes the next piece; all lines of the one before must have been read.
    package mutating func append(_ piece: [UInt8]) {
        self.piece = piece
        start = 0
    }

    /// Hands out the next line that has ended.
    /// - Returns: What `body` makes of the line's bytes, which are only there during the call; nil if another piece is
    ///   needed.
    package mutating func next<Line>(_ body: (UnsafeBufferPointer<UInt8>) -> Line) -> Line? {
        var nothing: Void = ()
        return next(&nothing) { _, line in body(line) }
    }

    /// Hands out the next line that has ended to a function that changes a value.
    package mutating func next<Value, Line>(
        _ value: inout Value, _ body: (inout Value, UnsafeBufferPointer<UInt8>) -> Line
    ) -> Line? {
        guard !isOverLimit else { return nil }
        if skipsLineFeed, start < piece.count {
            if piece[start] == 10 { start += 1 }
            skipsLineFeed = false
        }
        guard let end = endOfLine() else {
            if carried.isEmpty, start == 0 {
                carried = piece
            } else if start < piece.count {
                carried.append(contentsOf: piece[start...])
            }
            piece = []
            start = 0
            isOverLimit = carried.count > limit
            return nil
        }
        guard end - start <= limit - carried.count else {
            isOverLimit = true
            return nil
        }
        skipsLineFeed = piece[end] == 13
        defer { start = end + 1 }
        if carried.isEmpty {
            return piece.withUnsafeBufferPointer { body(&value, UnsafeBufferPointer(rebasing: $0[start..<end])) }
        }
        carried.append(contentsOf: piece[start..<end])
        defer { carried.removeAll(keepingCapacity: carried.count <= 4096) }
        return carried.withUnsafeBufferPointer { body(&value, $0) }
    }

    /// Hands out the line that the stream's end has cut short; nil if there is none.
    package mutating func last<Line>(_ body: (UnsafeBufferPointer<UInt8>) -> Line) -> Line? {
        guard !isOverLimit, !carried.isEmpty else { return nil }
        defer { carried = [] }
        return carried.withUnsafeBufferPointer { body($0) }
    }

    private func endOfLine() -> Int? {
        piece.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                let byte = bytes[index]
                if byte == 10 || byte == 13 { return index }
                index += 1
            }
            return nil
        }
    }
}
