import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads `expect`, and merges it with the defaults by key.
struct ExpectReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of matchers.
    let matchers: MatcherReader
    /// The exchange that the expectations apply to.
    private let subject: ExpectKey.Subject

    init(_ context: LoadContext, of subject: ExpectKey.Subject = .response) {
        self.context = context
        self.subject = subject
        matchers = MatcherReader(context)
    }

    /// Reads expectations into a set, replacing the values it has for the same keys.
    ///
    /// If nothing is expected in the end, a status of 400 or more fails unless the status is null.
    ///
    /// - Parameters:
    ///   - node: A status, or a mapping.
    ///   - set: The expectations, which contain the defaults.
    ///   - finished: A closure that is called with each key after it was read.
    func read(_ node: YAMLNode, into set: inout ExpectationSet, finished: (ExpectKey) -> Void) {
        guard node.kind == .mapping else {
            set.isDefault = false
            if subject == .command {
                context.reportType(node, expected: "a mapping", suggestion: "for example, write { exit: 0 }")
                return
            }
            set.status = status(node)
            finished(.status)
            return
        }
        var allowsAnyStatus = set.expectsNothing && !set.isDefault
        MapReader(context, ExpectKey.schema, hints: subject == .command ? ExpectKey.commandHints : [:]).read(node) {
            key, _, value in
            read(key, value, into: &set)
            if key == .status, value.isNull { allowsAnyStatus = true }
            finished(key)
        }
        set.isDefault = set.expectsNothing && !allowsAnyStatus
    }

    /// Reads the expectation of one key into a set, replacing the value it has for that key.
    func read(_ key: ExpectKey, _ value: YAMLNode, into set: inout ExpectationSet) {
        guard key.applies(to: subject) else { return refuse(key, value) }
        let isRemoved = value.isNull
        switch key {
        case .status: set.status = isRemoved ? nil : status(value)
        case .headers: set.headers = isRemoved ? [] : headers(value)
        case .cookies: set.cookies = isRemoved ? [] : cookies(value)
        case .json: set.json = isRemoved ? [] : json(value)
        case .body: set.body = isRemoved ? nil : matchers.matcher(value)
        case .duration: set.duration = isRemoved ? nil : matchers.matcher(value, domain: .duration)
        case .size: set.size = isRemoved ? nil : matchers.matcher(value, domain: .size)
        case .xml, .html, .redirects, .hops, .http, .timings, .certificate, .trailers, .events, .sha256, .image,
            .jsonSchema, .snapshot, .contract, .exit, .text, .stderr:
            ExpectExtrasReader(self).read(key, value, into: &set)
        }
    }

    /// Reports a key that does not apply to the exchange.
    private func refuse(_ key: ExpectKey, _ value: YAMLNode) {
        let keys = ExpectKey.schema.keys.filter { $0.applies(to: .command) }.map(\.rawValue)
        switch subject {
        case .command:
            context.report(
                "conflicting-keys", "\"\(key.rawValue)\" applies to a response, but a command has none", value.range,
                suggestion: "the expectations of a command are \(keys.joined(separator: ", "))")
        case .response:
            context.report(
                "conflicting-keys", "\"\(key.rawValue)\" applies to a command, but the step does not \"run\" one",
                value.range)
        }
    }

    // MARK: Status

    /// Returns an expected status; reports an error and returns nil if the node is not one.
    func status(_ node: YAMLNode) -> ExpectationSet.Status? {
        let range = node.range
        if node.kind == .mapping {
            return ExpectationSet.Status(
                pattern: .matcher(matchers.matcher(node, domain: .status)), text: "", range: range)
        }
        if let sequence = node.sequence {
            var ranges: [ClosedRange<Int>] = []
            var texts: [String] = []
            for element in sequence {
                guard let scalar = element.scalar, !NodeForms(of: scalar).isDisjoint(with: [.number, .string]) else {
                    context.reportType(element, expected: "a status")
                    continue
                }
                let text = scalar.text
                if let statusRange = statusRange(element, text) { ranges.append(statusRange) }
                texts.append(text)
            }
            if sequence.isEmpty {
                context.report("invalid-status", "a sequence of statuses must have at least one status", range)
            }
            return ExpectationSet.Status(
                pattern: .ranges(ranges), text: Self.either(texts), range: range)
        }
        guard let scalar = node.scalar else { return nil }
        if scalar.isString, ExpressionScan.mayHoldExpression(node) {
            return ExpectationSet.Status(
                pattern: .matcher(matchers.matcher(node, domain: .status)), text: scalar.text, range: range)
        }
        let text = scalar.text
        guard let statusRange = statusRange(node, text) else { return nil }
        return ExpectationSet.Status(pattern: .ranges(context.statusList(statusRange)), text: text, range: range)
    }

    /// Returns alternatives as text: `200, 201 or 204`.
    private static func either(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " or " + last
    }

    private func statusRange(_ node: YAMLNode, _ text: String) -> ClosedRange<Int>? {
        if let range = StatusText.range(of: text) { return range }
        context.report(
            "invalid-status", "\"\(text)\" is not a status", node.range,
            suggestion: "for example, write 200, 2xx or 200-204")
        return nil
    }

    // MARK: Mappings

    /// Returns expected headers or trailers.
    func headers(_ node: YAMLNode) -> [ExpectationSet.Named] {
        var headers: [ExpectationSet.Named] = []
        context.readMembers(node, .matcher(.value)) { _, key, value in
            let name = context.fieldName(key, of: .header, matchers.templates)
            headers.append(named(name, key, value, what: "header"))
        }
        return headers
    }

    private func cookies(_ node: YAMLNode) -> [ExpectationSet.Cookie] {
        var cookies: [ExpectationSet.Cookie] = []
        context.readMembers(node, .matcher(.value)) { _, key, value in
            let name = context.fieldName(key, of: .cookie, isToken: false, matchers.templates)
            let isMap = value.mapping?.contains { member in
                member.key.scalar.flatMap { CookieKey.schema.position(of: $0.text) } != nil
            }
            guard isMap == true else {
                let matcher = named(name, key, value, what: "cookie").matcher
                return cookies.append(ExpectationSet.Cookie(name: name, value: matcher, range: value.range))
            }
            var cookie = ExpectationSet.Cookie(name: name, range: value.range)
            MapReader(context, CookieKey.schema).read(value) { key, keyNode, operand in
                if key == .value {
                    cookie.value = named(name, keyNode, operand, what: "cookie").matcher
                } else if let attribute = CookieAttribute(rawValue: key.rawValue) {
                    cookie.attributes.append((attribute, matchers.matcher(operand)))
                    if attribute == .maxAge { checkSeconds(operand) }
                }
            }
            cookies.append(cookie)
        }
        return cookies
    }

    /// Reports durations for a cookie attribute, which is a number of seconds.
    private func checkSeconds(_ node: YAMLNode) {
        for member in node.members { checkSeconds(member.value) }
        for element in node.elements { checkSeconds(element) }
        guard let scalar = node.scalar, scalar.isString, let nanoseconds = try? QuantityReader.duration(scalar.text)
        else { return }
        context.report(
            "invalid-operand", "the age of a cookie must be a number of seconds", node.range,
            suggestion: "write \(nanoseconds / 1_000_000_000)")
    }

    private func named(
        _ name: Templated<String>, _ key: YAMLNode, _ value: YAMLNode, what: String
    ) -> ExpectationSet.Named {
        if value.isNull, !value.isReported {
            context.report(
                "wrong-type", "a \(what) is a string and never null",
                value.scalar?.text.isEmpty == true ? key.range : value.range,
                suggestion: "write { exists: false } for a \(what) that must not exist")
        }
        // `all` with a sequence is the operator. With any other value, it requires every field with that name to match.
        if let mapping = value.mapping, let all = mapping["all"], all.kind != .sequence {
            if mapping.count > 1 {
                return ExpectationSet.Named(name: name, matcher: matchers.matcher(ofEveryField: value))
            }
            return ExpectationSet.Named(name: name, matcher: matchers.matcher(all), matchesAll: true)
        }
        return ExpectationSet.Named(name: name, matcher: matchers.matcher(value))
    }

    /// Returns the JSONPath expectations.
    func json(_ node: YAMLNode) -> [ExpectationSet.JSON] {
        guard let mapping = node.mapping else { return [] }
        var paths: [ExpectationSet.JSON] = []
        paths.reserveCapacity(mapping.count)
        for position in mapping.indices {
            let (key, value) = mapping[position]
            let path = context.jsonPath(key, matchers.templates)
            let matcher = matchers.matcher(value)
            if let path { paths.append(ExpectationSet.JSON(path: path, pathRange: key.range, matcher: matcher)) }
        }
        return paths
    }
}

/// Reads `assert`.
struct AssertReader {
    private let context: LoadContext
    private let templates: TemplateReader

    /// Creates a reader of assertions about a response, or about the outputs of a call, which are evaluated like a
    /// request.
    init(_ context: LoadContext, phase: NameUse.Phase = .response) {
        self.context = context
        templates = TemplateReader(context, phase: phase)
    }

    /// Returns the expressions of a sequence, or of a string that stands for a sequence of one.
    func assertions(_ node: YAMLNode) -> [EmbeddedExpression] {
        ExpressionList(context, templates, what: "an assertion").expressions(node).map(\.expression)
    }
}
