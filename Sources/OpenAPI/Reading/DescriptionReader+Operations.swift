import Basics
import Diagnostics
import JSON

extension DescriptionReader {
    /// The methods with a fixed field.
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// Reads a path or a webhook.
    mutating func pathItem(
        _ site: DescriptionNode, isPath: Bool, in context: inout OperationContext
    ) -> PathItem? {
        guard isObject(site, "a path"), let node = resolve(site), isObject(node, "a path") else { return nil }
        let path = site.name
        if isPath, !path.hasPrefix("/") {
            report(
                "invalid-openapi", "the path \"\(path)\" must start with a slash", at: site, atKey: true,
                suggestion: "write \"/\(path)\"", severity: .warning)
        }
        // The specification allows siblings of `$ref` here. They take precedence over the members of the target.
        let own = site.reference == nil ? nil : site
        var shared = parameters(of: node)
        var servers = servers(of: node)
        var summary = string(node, "summary")
        if let own {
            shared = Self.merged(shared, parameters(of: own))
            servers = self.servers(of: own) ?? servers
            summary = string(own, "summary") ?? summary
        }
        var item = PathItem(
            path: path, template: PathTemplate(path), summary: summary, operations: [], parameters: shared,
            servers: servers, node: node)
        item.unknownParameters = unknownParameters(of: node) + (own.map { unknownParameters(of: $0) } ?? [])
        for (member, method) in methods(of: node, besides: own) {
            if let operation = operation(member, method: method, of: item, isPath: isPath, in: &context) {
                item.operations.append(operation)
            }
        }
        return item
    }

    /// Returns the operations of a path with their methods, starting with those that have a fixed field.
    private mutating func methods(
        of node: DescriptionNode, besides own: DescriptionNode?
    ) -> [(member: DescriptionNode, method: String)] {
        var found: [(member: DescriptionNode, method: String)] = []
        for holder in [own, node].compactMap({ $0 }) {
            for name in holder.value.objectValue?.keys.filter({ Self.methods.contains($0) }) ?? [] {
                if name == "query", version < .openAPI32 { continue }
                if let member = holder[name] { found.append((member, name.uppercased())) }
            }
        }
        if version >= .openAPI32 {
            for holder in [own, node].compactMap({ $0 }) {
                found += named(holder, "additionalOperations").map { ($0, $0.name) }
            }
        }
        guard own != nil else { return found }
        var seen: Set<String> = []
        return found.filter { seen.insert($0.method).inserted }
    }

    /// Returns the parameters of a path and an operation. The operation overrides those with the same name and
    /// location.
    private static func merged(_ shared: [Parameter], _ own: [Parameter]) -> [Parameter] {
        if own.isEmpty { return shared }
        let names = Set(own.map { "\($0.location) \($0.comparedName)" })
        return shared.filter { !names.contains("\($0.location) \($0.comparedName)") } + own
    }

    private mutating func operation(
        _ site: DescriptionNode, method: String, of item: PathItem, isPath: Bool, in context: inout OperationContext
    ) -> Operation? {
        // No version of the specification allows `$ref` here, but many tools support it.
        guard !site.value.isNull, isObject(site, "an operation"), let node = resolve(site),
            isObject(node, "an operation")
        else { return nil }
        let all = Self.merged(item.parameters, parameters(of: node))
        let unknown = item.unknownParameters + unknownParameters(of: node)
        let id = string(node, "operationId")
        if let id, isPath, let other = context.operationIDs.updateValue(node, forKey: id), other != node {
            report(
                "duplicate-operation-id", "duplicate operationId \"\(id)\"",
                at: node["operationId"] ?? node, related: other["operationId"].map { ("first defined here", $0) })
        }
        if isPath, unknown.isEmpty { reportPathParameters(all, item.template, at: node) }
        let responses = responses(of: node)
        var operation = Operation(
            method: method, path: item.path, template: item.template, id: id, summary: string(node, "summary"),
            description: string(node, "description"), tags: strings(node, "tags"),
            isDeprecated: bool(node, "deprecated") ?? false, parameters: all,
            requestBody: node["requestBody"].flatMap { requestBody($0) }, responses: responses,
            callbacks: callbacks(of: node, in: &context),
            security: securityRequirements(of: node) ?? context.security,
            servers: servers(of: node) ?? item.servers ?? context.servers, node: node)
        operation.unknownParameters = unknown
        operation.unknownRequestBody = node["requestBody"].flatMap { unknownReference($0) }
        return operation
    }

    /// Returns the unresolved references in the parameters. They are reported when the parameters are read.
    private func unknownParameters(of node: DescriptionNode) -> [String] {
        (node["parameters"]?.elements ?? []).compactMap { unknownReference($0) }
    }

    private func unknownReference(_ site: DescriptionNode) -> String? {
        site.reference.flatMap { (try? files.resolve(site)) == nil ? $0 : nil }
    }

