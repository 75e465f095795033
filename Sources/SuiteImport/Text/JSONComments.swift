/// Removes comments from JSON text, as some tools do before they send it.
struct JSONComments {
    /// The text without comments.
    private(set) var text = ""
    /// The number of comments.
    private(set) var count = 0

    /// Removes the comments `//` to the end of a line, and `/*` to `*/`, outside of strings.
    ///
    /// A comment that is alone on its lines is removed with the end of the line.
    init(removedFrom source: String) {
        guard source.contains("//") || source.contains("/*") else {
            text = source
            return
        }
        let bytes = Array(source.utf8)
        var kept: [UInt8] = []
        // The position in the kept bytes at which the current line starts, if it has nothing but space so far.
        var blankLine: Int? = 0
        // Without this, each `/*` of a text without `*/` would be followed to the end of the text.
        let lastEnd = bytes.indices.dropLast().last {
            bytes[$0] == UInt8(ascii: "*") && bytes[$0 + 1] == UInt8(ascii: "/")
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if Self.quotes.contains(byte) {
                let end = Self.endOfString(bytes, from: index)
                kept += bytes[index..<end]
                index = end
                blankLine = nil
                continue
            }
            if byte == UInt8(ascii: "/"), let end = Self.endOfComment(bytes, from: index, lastEnd) {
                count += 1
                index = end
                if let start = blankLine, let next = Self.nextLine(bytes, from: end) {
                    kept.removeLast(kept.count - start)
                    index = next
                }
                continue
            }
            kept.append(byte)
            index += 1
            if byte == UInt8(ascii: "\n") {
                blankLine = kept.count
            } else if !Self.isSpace(byte) {
                blankLine = nil
            }
        }
        text = String(decoding: kept, as: UTF8.self)
    }

    /// The quotation marks of strings, also of those that are not JSON.
    private static let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")]

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    /// Returns the position after a string, which ends with the line if it is not closed.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
            } else if bytes[index] == bytes[start] {
                return index + 1
            } else {
                index += 1
            }
        }
        return min(index, bytes.count)
    }

    /// Returns the position after a comment; nil if none starts here, or if it does not end.
    ///
    /// - Parameter lastEnd: The position of the last `*/`.
    private static func endOfComment(_ bytes: [UInt8], from start: Int, _ lastEnd: Int?) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        var index = start + 2
        switch bytes[start + 1] {
        case UInt8(ascii: "/"):
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            return index
        case UInt8(ascii: "*"):
            guard let lastEnd, index <= lastEnd else { return nil }
            while index + 1 < bytes.count {
                if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
                index += 1
            }
            return nil
        default: return nil
        }
    }

    /// Returns the position after the end of the line if only space is before it; nil otherwise.
    private static func nextLine(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
        if index == bytes.count { return index }
        return bytes[index] == UInt8(ascii: "\n") ? index + 1 : nil
    }
}
