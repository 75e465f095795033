import JSON
import OpenAPI

/// Tests that read the effects of previous requests.
extension SuiteGenerator {
    private static let maximumMembers = 20
    private static let maximumDepth = 3
    /// The formats whose values servers often normalize.
    private static let rewritten: Set = [
        "date-time", "time", "duration", "uri", "iri", "url", "byte", "binary", "password", "float", "double", "email",
    ]

    /// Returns drafts in which each change of a resource sends different values than the previous requests.
    func changing(_ drafts: [Draft], _ chains: ChainPlan) -> [Draft] {
        var created: [Int: PathSlot] = [:]
        for slot in chains.slots {
            guard let source = chains.sources[slot]?.operation, operations[source].method == "POST" else { continue }
            created[source] = created[source] ?? slot
        }
        var stored: [PathSlot: [JSONValue]] = [:]
        return drafts.map { draft in
            let operation = operations[draft.operation]
            let isChange = operation.method == "PUT" || operation.method == "PATCH"
            guard let slot = isChange ? operation.template.lastSlot : created[draft.operation],
                let body = draft.body, let value = body.value, let schema = body.schema
            else { return draft }
            guard isChange, let previous = stored[slot] else {
                stored[slot] = [value]
                return draft
            }
            var changed = draft
            let next = builder.sampler.changed(value, schema, from: previous)
            changed.body = bodies.body(body, with: next) ?? body
            stored[slot] = previous + [next]
            return changed
        }
    }

    /// Adds requests that read the resource that an operation has just stored or deleted.
    mutating func addReading(
        of draft: Draft, _ name: String, _ drafts: [Int: Draft], _ paths: inout PathValues
    ) {
        let operation = operations[draft.operation]
        guard let index = reader(of: draft.operation, paths), let reader = drafts[index], isDone(operation),
            paths.isCertain(draft.operation), paths.isCertain(index),
            let (status, _) = TestBuilder.success(operations[index]),
            let path = path(of: operations[index], paths)
        else { return }
        let outer = condition
        defer { condition = outer }
        condition = condition(of: index, &paths)
        let request = request(of: reader, path)
        if operation.method == "DELETE" {
            onServer()
            append(
                unique("\(name), and it is gone"), index, .readsDeleted, request,
                .map([("status", .list([.plain("404"), .plain("410")]))]), follows: name)
            if options.guessesIdentifiers { addChanges(afterDeletionBy: draft.operation, name, drafts, &paths) }
            return
        }
        guard let sent = draft.body, sent.key == "json" || sent.key == "form", let value = sent.value else { return }
        let members = stored(value, readBy: index)
        guard members != nil || options.guessesIdentifiers else { return }
        // A link may lead to another resource than the stored one.
        let slot = operations[index].template.lastSlot
        let isStored = slot.map { slot in
            paths.chains.sources[slot].map { paths.chains.isIdentifier($0, of: slot) } ?? true
        }
        onServer()
        append(
            unique("\(name), and it is stored"), index, isStored ?? false ? .readsStored : .valid(isCertain: false),
            request, .map([("status", status)] + (members.map { [("json", $0)] } ?? [])), follows: name)
    }

    /// Adds changes of a deleted resource, except those that may create it again.
    private mutating func addChanges(
        afterDeletionBy deletion: Int, _ name: String, _ drafts: [Int: Draft], _ paths: inout PathValues
    ) {
        for index in shapes[operations[deletion].template.shape] ?? [] {
            let operation = operations[index]
            guard operation.mustRefuseDeleted, paths.isCertain(index), let draft = drafts[index],
                let path = path(of: operation, paths)
            else { continue }
            append(
                unique("\(name), and \(operation.method) finds nothing"), index, .readsDeleted,
                request(of: draft, path),
                .map([("status", .list([.plain("404"), .plain("410")]))]), follows: name)
        }
    }

    /// Adds changes with `null` members or with only the required members, each followed by a request that reads the
    /// result.
    mutating func addVariants(
        of draft: Draft, _ name: String, _ parts: RequestParts, _ drafts: [Int: Draft], _ paths: inout PathValues
    ) {
        let operation = operations[draft.operation]
        guard operation.method == "PUT" || operation.method == "PATCH", paths.isCertain(draft.operation),
            let body = draft.body, body.key == "json", let object = body.value?.objectValue, let schema = body.schema,
            let (status, _) = TestBuilder.success(operation)
        else { return }
        let facts = paths.facts([schema])
        var variants: [(phrase: String, object: JSONObject)] = []
        var nulls = object
        for (name, value) in object where !value.isNull {
            var changed = object
            changed[name] = .null
            if builder.sampler.accepts(.object(changed), schema) { nulls[name] = .null }
        }
        if nulls != object { variants.append(("with null properties", nulls)) }
        if operation.method == "PUT" {
            var required = object
            for name in object.map(\.key) where !facts.requiredNames.contains(name) {
                required.removeValue(forKey: name)
            }
            if required != object { variants.append(("with required properties only", required)) }
        }
        let outer = condition
        defer { condition = outer }
        for variant in variants where builder.sampler.accepts(.object(variant.object), schema) {
            condition = outer
            var changed = parts
            changed.body = ("json", SuiteNode(.object(variant.object)))
            let title = unique("\(name) \(variant.phrase)")
            append(title, draft.operation, .valid(isCertain: true), changed, TestBuilder.expectation(status, nil))
            guard let index = reader(of: draft.operation, paths), let reader = drafts[index],
                paths.isCertain(index), let (status, response) = TestBuilder.success(operations[index]),
                let path = path(of: operations[index], paths)
            else { continue }
            condition = condition(of: index, &paths)
            var expected = TestBuilder.expectation(status, response)
            if isDone(operation), let members = stored(.object(variant.object), readBy: index) {
                onServer()
                expected = .map([("status", status), ("json", members)])
            }
            append(
                unique("\(title), and it is read"), index, .readsStored, request(of: reader, path), expected,
                follows: title)
        }
    }

