import JSON
import OpenAPI

/// Tests with requests that the server must reject.
extension SuiteGenerator {
    /// The maximum number of requests with an invalid value for one operation.
    private static let maximumNegatives = 100
    /// The number of form faults to inspect for each one that is still a fault as a string.
    private static let formFactor = 4

    /// Adds the tests with invalid variants of an operation's request.
    mutating func addNegatives(of draft: Draft, _ name: String, _ parts: RequestParts, isCertain: Bool) {
        let operation = operations[draft.operation]
        // A fragment is never sent, so the server would receive a request for a different operation.
        if operation.path.contains("#") { return }
        addSecurity(of: draft, name, parts)
        var room = Self.maximumNegatives
        if let status = refusal(operation, among: [400, 404, 422]) {
            for negative in pathNegatives(operation, limit: room) {
                guard let path = path(of: operation, replacing: negative.name, with: negative.text, in: parts.path)
                else { continue }
                var wrong = parts
                wrong.path = path
                append(unique("\(name) \(negative.phrase)"), draft.operation, .invalid, wrong, Self.refused(status))
                room -= 1
            }
        }
        if let status = refusal(operation, isCertain: isCertain) {
            for negative in parameterNegatives(draft, limit: room) {
                let wrong = request(of: draft, like: parts, sending: negative.sent)
                append(
                    unique("\(name) \(negative.phrase)"), draft.operation, negative.intent, wrong,
                    Self.refused(status))
                room -= 1
            }
            let bodies = bodyNegatives(draft, limit: room + 1)
            for negative in bodies.prefix(room) {
                var wrong = parts
                wrong.body = (negative.body.key, negative.body.node)
                append(
                    unique("\(name) \(SuiteNode.escaped(negative.phrase))"), draft.operation, .invalid, wrong,
                    Self.refused(status))
            }
            if bodies.count > room {
                tell(operation, "only \(Self.maximumNegatives) of its constraints are tested")
            }
        }
        addMediaType(of: draft, name, parts, isCertain: isCertain)
        addMethod(of: draft, parts)
    }

    /// Returns the request of an operation with other parameters.
    func request(of draft: Draft, like parts: RequestParts, sending sent: [TestBuilder.Sent]) -> RequestParts {
        var changed = RequestParts(method: operations[draft.operation].method, path: parts.path)
        for parameter in sent { builder.add(parameter, to: &changed) }
        add(draft.body, to: &changed)
        addCredentials(draft.credentials, to: &changed)
        changed.headers += parts.headers.filter { $0.0 == "Accept" }
        return changed
    }

    private static func refused(_ status: SuiteNode) -> SuiteNode {
        .map([("status", status), ("contract", .map([("request", .plain("false"))]))])
    }

    /// Returns the statuses of a rejection, or `nil` if none is documented and only documented ones are tested.
    private func refusal(_ operation: Operation, among statuses: [Int]) -> SuiteNode? {
        if let documented = TestBuilder.refusal(operation, among: statuses) { return documented }
        guard options.negativeTests == .always else { return nil }
        return .list(statuses.map { .plain("\($0)") })
    }

    /// Returns the statuses for an invalid value, including 404 if the path may refer to a missing resource.
    private func refusal(_ operation: Operation, isCertain: Bool) -> SuiteNode? {
        let status = refusal(operation, among: [400, 422])
        switch status {
        case .plain?, .list?: return isCertain ? status : refusal(operation, among: [400, 404, 422])
        case .text?, .members?, nil: return status
        }
    }

    // MARK: Security

