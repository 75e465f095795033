import CEL
import Diagnostics
import YAML

/// Translates the `response` of a stage.
struct TavernResponses {
    let source: TavernSource
    /// The setting of `strict` that applies.
    let strict: YAMLNode?
    private(set) var checks: [ImportedCheck] = []
    private(set) var captures: [ImportedCapture] = []
    private(set) var notes: [ImportNote] = []

    init(source: TavernSource, strict: YAMLNode?) {
        self.source = source
        self.strict = strict
    }

    /// Translates a response; nil stands for one with the status 200.
    mutating func translate(_ node: YAMLNode?, _ scope: inout TavernScope, _ context: inout ImportContext) {
        if let status = node?["status_code"] {
            self.status(status, &scope, &context)
        } else {
            add(.status(["200"]), &context)
        }
        if let strict, !Self.isValid(strict) { note("strict", strict, isAssertion: false, &context) }
        for (key, value) in node?.members ?? [] {
            switch key.text {
            case "status_code", "strict": break
            case "json", "body": json(value, &scope, &context)
            case "headers": headers(value, &scope, &context)
            case "redirect_query_params": redirectParameters(value, &scope, &context)
            case "text": text(value, &scope, &context)
            case "cookies":
                for name in value.elements {
                    if let text = name.text { scope.receive(cookie: text) }
                    add(.matches(.cookie(scope.text(name.text ?? "")), ImportedMatcher(.exists, true)), &context)
                }
            case "save": save(value, &scope, &context)
            case "verify_response_with": for function in value.listed { verify(function, &scope, &context) }
            case "$ext": verify(value, &scope, &context)
            default: note("response \(key.text ?? "")", value, &context)
            }
        }
    }

    private mutating func add(_ check: ImportedCheck, _ context: inout ImportContext) {
        checks.append(check)
        context.translatedAssertions()
    }

    private mutating func note(
        _ construct: String, _ node: YAMLNode, isAssertion: Bool = true, _ context: inout ImportContext
    ) {
        notes.append(
            context.untranslated(
                construct, in: source.file, line: node.line, source: node.sourceText, isAssertion: isAssertion))
    }

    // MARK: Strictness

    /// Returns whether a setting of `strict` has a form that Tavern accepts.
    private static func isValid(_ strict: YAMLNode) -> Bool {
        if case .bool? = PythonScalar(strict) { return true }
        guard let options = strict.sequence else { return false }
        return options.allSatisfy { option in
            let words = (option.text ?? "").split(separator: ":").map(String.init)
            return words.count < 3 && ["json", "headers", "redirect_query_params"].contains(words.first ?? "")
                && (words.count == 1 || ["on", "off", "list_any_order"].contains(words[1]))
        }
    }

    /// Returns the strictness for a part of a response: `json`, `headers`, `redirect_query_params`, or `text`.
    private func strictness(_ part: String) -> TavernValues.Strictness {
        let usual: TavernValues.Strictness = part == "json" ? .on : .off
        guard let strict else { return usual }
        if case .bool(let flag)? = PythonScalar(strict) { return flag ? .on : .off }
        for option in strict.listed {
            let words = (option.text ?? "").split(separator: ":")
            guard words.first.map(String.init) == part else { continue }
            switch words.count > 1 ? words[1] : "" {
            case "on": return .on
            case "off": return .off
            case "list_any_order": return .anyOrder
            default: return usual
            }
        }
        return usual
    }

    // MARK: Expectations

    private mutating func status(_ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext) {
        let values = TavernValues(source: source)
        if node.mapping != nil { return note("status_code", node, &context) }
        let statuses = node.listed.map { values.value($0, &scope) }
        let literals = statuses.compactMap { value -> String? in if case .plain(let text) = value { text } else { nil }
        }
        if literals.count == statuses.count, !literals.isEmpty {
            add(.status(literals), &context)
        } else if statuses.count == 1 {
            add(.statusMatches(ImportedMatcher(equals: statuses[0])), &context)
        } else {
            add(.statusMatches(ImportedMatcher(.oneOf, .sequence(statuses))), &context)
        }
    }

