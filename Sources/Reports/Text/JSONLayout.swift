/// Lays JSON text out anew without reading its values, so that every number and escape stays as it was sent.
///
/// Only as much of the text is looked at as is shown. A text that is not well-formed is laid out as far as it goes.
struct JSONLayout {
    /// The text as it was sent.
    let bytes: ArraySlice<UInt8>

    /// The deepest indentation, in columns.
    private static let deepestIndentation = 24

    /// The text without white space between its tokens, or nil when it is longer than `limit` bytes.
    func compact(limit: Int) -> [UInt8]? {
        var output: [UInt8] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let end = tokenEnd(position)
            if !Self.isSpace(bytes[position]) {
                guard output.count + (end - position) <= limit else { return nil }
                output += bytes[position..<end]
            }
            position = end
        }
        return output
    }

    /// The text with a member or element a line; arrays and objects that fit on a line stay on it.
    ///
    /// - Parameters:
    ///   - width: The bytes that a line may take before it is no longer added to.
    ///   - limit: The most lines.
    /// - Returns: The lines, and whether they are all of the text.
    func lines(width: Int, limit: Int) -> (lines: [[UInt8]], isWhole: Bool) {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var depth = 0
        var position = bytes.startIndex

        func breakLine() {
            lines.append(line)
            line = [UInt8](repeating: 0x20, count: min(depth * 2, Self.deepestIndentation))
        }
        while position < bytes.endIndex, lines.count < limit {
            let byte = bytes[position]
            if Self.isSpace(byte) {
                position += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if let whole = shortContainer(at: position, limit: width - line.count - 1) {
                    line += whole.text
                    position = whole.end
                    continue
                }
                line.append(byte)
                depth += 1
                breakLine()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                breakLine()
                line.append(byte)
            case UInt8(ascii: ","):
                line.append(byte)
                breakLine()
            case UInt8(ascii: ":"):
                line += [byte, 0x20]
            default:
                let end = tokenEnd(position)
                // Four bytes a column are enough for any character; the line is cut where it is shown.
                if line.count < width * 4 { line += bytes[position..<min(end, position + width * 4)] }
                position = end
                continue
            }
            position += 1
        }
        if lines.count < limit {
            lines.append(line)
            return (lines, true)
        }
        let isWhole = bytes[position...].allSatisfy(Self.isSpace) && line.allSatisfy { $0 == 0x20 }
        return (lines, isWhole)
    }

    /// The array or object at a position without white space, when it takes at most `limit` bytes.
    private func shortContainer(at start: Int, limit: Int) -> (text: [UInt8], end: Int)? {
        var output: [UInt8] = []
        var depth = 0
        var position = start
        // White space counts too, so that no more than a line is ever looked ahead.
        while position < bytes.endIndex, position - start < limit * 4 {
            let byte = bytes[position]
            let end = tokenEnd(position)
            if !Self.isSpace(byte) {
                output += bytes[position..<end]
                guard output.count <= limit else { return nil }
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            position = end
            if depth == 0 { return (output, position) }
        }
        return nil
    }

    /// The end of the string, the punctuation mark, or the byte of anything else that begins at a position.
    private func tokenEnd(_ start: Int) -> Int {
        guard bytes[start] == UInt8(ascii: "\"") else { return start + 1 }
        var position = start + 1
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return bytes.endIndex
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