    /// Adds requests without credentials and with invalid ones, because ignored credentials are the most serious fault.
    private mutating func addSecurity(of draft: Draft, _ name: String, _ parts: RequestParts) {
        let operation = operations[draft.operation]
        guard let own = draft.credentials, !SecurityPlan.isOpen(operation) else { return }
        let status = SuiteNode.list([.plain("401"), .plain("403")])
        var open = parts
        open.headers.removeAll { header in own.headers.contains { $0.0 == header.0 } }
        // A token may also be documented as a query parameter (RFC 6750, section 2.3).
        open.query.removeAll { entry in entry.0 == "access_token" || own.query.contains { $0.0 == entry.0 } }
        open.cookies.removeAll { entry in own.cookies.contains { $0.0 == entry.0 } }
        var invalid = open
        open.auth = defaultCredentials == nil ? nil : .text("none")
        append(unique(name + " without credentials"), draft.operation, .withoutCredentials, open, Self.refused(status))
        let wrong = own.invalid
        invalid.auth = wrong.auth ?? open.auth
        invalid.headers += wrong.headers
        invalid.query += wrong.query
        invalid.cookies += wrong.cookies
        let outer = condition
        onServer()
        append(
            unique(name + " with invalid credentials"), draft.operation, .invalidCredentials, invalid,
            Self.refused(status))
        condition = outer
    }

    // MARK: Values

    /// Returns strings that are invalid for path parameters.
    private func pathNegatives(
        _ operation: Operation, limit: Int
    ) -> [(name: String, text: String, phrase: String)] {
        var result: [(name: String, text: String, phrase: String)] = []
        for parameter in operation.parameters where parameter.location == .path && parameter.style == .simple {
            guard let schema = parameter.schema, let (value, _) = try? builder.value(of: parameter),
                value.arrayValue == nil, value.objectValue == nil
            else { continue }
            for negative in wrongTexts(schema, value, parameter.name) {
                // A self-explanatory string is better than "text".
                let isWord = negative.value == .string("text") || negative.fault == .pattern
                let wrong =
                    isWord && !builder.sampler.accepts(.string("not-an-id"), schema)
                    ? JSONValue.string("not-an-id") : negative.value
                let text = ParameterText.path(parameter, wrong)
                guard !text.isEmpty, text.utf8.count < 1_000, result.count < limit else { continue }
                let words = SuiteNode.escaped(negative.phrase)
                if !result.contains(where: { $0.name == parameter.name && $0.text == text }) {
                    result.append((parameter.name, text, words))
                }
            }
        }
        return result
    }

    /// Returns a path with another text for a parameter that fills a whole segment, or `nil` if there is none.
    func path(of operation: Operation, replacing name: String, with text: String, in path: String) -> String? {
        guard let position = operation.template.segments.firstIndex(where: { $0 == [.parameter(name)] }) else {
            return nil
        }
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard position + 1 < segments.count else { return nil }
        segments[position + 1] = text
        return segments.joined(separator: "/")
    }

    /// Returns the parameters with one missing or invalid, including parameters that are otherwise not sent.
    private func parameterNegatives(
        _ draft: Draft, limit: Int
    ) -> [(sent: [TestBuilder.Sent], intent: GeneratedTest.Intent, phrase: String)] {
        var result: [(sent: [TestBuilder.Sent], intent: GeneratedTest.Intent, phrase: String)] = []
        for (position, sent) in draft.sent.enumerated() where sent.parameter.isRequired && result.count < limit {
            var others = draft.sent
            others.remove(at: position)
            let intent: GeneratedTest.Intent = sent.parameter.location == .header ? .missingHeader : .invalid
            result.append((others, intent, "without \(SuiteNode.escaped(sent.parameter.name))"))
        }
        for parameter in operations[draft.operation].parameters
        where parameter.location != .path && parameter.location != .querystring {
            let position = draft.sent.firstIndex {
                $0.parameter.name == parameter.name && $0.parameter.location == parameter.location
            }
            guard let value = position.map({ draft.sent[$0].value }) ?? (try? builder.value(of: parameter))?.value
            else { continue }
            for negative in wrongValues(of: parameter, value) where result.count < limit {
                let wrong = TestBuilder.Sent(parameter: parameter, value: negative.value)
                var changed = draft.sent
                if let position { changed[position] = wrong } else { changed.append(wrong) }
                result.append((changed, .invalid, SuiteNode.escaped(negative.phrase)))
            }
        }
        return result
    }

