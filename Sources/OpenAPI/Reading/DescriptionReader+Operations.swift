import Diagnostics
import JSON

extension DescriptionReader {
    /// The methods that have a keyword of their own.
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// Reads a path or a webhook.
    mutating func pathItem(
        _ site: DescriptionNode, isPath: Bool, in context: inout OperationContext
    ) -> PathItem? {
        guard isObject(site, "a path"), let node = resolve(site), isObject(node, "a path") else { return nil }
        let path = site.name
        if isPath, !path.hasPrefix("/") {
            report(
                "invalid-openapi", "the path \"\(path)\" does not begin with a slash", at: site, atKey: true,
                suggestion: "write \"/\(path)\"", severity: .warning)
        }
        let template = PathTemplate(path)
        // Beside a $ref, which the specification allows here, its own members count too.
        let shared = parameters(of: node)
        let servers = servers(of: node)
        var item = PathItem(
            path: path, template: template, summary: string(node, "summary"), operations: [], parameters: shared,
            servers: servers, node: node)
        let own = site.reference == nil ? [] : site.members.filter { Self.methods.contains($0.name) }
        for member in node.members + own where Self.methods.contains(member.name) {
            if member.name == "query", version < .openAPI32 { continue }
            let method = member.name.uppercased()
            if let operation = operation(member, method: method, of: item, isPath: isPath, in: &context) {
                item.operations.append(operation)
            }
        }
        if version >= .openAPI32 {
            for member in entries(node, "additionalOperations") {
                if let operation = operation(member, method: member.name, of: item, isPath: isPath, in: &context) {
                    item.operations.append(operation)
                }
            }
        }
        return item
    }

    private mutating func operation(
        _ node: DescriptionNode, method: String, of item: PathItem, isPath: Bool, in context: inout OperationContext
    ) -> Operation? {
        guard isObject(node, "an operation") else { return nil }
        let own = parameters(of: node)
        let all =
            item.parameters.filter { shared in
                !own.contains { $0.location == shared.location && $0.name == shared.name }
            } + own
        let id = string(node, "operationId")
        if let id, isPath, context.depth == 0, let other = context.operationIDs.updateValue(node, forKey: id) {
            report(
                "duplicate-operation-id", "a second operation has the operationId \"\(id)\"",
                at: node["operationId"] ?? node,
                related: other["operationId"]?.range.map { [Diagnostic.Related(message: "the first", range: $0)] } ?? []
            )
        }
        if isPath, context.depth == 0 { tellPathParameters(all, item.template, at: node) }
        let responses = responses(of: node)
        return Operation(
            method: method, path: item.path, template: item.template, id: id, summary: string(node, "summary"),
            description: string(node, "description"), tags: strings(node, "tags"),
            isDeprecated: bool(node, "deprecated") ?? false, parameters: all,
            requestBody: node["requestBody"].flatMap { requestBody($0) }, responses: responses,
            callbacks: callbacks(of: node, in: &context),
            security: securityRequirements(of: node) ?? context.security,
            servers: servers(of: node) ?? item.servers ?? context.servers, node: node)
    }

    private mutating func tellPathParameters(
        _ parameters: [Parameter], _ template: PathTemplate, at node: DescriptionNode
    ) {
        let declared = parameters.filter { $0.location == .path }
        for name in template.parameterNames where !declared.contains(where: { $0.name == name }) {
            report(
                "undeclared-path-parameter", "the path has a parameter \"\(name)\" that is not declared", at: node,
                atKey: true,
                suggestion:
                    "add { name: \(name), in: path, required: true, schema: { type: string } } to its parameters",
                severity: .warning)
        }
        let names = Set(template.parameterNames)
        for parameter in declared where !names.contains(parameter.name) {
            report(
                "unknown-path-parameter", "the path has no parameter \"\(parameter.name)\"",
                at: parameter.node["name"] ?? parameter.node,
                suggestion: Spelling.nearest(to: parameter.name, among: names).map { "did you mean \"\($0)\"?" },
                severity: .warning)
        }
    }

    private mutating func callbacks(of node: DescriptionNode, in context: inout OperationContext) -> [Callback] {
        // A callback's operations may have callbacks of their own, and through references even themselves.
        guard context.depth < 4 else { return [] }
        context.depth += 1
        defer { context.depth -= 1 }
        return entries(node, "callbacks").compactMap { site in
            guard isObject(site, "a callback"), let target = resolve(site), isObject(target, "a callback") else {
                return nil
            }
            let items = target.members.filter { !$0.name.hasPrefix("x-") }.compactMap {
                pathItem($0, isPath: false, in: &context)
            }
            return Callback(name: site.name, items: items, node: target)
        }
    }

    // MARK: Responses

    private mutating func responses(of node: DescriptionNode) -> [Response] {
        if node["responses"] == nil, version < .openAPI31 {
            report(
                "missing-member", "the operation has no \"responses\"", at: node, atKey: true,
                suggestion: "add the statuses that it answers with", severity: .warning)
        }
        return entries(node, "responses").compactMap { response($0) }
    }

    private mutating func response(_ site: DescriptionNode) -> Response? {
        guard let status = Response.Status(site.name) else {
            report(
                "invalid-openapi", "\"\(site.name)\" is no status", at: site, atKey: true,
                suggestion: "write a status such as 200, a class such as 2XX, or default")
            return nil
        }
        guard isObject(site, "a response"), let node = resolve(site), isObject(node, "a response") else { return nil }
        let headers = entries(node, "headers").filter { $0.name.lowercased() != "content-type" }
            .compactMap { header($0) }
        return Response(
            status: status, description: string(node, "description") ?? "", headers: headers,
            content: content(of: node), links: entries(node, "links").compactMap { link($0) }, node: node, site: site)
    }

    private mutating func link(_ site: DescriptionNode) -> Link? {
        guard isObject(site, "a link"), let node = resolve(site), isObject(node, "a link") else { return nil }
        let parameters = (object(node, "parameters")?.members ?? []).map { (name: $0.name, value: $0.value) }
        return Link(
            name: site.name, operationID: string(node, "operationId"), operationReference: string(node, "operationRef"),
            parameters: parameters, requestBody: node["requestBody"]?.value, node: node)
    }
}
