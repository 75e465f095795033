import JSON
import OpenAPI

/// Tests with valid requests that have unusual values.
extension SuiteGenerator {
    /// The maximum number of requests with values at boundaries for one operation.
    private static let maximumBoundaries = 200
    /// The maximum number of values of a path parameter, and of those among them that programs often handle wrongly.
    private static let maximumPathValues = 30
    static let awkwardPaths = 8

    /// Adds requests that have one value at a boundary of its constraints, and requests with all optional parameters
    /// and without any.
    mutating func addBoundaries(of draft: Draft, _ name: String, _ parts: RequestParts, isCertain: Bool) {
        let operation = operations[draft.operation]
        var room = Self.maximumBoundaries
        func add(_ phrase: String, _ parts: RequestParts) {
            guard room > 0 else { return }
            room -= 1
            append(
                unique("\(name) \(SuiteNode.escaped(phrase))"), draft.operation, .variant(isCertain: isCertain), parts,
                .text("2xx"))
        }
        let required = draft.sent.filter(\.parameter.isRequired)
        if required.count < draft.sent.count {
            add("without optional parameters", request(of: draft, like: parts, sending: required))
        }
        for (sent, phrase) in unusualParameters(of: draft) {
            add(phrase, request(of: draft, like: parts, sending: sent))
        }
        addPathValues(of: draft, name, parts)
        guard let body = draft.body, let value = body.value, let schema = body.schema else { return }
        if operation.requestBody?.isRequired == false {
            var less = parts
            less.body = nil
            less.contentType = nil
            add("without a body", less)
        }
        for sample in builder.sampler.boundaries(schema, from: value, name: "body", limit: room) {
            guard body.key == "json" || !sample.value.isLostInForms, let changed = bodies.body(body, with: sample.value)
            else { continue }
            var unusual = parts
            unusual.body = (changed.key, changed.node)
            add(sample.phrase, unusual)
        }
    }

    /// Adds requests with unusual values in the path: at boundaries, and a few that programs often handle wrongly.
    private mutating func addPathValues(of draft: Draft, _ name: String, _ parts: RequestParts) {
        let operation = operations[draft.operation]
        for parameter in operation.parameters where parameter.location == .path {
            guard let schema = parameter.schema, let (value, _) = try? builder.value(of: parameter) else { continue }
            let awkward = builder.sampler.awkwardValues(like: value, schema, name: parameter.name)
            // The most usual identifier of a resource that exists.
            let usual = awkward.filter { $0.value == 1 }
            let samples =
                builder.sampler.boundaries(schema, from: value, name: parameter.name, isPart: true).map {
                    ($0.value, $0.phrase, false)
                } + (usual + awkward.prefix(Self.awkwardPaths)).map { ($0.value, $0.phrase, true) }
            for (value, phrase, isAwkward) in samples.prefix(Self.maximumPathValues) {
                guard let path = path(of: operation, replacing: parameter, with: value, in: parts.path) else {
                    continue
                }
                var unusual = parts
                unusual.path = path
                append(
                    unique("\(name) \(SuiteNode.escaped(phrase))"), draft.operation, .variant(isCertain: false),
                    unusual,
                    .text("2xx"))
                tests[tests.count - 1].hasUnusualPath = isAwkward
            }
        }
    }

    /// Returns a path with another value for a parameter that fills a whole segment, or `nil` if there is none.
    func path(
        of operation: Operation, replacing parameter: Parameter, with value: JSONValue, in path: String
    ) -> String? {
        let text = ParameterText.path(parameter, value)
        // Clients and servers remove dot segments, also encoded ones (RFC 3986, sections 5.2.4 and 6.2.2.2).
        guard !value.isLostInForms, !text.isEmpty, text != ".", text != ".." else { return nil }
        return self.path(of: operation, replacing: parameter.name, with: SuiteNode.escaped(text), in: path)
    }

    /// Adds requests with bodies of every JSON type, and with one that cannot be parsed.
    mutating func addWrongBodies(of draft: Draft, _ name: String, _ parts: RequestParts) {
        guard let body = draft.body, let schema = body.schema, body.key == "json" else { return }
        let values: [(value: JSONValue, words: String)] = [
            (.null, "null"), (.bool(true), "true"), (.number(1), "a number"), (.string("text"), "a string"),
            (.array([]), "an array"), (.array([.null]), "an array with null"),
            (.object(JSONObject()), "an empty object"),
        ]
        for (value, words) in values where !builder.sampler.accepts(value, schema) {
            var wrong = parts
            wrong.body = ("json", SuiteNode(value))
            append(unique("\(name) with \(words) as its body"), draft.operation, .invalid, wrong, .text("4xx"))
        }
        for (text, words) in [("{", "malformed JSON"), ("", "an empty body")] {
            var wrong = parts
            wrong.body = ("text", .text(text))
            wrong.contentType = parts.contentType ?? "application/json"
            append(unique("\(name) with \(words)"), draft.operation, .malformedBody, wrong, .text("4xx"))
        }
    }

    /// Returns the parameters of an operation with one at a boundary of its constraints, including parameters that are
    /// otherwise not sent.
    private func unusualParameters(of draft: Draft) -> [(sent: [TestBuilder.Sent], phrase: String)] {
        var result: [(sent: [TestBuilder.Sent], phrase: String)] = []
        for parameter in operations[draft.operation].parameters
        where parameter.location != .path && parameter.location != .querystring {
            let position = draft.sent.firstIndex {
                $0.parameter.name == parameter.name && $0.parameter.location == parameter.location
            }
            let value = position.map { draft.sent[$0].value } ?? (try? builder.value(of: parameter))?.value
            guard let value, let schema = parameter.schema else { continue }
            func send(_ value: JSONValue, _ phrase: String) {
                let unusual = TestBuilder.Sent(parameter: parameter, value: value)
                var sent = draft.sent
                if let position { sent[position] = unusual } else { sent.append(unusual) }
                result.append((sent, phrase))
            }
            if position == nil { send(value, "with \(parameter.name)") }
            for sample in builder.sampler.boundaries(schema, from: value, name: parameter.name, isPart: true)
            where !sample.value.isLostInForms {
                send(sample.value, sample.phrase)
            }
        }
        return result
    }
}

extension JSONValue {
    /// Whether the value, or a part of it, has no representation in a query, a header, or a form.
    var isLostInForms: Bool {
        switch self {
        case .null: true
        case .bool, .number: false
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty || elements.contains(where: \.isLostInForms)
        case .object(let object): object.isEmpty || object.contains { $0.value.isLostInForms }
        }
    }
}
