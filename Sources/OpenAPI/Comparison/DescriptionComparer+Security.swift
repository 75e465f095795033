import JSON

extension DescriptionComparer {
    // MARK: Requirements

    /// Compares the security requirements of the whole descriptions and the security schemes.
    mutating func compareSecurity() {
        let ids = SecurityIDs(prefix: "api-global-security", reportsStricter: areSomeWithoutSecurity)
        compare(old.security ?? [], new.security ?? [], ids, nil, old.root["security"], new.root["security"])
        compareSchemes()
    }

    /// Whether some operation inherits the global security requirements in both descriptions.
    private var areSomeWithoutSecurity: Bool {
        func keys(_ description: OpenAPIDescription) -> Set<[String]> {
            var keys: Set<[String]> = []
            for item in description.paths {
                for operation in item.operations where operation.node["security"] == nil {
                    keys.insert([operation.method, item.template.shape])
                }
            }
            return keys
        }
        return !keys(old).isDisjoint(with: keys(new))
    }

    /// Compares the security requirements of an operation, unless it inherits them in both descriptions.
    mutating func compareSecurity(_ before: Operation, _ after: Operation) {
        let oldLocation = before.node["security"]
        let newLocation = after.node["security"]
        guard oldLocation != nil || newLocation != nil else { return }
        compare(
            before.security, after.security, SecurityIDs(prefix: "api-security"), after.title,
            oldLocation ?? before.node,
            newLocation ?? after.node)
    }

    private struct SecurityIDs {
        var prefix: String
        /// Whether stricter requirements affect any operation.
        var reportsStricter = true
    }

    private mutating func compare(
        _ before: [SecurityRequirement], _ after: [SecurityRequirement], _ ids: SecurityIDs, _ title: String?,
        _ oldLocation: DescriptionNode?, _ newLocation: DescriptionNode?
    ) {
        let names = schemeNames
        let oldNeeds = before.map { Self.needs($0, names) }
        let newNeeds = after.map { Self.needs($0, [:]) }
        let oldSchemes = Self.union(oldNeeds)
        let newSchemes = Self.union(newNeeds)
        for (name, scopes) in oldSchemes {
            guard let others = newSchemes.first(where: { $0.name == name })?.scopes else {
                add("\(ids.prefix)-removed", detail: "\"\(name)\"", in: title, .security, oldLocation, newLocation)
                continue
            }
            for scope in scopes where !others.contains(scope) {
                add(
                    "\(ids.prefix)-scope-removed", detail: "the scope \"\(scope)\" of \"\(name)\"", in: title,
                    .security, oldLocation, newLocation)
            }
            for scope in others where !scopes.contains(scope) {
                add(
                    "\(ids.prefix)-scope-added", detail: "the scope \"\(scope)\" of \"\(name)\"", in: title, .security,
                    oldLocation, newLocation)
            }
        }
        for (name, _) in newSchemes where !oldSchemes.contains(where: { $0.name == name }) {
            add("\(ids.prefix)-added", detail: "\"\(name)\"", in: title, .security, oldLocation, newLocation)
        }
        // An empty array of requirements is equivalent to one requirement without schemes.
        let allowed = oldNeeds.isEmpty ? [[:]] : oldNeeds
        guard !newNeeds.isEmpty, ids.reportsStricter else { return }
        for need in allowed {
            let suffices = newNeeds.contains { other in
                other.allSatisfy { scheme, scopes in need[scheme].map { $0.isSuperset(of: scopes) } ?? false }
            }
            if suffices { continue }
            let detail =
                need.isEmpty
                ? ": those without credentials" : ": those with \(need.keys.sorted().joined(separator: " and "))"
            add(
                "\(ids.prefix)-became-stricter", detail: detail, in: title, .security, oldLocation, newLocation)
        }
    }

    private static func needs(_ requirement: SecurityRequirement, _ names: [String: String]) -> [String: Set<String>] {
        Dictionary(
            requirement.schemes.map { (names[$0.name] ?? $0.name, Set($0.scopes)) }, uniquingKeysWith: { $0.union($1) })
    }

    /// Returns all schemes of some requirements by name, with the union of their scopes.
    private static func union(_ needs: [[String: Set<String>]]) -> [(name: String, scopes: [String])] {
        var all: [String: Set<String>] = [:]
        for need in needs { all.merge(need) { $0.union($1) } }
        return all.map { (name: $0.key, scopes: $0.value.sorted()) }.sorted { $0.name < $1.name }
    }

    // MARK: Schemes

    /// The new names of renamed security schemes, by their old names.
    private var schemeNames: [String: String] {
        var names: [String: String] = [:]
        let oldNames = Set(old.securitySchemes.map(\.name))
        let newNames = Set(new.securitySchemes.map(\.name))
        let equivalence = StructuralEquivalence(old: old, new: new)
        var taken: Set<String> = []
        for scheme in old.securitySchemes where !newNames.contains(scheme.name) {
            let same = new.securitySchemes.first { other in
                !oldNames.contains(other.name) && !taken.contains(other.name)
                    && equivalence.areEquivalent(scheme.node, other.node)
            }
            if let same {
                taken.insert(same.name)
                names[scheme.name] = same.name
            }
        }
        return names
    }

