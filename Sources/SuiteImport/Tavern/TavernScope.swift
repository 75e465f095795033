import CEL
import YAML

/// The variables of a Tavern test, and the translation of strings that use them.
struct TavernScope {
    private var names = ImportedNames()
    /// The variables that are known to be strings.
    private var texts: Set<String> = []
    /// The numbers that variables are known to be.
    private var numbers: [String: String] = [:]
    /// The strings that variables are known to be.
    private var strings: [String: String] = [:]
    /// The request of the current stage, for `tavern.request_vars`.
    var request: YAMLNode?
    /// The fields without a translation since they were last taken.
    private var untranslated: [String] = []
    /// The recursion of `tavern.request_vars`, which can refer to each other.
    private var depth = 0

    mutating func takeUntranslated() -> [String] {
        defer { untranslated = [] }
        return untranslated
    }

    /// Defines a variable, and returns its name in the suite.
    mutating func define(
        _ source: String, isText: Bool, number: String? = nil, string: String? = nil
    ) -> String {
        numbers[source] = number
        strings[source] = string
        if isText { texts.insert(source) } else { texts.remove(source) }
        return names.name(source)
    }

    /// Returns the number that a string is known to be; nil if it is none.
    func number(_ source: String) -> Double? {
        Double(source) ?? numberText(source).flatMap { Double($0) }
    }

    /// Returns the text of the number that a string with a single field is known to be.
    func numberText(_ source: String) -> String? {
        guard let format = TavernFormat(source.trimmingBlanks), format.parts.count == 1,
            case .field(let path, _) = format.parts[0], path.count == 1, case .name(let name) = path[0]
        else { return nil }
        return numbers[name]
    }

    /// Returns a string whose fields are all known; nil for any other.
    func constant(_ source: String) -> String? {
        guard let format = TavernFormat(source) else { return nil }
        var result = ""
        for part in format.parts {
            switch part {
            case .literal(let text): result += text
            case .field(let path, _):
                guard path.count == 1, case .name(let name) = path[0], let value = strings[name], !value.contains("{")
                else { return nil }
                result += value
            }
        }
        return result
    }

    // MARK: Made-up values

    /// The variables of made-up values with several uses, by the names of their anchors.
    private var madeUp: [String: String] = [:]

    /// Returns the variable of a made-up value that several places use.
    mutating func madeUpVariable(_ anchor: String) -> String {
        if let known = madeUp[anchor] { return known }
        // No variable of a Tavern file has this name.
        let name = define("&\(anchor)", isText: true)
        madeUp[anchor] = name
        return name
    }

    /// Returns the variables of made-up values that were used since they were last taken.
    mutating func takeMadeUp() -> [String] {
        defer { madeUp = [:] }
        return madeUp.values.sorted()
    }

    // MARK: Cookies

    /// The names of cookies that the stages so far are known to have received.
    private(set) var cookies: [String] = []

    /// Starts a test, which has no cookies.
    mutating func forgetCookies() { cookies = [] }

    /// Remembers a cookie that a stage receives.
    mutating func receive(cookie name: String) {
        if !cookies.contains(name) { cookies.append(name) }
    }

    // MARK: Strings

    /// Returns a string with its fields.
    ///
    /// - Parameter isValue: Whether the string is a JSON value, which a sole field would give another type.
    mutating func text(_ source: String, isValue: Bool = false) -> ImportedText {
        guard source.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return ImportedText(source)
        }
        guard let format = TavernFormat(source) else {
            untranslated.append("format of a string")
            return ImportedText(source)
        }
        var result = ImportedText()
        for part in format.parts {
            switch part {
            case .literal(let text): result.append(literal: text)
            case .field(let path, let format):
                append(path, format, isSole: isValue && source.hasPrefix("{") && self.isSole(source), to: &result)
            }
        }
        return result
    }

    private func isSole(_ source: String) -> Bool {
        source.firstIndex(of: "}") == source.index(before: source.endIndex)
    }

    /// Returns the expression of a string that is a single field; nil for any other string.
    mutating func expression(_ source: String) -> String? {
        guard let format = TavernFormat(source.trimmingBlanks), format.parts.count == 1,
            case .field(let path, _) = format.parts[0]
        else {
            return nil
        }
        var text = ImportedText()
        append(path, "", isSole: false, to: &text)
        return text.soleExpression
    }

    private mutating func append(
        _ path: [TavernFormat.Step], _ format: String, isSole: Bool, to text: inout ImportedText
    ) {
        if path.first == .name("tavern") { return appendSpecial(path, to: &text) }
        guard case .name(let first)? = path.first else {
            untranslated.append("field without a name")
            return
        }
        var source = names.name(first)
        for step in path.dropFirst() {
            switch step {
            case .name(let name): source += "[\(CELExpression.literal(name))]"
            case .index(let index): source += "[\(index)]"
            }
        }
        let isText = texts.contains(first) && path.count == 1
        switch format {
        case "", "s", "d", "f", "g":
            text.append(expression: isSole && !isText ? "string(\(source))" : source)
        default:
            guard format.hasPrefix("."), format.hasSuffix("f"), let digits = Int(format.dropFirst().dropLast()) else {
                untranslated.append("format {:\(format)}")
                text.append(expression: source)
                return
            }
            text.append(expression: "\"%.\(digits)f\".format([double(\(source))])")
        }
    }

    /// Appends `tavern.env_vars.X` or `tavern.request_vars.json.x`.
    private mutating func appendSpecial(_ path: [TavernFormat.Step], to text: inout ImportedText) {
        if path.count == 3, path[1] == .name("env_vars"), case .name(let name) = path[2] {
            text.append(expression: "env(\(CELExpression.literal(name)))")
            return
        }
        depth += 1
        defer { depth -= 1 }
        guard path.count > 2, path[1] == .name("request_vars"), depth < 8, var node = request else {
            untranslated.append("{tavern.…}")
            return
        }
        for step in path.dropFirst(2) {
            let next: YAMLNode? =
                switch step {
                case .name(let name): node[name]
                case .index(let index): node.elements.indices.contains(index) ? node.elements[index] : nil
                }
            guard let next else {
                untranslated.append("{tavern.request_vars.…}")
                return
            }
            node = next
        }
        let value = self.text(PythonScalar(node)?.text ?? "")
        for part in value.parts {
            switch part {
            case .literal(let literal): text.append(literal: literal)
            case .expression(let source): text.append(expression: source)
            }
        }
    }
}
