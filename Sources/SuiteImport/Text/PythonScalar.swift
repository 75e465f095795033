import Diagnostics
package import YAML

/// The value of a YAML scalar by the rules of YAML 1.1 as PyYAML implements them, which differ from those of YAML 1.2.
package enum PythonScalar: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number, as it is written in JSON.
    case number(String)
    case string(String)

    /// Creates the value of a node; nil if it is not a scalar.
    package init?(_ node: YAMLNode) {
        guard let scalar = node.scalar else { return nil }
        self = scalar.style == .plain ? Self(plain: scalar.text) : .string(scalar.text)
    }

    private static let booleans: [String: Bool] = [
        "yes": true, "true": true, "on": true, "no": false, "false": false, "off": false,
    ]

    /// Creates the value of a scalar without quotes.
    package init(plain text: String) {
        if ["", "~", "null", "Null", "NULL"].contains(text) {
            self = .null
        } else if text.utf8.count <= 5, let flag = Self.booleans[text.lowercased()], Self.isCased(text) {
            self = .bool(flag)
        } else if let number = Self.number(text) {
            self = .number(number)
        } else {
            self = .string(text)
        }
    }

    /// Whether a word is in lowercase, in uppercase, or capitalized.
    private static func isCased(_ text: String) -> Bool {
        let rest = text.dropFirst()
        return text == text.lowercased() || text == text.uppercased()
            || rest == rest.lowercased()[...] && text.prefix(1) == text.prefix(1).uppercased()[...]
    }

    private static func number(_ text: String) -> String? {
        guard let first = text.utf8.first, first < 0x3A, text.utf8.count <= 300 else { return nil }
        var digits = String(decoding: text.utf8.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)[...]
        var sign = ""
        if digits.hasPrefix("-") || digits.hasPrefix("+") { sign = digits.removeFirst() == "-" ? "-" : "" }
        guard let start = digits.utf8.first, start == UInt8(ascii: ".") || (0x30...0x39).contains(start) else {
            return nil
        }
        for (prefix, radix) in [("0x", 16), ("0b", 2)] where digits.hasPrefix(prefix) {
            return UInt64(digits.dropFirst(2), radix: radix).map { sign + String($0) }
        }
        if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            if digits.count > 1, digits.hasPrefix("0") { return UInt64(digits, radix: 8).map { sign + String($0) } }
            return sign + digits
        }
        // A float has a decimal point, and its exponent a sign.
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        var fraction = parts[1]
        var exponent = ""
        if let e = fraction.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            let power = fraction[fraction.index(after: e)...]
            guard power.hasPrefix("+") || power.hasPrefix("-"), power.count > 1,
                power.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            exponent = "e" + power
            fraction = fraction[..<e]
        }
        guard fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !parts[0].isEmpty || !fraction.isEmpty else {
            return nil
        }
        var whole = parts[0].drop { $0 == "0" }
        if whole.isEmpty { whole = "0" }
        return "\(sign)\(whole).\(fraction.isEmpty ? "0" : String(fraction))\(exponent)"
    }

    /// The text as Python writes the value.
    package var text: String {
        switch self {
        case .null: "None"
        case .bool(let flag): flag ? "True" : "False"
        case .number(let number): number
        case .string(let text): text
        }
    }

    /// Whether Python takes the value as true.
    package var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .number(let number): number != "0" && number != "0.0"
        case .string(let text): !text.isEmpty
        }
    }
}

extension YAMLNode {
    /// The text of a scalar; nil for any other node.
    var text: String? { scalar?.text }
    /// The number of the line on which the node starts.
    var line: Int { Int(range.start.line) }

    /// Returns the value of the node by the rules of PyYAML, with its strings translated.
    ///
    /// Reading limits the depth, including aliases, so this recursion is bounded.
    func pythonValue(_ string: (String) -> ImportedValue) -> ImportedValue {
        if let sequence { return .sequence(sequence.map { $0.pythonValue(string) }) }
        if let mapping {
            return .mapping(
                mapping.map { ImportedValue.Member(ImportedText($0.key.text ?? ""), $0.value.pythonValue(string)) })
        }
        switch PythonScalar(self) {
        case .null?, nil: return .null
        case .bool(let flag)?: return .bool(flag)
        case .number(let number)?: return .plain(number)
        case .string(let text)?: return string(text)
        }
    }

    /// The text of the source, without the indentation of its first line.
    var sourceText: String { String(range.text.prefix(2_000)) }
}
