import Basics
import Diagnostics
import SuiteModel
import YAML

/// Reads `auth`.
struct AuthenticationReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of templates.
    let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context)
    }

    /// Returns the authentication of a node; nil for `none`, null, and an incomplete value, which is reported.
    func authentication(_ node: YAMLNode) -> Authentication? {
        if let scalar = node.scalar {
            if !node.isNull, scalar.text != "none" { reportWord(node, scalar.text) }
            return nil
        }
        var method: Authentication.Method?
        let problems = context.diagnostics.count
        let found = MapReader(context, AuthKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .basic: method = credentials(value).map(Authentication.Method.basic)
            case .digest: method = credentials(value).map(Authentication.Method.digest)
            case .bearer: method = .bearer(templates.template(value))
            case .apiKey: method = apiKey(value).map(Authentication.Method.apiKey)
            case .oauth2: method = oauth2(value, key: keyNode).map(Authentication.Method.oauth2)
            case .awsSigV4: method = awsSignature(value).map(Authentication.Method.awsSigV4)
            }
        }
        if found.chosen == nil, context.diagnostics.count == problems {
            context.report(
                "missing-key", "\"auth\" needs a kind of authentication", node.range,
                suggestion: "for example, write { bearer: … }, or \"none\"")
        }
        return method.map { Authentication($0, range: node.range) }
    }

    private func reportWord(_ node: YAMLNode, _ text: String) {
        let isKey = AuthKey(rawValue: text) != nil
        context.report(
            "unknown-value", "unknown value \"\(text)\"", node.range,
            suggestion: isKey ? "write { \(text): … }" : "write none, or a mapping such as { bearer: … }")
    }

    private func credentials(_ node: YAMLNode) -> Authentication.Credentials? {
        var username: Template?
        var password: Template?
        MapReader(context, CredentialsKey.schema).read(node) { key, _, value in
            switch key {
            case .username: username = templates.template(value)
            case .password: password = templates.template(value)
            }
        }
        guard let username, let password else { return nil }
        return Authentication.Credentials(username: username, password: password)
    }

    private func apiKey(_ node: YAMLNode) -> Authentication.APIKey? {
        var location: (location: Authentication.APIKey.Location, name: Template)?
        var secret: Template?
        let found = MapReader(context, APIKeyKey.schema).read(node) { key, _, value in
            let spot: Authentication.APIKey.Location
            switch key {
            case .value:
                secret = templates.template(value)
                return
            case .header: spot = .header
            case .query: spot = .query
            case .cookie: spot = .cookie
            }
            let name = templates.template(value)
            if let text = name.constantText { checkName(text, of: spot, value) }
            location = (spot, name)
        }
        if location == nil, !found.contains(.header), !found.contains(.query), !found.contains(.cookie) {
            context.report(
                "missing-key", "apiKey needs \"header\", \"query\" or \"cookie\"",
                node.mapping?.first?.key.range ?? node.range, suggestion: "for example, add \"header: X-API-Key\"")
        }
        guard let location, let secret else { return nil }
        return Authentication.APIKey(location: location.location, name: location.name, value: secret)
    }

    /// Reports a name that cannot be that of a header, a cookie or a query parameter.
    private func checkName(_ name: String, of location: Authentication.APIKey.Location, _ node: YAMLNode) {
        let kind: FieldKind
        switch location {
        case .header: kind = .header
        case .cookie: kind = .cookie
        case .query:
            if name.isEmpty { context.report("invalid-name", "the name of a parameter cannot be empty", node.range) }
            return
        }
        guard let problem = kind.problem(of: name) else { return }
        context.report(kind.problemID, problem, node.range, suggestion: FieldKind.hint)
    }

    private func awsSignature(_ node: YAMLNode) -> Authentication.AWSSignature? {
        var parts: [AWSSigV4Key: Template] = [:]
        MapReader(context, AWSSigV4Key.schema).read(node) { key, _, value in parts[key] = templates.template(value) }
        guard let accessKey = parts[.accessKey], let secretKey = parts[.secretKey], let region = parts[.region],
            let service = parts[.service]
        else { return nil }
        return Authentication.AWSSignature(
            accessKey: accessKey, secretKey: secretKey, sessionToken: parts[.sessionToken], region: region,
            service: service)
    }

    // MARK: OAuth 2

    private func oauth2(_ node: YAMLNode, key: YAMLNode) -> Authentication.OAuth2? {
        var settings = Authentication.OAuth2(
            tokenURL: .constant(""), tokenURLRange: node.range, grant: .clientCredentials)
        var keys: [OAuth2Key: YAMLNode] = [:]
        let found = MapReader(context, OAuth2Key.schema).read(node) { key, keyNode, value in
            keys[key] = keyNode
            switch key {
            case .tokenURL:
                settings.tokenURL = templates.template(value)
                settings.tokenURLRange = value.range
                URLCheck(context).check(settings.tokenURL, in: value, at: 0)
            case .grant: context.choice(value, Authentication.OAuth2.Grant.self).map { settings.grant = $0 }
            case .clientID: settings.clientID = templates.template(value)
            case .clientSecret: settings.clientSecret = templates.template(value)
            case .scopes: settings.scopes = scopes(value)
            case .audience: settings.audience = templates.template(value)
            case .username: settings.username = templates.template(value)
            case .password: settings.password = templates.template(value)
            case .refreshToken: settings.refreshToken = templates.template(value)
            }
        }
        let needed: [OAuth2Key]
        let foreign: [(OAuth2Key, String)]
        switch settings.grant {
        case .clientCredentials:
            needed = [.clientID, .clientSecret]
            foreign = [(.username, "password"), (.password, "password"), (.refreshToken, "refreshToken")]
        case .password:
            needed = [.username, .password]
            foreign = [(.refreshToken, "refreshToken")]
        case .refreshToken:
            needed = [.refreshToken]
            foreign = [(.username, "password"), (.password, "password")]
        }
        for key in needed where !found.contains(key) {
            context.report(
                "missing-key", "the grant type \(settings.grant.rawValue) needs \"\(key.rawValue)\"",
                node.mapping?.first?.key.range ?? node.range, suggestion: "add \"\(key.rawValue): …\"")
        }
        for (key, grant) in foreign {
            guard let keyNode = keys[key] else { continue }
            context.report(
                "conflicting-keys", "\"\(key.rawValue)\" belongs to the grant type \(grant)", keyNode.range,
                suggestion: keys[.grant] == nil ? "add \"grant: \(grant)\"" : nil)
        }
        return keys[.tokenURL] == nil ? nil : settings
    }

    private func scopes(_ node: YAMLNode) -> [Template] {
        guard let sequence = node.sequence else { return [templates.template(node)] }
        var scopes: [Template] = []
        for element in sequence {
            guard NodeForms.scalar.contains(NodeForms(of: element)) else {
                context.reportType(element, expected: "a string")
                continue
            }
            scopes.append(templates.template(element))
        }
        return scopes
    }
}
