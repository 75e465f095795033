import JSON

extension DescriptionComparer {
    // MARK: Requests

    /// Compares the request bodies of an operation.
    mutating func compareRequestBodies(_ before: Operation, _ after: Operation) {
        let title = after.title
        switch (before.requestBody, after.requestBody) {
        case (nil, nil): break
        case (nil, let body?):
            add(
                body.isRequired ? "request-body-added-required" : "request-body-added-optional", in: title,
                .requestBody, before.node, body.node)
        case (let body?, nil):
            add("request-body-removed", in: title, .requestBody, body.node, after.node)
        case (let oldBody?, let newBody?):
            if oldBody.isRequired != newBody.isRequired {
                add(
                    newBody.isRequired ? "request-body-became-required" : "request-body-became-optional", in: title,
                    .requestBody, oldBody.node["required"] ?? oldBody.node, newBody.node["required"] ?? newBody.node)
            }
            let site = SchemaSite(
                role: .requestBody, subject: "the request body", operation: title, section: .requestBody, isText: false)
            compareContent(oldBody.content, newBody.content, site, oldBody.node, newBody.node)
        }
    }

    // MARK: Responses

    /// Compares the responses of an operation.
    mutating func compareResponses(_ before: Operation, _ after: Operation) {
        for response in before.responses {
            guard let other = after.responses.first(where: { $0.status == response.status }) else {
                add(
                    Self.isSuccess(response.status)
                        ? "response-success-status-removed" : "response-non-success-status-removed",
                    detail: "\(response.status)", in: after.title, .responses, response.site,
                    after.node["responses"] ?? after.node)
                continue
            }
            compare(response, other, after.title)
        }
        for response in after.responses where !before.responses.contains(where: { $0.status == response.status }) {
            add(
                Self.isSuccess(response.status)
                    ? "response-success-status-added" : "response-non-success-status-added",
                detail: "\(response.status)", in: after.title, .responses, before.node["responses"] ?? before.node,
                response.site)
        }
    }

    private static func isSuccess(_ status: Response.Status) -> Bool {
        switch status {
        case .exact(let status): (200...299).contains(status)
        case .range(let digit): digit == 2
        case .fallback: false
        }
    }

