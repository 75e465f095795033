import JSONPath

/// A JSONPath in the dialect of the Python package jsonpath-ng, translated to the syntax of RFC 9535.
struct PythonJSONPath {
    /// A function at the end of a path.
    enum Function: Hashable {
        case length
        case sorted
        /// Sorts by members; the flag says whether the order is descending.
        case sortedBy([(name: String, isDescending: Bool)])
        case keys
        /// Replaces matches of a pattern.
        case substituted(pattern: String, replacement: String)
        case split(separator: String, index: Int)

        static func == (left: Function, right: Function) -> Bool { "\(left)" == "\(right)" }
        func hash(into hasher: inout Hasher) { hasher.combine("\(self)") }
    }

    /// The path in the syntax of RFC 9535.
    private(set) var path = "$"
    /// The functions after it.
    private(set) var functions: [Function] = []
    /// The path within the result of the functions; nil if there is none.
    private(set) var rest: String?
    /// Whether the path selects at most one value.
    private(set) var isSingular = true

    /// Translates a path; nil if a part has no equivalent.
    init?(_ source: String) {
        var rest = source[...]
        if rest.hasPrefix("$") { rest = rest.dropFirst() }
        var isDescendant = false
        while let character = rest.first {
            switch character {
            case " ": rest = rest.dropFirst()
            case ".":
                rest = rest.dropFirst()
                if rest.hasPrefix(".") {
                    rest = rest.dropFirst()
                    isDescendant = true
                }
            case "`":
                guard let end = rest.dropFirst().firstIndex(of: "`"),
                    let function = Self.function(String(rest[rest.index(after: rest.startIndex)..<end]))
                else { return nil }
                if self.rest != nil { return nil }
                functions.append(function)
                rest = rest[rest.index(after: end)...]
            case "[":
                guard let content = Self.bracket(rest) else { return nil }
                rest = rest.dropFirst(content.count + 2)
                if let function = Self.sort(content) {
                    functions.append(function)
                } else {
                    guard let selector = Self.selector(content) else { return nil }
                    append((isDescendant ? ".." : "") + selector)
                    isDescendant = false
                }
            default:
                guard let name = Self.name(&rest) else { return nil }
                let isPlain = name == "*" || Self.isShorthand(name)
                append((isDescendant ? ".." : isPlain ? "." : "") + (isPlain ? name : Self.quoted(name)))
                isDescendant = false
            }
        }
        guard !isDescendant, let valid = try? JSONPath(path) else { return nil }
        if let rest = self.rest, (try? JSONPath(rest)) == nil { return nil }
        isSingular = valid.isSingular
    }

    private mutating func append(_ segment: String) {
        if functions.isEmpty { path += segment } else { rest = (rest ?? "$") + segment }
    }

    // MARK: Names

