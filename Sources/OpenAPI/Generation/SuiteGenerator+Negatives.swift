import JSON

/// Requests that the server must refuse.
extension SuiteGenerator {
    mutating func addNegatives(of draft: Draft, _ name: String, _ parts: RequestParts, isCertain: Bool) {
        let operation = operations[draft.operation]
        // A fragment is never sent: the server sees a request for another operation.
        if operation.path.contains("#") { return }
        func refused(_ status: SuiteNode) -> SuiteNode {
            .map([("status", status), ("contract", .map([("request", .plain("false"))]))])
        }
        if let status = TestBuilder.refusal(operation, among: [401]), !SecurityPlan.isOpen(operation) {
            var open = parts
            let own = draft.credentials
            open.headers.removeAll { header in own?.headers.contains { $0.0 == header.0 } ?? false }
            open.query.removeAll { entry in own?.query.contains { $0.0 == entry.0 } ?? false }
            open.cookies.removeAll { entry in own?.cookies.contains { $0.0 == entry.0 } ?? false }
            open.auth = own?.key == defaultCredentials ? .text("none") : nil
            if own?.auth != nil, defaultCredentials != nil { open.auth = .text("none") }
            append(unique(name + " without credentials"), operation, open, refused(status))
        }
        for negative in pathNegatives(operation) {
            guard let status = TestBuilder.refusal(operation, among: [400, 404, 422]) else { break }
            var wrong = parts
            guard let path = path(of: operation, replacing: negative.name, with: negative.text, in: parts.path) else {
                continue
            }
            wrong.path = path
            append(unique("\(name) with \(negative.phrase)"), operation, wrong, refused(status))
        }
        guard TestBuilder.refusal(operation, among: [400, 422]) != nil,
            // Where the path may name something that does not exist, this may be what the server says first.
            let status = TestBuilder.refusal(operation, among: isCertain ? [400, 422] : [400, 404, 422])
        else { return }
        for negative in parameterNegatives(draft) {
            var wrong = RequestParts(method: operation.method, path: parts.path)
            for sent in negative.sent { builder.add(sent, to: &wrong) }
            add(draft.body, to: &wrong)
            addCredentials(draft.credentials, to: &wrong)
            wrong.headers += parts.headers.filter { $0.0 == "Accept" }
            append(unique("\(name) \(negative.phrase)"), operation, wrong, refused(status))
        }
        for negative in bodyNegatives(draft) {
            var wrong = parts
            wrong.body = ("json", SuiteNode(negative.value))
            append(unique("\(name) \(SuiteNode.escaped(negative.phrase))"), operation, wrong, refused(status))
        }
    }

    /// Texts that path parameters cannot be.
    private func pathNegatives(_ operation: Operation) -> [(name: String, text: String, phrase: String)] {
        for parameter in operation.parameters where parameter.location == .path && parameter.style == .simple {
            guard let schema = parameter.schema else { continue }
            let text = JSONValue.string("not-an-id")
            let target = description.resolved(schema) ?? schema
            let types = ValueTypes(keyword: target.value["type"] ?? .null)
            let isNumber = !types.isEmpty && types.isSubset(of: .number)
            let isUUID = target.value["format"]?.stringValue == "uuid"
            if isNumber || isUUID, !builder.sampler.accepts(text, schema) {
                return [(parameter.name, "not-an-id", "a text as \(SuiteNode.escaped(parameter.name))")]
            }
        }
        return []
    }

    private func path(of operation: Operation, replacing name: String, with text: String, in path: String) -> String? {
        guard let position = operation.template.segments.firstIndex(where: { $0 == [.parameter(name)] }) else {
            return nil
        }
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard position + 1 < segments.count else { return nil }
        segments[position + 1] = text
        return segments.joined(separator: "/")
    }

    /// Parameters with one left out or one that is wrong.
    private func parameterNegatives(_ draft: Draft) -> [(sent: [TestBuilder.Sent], phrase: String)] {
        var result: [(sent: [TestBuilder.Sent], phrase: String)] = []
        for (position, sent) in draft.sent.enumerated() where sent.parameter.isRequired {
            var others = draft.sent
            others.remove(at: position)
            result.append((others, "without \(SuiteNode.escaped(sent.parameter.name))"))
            if result.count == 2 { break }
        }
        for (position, sent) in draft.sent.enumerated() where sent.parameter.location == .query {
            guard let schema = sent.parameter.schema, sent.value.arrayValue == nil, sent.value.objectValue == nil,
                // All texts are what they are in a query: numbers are no fault of a text.
                let fault = builder.sampler.negatives(schema, from: sent.value, name: sent.parameter.name)
                    .first(where: { $0.value.stringValue != nil || sent.value.numberValue != nil })
            else { continue }
            // An empty text is no value for many servers.
            if fault.value.stringValue == "" { continue }
            var changed = draft.sent
            changed[position].value = fault.value
            result.append((changed, SuiteNode.escaped(fault.phrase)))
            if result.count >= 3 { break }
        }
        return result
    }

    /// Bodies with one fault each: a member that is missing, then one of each other kind.
    private func bodyNegatives(_ draft: Draft) -> [NegativeSample] {
        guard let body = draft.body, body.key == "json", let value = body.value, let schema = body.schema else {
            return []
        }
        let all = builder.sampler.negatives(schema, from: value, name: "body")
        var found: [NegativeSample] = []
        for fault in all {
            guard found.count < 3, !found.contains(where: { $0.fault == fault.fault }) else { continue }
            found.append(fault)
        }
        return found
    }
}
