import CEL
import SuiteModel

/// Estimates how deep the evaluation of an expression nests.
struct ExpressionNesting {
    /// The parser refuses what is nested deeper.
    private static let maximum = 250

    /// What is open: the whole expression, or a pair of brackets in it.
    private struct Group {
        /// The operators since the last comma.
        var operators = 0
        /// The deepest of the groups since the last comma.
        var inner = 0
        /// The deepest of what is before the last comma.
        var best = 0

        var levels: Int { max(best, operators + inner) }
    }

    /// At most so many levels does an expression take: each operator takes one, and so does each pair of brackets.
    static func levels(of source: String) -> Int {
        var nesting = ExpressionNesting()
        let bytes = Array(source.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), let end = end(ofText: bytes, from: index) {
                index = end
                continue
            }
            nesting.read(byte)
            index += 1
        }
        return min(nesting.close(), maximum)
    }

    private var groups = [Group()]

    private mutating func read(_ byte: UInt8) {
        let last = groups.count - 1
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): groups.append(Group())
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            guard last > 0 else { return }
            let levels = groups.removeLast().levels + 1
            groups[last - 1].inner = max(groups[last - 1].inner, levels)
        case UInt8(ascii: ","): groups[last] = Group(best: groups[last].levels)
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
            UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "!"),
            UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "?"):
            groups[last].operators += 1
        default: break
        }
    }

    private mutating func close() -> Int {
        while groups.count > 1 { read(UInt8(ascii: ")")) }
        return groups[0].levels
    }

    /// The index behind a text in quotation marks, or nil when it does not end.
    private static func end(ofText bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == bytes[start] { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}

extension Template {
    /// How deep the evaluation of the template's expressions nests at most.
    var nesting: Int {
        expressions.reduce(0) { max($0, ExpressionNesting.levels(of: $1.expression.source)) }
    }
}

extension ValueTemplate {
    /// How deep the evaluation of the value nests at most: its lists and maps, and the expressions in them.
    var nesting: Int {
        // The depth of values is bounded when they are read, so this recursion is bounded.
        switch self {
        case .constant: 0
        case .template(let template): template.nesting
        case .array(let elements): 1 + elements.reduce(0) { max($0, $1.nesting) }
        case .object(let members): 1 + members.reduce(0) { max($0, $1.name.nesting, $1.value.nesting) }
        }
    }
}
