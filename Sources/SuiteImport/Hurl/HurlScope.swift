import CEL
import JSONPath
import RegularExpressions
import SuiteModel

/// The variables of a Hurl file, and the translation of strings that use them.
struct HurlScope {
    private var names = ImportedNames()
    /// The variables that captures and options define so far.
    private(set) var defined: Set<String> = []
    /// The defined variables whose values may be other than text.
    private var typed: Set<String> = []
    /// The texts of variables that options of the file define.
    private var constants: [String: String] = [:]
    /// The paths to which entries save the bodies of their responses.
    private var savedPaths: Set<String> = []
    /// The placeholders without a translation since they were last taken.
    private var untranslated: [String] = []

    // MARK: Names

    /// Defines a variable.
    ///
    /// - Parameter isText: Whether its value is a string.
    /// - Returns: Its name in the suite.
    mutating func define(_ source: String, isText: Bool) -> String {
        defined.insert(source)
        constants[source] = nil
        if isText { typed.remove(source) } else { typed.insert(source) }
        return names.name(source)
    }

    /// Defines a variable by an option.
    mutating func define(_ source: String, constant: String?, isText: Bool) -> String {
        let name = define(source, isText: isText)
        constants[source] = constant
        return name
    }

    /// Returns the path to which an entry saves the body of its response; nil if a suite cannot save to it, or if another
    /// entry does.
    mutating func savedPath(_ text: HurlText) -> String? {
        guard let path = constant(text), SavedPath.problem(of: path) == nil else { return nil }
        let name = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return !name.isEmpty && savedPaths.insert(name).inserted ? name : nil
    }

    /// Returns a string whose placeholders have known values; nil if one is unknown.
    func constant(_ text: HurlText) -> String? {
        var result = ""
        for part in text.parts {
            switch part {
            case .literal(let literal): result += literal
            case .placeholder(let placeholder):
                guard placeholder.filters.isEmpty, let value = constants[placeholder.name] else { return nil }
                result += value
            }
        }
        return result
    }

    /// Returns a translated string whose expressions have known values; nil if one is unknown.
    mutating func constant(_ text: ImportedText) -> String? {
        var result = ""
        for part in text.parts {
            switch part {
            case .literal(let literal): result += literal
            case .expression(let source):
                guard let known = constants.first(where: { names.name($0.key) == source }) else { return nil }
                result += known.value
            }
        }
        return result
    }

    /// Returns the name of a variable in the suite.
    mutating func name(_ source: String) -> String { names.name(source) }

    mutating func takeUntranslated() -> [String] {
        defer { untranslated = [] }
        return untranslated
    }

    /// The present time with microseconds, as Hurl writes it.
    private static let now = #"date.format(now(), "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")"#

    // MARK: Strings

    /// Returns a string with placeholders.
    mutating func text(_ text: HurlText) -> ImportedText {
        var result = ImportedText()
        for part in text.parts {
            switch part {
            case .literal(let literal): result.append(literal: literal)
            case .placeholder(let placeholder):
                let value = expression(placeholder)
                // A sole expression would keep its type.
                let isText = placeholder.isQuoted && value.type != .string
                result.append(expression: isText ? "string(\(value.source))" : value.source)
            }
        }
        return result
    }

    /// Returns a string as a CEL expression whose value is a string.
    mutating func quoted(_ source: HurlText) -> String {
        let text = text(source)
        // The placeholder of a string is text already.
        return text.soleExpression ?? text.concatenation
    }

    /// Whether every placeholder outside of quotes has a value of a known type, which a JSON value can have.
    func hasTypes(_ text: HurlText) -> Bool {
        text.parts.allSatisfy { part in
            if case .placeholder(let placeholder) = part { defined.contains(placeholder.name) } else { true }
        }
    }

    /// Returns the value of a placeholder.
    mutating func expression(_ placeholder: HurlPlaceholder) -> HurlExpression {
        var value: HurlExpression
        switch (placeholder.name, placeholder.argument) {
        case ("newUuid", nil): value = HurlExpression(source: "uuid()", type: .string)
        case ("newDate", nil): value = HurlExpression(source: Self.now, type: .string)
        case ("getEnv", let argument?):
            value = HurlExpression(source: "env(\(text(argument).concatenation))", type: .string)
        default:
            let isText = !typed.contains(placeholder.name)
            value = HurlExpression(source: names.name(placeholder.name), type: isText ? .string : .any)
        }
        for filter in placeholder.filters {
            if placeholder.name == "newDate", filter.name == "format" || filter.name == "dateFormat" {
                value = HurlExpression(source: "now()", type: .date)
            }
            guard let next = value.applying(filter, &self) else {
                untranslated.append("{{… \(filter.name)}}")
                continue
            }
            value = next
        }
        return value
    }

    // MARK: Paths and patterns

    /// Returns a JSONPath in the syntax of RFC 9535; nil if it is not valid.
    static func standardPath(_ path: String) -> (path: String, isSingular: Bool)? {
        if let valid = try? JSONPath(path) { return (path, valid.isSingular) }
        // Hurl accepts a dot before a bracket, and hyphens in names without quotes.
        var standard = ""
        var quote: Character?
        var rest = path[...]
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "[", standard.hasSuffix("."), !standard.hasSuffix("..") {
                standard.removeLast()
            } else if character == "." {
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
                if name.contains("-") {
                    standard += standard.hasSuffix(".") ? ".['\(name)']" : "['\(name)']"
                    rest = rest[name.endIndex...]
                    continue
                }
            }
            standard.append(character)
        }
        return (try? JSONPath(standard)).map { (standard, $0.isSingular) }
    }

    /// Returns what a JSONPath selects in a value: of a path that can select several values, the only one or the list.
    mutating func jsonPath(_ path: HurlText, of value: String) -> HurlExpression? {
        guard let literal = path.literal else {
            return HurlExpression(source: "jsonpath(\(value), \(text(path).concatenation))")
        }
        guard let (standard, _) = Self.standardPath(literal) else { return nil }
        return HurlExpression(source: "jsonpath(\(value), \(CELExpression.literal(standard)))")
    }

    /// Returns a pattern as a CEL literal; nil if CEL cannot use it.
    mutating func pattern(_ value: HurlValue?) -> String? {
        guard let pattern = Self.pattern(value), (try? RegularExpression(pattern, dialect: .re2)) != nil else {
            return nil
        }
        return CELExpression.literal(pattern)
    }

    /// Returns the text of a pattern without placeholders.
    static func pattern(_ value: HurlValue?) -> String? {
        switch value {
        case .regex(let pattern)?: pattern
        case .string(let text)?: text.literal
        default: nil
        }
    }

    /// Returns a pattern for matchers, which use the syntax of ECMA-262; nil if there is no equivalent.
    static func matcherPattern(_ value: HurlValue?) -> String? {
        pattern(value).flatMap(PatternText.matcher)
    }
}
