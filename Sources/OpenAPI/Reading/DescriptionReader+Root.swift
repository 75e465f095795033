import Basics
import Diagnostics
import JSON

extension DescriptionReader {
    /// Reads the whole description.
    mutating func description(_ root: DescriptionNode) -> OpenAPIDescription {
        let info = object(root, "info")
        if root["info"] == nil {
            report(
                "missing-member", "the description has no \"info\"", at: root, suggestion: "add its title and version",
                severity: .warning)
        }
        let title = info.flatMap { requiredString($0, "title", of: "\"info\"") } ?? ""
        let apiVersion = info.flatMap { requiredString($0, "version", of: "\"info\"") } ?? ""
        let servers = servers(of: root) ?? []
        let security = securityRequirements(of: root)
        let schemes = object(root, "components").map { named($0, "securitySchemes") } ?? []
        let securitySchemes = schemes.compactMap { securityScheme($0) }
        var context = OperationContext(
            servers: servers.isEmpty ? [Server(url: "/", variables: [])] : servers, security: security ?? [])
        if root["paths"] == nil, root["webhooks"] == nil, root["components"] == nil {
            report(
                "missing-member", "the description has no \"paths\"", at: root, suggestion: "add \"paths\"")
        }
        let paths = entries(root, "paths").compactMap { pathItem($0, isPath: true, in: &context) }
        reportSameShapes(paths)
        let webhooks = (version >= .openAPI31 ? entries(root, "webhooks") : []).compactMap {
            pathItem($0, isPath: false, in: &context)
        }
        let tags = (list(root, "tags") ?? []).compactMap { tag($0) }
        let description = OpenAPIDescription(
            version: version, title: title, apiVersion: apiVersion, servers: context.servers, paths: paths,
            webhooks: webhooks, securitySchemes: securitySchemes, security: security, tags: tags,
            schemaDialect: version >= .openAPI31 ? string(root, "jsonSchemaDialect") : nil, root: root, files: files,
            problems: [])
        reportUnknownSchemes(description)
        return description
    }

    private mutating func tag(_ node: DescriptionNode) -> Tag? {
        guard isObject(node, "a tag"), let name = requiredString(node, "name", of: "the tag") else { return nil }
        return Tag(
            name: name, description: string(node, "description"), summary: string(node, "summary"),
            parent: string(node, "parent"), kind: string(node, "kind"), node: node)
    }

    /// Returns the servers of the description, a path, or an operation, or `nil` if it has none.
    mutating func servers(of node: DescriptionNode) -> [Server]? {
        guard let elements = list(node, "servers"), !elements.isEmpty else { return nil }
        return elements.compactMap { server($0) }
    }

    private mutating func server(_ node: DescriptionNode) -> Server? {
        guard isObject(node, "a server"), let url = requiredString(node, "url", of: "the server") else { return nil }
        let variables = named(node, "variables").compactMap { variable -> Server.Variable? in
            guard isObject(variable, "a server variable") else { return nil }
            guard let value = requiredString(variable, "default", of: "the variable \"\(variable.name)\"") else {
                return nil
            }
            return Server.Variable(
                name: variable.name, defaultValue: value, values: strings(variable, "enum"),
                description: string(variable, "description"))
        }
        return Server(
            url: url, name: string(node, "name"), description: string(node, "description"), variables: variables,
            node: node)
    }

    /// Returns the security requirements, or `nil` if `security` is absent.
    mutating func securityRequirements(of node: DescriptionNode) -> [SecurityRequirement]? {
        guard let elements = list(node, "security") else { return nil }
        return elements.compactMap { element in
            guard isObject(element, "a security requirement") else { return nil }
            let schemes = element.members.map { (name: $0.name, scopes: strings(element, $0.name)) }
            return SecurityRequirement(schemes: schemes, node: element)
        }
    }

    private mutating func securityScheme(_ site: DescriptionNode) -> SecurityScheme? {
        guard isObject(site, "a security scheme"), let node = resolve(site), isObject(node, "a security scheme") else {
            return nil
        }
        guard let type = requiredString(node, "type", of: "the security scheme \"\(site.name)\"") else { return nil }
        let kind: SecurityScheme.Kind
        switch type {
        case "apiKey":
            guard let name = requiredString(node, "name", of: "the API key"),
                let text = requiredString(node, "in", of: "the API key")
            else { return nil }
            guard let location = Parameter.Location(rawValue: text), [.query, .header, .cookie].contains(location)
            else {
                report(
                    "invalid-openapi",
                    "an API key must be in \"query\", \"header\", or \"cookie\", got \"\(text)\"",
                    at: node["in"] ?? node)
                return nil
            }
            kind = .apiKey(in: location, name: name)
        case "http":
            guard let scheme = requiredString(node, "scheme", of: "the security scheme") else { return nil }
            kind = .http(scheme: scheme.lowercased(), bearerFormat: string(node, "bearerFormat"))
        case "mutualTLS": kind = .mutualTLS
        case "oauth2": kind = .oauth2(flows: entries(node, "flows").compactMap { flow($0) })
        case "openIdConnect": kind = .openIDConnect(url: string(node, "openIdConnectUrl") ?? "")
        default:
            report(
                "invalid-openapi", "\"\(type)\" is not a security scheme type", at: node["type"] ?? node,
                suggestion: "known types: apiKey, http, mutualTLS, oauth2, openIdConnect")
            return nil
        }
        return SecurityScheme(
            name: site.name, kind: kind, isDeprecated: bool(node, "deprecated") ?? false,
            description: string(node, "description"), node: node)
    }

    private mutating func flow(_ node: DescriptionNode) -> SecurityScheme.Flow? {
        guard isObject(node, "a flow") else { return nil }
        let scopes = (object(node, "scopes")?.members ?? []).map {
            (name: $0.name, description: $0.value.stringValue ?? "")
        }
        return SecurityScheme.Flow(
            kind: node.name, authorizationURL: string(node, "authorizationUrl"), tokenURL: string(node, "tokenUrl"),
            refreshURL: string(node, "refreshUrl"),
            deviceAuthorizationURL: string(node, "deviceAuthorizationUrl"), scopes: scopes, node: node)
    }

    // MARK: Checks of the whole description

    private mutating func reportSameShapes(_ paths: [PathItem]) {
        var known: [String: PathItem] = [:]
        for item in paths {
            if let other = known.updateValue(item, forKey: item.template.shape), other.path != item.path {
                report(
                    "ambiguous-path", "\"\(item.path)\" matches the same requests as \"\(other.path)\"", at: item.node,
                    atKey: true, severity: .warning, related: ("the other path", other.node))
            }
        }
    }

    private mutating func reportUnknownSchemes(_ description: OpenAPIDescription) {
        let names = Set(
            object(description.root, "components").map { named($0, "securitySchemes") }?.map(\.name) ?? [])
        var reported: Set<DescriptionNode> = []
        let requirements = (description.security ?? []) + description.operations.flatMap(\.security)
        for requirement in requirements where reported.insert(requirement.node).inserted {
            for scheme in requirement.schemes where !names.contains(scheme.name) {
                // Since OpenAPI 3.2, the name can also be the URI of a scheme in another file.
                if version >= .openAPI32, scheme.name.contains("/") || scheme.name.contains("#") { continue }
                report(
                    "unknown-security-scheme", "unknown security scheme \"\(scheme.name)\"",
                    at: requirement.node[scheme.name] ?? requirement.node, atKey: true,
                    suggestion: Spelling.nearest(to: scheme.name, among: names).map { "did you mean \"\($0)\"?" })
            }
        }
    }
}
