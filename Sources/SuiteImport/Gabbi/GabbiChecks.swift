import CEL
import Diagnostics
import JSONPath
import YAML

/// Translates the expectations of a gabbi test.
struct GabbiChecks {
    let file: SourceFile
    private(set) var checks: [ImportedCheck] = []
    private(set) var notes: [ImportNote] = []

    init(_ file: SourceFile) { self.file = file }

    /// The keys of expectations that gabbi has without plugins.
    static let keys: Set<String> = [
        "status", "response_headers", "response_forbidden_headers", "response_strings", "response_json_paths",
    ]

    /// Translates all expectations of a test.
    mutating func translate(
        _ test: GabbiTest, _ references: inout GabbiReferences, _ context: inout ImportContext
    ) {
        status(test, &references, &context)
        for (name, value) in test.map("response_headers") {
            header(name, value, &references, &context)
        }
        for node in test.list("response_forbidden_headers") {
            let name = references.text(node.text ?? "")
            add(.matches(.header(name), ImportedMatcher(.exists, false)), &context)
        }
        for node in test.list("response_strings") { string(node, &references, &context) }
        for (path, value) in test.map("response_json_paths") {
            if let check = jsonPath(path, value, &references, &context) {
                add(check, &context)
            } else {
                note("response_json_paths \(path)", value, source: "\(path): \(value.sourceText)", &context)
            }
        }
        // Those of plugins.
        for key in test.keys where key.hasPrefix("response_") && !Self.keys.contains(key) {
            note(key, test.any(key) ?? test.node, source: test.any(key)?.sourceText ?? "", &context)
        }
    }

    private mutating func add(_ check: ImportedCheck, _ context: inout ImportContext) {
        checks.append(check)
        context.translatedAssertions()
    }

    private mutating func note(_ construct: String, _ node: YAMLNode, source: String, _ context: inout ImportContext) {
        notes.append(
            context.untranslated(construct, in: file, line: node.line, source: source, isAssertion: true))
    }

    // MARK: Status

    private mutating func status(
        _ test: GabbiTest, _ references: inout GabbiReferences, _ context: inout ImportContext
    ) {
        let text = test.scalar("status")?.text ?? "200"
        let parts = text.split(separator: "|", omittingEmptySubsequences: true).map {
            references.text($0.trimmingBlanks)
        }
        let literals = parts.compactMap(\.literal)
        if literals.count == parts.count, !literals.isEmpty {
            add(.status(literals), &context)
        } else {
            let values = parts.map { part in
                part.literal.map { .plain($0) } ?? .expression("int(\(part.concatenation))") as ImportedValue
            }
            let matcher =
                values.count == 1 ? ImportedMatcher(equals: values[0]) : ImportedMatcher(.oneOf, .sequence(values))
            add(.statusMatches(matcher), &context)
        }
    }

    // MARK: Texts

