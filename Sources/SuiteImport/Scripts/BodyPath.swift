/// A location in a JSON body, as a script reaches it by members and indexes.
struct BodyPath: Sendable, Hashable {
    /// A step of a path.
    enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
        /// Every element of an array, as in a loop.
        case each
    }

    /// The steps.
    var steps: [Step] = []

    /// Returns the path with a further step.
    func appending(_ step: Step) -> BodyPath { BodyPath(steps: steps + [step]) }

    /// Whether the path may select several values.
    var isPlural: Bool { steps.contains(.each) }

    /// Returns the path for a text such as `a.b[0]["c"]`; nil if it has another form.
    init?(dotted text: String, in parent: BodyPath = BodyPath(steps: [])) {
        steps = parent.steps
        var rest = Substring(text)
        while !rest.isEmpty {
            if rest.hasPrefix("[") {
                guard let end = rest.firstIndex(of: "]") else { return nil }
                let inner = rest[rest.index(after: rest.startIndex)..<end]
                if let index = Int(inner) {
                    steps.append(.index(index))
                } else {
                    guard inner.count > 2, let quote = inner.first, quote == "'" || quote == "\"", inner.last == quote
                    else { return nil }
                    steps.append(.name(String(inner.dropFirst().dropLast())))
                }
                rest = rest[end...].dropFirst()
            } else {
                if rest.hasPrefix(".") { rest = rest.dropFirst() }
                let name = rest.prefix { $0 != "." && $0 != "[" }
                if name.isEmpty { return nil }
                if let index = Int(name) { steps.append(.index(index)) } else { steps.append(.name(String(name))) }
                rest = rest[name.endIndex...]
            }
        }
    }

    init(steps: [Step]) { self.steps = steps }

    /// Returns the expectation that a matcher holds for all values that the path selects; nil if there is none.
    ///
    /// - Parameter isRequired: Whether elements without the value fail. `$.list[*].name` leaves them out.
    func check(_ matcher: ImportedMatcher, isRequired: Bool) -> ImportedCheck? {
        guard let first = steps.firstIndex(of: .each) else { return .matches(.json(ImportedText(query)), matcher) }
        guard isRequired || steps.last == .each else {
            return .matches(.json(ImportedText(query)), ImportedMatcher(.each, matcher.value))
        }
        var result = matcher
        var names: [String] = []
        for step in steps[first...].reversed() {
            switch step {
            case .name(let name): names.insert(name, at: 0)
            case .index: return nil
            case .each:
                guard let element = result.ofMember(at: names) else { return nil }
                result = ImportedMatcher(.each, element.value)
                names = []
            }
        }
        return .matches(.json(ImportedText(BodyPath(steps: Array(steps[..<first])).query)), result)
    }

    // MARK: Notations

    /// The path as JSONPath (RFC 9535).
    var query: String {
        var result = "$"
        for step in steps {
            switch step {
            case .name(let name) where Self.isShorthand(name): result += ".\(name)"
            case .name(let name): result += "[\(Self.quoted(name))]"
            case .index(let index): result += "[\(index)]"
            case .each: result += "[*]"
            }
        }
        return result
    }

    /// The path as a CEL expression; nil if it selects several values.
    var expression: String? {
        var result = "body"
        for step in steps {
            switch step {
            case .name(let name) where Self.isSelectable(name): result += ".\(name)"
            case .name(let name): result += "[\(ImportedNames.literal(name))]"
            case .index(let index) where index < 0: result += "[size(\(result)) - \(-index)]"
            case .index(let index): result += "[\(index)]"
            case .each: return nil
            }
        }
        return result
    }

    /// The path as a CEL expression that is true if the value exists; nil if it selects several values.
    var existence: String? {
        guard let last = steps.last else { return "true" }
        var result = "body"
        if case .name = last, steps.count == 1 { return expression.map { "has(\($0))" } }
        for step in steps {
            switch step {
            case .name(let name) where Self.isSelectable(name): result += ".?\(name)"
            case .name(let name): result += "[?\(ImportedNames.literal(name))]"
            case .index(let index) where index < 0: return nil
            case .index(let index): result += "[?\(index)]"
            case .each: return nil
            }
        }
        return result + ".hasValue()"
    }

    private static func isShorthand(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
        }
    }

    private static let reserved: Set<String> = [
        "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
        "let", "loop", "package", "namespace", "return", "var", "void", "while",
    ]

    private static func isSelectable(_ name: String) -> Bool { isShorthand(name) && !reserved.contains(name) }

    private static func quoted(_ name: String) -> String {
        var result = "'"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'", "\\": result += "\\\(scalar)"
            case "\u{0}"..."\u{1F}":
                result +=
                    "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2) + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}