    private static func name(_ rest: inout Substring) -> String? {
        if let quote = rest.first, quote == "'" || quote == "\"" {
            guard let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[rest.index(after: rest.startIndex)..<end])
        }
        if rest.hasPrefix("*") {
            rest = rest.dropFirst()
            return "*"
        }
        let name = rest.prefix { $0.isLetter || $0.isNumber || "_-@".contains($0) || $0 == "\u{F8FF}" }
        if name.isEmpty { return nil }
        rest = rest.dropFirst(name.count)
        return String(name)
    }

    private static func isShorthand(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func quoted(_ name: String) -> String {
        let escaped = name.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "['\(escaped)']"
    }

    // MARK: Brackets

    /// Returns the contents of the brackets at the start of a text.
    private static func bracket(_ text: Substring) -> String? {
        var depth = 0
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "[" {
                depth += 1
            } else if character == "]" {
                depth -= 1
                if depth == 0 { return String(text[text.index(after: text.startIndex)..<index]) }
            }
        }
        return nil
    }

    private static func selector(_ content: String) -> String? {
        if content.hasPrefix("?") { return filter(content.dropFirst()).map { "[?\($0)]" } }
        if content == "*" || content.allSatisfy({ $0.isNumber || "-: ,".contains($0) }) { return "[\(content)]" }
        let names = content.split(separator: ",").map { $0.trimmingBlanks }
        let selectors = names.compactMap { name -> String? in
            var rest = name[...]
            guard let plain = Self.name(&rest), rest.isEmpty else { return nil }
            return String(quoted(plain).dropFirst().dropLast())
        }
        return selectors.count == names.count && !names.isEmpty ? "[\(selectors.joined(separator: ","))]" : nil
    }

    private static func sort(_ content: String) -> Function? {
        guard content.hasPrefix("/") || content.hasPrefix("\\") else { return nil }
        return .sortedBy(
            content.split(separator: ",").map { part in
                let part = part.trimmingBlanks
                return (String(part.dropFirst()), part.hasPrefix("\\"))
            })
    }

    // MARK: Filters

    private static func filter(_ source: Substring) -> String? {
        var text = source.trimmingBlanks
        if text.hasPrefix("("), text.hasSuffix(")") { text = text.dropFirst().dropLast().trimmingBlanks }
        let terms = QuotedText.split(text, at: "&")
        let conditions = terms.filter { !$0.isEmpty }.map { condition($0.trimmingBlanks) }
        guard !conditions.isEmpty, !conditions.contains(nil) else { return nil }
        return conditions.compactMap { $0 }.joined(separator: " && ")
    }

    private static func condition(_ text: String) -> String? {
        for symbol in ["==", "!=", ">=", "<=", "=~", ">", "<", "="] {
            let parts = QuotedText.split(text, at: symbol, maximum: 2)
            guard parts.count == 2 else { continue }
            guard let left = operand(parts[0].trimmingBlanks) else { return nil }
            let right = parts[1].trimmingBlanks
            if symbol == "=~" { return isLiteral(right) ? "search(\(left), \(right))" : nil }
            guard isLiteral(right) || right.hasPrefix("@") || right.hasPrefix("$") else { return nil }
            return "\(left) \(symbol == "=" ? "==" : symbol) \(right)"
        }
        return operand(text)
    }

    private static func operand(_ text: String) -> String? {
        if text == "@" { return text }
        var rest = text[...]
        if rest.hasPrefix("@") || rest.hasPrefix("$") { rest = rest.dropFirst() }
        guard let path = PythonJSONPath(String(rest)), path.functions.isEmpty else { return nil }
        return "@" + path.path.dropFirst()
    }

    private static func isLiteral(_ text: String) -> Bool {
        if text == "true" || text == "false" || text == "null" { return true }
        if let first = text.first, first == "\"" || first == "'" { return text.count > 1 && text.last == first }
        return Double(text) != nil || text.contains("\u{F8FF}")
    }

    // MARK: Functions

    private static func function(_ source: String) -> Function? {
        switch source {
        case "len": return .length
        case "sorted": return .sorted
        case "keys": return .keys
        default: break
        }
        guard source.hasSuffix(")"), let open = source.firstIndex(of: "(") else { return nil }
        let arguments = source[source.index(after: open)...].dropLast()
        switch source[..<open] {
        case "sub":
            // `sub(/pattern/, replacement)`
            guard arguments.hasPrefix("/"), let end = arguments.dropFirst().lastIndex(of: "/") else { return nil }
            let pattern = arguments[arguments.index(after: arguments.startIndex)..<end]
            let rest = arguments[arguments.index(after: end)...].drop { $0 == "," || $0 == " " }
            return .substituted(pattern: String(pattern), replacement: String(rest))
        case "split":
            let parts = arguments.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingBlanks }
            guard parts.count == 3, let index = Int(parts[1]), parts[2] == "-1" else { return nil }
            return .split(separator: parts[0], index: index)
        default: return nil
        }
    }
}

extension StringProtocol {
    /// The text without blanks around it.
    var trimmingBlanks: String {
        var rest = Substring(self)
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest.drop { $0 == " " || $0 == "\t" })
    }
}