    private mutating func json(_ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext) {
        if let function = node["$ext"] {
            verify(function, &scope, &context)
            if node.members.count > 1 { note("json with $ext", node, &context) }
            return
        }
        let (node, values) = source.included(node, &context)
        let strictness = strictness("json")
        // Members that may have others beside them have expectations of their own.
        if strictness != .on, let mapping = node.mapping, !mapping.isEmpty,
            mapping.allSatisfy({ $0.value.mapping == nil && ($0.key.text ?? "").utf8.allSatisfy(Self.isNamePart) })
        {
            for (key, value) in mapping {
                guard let matcher = values.matcher(value, strictness, &scope) else {
                    note("json \(key.text ?? "")", value, &context)
                    continue
                }
                add(.matches(.json(ImportedText("$.\(key.text ?? "")")), matcher), &context)
            }
            return
        }
        if let matcher = values.matcher(node, strictness, &scope) {
            add(.matches(.json("$"), matcher), &context)
        } else {
            note("json", node, &context)
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private mutating func headers(_ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext) {
        let values = TavernValues(source: source)
        for (key, value) in node.members {
            let name = key.text ?? ""
            if name == "$ext" {
                verify(value, &scope, &context)
            } else if let matcher = values.matcher(value, .on, &scope) {
                add(.matches(.header(scope.text(name)), matcher), &context)
            } else {
                note("headers \(name)", value, &context)
            }
        }
        if strictness("headers") == .on { note("strict headers", node, &context) }
    }

    private mutating func redirectParameters(
        _ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext
    ) {
        let values = TavernValues(source: source)
        for (key, value) in node.members {
            let parameter = "\(Self.parameters)[\(CELExpression.literal(key.text ?? ""))][0]"
            if source.tag(value) == nil, case .text(let text) = values.value(value, &scope) {
                add(.assertion("\(parameter) == \(text.concatenation)"), &context)
            } else {
                note("redirect_query_params", value, &context)
            }
        }
    }

    /// The parameters of the URL to which a response redirects.
    private static let parameters = "url.parse(headers[\"location\"]).parameters"

    private mutating func text(_ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext) {
        let values = TavernValues(source: source)
        if let matcher = values.matcher(node, .on, &scope) {
            add(.matches(.text, matcher), &context)
        } else {
            note("text", node, &context)
        }
    }

    // MARK: Functions

    /// Translates the functions that come with Tavern.
    private mutating func verify(_ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext) {
        let arguments = node["extra_kwargs"]
        switch node["function"]?.text {
        case "tavern.helpers:validate_regex":
            guard let pattern = arguments?["expression"]?.text.flatMap({ PatternText.matcher($0) }),
                arguments?["in_jmespath"] == nil
            else { break }
            let matcher = ImportedMatcher(.matches, .literal(pattern))
            if let header = arguments?["header"]?.text {
                return add(.matches(.header(scope.text(header)), matcher), &context)
            }
            return add(.matches(.text, matcher), &context)
        case "tavern.helpers:check_jmespath_match":
            guard let query = arguments?["query"]?.text, let path = Self.jsonPath(query) else { break }
            guard let expected = arguments?["expected"] else {
                return add(.matches(.json(ImportedText(path)), ImportedMatcher(.exists, true)), &context)
            }
            guard let matcher = TavernValues(source: source).matcher(expected, .on, &scope) else { break }
            return add(.matches(.json(ImportedText(path)), matcher), &context)
        case "tavern.helpers:validate_content":
            guard let comparisons = arguments?["comparisons"]?.elements else { break }
            for comparison in comparisons { compare(comparison, &scope, &context) }
            return
        default: break
        }
        note("$ext \(node["function"]?.text ?? "")", node, &context)
    }

    private static let operators: [String: ImportedMatcher.Operator] = [
        "equals": .equals, "eq": .equals, "less_than": .lt, "lt": .lt, "greater_than": .gt, "gt": .gt,
        "less_than_or_equals": .lte, "le": .lte, "greater_than_or_equals": .gte, "ge": .gte, "contains": .contains,
        "contained_by": .oneOf, "regex": .matches, "count_eq": .length, "type": .type, "not_equals": .not, "ne": .not,
    ]
    private static let types = [
        "str": "string", "int": "integer", "float": "number", "number": "number", "bool": "boolean", "list": "array",
        "dict": "object", "none": "null",
    ]

    private mutating func compare(_ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext) {
        guard let path = node["jmespath"]?.text.flatMap({ Self.jsonPath($0) }), let expected = node["expected"],
            let `operator` = node["operator"]?.text.flatMap({ Self.operators[$0] })
        else { return note("validate_content", node, &context) }
        var operand = TavernValues(source: source).value(expected, &scope)
        if `operator` == .type {
            guard let type = expected.text.flatMap({ Self.types[$0] }) else {
                return note("validate_content", node, &context)
            }
            operand = .literal(type)
        } else if `operator` == .matches {
            guard let pattern = expected.text.flatMap({ PatternText.matcher($0) }) else {
                return note("validate_content", node, &context)
            }
            operand = .literal(pattern)
        } else if `operator` == .oneOf, case .sequence = operand {
            // The elements as they are.
        } else if `operator` == .oneOf {
            return note("validate_content", node, &context)
        }
        add(.matches(.json(ImportedText(path)), ImportedMatcher(`operator`, operand)), &context)
    }

    // MARK: Captures

    private mutating func save(_ node: YAMLNode, _ scope: inout TavernScope, _ context: inout ImportContext) {
        for (key, value) in node.members {
            switch key.text {
            case "json", "body":
                for (name, path) in value.members {
                    if let path = path.text.flatMap({ Self.jsonPath($0) }) {
                        captures.append(
                            ImportedCapture(scope.define(name.text ?? "", isText: false), .json(ImportedText(path))))
                    } else {
                        note("save json", path, isAssertion: false, &context)
                    }
                }
            case "headers":
                for (name, header) in value.members {
                    let name = scope.define(name.text ?? "", isText: true)
                    captures.append(ImportedCapture(name, .header(scope.text(header.text ?? ""))))
                }
            case "redirect_query_params":
                for (name, parameter) in value.members {
                    let source = "\(Self.parameters)[\(CELExpression.literal(parameter.text ?? ""))][0]"
                    captures.append(ImportedCapture(scope.define(name.text ?? "", isText: true), .expression(source)))
                }
            case "cookies":
                for (name, cookie) in value.members {
                    let name = scope.define(name.text ?? "", isText: true)
                    captures.append(ImportedCapture(name, .cookie(scope.text(cookie.text ?? ""))))
                }
            default:
                note(key.text == "$ext" ? "save $ext" : "save \(key.text ?? "")", value, isAssertion: false, &context)
            }
        }
        for index in captures.indices { captures[index].isExpectation = true }
    }

    // MARK: Paths

    /// Returns the JSONPath for a JMESPath of names and indexes; nil for any other.
    static func jsonPath(_ source: String) -> String? {
        var path = "$"
        var rest = source.trimmingBlanks[...]
        if rest == "@" { return path }
        while let first = rest.first {
            if first == "." {
                rest = rest.dropFirst()
                if rest.isEmpty || rest.hasPrefix(".") { return nil }
            } else if first == "[" {
                guard let end = rest.firstIndex(of: "]"),
                    let index = Int(rest[rest.index(after: rest.startIndex)..<end])
                else { return nil }
                path += "[\(index)]"
                rest = rest[rest.index(after: end)...]
            } else if first == "\"" {
                guard let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
                let name = rest[rest.index(after: rest.startIndex)..<end]
                if name.contains("\\") { return nil }
                path += "[\(CELExpression.literal(String(name)))]"
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
                if name.isEmpty { return nil }
                // An index in the notation of former versions.
                if let index = Int(name) {
                    path += "[\(index)]"
                } else {
                    path += name.contains("-") ? "['\(name)']" : ".\(name)"
                }
                rest = rest.dropFirst(name.count)
            }
        }
        return path == "$" ? nil : path
    }
}