    private mutating func compare(_ before: Response, _ after: Response, _ title: String) {
        let name = after.status == .fallback ? "the default response" : "response \(after.status)"
        let headers = Dictionary(
            after.headers.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var known: Set<String> = []
        for header in before.headers {
            known.insert(header.name.lowercased())
            let subject = "the header \"\(header.name)\" of \(name)"
            guard let other = headers[header.name.lowercased()] else {
                add(
                    header.isRequired ? "required-response-header-removed" : "optional-response-header-removed",
                    subject: subject, in: title, .headers, header.node, after.node["headers"] ?? after.node)
                continue
            }
            if header.isRequired != other.isRequired {
                add(
                    other.isRequired ? "response-header-became-required" : "response-header-became-optional",
                    subject: subject, in: title, .headers, header.node["required"] ?? header.node,
                    other.node["required"] ?? other.node)
            }
            guard let oldSchema = header.schema ?? header.content?.schema,
                let newSchema = other.schema ?? other.content?.schema
            else { continue }
            addSchemas(
                oldSchema, newSchema,
                SchemaSite(
                    role: .responseHeader, subject: subject, operation: title, section: .headers,
                    isText: other.content == nil))
        }
        for header in after.headers where !known.contains(header.name.lowercased()) {
            add(
                "response-header-added", subject: "the header \"\(header.name)\" of \(name)", in: title, .headers,
                before.node["headers"] ?? before.node, header.node)
        }
        let site = SchemaSite(
            role: .responseBody, subject: "the body of \(name)", operation: title, section: .responses, isText: false)
        compareContent(before.content, after.content, site, before.node, after.node)
    }

    // MARK: Content

    /// Compares the media types of a body.
    mutating func compareContent(
        _ before: [MediaType], _ after: [MediaType], _ site: SchemaSite, _ oldHolder: DescriptionNode,
        _ newHolder: DescriptionNode
    ) {
        var added = after
        var removed: [MediaType] = []
        for mediaType in before {
            if let index = added.firstIndex(where: { $0.range.isSame(as: mediaType.range) }) {
                compare(mediaType, added.remove(at: index), site)
            } else {
                removed.append(mediaType)
            }
        }
        let prefix = site.role == .requestBody ? "request-body-media-type" : "response-media-type"
        for mediaType in removed {
            guard let (index, relation) = Self.relative(of: mediaType.range, in: added) else {
                add(
                    "\(prefix)-removed", subject: site.subject, detail: mediaType.range.text, in: site.operation,
                    site.section, mediaType.node, newHolder["content"] ?? newHolder)
                continue
            }
            let other = added[index]
            if site.role == .responseBody {
                added.remove(at: index)
                let fromTo = "from \(mediaType.range.text) to \(other.range.text)"
                add(
                    "response-media-type-name-\(relation.rawValue)", subject: site.subject,
                    detail: relation == .changed ? fromTo : ", \(fromTo)", in: site.operation, site.section,
                    mediaType.node, other.node)
            } else if relation != .generalized {
                // A server that accepts fewer media types rejects the removed ones.
                add(
                    "\(prefix)-removed", subject: site.subject, detail: mediaType.range.text, in: site.operation,
                    site.section, mediaType.node, newHolder["content"] ?? newHolder)
                continue
            }
            compare(mediaType, other, site)
        }
        for mediaType in added {
            add(
                "\(prefix)-added", subject: site.subject, detail: mediaType.range.text, in: site.operation,
                site.section, oldHolder["content"] ?? oldHolder, mediaType.node)
        }
    }

    private enum Relation: String {
        case generalized, specialized, changed
    }

    /// Returns the media type that is more general or more specific than a removed one.
    private static func relative(of range: MediaRange, in others: [MediaType]) -> (Int, Relation)? {
        for (index, other) in others.enumerated() {
            if other.range.essence == range.essence { return (index, .changed) }
            if other.range.covers(range) { return (index, .generalized) }
            if range.covers(other.range) { return (index, .specialized) }
        }
        return nil
    }

    private mutating func compare(_ before: MediaType, _ after: MediaType, _ site: SchemaSite) {
        var site = site
        let range = after.range
        // By default, a form field is repeated for each element of an array.
        if site.role == .requestBody, range.type == "multipart" || range.subtype == "x-www-form-urlencoded",
            before.encodings.isEmpty, after.encodings.isEmpty
        {
            site.single = .all
            site.isSingleInside = true
        }
        site.isText = !range.isJSON && !["xml", "yaml", "cbor"].contains { range.subtype.contains($0) }
        switch (before.schema, after.schema) {
        case (nil, nil): break
        case (nil, let schema?):
            add(
                "\(site.role.rawValue)-media-type-schema-added", subject: site.subject,
                detail: " (\(range.text))", in: site.operation, site.section, before.node, schema)
        case (let schema?, nil):
            add(
                "\(site.role.rawValue)-media-type-schema-removed", subject: site.subject,
                detail: " (\(range.text))", in: site.operation, site.section, schema, after.node)
        case (let oldSchema?, let newSchema?): addSchemas(oldSchema, newSchema, site)
        }
        if let oldItem = before.itemSchema, let newItem = after.itemSchema {
            site.subject = "each item of \(site.subject)"
            addSchemas(oldItem, newItem, site)
        }
    }

    // MARK: Webhooks and callbacks

    /// Compares webhooks. The API is the client of a webhook, so its requests follow the rules of responses.
    mutating func compareWebhooks() {
        let newHooks = Dictionary(new.webhooks.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var known: Set<String> = []
        for hook in old.webhooks {
            known.insert(hook.path)
            guard let other = newHooks[hook.path] else {
                add("webhook-removed", in: "webhook \(hook.path)", .webhooks, hook.node, nil)
                continue
            }
            compareSent(hook, other, "webhook \(hook.path)", .webhooks)
        }
        for hook in new.webhooks where !known.contains(hook.path) {
            add("webhook-added", in: "webhook \(hook.path)", .webhooks, nil, hook.node)
        }
    }

    /// Compares the callbacks of an operation.
    mutating func compareCallbacks(_ before: Operation, _ after: Operation) {
        for callback in before.callbacks {
            guard let other = after.callbacks.first(where: { $0.name == callback.name }) else {
                add(
                    "callback-removed", detail: "\"\(callback.name)\"", in: after.title, .callbacks, callback.node,
                    after.node["callbacks"] ?? after.node)
                continue
            }
            for item in callback.items {
                guard let same = other.items.first(where: { $0.path == item.path }) else { continue }
                compareSent(item, same, after.title, .callbacks)
            }
        }
        for callback in after.callbacks where !before.callbacks.contains(where: { $0.name == callback.name }) {
            add(
                "callback-added", detail: "\"\(callback.name)\"", in: after.title, .callbacks,
                before.node["callbacks"] ?? before.node, callback.node)
        }
    }

    private mutating func compareSent(
        _ before: PathItem, _ after: PathItem, _ title: String, _ section: ChangeSection
    ) {
        for operation in before.operations {
            guard let other = after.operations.first(where: { $0.method == operation.method }),
                let oldBody = operation.requestBody, let newBody = other.requestBody
            else { continue }
            let site = SchemaSite(
                role: .responseBody, subject: "the body sent by the API", operation: title, section: section,
                isText: false)
            compareContent(oldBody.content, newBody.content, site, oldBody.node, newBody.node)
        }
    }
}

extension MediaRange {
    /// Returns whether two media types are equal apart from their notation.
    fileprivate func isSame(as other: MediaRange) -> Bool {
        type == other.type && subtype == other.subtype && parameters == other.parameters
    }

    /// Returns whether this is a more general type, such as a range, or `application/json` for
    /// `application/problem+json`.
    fileprivate func covers(_ other: MediaRange) -> Bool {
        if essence == other.essence { return false }
        return specificity(for: other) != nil
            || type == other.type && parameters.isEmpty && isConcrete && other.subtype.hasSuffix("+\(subtype)")
    }
}