    /// Returns values that are invalid for a parameter.
    private func wrongValues(of parameter: Parameter, _ value: JSONValue) -> [NegativeSample] {
        guard let schema = parameter.schema else {
            guard let content = parameter.content, content.range.isJSON, let schema = content.schema else { return [] }
            return builder.sampler.negatives(schema, from: value, name: parameter.name, isPart: true)
        }
        // The members of an exploded object are separate parameters, so an additional member is a different parameter.
        let isSpread = parameter.isExploded && parameter.style != .deepObject && parameter.style != .simple
        return wrongTexts(schema, value, parameter.name).filter { !isSpread || $0.fault != .additional }
    }

    /// Returns whether an invalid value remains invalid as a string.
    ///
    /// - Parameter right: The valid value that the invalid one was derived from.
    func remainsInvalid(_ wrong: JSONValue, _ schema: DescriptionNode, besides right: JSONValue) -> Bool {
        TextFaults(sampler: builder.sampler, schema: schema).isWrong(wrong, besides: right)
    }

    /// Returns values that are invalid against a schema and remain invalid as strings.
    func wrongTexts(_ schema: DescriptionNode, _ value: JSONValue, _ name: String) -> [NegativeSample] {
        let faults = TextFaults(sampler: builder.sampler, schema: schema)
        return builder.sampler.negatives(schema, from: value, name: name, isPart: true)
            .filter { faults.isWrong($0.value, besides: value) }
    }

    /// Returns bodies with one fault each.
    private func bodyNegatives(_ draft: Draft, limit: Int) -> [(body: BodyBuilder.Body, phrase: String)] {
        guard let body = draft.body, body.isChecked, let value = body.value, let schema = body.schema else { return [] }
        let isForm = body.key != "json"
        var found = builder.sampler.negatives(
            schema, from: value, name: "body", limit: isForm ? limit * Self.formFactor : limit)
        if isForm {
            let faults = TextFaults(sampler: builder.sampler, schema: schema, isJSON: body.isJSON)
            found = found.filter { faults.isWrong($0.value, besides: value) }
        }
        return found.prefix(limit).compactMap { negative in
            bodies.body(body, with: negative.value).map { ($0, negative.phrase) }
        }
    }

    // MARK: Media types and methods

    /// Adds a request with a body in an undocumented media type.
    private mutating func addMediaType(of draft: Draft, _ name: String, _ parts: RequestParts, isCertain: Bool) {
        let operation = operations[draft.operation]
        guard draft.body != nil, let body = operation.requestBody,
            refusal(operation, among: [400, 415, 422]) != nil,
            let type = ["application/x-unknown", "text/x-unknown", "image/x-unknown"].first(where: {
                body.content.bestMatch(for: MediaRange($0)) == nil
            })
        else { return }
        // RFC 9110 specifies 415. The statuses 400, 404, and 422 are accepted if documented.
        let others = [400, 404, 422].filter { status in
            operation.responses.contains { $0.status == .exact(status) } && (status != 404 || !isCertain)
        }
        let status = SuiteNode.list((others + [415]).sorted().map { .plain("\($0)") })
        var wrong = parts
        wrong.body = ("text", .text("unknown"))
        wrong.contentType = type
        append(
            unique("\(name) with a body of an unknown media type"), draft.operation, .unknownMediaType, wrong,
            Self.refused(others.isEmpty ? .plain("415") : status))
    }