    private mutating func reportPathParameters(
        _ parameters: [Parameter], _ template: PathTemplate, at node: DescriptionNode
    ) {
        let names = template.parameterNames
        let declared = parameters.filter { $0.location == .path }
        if names.isEmpty, declared.isEmpty { return }
        var seen: Set<String> = []
        for name in names {
            if !seen.insert(name).inserted {
                report(
                    "duplicate-path-parameter", "the path contains \"{\(name)}\" twice", at: node, atKey: true,
                    suggestion: "give each path parameter its own name", severity: .warning)
            } else if !declared.contains(where: { $0.name == name }) {
                report(
                    "undeclared-path-parameter", "the path parameter \"\(name)\" is not declared", at: node,
                    atKey: true,
                    suggestion:
                        "add { name: \(name), in: path, required: true, schema: { type: string } } to its parameters",
                    severity: .warning)
            }
        }
        for parameter in declared where !seen.contains(parameter.name) {
            report(
                "unknown-path-parameter", "the path has no parameter \"\(parameter.name)\"",
                at: parameter.node["name"] ?? parameter.node,
                suggestion: Spelling.nearest(to: parameter.name, among: names).map { "did you mean \"\($0)\"?" },
                severity: .warning)
        }
    }

    private mutating func callbacks(of node: DescriptionNode, in context: inout OperationContext) -> [Callback] {
        guard node["callbacks"] != nil else { return [] }
        var callbacks: [Callback] = []
        for site in entries(node, "callbacks") {
            guard isObject(site, "a callback"), let target = resolve(site), isObject(target, "a callback") else {
                continue
            }
            if let items = known.callbacks[target] {
                callbacks.append(Callback(name: site.name, items: items, node: target))
                continue
            }
            // The operations of a callback can have callbacks, and references can make them recursive.
            guard context.depth < 8 else { continue }
            known.callbacks[target] = []
            context.depth += 1
            var items: [PathItem] = []
            for member in target.members where !member.name.hasPrefix("x-") {
                if let item = pathItem(member, isPath: false, in: &context) { items.append(item) }
            }
            context.depth -= 1
            known.callbacks[target] = items
            callbacks.append(Callback(name: site.name, items: items, node: target))
        }
        return callbacks
    }

    // MARK: Responses

    private mutating func responses(of node: DescriptionNode) -> [Response] {
        if node["responses"] == nil, version < .openAPI31, !node.value.isNull {
            report(
                "missing-member", "the operation has no \"responses\"", at: node, atKey: true,
                suggestion: "add the statuses that it returns", severity: .warning)
        }
        return entries(node, "responses").compactMap { response($0) }
    }

    /// Returns whether a response is `null`, which documents the status without any details, and reports it.
    private mutating func isNull(_ site: DescriptionNode) -> Bool {
        guard site.value.isNull else { return false }
        report(
            "null-member", "the response \"\(site.name)\" is null", at: site, atKey: true,
            suggestion: "write { description: … }", severity: .warning)
        return true
    }

    private mutating func response(_ site: DescriptionNode) -> Response? {
        guard let status = Response.Status(site.name) else {
            report(
                "invalid-openapi", "\"\(site.name)\" is not a status", at: site, atKey: true,
                suggestion: "write a status such as 200, a class such as 2XX, or default")
            return nil
        }
        let isNull = isNull(site)
        guard isNull || isObject(site, "a response") else { return nil }
        // The status is documented even if its response cannot be read.
        guard !isNull, let node = resolve(site) else {
            var unknown = Response(
                status: status, description: "", headers: [], content: [], links: [], node: site, site: site)
            unknown.isUnknown = true
            return unknown
        }
        var response: Response?
        if let known = known.responses[node] {
            response = known
        } else {
            response = isObject(node, "a response") ? self.response(at: node, status, site) : nil
            if site.reference != nil { known.responses[node] = .some(response) }
        }
        response?.status = status
        response?.site = site
        if site.reference != nil {
            response?.description = string("description", of: node, referredToFrom: site) ?? ""
        }
        return response
    }

    private mutating func response(
        at node: DescriptionNode, _ status: Response.Status, _ site: DescriptionNode
    ) -> Response {
        let headers = named(node, "headers").filter { $0.name.lowercased() != "content-type" }
            .compactMap { header($0) }
        return Response(
            status: status, description: string(node, "description") ?? "", headers: headers,
            content: content(of: node), links: named(node, "links").compactMap { link($0) }, node: node, site: site)
    }

    private mutating func link(_ site: DescriptionNode) -> Link? {
        guard isObject(site, "a link"), let node = resolve(site) else { return nil }
        if let known = known.links[node] {
            var link = known
            link?.name = site.name
            return link
        }
        var link: Link?
        if isObject(node, "a link") {
            let parameters = (object(node, "parameters")?.members ?? []).map { (name: $0.name, value: $0.value) }
            link = Link(
                name: site.name, operationID: string(node, "operationId"),
                operationReference: string(node, "operationRef"), parameters: parameters,
                requestBody: node["requestBody"]?.value, node: node)
        }
        if site.reference != nil { known.links[node] = .some(link) }
        return link
    }
}