    /// Restricts the following tests to real servers, because a mock stores nothing and knows no credentials.
    mutating func onServer() {
        guard options.servesMock else { return }
        let name = "isServer"
        if !variables.contains(where: { $0.0 == name }) {
            variables.append((name, .plain("false")))
            serverVariables.append((name, .plain("true")))
        }
        if case .text(let text)? = condition {
            condition = .text("\(text.dropLast()) && \(name)}")
        } else {
            condition = .text("${\(name)}")
        }
    }

    /// Returns the operation that reads the resource that an operation creates, changes, or deletes.
    private func reader(of index: Int, _ paths: PathValues) -> Int? {
        let operation = operations[index]
        var shape: String?
        switch operation.method {
        case "POST":
            shape =
                paths.chains.slots.first {
                    paths.chains.sources[$0]?.operation == index || paths.chains.creators[$0] == index
                }?.prefix
        case "PUT", "PATCH", "DELETE": shape = operation.template.lastSlot == nil ? nil : operation.template.shape
        default: break
        }
        return shape.flatMap { shapes[$0] }?.first { operations[$0].method == "GET" }
    }

    /// Returns whether an operation is complete when it responds, unlike one with a 202 response.
    private func isDone(_ operation: Operation) -> Bool {
        !operation.responses.contains { $0.status == .exact(202) }
    }

    /// Returns the sent members that an operation reads back, or `nil` if there are none.
    private func stored(_ sent: JSONValue, readBy index: Int) -> SuiteNode? {
        guard let read = samples[index] else { return nil }
        let members = stored(sent, read, [content[index]?.schema].compactMap { $0 }, [])
        return members.isEmpty ? nil : .map(Array(members.prefix(Self.maximumMembers)))
    }

    /// Returns the sent scalars that the response also contains, with their paths.
    private func stored(
        _ sent: JSONValue, _ read: JSONValue, _ schemas: [DescriptionNode], _ tokens: [String]
    ) -> [(String, SuiteNode)] {
        guard let sent = sent.objectValue, let read = read.objectValue, tokens.count < Self.maximumDepth else {
            return []
        }
        let outer = SchemaConstraints(of: schemas, in: description)
        var result: [(String, SuiteNode)] = []
        for (name, value) in sent {
            let plain = name.lowercased()
            // Servers do not store secrets in the form in which they are sent.
            guard let other = read[name], !plain.contains("password"), !plain.contains("secret") else { continue }
            let inner = outer.schemas(of: name)
            let facts = SchemaConstraints(of: inner, in: description)
            if value.isNull {
                guard !inner.isEmpty, inner.allSatisfy({ builder.sampler.accepts(.null, $0) }) else { continue }
                // Many servers omit members that are `null`.
                let absent = SuiteNode.map([("exists", .plain("false"))])
                let isRequired = outer.requiredNames.contains(name)
                let expected = SuiteNode.map([("either", .list([absent, .plain("null")]))])
                result.append((Naming.path(tokens + [name]), isRequired ? .plain("null") : expected))
                continue
            }
            if let format = facts.format, Self.rewritten.contains(format) { continue }
            switch (value, other) {
            case (.string, .string), (.number, .number), (.bool, .bool):
                result.append((Naming.path(tokens + [name]), SuiteNode(value)))
            case (.object, .object): result += stored(value, other, inner, tokens + [name])
            default: continue
            }
        }
        return result
    }
}

extension Operation {
    /// Whether the operation changes a resource and never creates it (RFC 9110, section 9.3.4; RFC 5789, section 2).
    ///
    /// Whether a `PUT` may do so is evident only if the description has a status for missing resources.
    var mustRefuseDeleted: Bool {
        func documents(_ status: Int) -> Bool { responses.contains { $0.status == .exact(status) } }
        if documents(201) { return false }
        return method == "PATCH" || method == "PUT" && (documents(404) || documents(410))
    }
}