    /// Adds a request with a method that the path does not support.
    private mutating func addMethod(of draft: Draft, _ parts: RequestParts) {
        let operation = operations[draft.operation]
        let shape = operation.template.shape
        guard testedMethods.insert(shape).inserted else { return }
        let same = (shapes[shape] ?? []).map { operations[$0] }
        // A server may route a method that is missing here to a template that matches the same path.
        let methods = Set(operations.filter { $0.template.covers(operation.template) }.map(\.method))
        // Some servers do not distinguish an unknown method from an unknown path, unless the description documents it.
        let isNamed =
            options.negativeTests == .always || same.contains { TestBuilder.refusal($0, among: [405]) != nil }
        // A server with an undocumented `DELETE` would delete a resource.
        guard let method = ["PATCH", "PUT", "POST", "GET"].first(where: { !methods.contains($0) }),
            isNamed || same.contains(where: { TestBuilder.refusal($0, among: [400, 422]) != nil })
        else { return }
        var wrong = RequestParts(method: method, path: parts.path)
        addCredentials(draft.credentials, to: &wrong)
        let refused: [(String, SuiteNode)] =
            isNamed
            ? [("status", .plain("405")), ("headers", .map([("Allow", .map([("exists", .plain("true"))]))]))]
            : [("status", .text("4xx"))]
        let expect = SuiteNode.map(refused + [("contract", .plain("false"))])
        append(
            unique("\(SuiteNode.escaped(operation.path)) with the unsupported method \(method)"), draft.operation,
            .unsupportedMethod, wrong,
            expect)
    }
}

/// A check whether invalid values remain invalid as strings in paths, queries, headers, cookies, and forms.
struct TextFaults {
    let sampler: SchemaSampler
    let schema: DescriptionNode
    /// A closure that returns whether a member is serialized as JSON, which preserves types.
    var isJSON: (_ name: String, _ value: JSONValue) -> Bool = { _, _ in false }

    /// Returns whether a value is invalid for every possible reading of its strings.
    ///
    /// - Parameter right: The valid value that the invalid one was derived from.
    func isWrong(_ wrong: JSONValue, besides right: JSONValue) -> Bool {
        guard let readings = readings(wrong, right, isRoot: true) else { return false }
        return readings.allSatisfy { !sampler.accepts($0, schema) }
    }

    /// Returns the values that a server may read, or `nil` if the fault is lost in serialization.
    private func readings(_ wrong: JSONValue, _ right: JSONValue?, isRoot: Bool = false) -> [JSONValue]? {
        switch (wrong, right) {
        case (.object(let object), .object(let other)):
            // An empty object sends nothing, so it cannot be invalid.
            if object.isEmpty { return nil }
            let changed = object.filter { other[$0.key] != $0.value }
            guard let (name, part) = changed.first, changed.count == 1 else { return [wrong] }
            if isRoot, isJSON(name, other[name] ?? part) { return [wrong] }
            return readings(part, other[name])?.map { reading in
                var whole = object
                whole[name] = reading
                return .object(whole)
            }
        case (.array(let elements), .array(let others)):
            if elements.isEmpty { return nil }
            let changed = elements.indices.filter { others.indices.contains($0) && others[$0] != elements[$0] }
            guard let index = changed.first, changed.count == 1, elements.count == others.count else { return [wrong] }
            return readings(elements[index], others[index])?.map { reading in
                var whole = elements
                whole[index] = reading
                return .array(whole)
            }
        case (.object(let object), nil): return object.isEmpty ? nil : parts(of: object)
        case (.array(let elements), nil):
            guard let first = elements.first else { return nil }
            return readings(first, nil)?.map { .array([$0] + elements.dropFirst()) }
        case (.null, _), (.bool, _), (.array, _), (.object, _): return nil
        // A string is equivalent to an array with that string, and an object would send nothing.
        case (_, .array), (_, .object): return nil
        case (.number(let number), _):
            // Any string is valid here, so a number is not a fault.
            if right?.stringValue != nil { return nil }
            return [wrong, .string(number.literal)]
        case (.string(let text), _):
            // Many servers treat an empty string as a missing value.
            if text.isEmpty || text.unicodeScalars.contains(where: { $0.value < 0x20 }) { return nil }
            return [wrong] + (JSONNumber(literal: text).map { [.number($0)] } ?? [])
        }
    }

    /// Returns the readings of an added object, in which one member at a time has an alternative reading.
    private func parts(of object: JSONObject) -> [JSONValue]? {
        var result: [JSONValue] = [.object(object)]
        for (name, part) in object {
            guard let readings = readings(part, nil) else { return nil }
            for reading in readings.dropFirst() {
                var whole = object
                whole[name] = reading
                result.append(.object(whole))
            }
        }
        return result
    }
}
