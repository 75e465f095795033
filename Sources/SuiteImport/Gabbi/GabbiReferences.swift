import CEL

/// The tests so far, and the translation of references to their responses.
///
/// A reference becomes a capture of the test that it refers to.
struct GabbiReferences {
    private var names = ImportedNames()
    /// The tests so far; each has a single exchange.
    var tests: [ImportedTest] = []
    /// The position of the last test with each name.
    private var positions: [String: Int] = [:]
    /// The names of captures by their test and source.
    private var captured: [String: String] = [:]
    /// The variables that are read from the environment.
    private(set) var environment: [ImportedVariable] = []
    /// Whether the current test is expected to fail, so that a missing value must not fail the test that has it.
    var isLenient = false
    /// The captures that may be missing, and that the current test uses.
    private var lenient: [String] = []
    /// The references without a translation since they were last taken.
    private var untranslated: [String] = []
    /// The origin of the current test's URL, if the URL is absolute.
    var origin: (scheme: String, authority: String)?

    /// The name of the variable with the prefix of all URLs.
    let baseURL: String

    init() {
        baseURL = names.name("baseURL")
        environment = [ImportedVariable(baseURL, environment: "BASE_URL")]
    }

    mutating func takeUntranslated() -> [String] {
        defer { untranslated = [] }
        return untranslated
    }

    mutating func takeLenient() -> [String] {
        defer { lenient = [] }
        return lenient
    }

    /// Adds a test, to which later references refer.
    mutating func add(_ test: ImportedTest, name: String) {
        positions[name] = tests.count
        tests.append(test)
    }

    // MARK: Strings

    /// Returns a string with its references.
    mutating func text(_ source: String) -> ImportedText {
        var result = ImportedText()
        let template = GabbiTemplate(source)
        // gabbi converts the whole string in which a reference with a type stands.
        let cast = template.soleReference == nil ? template.cast : nil
        for part in template.parts {
            switch part {
            case .literal(let text): result.append(literal: text)
            case .reference(var reference):
                if cast != nil { reference.cast = nil }
                append(reference, to: &result)
            }
        }
        guard let cast else { return result }
        return ImportedText(
            expression: cast == "int" ? "int(\(result.concatenation))" : "double(\(result.concatenation))")
    }

    /// Returns the value of a reference.
    mutating func text(of reference: GabbiReference) -> ImportedText {
        var text = ImportedText()
        append(reference, to: &text)
        return text
    }

    /// Returns a value whose type references keep: that of a response, or that which the text of a variable of the
    /// environment resembles.
    mutating func value(_ source: String) -> ImportedValue {
        let template = GabbiTemplate(source)
        guard let reference = template.soleReference, reference.kind == .environ else { return .text(text(source)) }
        let name = environmentName(reference.argument)
        switch reference.cast {
        case "int": return .expression("int(\(name))")
        case "float": return .expression("double(\(name))")
        case "str": return .expression(name)
        case "bool": return .expression("size(\(name)) > 0")
        default:
            let pattern = CELExpression.literal(#"^(-?[0-9]+(\.[0-9]+)?|true|false|null)$"#)
            return .expression("\(name).lowerAscii().matches(\(pattern)) ? json.parse(\(name).lowerAscii()) : \(name)")
        }
    }

    private mutating func append(_ reference: GabbiReference, to text: inout ImportedText) {
        switch reference.kind {
        case .scheme:
            if let origin {
                text.append(literal: origin.scheme)
            } else {
                text.append(expression: "url.parse(\(baseURL)).scheme")
            }
        case .netloc:
            if let origin { return text.append(literal: origin.authority) }
            // Most often it follows the scheme.
            if text.parts.count >= 2,
                text.parts.suffix(2) == [.expression("url.parse(\(baseURL)).scheme"), .literal("://")]
            {
                text = ImportedText(text.parts.dropLast(2))
                text.append(expression: baseURL)
            } else {
                text.append(expression: "regex.replace(\(baseURL), \"^https?://\", \"\")")
            }
        case .environ: text.append(expression: environmentName(reference.argument))
        case .lastURL, .url:
            guard let index = position(reference) else { return missing(reference, &text) }
            let url = tests[index].steps.first?.request.url ?? ""
            let isRelative = URLParts(url).origin.isEmpty
            text.append(isRelative && !text.isEmpty ? ImportedText.variable(baseURL) + url : url)
        case .location: capture(reference, .header("Location"), hint: "location", &text)
        case .cookie:
            capture(reference, .header("Set-Cookie"), pattern: "^([^;]*)", hint: "cookie", &text)
        case .headers: capture(reference, .header(ImportedText(reference.argument)), hint: reference.argument, &text)
        case .response:
            guard let path = PythonJSONPath(reference.argument), path.functions.isEmpty else {
                return missing(reference, &text)
            }
            let hint = path.path.split { !($0.isLetter || $0.isNumber || $0 == "_") }.last { Int($0) == nil }
            let source: ImportedCapture.Source =
                path.isSingular
                ? .json(ImportedText(path.path))
                : .expression(
                    "cel.bind(found, jsonpath(body, \(CELExpression.literal(path.path))), size(found) == 1 ? found[0] : found)"
                )
            capture(reference, source, hint: hint.map(String.init) ?? "response", &text)
        }
    }

    private mutating func environmentName(_ name: String) -> String {
        let source = names.name("env \(name)".lowercased())
        // The value is read where it is used, so that the name stays the one of the environment.
        let variable = ImportedVariable(source, environment: name)
        if !environment.contains(where: { $0.name == source }) { environment.append(variable) }
        return source
    }

    private func position(_ reference: GabbiReference) -> Int? {
        if let test = reference.test { return positions[test] }
        return tests.isEmpty ? nil : tests.count - 1
    }

    private mutating func missing(_ reference: GabbiReference, _ text: inout ImportedText) {
        let argument = reference.kind.hasArgument ? "['\(reference.argument)']" : ""
        untranslated.append("$\(reference.kind.rawValue)\(argument)")
        text.append(literal: "$\(reference.kind.rawValue)\(argument)")
    }

    private mutating func capture(
        _ reference: GabbiReference, _ source: ImportedCapture.Source, pattern: String? = nil, hint: String,
        _ text: inout ImportedText
    ) {
        guard let index = position(reference), !tests[index].steps.isEmpty else { return missing(reference, &text) }
        let key = "\(index) \(source)"
        let name: String
        if let known = captured[key] {
            name = known
        } else {
            name = names.unique(ImportedNames.valid(hint))
            captured[key] = name
            var capture = ImportedCapture(name, source)
            capture.pattern = pattern
            if isLenient { capture.fallback = .null }
            tests[index].steps[0].captures.append(capture)
        }
        if let position = tests[index].steps[0].captures.firstIndex(where: { $0.name == name }) {
            if !isLenient {
                tests[index].steps[0].captures[position].fallback = nil
            } else if tests[index].steps[0].captures[position].fallback != nil, !lenient.contains(name) {
                lenient.append(name)
            }
        }
        switch reference.cast {
        case "int": text.append(expression: "int(\(name))")
        case "float": text.append(expression: "double(\(name))")
        case "str": text.append(expression: "string(\(name))")
        case "bool": text.append(expression: "bool(\(name))")
        default: text.append(expression: name)
        }
    }
}