    private mutating func compareSchemes() {
        let names = schemeNames
        var known: Set<String> = []
        for scheme in old.securitySchemes {
            let name = names[scheme.name] ?? scheme.name
            known.insert(name)
            guard let other = new.securityScheme(named: name) else {
                add(
                    "api-security-component-removed", subject: Self.subject(scheme), in: nil, .components, scheme.node,
                    new.root["components"])
                continue
            }
            compare(scheme, other)
        }
        for scheme in new.securitySchemes where !known.contains(scheme.name) {
            add(
                "api-security-component-added", subject: Self.subject(scheme), in: nil, .components,
                old.root["components"], scheme.node)
        }
    }

    private static func subject(_ scheme: SecurityScheme) -> String { "the security scheme \"\(scheme.name)\"" }

    private mutating func compare(_ before: SecurityScheme, _ after: SecurityScheme) {
        let subject = Self.subject(after)
        func fromTo(_ old: String, _ new: String) -> String { "from \(old) to \(new)" }
        switch (before.kind, after.kind) {
        case (.apiKey(let oldLocation, let oldName), .apiKey(let newLocation, let newName)):
            if oldLocation != newLocation || oldName != newName {
                add(
                    "api-security-component-api-key-changed", subject: subject,
                    detail: fromTo("\(oldLocation.rawValue) \"\(oldName)\"", "\(newLocation.rawValue) \"\(newName)\""),
                    in: nil, .components, before.node, after.node)
            }
        case (.http(let oldScheme, _), .http(let newScheme, _)):
            if oldScheme != newScheme {
                add(
                    "api-security-component-http-scheme-changed", subject: subject,
                    detail: fromTo(oldScheme, newScheme), in: nil, .components, before.node["scheme"],
                    after.node["scheme"])
            }
        case (.mutualTLS, .mutualTLS): break
        case (.oauth2(let oldFlows), .oauth2(let newFlows)):
            for flow in oldFlows {
                guard let other = newFlows.first(where: { $0.kind == flow.kind }) else {
                    add(
                        "api-security-component-oauth-flow-removed", subject: subject, detail: "the flow \(flow.kind)",
                        in: nil, .components, flow.node, after.node["flows"] ?? after.node)
                    continue
                }
                compare(flow, other, subject)
            }
            for flow in newFlows where !oldFlows.contains(where: { $0.kind == flow.kind }) {
                add(
                    "api-security-component-oauth-flow-added", subject: subject, detail: "the flow \(flow.kind)",
                    in: nil, .components, before.node["flows"] ?? before.node, flow.node)
            }
        case (.openIDConnect(let oldURL), .openIDConnect(let newURL)):
            if oldURL != newURL {
                add(
                    "api-security-component-openid-url-changed", subject: subject, detail: fromTo(oldURL, newURL),
                    in: nil, .components, before.node["openIdConnectUrl"] ?? before.node,
                    after.node["openIdConnectUrl"] ?? after.node)
            }
        default:
            add(
                "api-security-component-type-changed", subject: subject,
                detail: fromTo(Self.type(before), Self.type(after)), in: nil, .components, before.node["type"],
                after.node["type"])
        }
    }

    private static func type(_ scheme: SecurityScheme) -> String { scheme.node["type"]?.value.stringValue ?? "none" }

    private mutating func compare(_ before: SecurityScheme.Flow, _ after: SecurityScheme.Flow, _ subject: String) {
        for (id, key, oldURL, newURL) in [
            ("oauth-url", "authorizationUrl", before.authorizationURL, after.authorizationURL),
            ("oauth-token-url", "tokenUrl", before.tokenURL, after.tokenURL),
        ] where oldURL != newURL {
            add(
                "api-security-component-\(id)-changed", subject: subject,
                detail: "from \(oldURL ?? "none") to \(newURL ?? "none")", in: nil, .components,
                before.node[key] ?? before.node, after.node[key] ?? after.node)
        }
        let oldLocation = before.node["scopes"]
        let newLocation = after.node["scopes"]
        for scope in before.scopes {
            guard let other = after.scopes.first(where: { $0.name == scope.name }) else {
                add(
                    "api-security-component-oauth-scope-removed", subject: subject,
                    detail: "the scope \"\(scope.name)\"",
                    in: nil, .components, oldLocation?[scope.name] ?? before.node, newLocation ?? after.node)
                continue
            }
            if scope.description != other.description {
                add(
                    "api-security-component-oauth-scope-changed", subject: subject,
                    detail: "the scope \"\(scope.name)\"", in: nil, .components,
                    oldLocation?[scope.name] ?? before.node, newLocation?[scope.name] ?? after.node)
            }
        }
        for scope in after.scopes where !before.scopes.contains(where: { $0.name == scope.name }) {
            add(
                "api-security-component-oauth-scope-added", subject: subject, detail: "the scope \"\(scope.name)\"",
                in: nil, .components, oldLocation ?? before.node, newLocation?[scope.name] ?? after.node)
        }
    }
}