    /// Returns the pattern of a string between slashes, with references whose values are taken literally.
    private func pattern(_ text: String, _ references: inout GabbiReferences) -> ImportedText? {
        guard text.count > 1, text.hasPrefix("/"), text.hasSuffix("/") else { return nil }
        let inner = references.text(String(text.dropFirst().dropLast()))
        if let literal = inner.literal { return ImportedText(PatternText.matcher(literal) ?? literal) }
        // Patterns in expressions have no lookaround, and neither do those that gabbi files use with references.
        let special = CELExpression.literal(#"([.*+?^${}()|\[\]\\/])"#)
        let replacement = CELExpression.literal(#"\\\1"#)
        return ImportedText(
            inner.parts.map { part in
                switch part {
                case .literal: part
                case .expression(let source):
                    .expression("regex.replace(string(\(source)), \(special), \(replacement))")
                }
            })
    }

    private func isPattern(_ text: String) -> Bool { text.count > 1 && text.hasPrefix("/") && text.hasSuffix("/") }

    private mutating func header(
        _ name: String, _ value: YAMLNode, _ references: inout GabbiReferences, _ context: inout ImportContext
    ) {
        guard let text = PythonScalar(value)?.text else {
            return note("response_headers \(name)", value, source: value.sourceText, &context)
        }
        // gabbi adds the version of HTTP to the headers.
        if name == "http_protocol_version", text.hasPrefix("HTTP/") {
            return add(.matches(.http, ImportedMatcher(equals: .literal(text.dropFirst(5)))), &context)
        }
        let subject = ImportedCheck.Subject.header(references.text(name))
        if let pattern = pattern(text, &references) {
            add(.matches(subject, ImportedMatcher(.matches, .text(pattern))), &context)
        } else {
            add(.matches(subject, ImportedMatcher(equals: .text(references.text(text)))), &context)
        }
    }

    private mutating func string(
        _ node: YAMLNode, _ references: inout GabbiReferences, _ context: inout ImportContext
    ) {
        guard let text = PythonScalar(node)?.text else {
            return note("response_strings", node, source: node.sourceText, &context)
        }
        if let pattern = pattern(text, &references) {
            add(.matches(.text, ImportedMatcher(.matches, .text(pattern))), &context)
        } else {
            add(.matches(.text, ImportedMatcher(.contains, .text(references.text(text)))), &context)
        }
    }

    // MARK: JSON

    private mutating func jsonPath(
        _ source: String, _ node: YAMLNode, _ references: inout GabbiReferences, _ context: inout ImportContext
    ) -> ImportedCheck? {
        guard let (path, text) = path(source, &references), !node.isReported else { return nil }
        if case .string(let string)? = PythonScalar(node), string.hasPrefix("<@") {
            guard let value = fileValue(string, &references, &context) else { return nil }
            return check(path, text, equals: .expression(value))
        }
        if case .string(let string)? = PythonScalar(node), isPattern(string), let pattern = pattern(string, &references)
        {
            return check(path, text, matches: pattern)
        }
        return check(path, text, equals: node.pythonValue { references.value($0) })
    }

    /// Returns a path with expressions in place of its references.
    private func path(
        _ source: String, _ references: inout GabbiReferences
    ) -> (PythonJSONPath, ImportedText)? {
        let template = GabbiTemplate(source)
        if let literal = template.literal { return PythonJSONPath(literal).map { ($0, ImportedText($0.path)) } }
        // The values are names or indexes, and the rest of the path must be valid as it is.
        var probe = ""
        var text = ImportedText()
        for part in template.parts {
            switch part {
            case .literal(let literal):
                var literal = literal
                if probe.isEmpty, !literal.hasPrefix("$") { literal = "$." + literal }
                literal = Self.withoutDots(literal)
                probe += literal
                text.append(literal: literal)
            case .reference(let reference):
                probe += "0"
                text.append(references.text(of: reference))
            }
        }
        guard (try? JSONPath(probe)) != nil, let path = PythonJSONPath(probe), path.functions.isEmpty else {
            return nil
        }
        return (path, text)
    }

    /// Returns a part of a path without the dots before brackets, which RFC 9535 does not allow.
    private static func withoutDots(_ text: String) -> String {
        var result = ""
        for character in text {
            if character == "[", result.hasSuffix("."), !result.hasSuffix("..") { result.removeLast() }
            result.append(character)
        }
        return result
    }

    /// Returns an expression for `<@file` or `<@file:$.path`.
    private func fileValue(
        _ text: String, _ references: inout GabbiReferences, _ context: inout ImportContext
    ) -> String? {
        let parts = text.dropFirst(2).split(separator: ":", maxSplits: 1).map(String.init)
        guard let name = parts.first, let path = try? context.files.suitePath(name, from: file) else { return nil }
        let value = "json.parse(file(\(CELExpression.literal(path))))"
        guard parts.count > 1 else { return value }
        guard let (path, text) = self.path(parts[1], &references), path.functions.isEmpty else { return nil }
        let selected = "jsonpath(\(value), \(text.concatenation))"
        return path.isSingular ? selected : "cel.bind(found, \(selected), size(found) == 1 ? found[0] : found)"
    }

    private func check(_ path: PythonJSONPath, _ text: ImportedText, equals value: ImportedValue) -> ImportedCheck? {
        if path.functions.isEmpty {
            if path.isSingular { return .matches(.json(text), ImportedMatcher(equals: value)) }
            // A single selected value stands for itself.
            let single = ImportedMatcher(equals: .sequence([value]))
            switch value {
            case .sequence(let elements):
                if elements.count < 2 { return .matches(.json(text), single) }
                let whole = ImportedMatcher(equals: value)
                let isPlain = !path.path.contains("..")
                return .matches(
                    .json(text), isPlain ? whole : ImportedMatcher(.either, .sequence([whole.value, single.value])))
            case .text(let string) where string.soleExpression != nil:
                let expression = string.soleExpression ?? ""
                return .assertion(
                    "cel.bind(found, jsonpath(body, \(text.concatenation)), (size(found) == 1 ? found[0] : found) == \(expression))"
                )
            case .text, .plain, .mapping: return .matches(.json(text), single)
            }
        }
        if path.functions == [.length], path.isSingular, path.rest == nil {
            return .matches(.json(text), ImportedMatcher(.length, value))
        }
        guard path.isSingular, var computed = computed("jsonpath(body, \(text.concatenation))", path.functions),
            let expected = value.expression
        else { return nil }
        if let rest = path.rest { computed = "jsonpath(\(computed), \(CELExpression.literal(rest)))" }
        return .assertion("\(computed) == \(expected)")
    }

    private func check(_ path: PythonJSONPath, _ text: ImportedText, matches pattern: ImportedText) -> ImportedCheck? {
        guard path.functions.isEmpty else { return nil }
        // Numbers are matched as text.
        let literal = pattern.literal ?? ""
        let letters = literal.split(separator: "\\", omittingEmptySubsequences: false).enumerated()
            .contains { index, part in (index == 0 ? part : part.dropFirst()).contains { $0.isLetter } }
        var matcher = ImportedMatcher(.matches, .text(pattern))
        if !letters || pattern.literal == nil { matcher = ImportedMatcher(.as, "string").and(.matches, .text(pattern)) }
        return .matches(
            .json(text), path.isSingular ? matcher : ImportedMatcher(.each, matcher.value).and(.length, 1))
    }

    /// Returns the value after functions of a path; nil if one has no equivalent.
    private func computed(_ value: String, _ functions: [PythonJSONPath.Function]) -> String? {
        var result = value
        for function in functions {
            switch function {
            case .length: result = "size(\(result))"
            case .sorted: result = "\(result).sort()"
            case .sortedBy(let keys):
                guard keys.count == 1, let key = keys.first else { return nil }
                result = "\(result).sortBy(element, element[\(CELExpression.literal(key.name))])"
                if key.isDescending { result += ".reverse()" }
            case .keys: result = "\(result).keys()"
            case .substituted(let pattern, let replacement):
                result =
                    "regex.replace(\(result), \(CELExpression.literal(pattern)), \(CELExpression.literal(replacement)))"
            case .split(let separator, let index):
                result = "\(result).split(\(CELExpression.literal(separator)))[\(index)]"
            }
        }
        return result
    }
}

extension ImportedValue {
    /// The value as a CEL expression; nil if it has none.
    var expression: String? {
        switch self {
        case .text(let text): return text.soleExpression ?? text.concatenation
        case .plain(let literal): return literal
        case .sequence(let elements):
            let sources = elements.compactMap(\.expression)
            return sources.count == elements.count ? "[\(sources.joined(separator: ", "))]" : nil
        case .mapping(let members):
            let sources = members.compactMap { member in
                member.value.expression.map { "\(member.key.concatenation): \($0)" }
            }
            return sources.count == members.count ? "{\(sources.joined(separator: ", "))}" : nil
        }
    }
}
