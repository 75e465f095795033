import Basics
import Diagnostics
import JSON

extension StructureCheck {
    /// Checks the type of a security scheme and the members that it requires.
    mutating func checkSecurityScheme(_ node: DescriptionNode) {
        guard let type = node["type"], let text = type.value.stringValue else { return }
        let needed: [String]
        switch text {
        case "apiKey": needed = ["name", "in"]
        case "http": needed = ["scheme"]
        case "oauth2": needed = ["flows"]
        case "openIdConnect": needed = ["openIdConnectUrl"]
        case "mutualTLS" where version >= .openAPI31: needed = []
        default:
            let known = ["apiKey", "http", "oauth2", "openIdConnect"] + (version >= .openAPI31 ? ["mutualTLS"] : [])
            return report(
                "invalid-openapi", "\"\(text)\" is not a security scheme type", at: type,
                suggestion: text == "basic"
                    ? "write type: http, scheme: basic"
                    : Spelling.nearest(to: text, among: known).map { "did you mean \"\($0)\"?" }
                        ?? "known types: \(known.joined(separator: ", "))")
        }
        for name in needed where node[name] == nil {
            report(
                "missing-member", "a security scheme of type \(text) has no \"\(name)\"", at: node, atKey: true,
                suggestion: "add \"\(name)\"")
        }
        if text == "apiKey", let location = node["in"], let value = location.value.stringValue,
            !["query", "header", "cookie"].contains(value)
        {
            report(
                "invalid-openapi", "an API key must be in \"query\", \"header\", or \"cookie\", got \"\(value)\"",
                at: location)
        }
    }

    /// Checks the members that an OAuth 2.0 flow requires.
    mutating func checkFlow(_ node: DescriptionNode) {
        let needed: [String]
        switch node.name {
        case "implicit": needed = ["authorizationUrl"]
        case "password", "clientCredentials": needed = ["tokenUrl"]
        case "authorizationCode": needed = ["authorizationUrl", "tokenUrl"]
        case "deviceAuthorization": needed = ["deviceAuthorizationUrl", "tokenUrl"]
        default: needed = []
        }
        for name in needed where node[name] == nil {
            report(
                "missing-member", "the flow \"\(node.name)\" has no \"\(name)\"", at: node, atKey: true,
                suggestion: "add \"\(name)\"")
        }
    }

    /// Checks the members that a Swagger 2.0 security scheme requires.
    mutating func checkSwaggerSecurityScheme(_ node: DescriptionNode) {
        let needed: [String]
        switch (node["type"]?.value.stringValue, node["flow"]?.value.stringValue) {
        case ("apiKey", _): needed = ["name", "in"]
        case ("oauth2", "implicit"): needed = ["authorizationUrl", "scopes"]
        case ("oauth2", "password"), ("oauth2", "application"): needed = ["tokenUrl", "scopes"]
        case ("oauth2", "accessCode"): needed = ["authorizationUrl", "tokenUrl", "scopes"]
        case ("oauth2", nil): needed = ["flow"]
        default: needed = []
        }
        for name in needed where node[name] == nil {
            report(
                "missing-member", "the security scheme \"\(node.name)\" has no \"\(name)\"", at: node, atKey: true,
                suggestion: "add \"\(name)\"")
        }
    }

    /// Reports scopes that a scheme does not have. The reader of the description reports missing schemes.
    mutating func checkSecurityRequirement(_ node: DescriptionNode) {
        let schemes = version == .swagger2 ? root["securityDefinitions"] : root["components"]?["securitySchemes"]
        for requirement in node.members {
            guard let site = schemes?[requirement.name], let scheme = try? files.resolve(site),
                let type = scheme["type"]?.value.stringValue
            else { continue }
            let scopes = requirement.elements
            switch type {
            case "oauth2":
                let known = Self.scopes(of: scheme)
                for scope in scopes {
                    guard let name = scope.value.stringValue, !known.contains(name) else { continue }
                    report(
                        "unknown-scope", "the security scheme \"\(requirement.name)\" has no scope \"\(name)\"",
                        at: scope,
                        suggestion: Spelling.nearest(to: name, among: known.sorted()).map { "did you mean \"\($0)\"?" }
                            ?? "add it to the scopes of its flows")
                }
            case "openIdConnect": break
            default:
                // Since OpenAPI 3.1, these are role names.
                if version < .openAPI31, let first = scopes.first {
                    needlessScopes[requirement.name, default: (type, first, 0)].count += 1
                }
            }
        }
    }

    /// Reports scopes for schemes without scopes, once for each scheme, because many descriptions repeat them.
    mutating func reportNeedlessScopes() {
        for (name, found) in needlessScopes.sorted(by: { $0.key < $1.key }) {
            let others = found.count > 1 ? ", but \(found.count) requirements name some" : ""
            report(
                "unknown-scope", "a security scheme of type \(found.type) has no scopes\(others)", at: found.first,
                suggestion: "write \(name): []", severity: .warning)
        }
    }

    private static func scopes(of scheme: DescriptionNode) -> Set<String> {
        let flows = scheme["flows"]?.members ?? [scheme]
        return Set(flows.flatMap { $0["scopes"]?.value.objectValue.map { Array($0.keys) } ?? [] })
    }
}
