/// Finds the lines of an array's elements in JSON text.
enum ElementLines {
    /// Returns the lines, from 1, on which the objects in the first array with a name start, in time proportional to
    /// the text, which must be valid JSON.
    static func lines(of name: String, in text: [UInt8]) -> [Int] {
        let key = Array("\"\(name)\"".utf8)
        var lines: [Int] = []
        var line = 1
        var depth = 0
        /// The depth of the array's elements, once it has started.
        var target: Int?
        var index = 0
        while index < text.count {
            switch text[index] {
            case 0x0A: line += 1
            case UInt8(ascii: "\""):
                let start = index
                index += 1
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                if target == nil, index < text.count, text[start...index].elementsEqual(key),
                    startsArray(text, after: index + 1)
                {
                    target = depth + 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth == target, text[index] == UInt8(ascii: "{") { lines.append(line) }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if let target, depth < target { return lines }
            default: break
            }
            index += 1
        }
        return lines
    }

    /// Returns whether a colon and an opening bracket follow.
    private static func startsArray(_ text: [UInt8], after position: Int) -> Bool {
        var isAfterColon = false
        for byte in text[min(position, text.count)...] {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: ":") where !isAfterColon: isAfterColon = true
            default: return isAfterColon && byte == UInt8(ascii: "[")
            }
        }
        return false
    }
}
