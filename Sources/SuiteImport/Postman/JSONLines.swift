/// The lines of values in JSON text, by their JSON Pointers (RFC 6901).
struct JSONLines {
    private var lines: [String: Int] = [:]

    /// Returns the line, from 1, of the value of a pointer; nil if it is unknown.
    subscript(_ pointer: String) -> Int? { lines[pointer] }

    /// A container around the current position.
    private struct Level {
        /// The pointer of the container.
        var pointer: String
        /// The index of the next element; nil for an object.
        var index: Int?
        /// The name of the current member.
        var name = ""
    }

    /// Finds the lines of containers, and of the strings in arrays and members with some names, in time proportional to
    /// the text, which must be valid JSON.
    init(_ text: [UInt8], stringsOf names: Set<String>) {
        var levels: [Level] = []
        var line = 1
        var index = 0
        /// Whether a string is the name of a member.
        var isName = false
        /// Returns the pointer of the value at the current position.
        func pointer() -> String {
            guard let level = levels.last else { return "" }
            return "\(level.pointer)/\(level.index.map(String.init) ?? level.name)"
        }
        while index < text.count {
            switch text[index] {
            case 0x0A: line += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isArray = text[index] == UInt8(ascii: "[")
                let path = pointer()
                lines[path] = line
                levels.append(Level(pointer: path, index: isArray ? 0 : nil))
                isName = !isArray
            case UInt8(ascii: "}"), UInt8(ascii: "]"): levels.removeLast(min(1, levels.count))
            case UInt8(ascii: ","):
                guard let last = levels.indices.last else { break }
                if let position = levels[last].index { levels[last].index = position + 1 } else { isName = true }
            case UInt8(ascii: ":"): isName = false
            case UInt8(ascii: "\""):
                let start = index
                index += 1
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                let contents = text[min(start + 1, text.count)..<min(index, text.count)]
                guard let last = levels.indices.last else { break }
                if isName, levels[last].index == nil {
                    levels[last].name = String(decoding: contents, as: UTF8.self)
                } else if levels[last].index != nil || names.contains(levels[last].name) {
                    lines[pointer()] = line
                }
            default: break
            }
            index += 1
        }
    }
}
