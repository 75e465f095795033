import YAML

/// Writes expectations, assertions and captures as they stand in a suite.
struct ResponseOutput {
    /// The value of `expect`; nil if there are no expectations.
    private(set) var expect: YAMLOutput?
    /// The assertions.
    private(set) var assertions: [YAMLOutput] = []

    /// The keys of expectations with a mapping of names to matchers, in order.
    private static let maps = ["headers", "cookies", "json", "xml", "html", "certificate"]

    /// Creates the output of expectations.
    init(_ checks: [ImportedCheck]) {
        let entries = Self.entries(checks, &assertions)
        if entries.list.count == 1, case .text("status") = entries.list[0].key {
            switch entries.list[0].value {
            // `expect: null` would be no expectation.
            case .plain("null"): expect = entries.output
            case .text, .plain: expect = entries.list[0].value
            case .sequence, .mapping, .commented: expect = entries.output
            }
        } else if !entries.isEmpty {
            expect = entries.output
        }
    }

    /// Returns the expectations on a message, without assertions.
    static func entries(of checks: [ImportedCheck]) -> Entries {
        var assertions: [YAMLOutput] = []
        return entries(checks, &assertions)
    }

    /// Returns the conditions of polling.
    static func conditions(_ polling: ImportedStep.Polling) -> YAMLOutput {
        var assertions: [YAMLOutput] = []
        var entries = entries(polling.checks, &assertions)
        entries.add("assert", oneOrMore: assertions)
        entries.add("every", literal: polling.every)
        entries.add("within", literal: polling.within)
        entries.add("times", value: polling.times)
        return entries.output
    }

    private static func entries(_ checks: [ImportedCheck], _ assertions: inout [YAMLOutput]) -> Entries {
        var statuses: [YAMLOutput] = []
        var members: [String: [(name: String, matchers: [ImportedMatcher])]] = [:]
        var single: [(key: String, matchers: [ImportedMatcher])] = []
        var schemas: [ImportedValue] = []
        var seen: Set<ImportedCheck> = []
        var attributes: [String: [(name: String, matchers: [ImportedMatcher])]] = [:]
        for check in checks where seen.insert(check).inserted {
            switch check {
            case .status(let list):
                let values = list.map { Int($0) == nil ? YAMLOutput.text($0) : .plain($0) }
                statuses.append(values.count == 1 ? values[0] : .sequence(values))
            case .statusMatches(let matcher): statuses.append(YAMLOutput(matcher.value))
            case .schema(let value):
                if let first = schemas.first, assertsFormat(first) != assertsFormat(value) {
                    add(ImportedMatcher(.schema, value), "$", to: &members["json", default: []])
                } else {
                    schemas.append(value)
                }
            case .assertion(let source): assertions.append(.text(source))
            case .matches(.cookieAttribute(let cookie, let key), let matcher):
                let name = cookie.template
                if members["cookies"]?.contains(where: { $0.name == name }) != true {
                    members["cookies", default: []].append((name, []))
                }
                add(matcher, key, to: &attributes[name, default: []])
            case .matches(.certificate(let key), let matcher):
                add(matcher, key, to: &members["certificate", default: []])
            case .matches(let subject, let matcher):
                let (key, name) = location(of: subject)
                if let name {
                    add(matcher, name, to: &members[key, default: []])
                } else {
                    add(matcher, key, to: &single)
                }
            }
        }
        var entries = Entries()
        if statuses.count == 1 {
            entries.add("status", statuses[0])
        } else if statuses.count > 1 {
            entries.add("status", .mapping([(.text("all"), .sequence(statuses))]))
        }
        for key in maps {
            guard let list = members[key] else { continue }
            entries.add(
                key,
                .mapping(
                    list.map { member in
                        guard key == "cookies", var list = attributes[member.name] else {
                            return (.text(member.name), YAMLOutput(combined(member.matchers).value))
                        }
                        for matcher in member.matchers.reversed() { add(matcher, "value", to: &list) }
                        return (
                            .text(member.name),
                            .mapping(list.map { (.text($0.name), YAMLOutput(combined($0.matchers).value)) })
                        )
                    }))
        }
        for entry in single { entries.add(entry.key, YAMLOutput(combined(entry.matchers).value)) }
        if let schema = combined(schemas) { entries.add("schema", value: schema) }
        return entries
    }

