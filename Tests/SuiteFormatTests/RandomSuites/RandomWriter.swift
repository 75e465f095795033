import Basics

/// A writer of generated values as YAML in a random layout: any indentation, style and quotes, with comments anywhere.
///
/// It shares no code with the formatter, so an error in the formatter is not repeated here.
struct RandomWriter {
    var random: SplitMix64
    private var text = ""
    private var commentCount = 0
    /// Whether the previous value is a literal block scalar.
    private var isAfterLiteral = false

    init(random: SplitMix64) {
        self.random = random
    }

    /// Returns the text of a document with a mapping as its root.
    mutating func document(_ root: GeneratedValue) -> String {
        text = ""
        if random.chance(20) { text += random.pick("---\n", "--- # start\n", "# head\n\n---\n", "%YAML 1.2\n---\n") }
        if case .map(let entries) = root { blockMap(entries, indent: 0, isInline: false) }
        lines(indent: 0)
        if random.chance(20) { text += "...\n" }
        return text
    }

    // MARK: Space and comments

    private mutating func comment() -> String {
        commentCount += 1
        return random.pick(
            "# comment \(commentCount)", "#\(commentCount)", "# - a: [\(commentCount)", "#\té \(commentCount) ")
    }

    /// Writes blank lines and comments before an entry.
    private mutating func lines(indent: Int) {
        while random.chance(15) {
            switch random.number(0...2) {
            case 0: text += random.pick("\n", "  \n", "\n\n\n")
            case 1: text += spaces(indent) + comment() + "\n"
            // After a literal, a comment with the indentation of its text would be part of the text.
            default: text += spaces(random.number(0...(isAfterLiteral ? indent : indent + 3))) + comment() + "\n"
            }
        }
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private mutating func space() -> String { random.chance(80) ? " " : spaces(random.number(2...4)) }

    private mutating func endLine() {
        if random.chance(12) { text += space() + comment() }
        text += random.chance(10) ? "  \n" : "\n"
    }

    // MARK: Blocks

    private mutating func blockMap(_ entries: [(key: String, value: GeneratedValue)], indent: Int, isInline: Bool) {
        for (index, entry) in entries.enumerated() {
            if index > 0 || !isInline {
                lines(indent: indent)
                isAfterLiteral = false
                text += spaces(indent)
            }
            text += key(entry.key, isFlow: false) + ":"
            blockValue(entry.value, indent: indent, isElement: false)
        }
    }

    private mutating func blockList(_ values: [GeneratedValue], indent: Int, isInline: Bool) {
        for (index, value) in values.enumerated() {
            if index > 0 || !isInline {
                lines(indent: indent)
                isAfterLiteral = false
                text += spaces(indent)
            }
            text += "-"
            blockValue(value, indent: indent, isElement: true)
        }
    }

    /// Writes a value after `:` or `-`, up to the end of its line.
    private mutating func blockValue(_ value: GeneratedValue, indent: Int, isElement: Bool) {
        switch value {
        case .anchored(let name, let value):
            text += space() + "&" + name
            blockValue(value, indent: indent, isElement: false)
        case .map(let entries) where !entries.isEmpty && random.chance(75):
            let inner = indent + random.number(1...4)
            if isElement, random.chance(85) {
                text += spaces(inner - indent - 1)
                if inner == indent + 1 { text += " " }
                blockMap(entries, indent: max(inner, indent + 2), isInline: true)
            } else {
                endLine()
                blockMap(entries, indent: inner, isInline: false)
            }
        case .list(let values) where !values.isEmpty && random.chance(65):
            if isElement {
                let inner = indent + random.number(2...4)
                text += spaces(inner - indent - 1)
                blockList(values, indent: inner, isInline: true)
            } else {
                endLine()
                // Dashes may be in the column of their key.
                blockList(values, indent: indent + random.number(0...4), isInline: false)
            }
        case .string(let string): blockString(string, indent: indent)
        case .plain(let plain):
            // Null may be written as an empty value.
            if plain == "null", random.chance(30) { return endLine() }
            text += space() + plain
            endLine()
        case .alias, .map, .list:
            text += space()
            flow(value, indent: indent + 1)
            endLine()
        }
    }

    private mutating func blockString(_ string: String, indent: Int) {
        let hasLines = string.contains("\n")
        let isPrintable = !string.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }
        if isPrintable, hasLines ? random.chance(70) : random.chance(8), string.first != " ", string.first != "\n",
            !string.isEmpty
        {
            return literal(string, indent: indent)
        }
        if random.chance(8), !hasLines {
            endLine()
            text += spaces(indent + random.number(1...4))
        } else {
            text += space()
        }
        text += scalar(string, isFlow: false, indent: indent + 1)
        endLine()
    }

    private mutating func literal(_ string: String, indent: Int) {
        var body = Substring(string)
        var breaks = 0
        while body.last == "\n" {
            body.removeLast()
            breaks += 1
        }
        let chomping = breaks == 0 ? "-" : breaks == 1 ? "" : "+"
        let inner = indent + random.number(1...4)
        let digit = indent > 0 && random.chance(20) ? "\(inner - indent)" : ""
        text += space() + "|" + random.pick(digit + chomping, chomping + digit)
        if random.chance(15) { text += " " + comment() }
        text += "\n"
        for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
            text += line.isEmpty ? "\n" : spaces(inner) + line + "\n"
        }
        for _ in 0..<max(0, breaks - 1) { text += "\n" }
        isAfterLiteral = true
    }

    // MARK: Flow collections

    private mutating func flow(_ value: GeneratedValue, indent: Int) {
        switch value {
        case .string(let string): text += scalar(string, isFlow: true, indent: indent)
        case .plain(let plain): text += plain
        case .alias(let name): text += "*" + name
        case .anchored(let name, let value):
            text += "&" + name + " "
            flow(value, indent: indent)
        case .list(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                flowSpace(indent: indent)
                flow(value, indent: indent)
            }
            closeFlow("]", isEmpty: values.isEmpty, indent: indent)
        case .map(let entries):
            text += "{"
            for (index, entry) in entries.enumerated() {
                if index > 0 { text += "," }
                flowSpace(indent: indent)
                text += key(entry.key, isFlow: true) + ": "
                flow(entry.value, indent: indent)
            }
            closeFlow("}", isEmpty: entries.isEmpty, indent: indent)
        }
    }

    private mutating func flowSpace(indent: Int) {
        switch random.number(0...9) {
        case 0: text += "\n" + spaces(indent + random.number(0...3))
        case 1: text += " " + comment() + "\n" + spaces(indent + random.number(0...3))
        case 2: text += random.pick("", "   ")
        default: text += " "
        }
    }

    private mutating func closeFlow(_ bracket: String, isEmpty: Bool, indent: Int) {
        if !isEmpty, random.chance(10) { text += "," }
        // In other parsers, an alias may include a following bracket in its name. A space is always correct.
        flowSpace(indent: indent)
        text += bracket
    }

    // MARK: Scalars

    private mutating func key(_ key: String, isFlow: Bool) -> String {
        if key == "<<" { return key }
        return scalar(key, isFlow: isFlow, indent: nil)
    }

    /// Writes a scalar in one of the styles that represent it. With an indentation, it may occupy several lines.
    private mutating func scalar(_ string: String, isFlow: Bool, indent: Int?) -> String {
        let isPlain = Self.canBePlain(string, isFlow: isFlow)
        switch random.number(0...9) {
        case 0...5 where isPlain: return broken(string, indent: indent)
        case 6...7 where !string.unicodeScalars.contains(where: { $0.value < 0x20 }):
            return "'" + broken(string.replacing("'", with: "''"), indent: indent) + "'"
        default: return doubleQuoted(string, indent: indent)
        }
    }

    private mutating func doubleQuoted(_ string: String, indent: Int?) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case let other where other.value < 0x20 || other.value == 0x7F:
                result += "\\x" + (other.value < 16 ? "0" : "") + String(other.value, radix: 16)
            case let other where other.value > 0x7F && random.chance(20):
                let digits = String(other.value, radix: 16)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        if let indent, random.chance(8), !result.hasSuffix("\\") {
            result += "\\\n" + spaces(indent + random.number(0...2))
        }
        return broken(result, indent: indent) + "\""
    }

    /// Returns a text with some of its single spaces replaced by line breaks, which folding restores.
    private mutating func broken(_ string: String, indent: Int?) -> String {
        guard let indent, string.contains(" "), !string.contains("  "), random.chance(25) else { return string }
        var result = ""
        let characters = Array(string)
        for (index, character) in characters.enumerated() {
            let isBetween =
                index > 0 && index < characters.count - 1 && Self.isLetter(characters[index - 1])
                && Self.isLetter(characters[index + 1])
            if character == " ", isBetween, random.chance(40) {
                result += random.pick("\n", "  \n") + spaces(indent + random.number(0...3))
            } else {
                result.append(character)
            }
        }
        return result
    }

    private static func isLetter(_ character: Character) -> Bool {
        character.isASCII && character.isLetter
    }

    /// Returns whether a text can be written without quotes as the same string. If in doubt, returns false.
    static func canBePlain(_ string: String, isFlow: Bool) -> Bool {
        guard let first = string.unicodeScalars.first,
            first.properties.isAlphabetic || "/$".unicodeScalars.contains(first),
            let last = string.unicodeScalars.last, last != ":", last != " "
        else { return false }
        if ["true", "false", "null"].contains(string.lowercased()) { return false }
        if string.contains(": ") || string.contains(" #") { return false }
        return string.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "[", "]", "{", "}", ",": !isFlow
            case ":": !isFlow
            default:
                scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value < 0x80 || scalar.properties.isAlphabetic
            }
        }
    }
}