    /// Returns the schema of an operand with options; nil for an operand without.
    private static func inline(_ schema: ImportedValue) -> ImportedValue? {
        guard case .mapping(let members) = schema, members.contains(where: { $0.key.literal == "format" }) else {
            return nil
        }
        return members.first { $0.key.literal == "inline" }?.value
    }

    private static func assertsFormat(_ schema: ImportedValue) -> Bool { inline(schema) != nil }

    /// Returns one schema that is valid exactly if all of several are; nil without any.
    ///
    /// All of them assert `format`, or none does.
    private static func combined(_ schemas: [ImportedValue]) -> ImportedValue? {
        guard schemas.count > 1 else { return schemas.first }
        let inner = schemas.compactMap(inline)
        guard inner.count == schemas.count else { return .map([("allOf", .sequence(schemas))]) }
        return .map([("inline", .map([("allOf", .sequence(inner))])), ("format", "assert")])
    }

    private static func add(
        _ matcher: ImportedMatcher, _ name: String, to list: inout [(name: String, matchers: [ImportedMatcher])]
    ) {
        if let index = list.firstIndex(where: { $0.name == name }) {
            if !list[index].matchers.contains(matcher) { list[index].matchers.append(matcher) }
        } else {
            list.append((name, [matcher]))
        }
    }

    private static func add(
        _ matcher: ImportedMatcher, _ key: String, to list: inout [(key: String, matchers: [ImportedMatcher])]
    ) {
        var named = list.map { (name: $0.key, matchers: $0.matchers) }
        add(matcher, key, to: &named)
        list = named.map { (key: $0.name, matchers: $0.matchers) }
    }

    /// Returns one matcher that holds exactly if all of several do.
    private static func combined(_ matchers: [ImportedMatcher]) -> ImportedMatcher {
        // A part or a conversion applies only to the operators of its own matcher.
        if matchers.count > 1,
            matchers.contains(where: { $0.clauses.contains { $0.operator == .regex || $0.operator == .as } })
        {
            return ImportedMatcher(.all, .sequence(matchers.map(\.value)))
        }
        return matchers.dropFirst().reduce(matchers[0]) { $0.and($1) }
    }

    /// Returns the key of a subject, and its name within the mapping of that key.
    private static func location(of subject: ImportedCheck.Subject) -> (key: String, name: String?) {
        switch subject {
        case .header(let name): ("headers", name.template)
        case .cookie(let name), .cookieAttribute(let name, _): ("cookies", name.template)
        case .certificate(let key): ("certificate", key)
        case .json(let path): ("json", path.template)
        case .xml(let path): ("xml", path)
        case .html(let path): ("html", path)
        case .text: ("text", nil)
        case .body: ("body", nil)
        case .duration: ("duration", nil)
        case .size: ("size", nil)
        case .redirects: ("redirects", nil)
        case .http: ("http", nil)
        case .sha256: ("sha256", nil)
        case .hops: ("hops", nil)
        }
    }

    // MARK: Captures

    /// Returns the captures as a mapping of names to sources.
    static func captures(_ captures: [ImportedCapture]) -> Entries {
        var entries = Entries()
        var taken: Set<String> = []
        // Of several captures of one name, the last one counts.
        for capture in captures.reversed() where taken.insert(capture.name).inserted {
            entries.add(capture.name, output(of: capture))
        }
        var ordered = Entries()
        for entry in entries.list.reversed() { if case .text(let key) = entry.key { ordered.add(key, entry.value) } }
        return ordered
    }

    private static func output(of capture: ImportedCapture) -> YAMLOutput {
        var entries = Entries()
        switch capture.source {
        case .json(let path):
            let isPlain = capture.pattern == nil && capture.fallback == nil && !capture.isSecret
            if isPlain, path.template.hasPrefix("$"), !path.template.hasPrefix("${") { return .text(path.template) }
            entries.add("json", path)
        case .header(let name): entries.add("header", name)
        case .cookie(let name): entries.add("cookie", name)
        case .regex(let pattern): entries.add("regex", literal: pattern)
        case .xpath(let path): entries.add("xpath", verbatim: path)
        case .status: entries.add("status", .plain("true"))
        case .body: entries.add("body", .plain("true"))
        case .text: entries.add("text", .plain("true"))
        case .expression(let source): return .text("${\(source)}")
        }
        entries.add("regex", literal: capture.pattern)
        entries.add("default", value: capture.fallback)
        if capture.isSecret { entries.add("secret", .plain("true")) }
        return entries.output
    }
}
