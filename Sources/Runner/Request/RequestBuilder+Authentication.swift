import HTTPSession
import SuiteModel

extension RequestBuilder {
    /// Renders how the request proves who sends it.
    ///
    /// - Parameters:
    ///   - baseURL: what a relative URL of a token server is appended to.
    ///   - learn: takes what is secret.
    func authentication(
        _ authentication: Authentication, baseURL: String?, learn: (String) -> Void
    ) throws(TemplateError) -> RequestAuthentication {
        func secret(_ template: Template) throws(TemplateError) -> String {
            let text = try text(template)
            learn(text)
            return text
        }
        switch authentication.method {
        case .basic(let credentials):
            return .basic(username: try text(credentials.username), password: try secret(credentials.password))
        case .digest(let credentials):
            return .digest(username: try text(credentials.username), password: try secret(credentials.password))
        case .bearer(let token):
            return .bearer(try secret(token))
        case .apiKey(let key):
            let name = try text(key.name)
            let place: APIKeyAuthentication.Place =
                switch key.place {
                case .header: .header(name)
                case .query: .query(name)
                case .cookie: .cookie(name)
                }
            return .apiKey(place: place, value: try secret(key.value))
        case .oauth2(let settings):
            return .oauth2(try render(settings, baseURL: baseURL, secret: secret))
        case .awsSigV4(let signature):
            let credentials = AWSCredentials(
                accessKey: try text(signature.accessKey), secretKey: try secret(signature.secretKey),
                sessionToken: try signature.sessionToken.map(secret))
            return .awsSigV4(credentials, region: try text(signature.region), service: try text(signature.service))
        }
    }

    private func render(
        _ settings: Authentication.OAuth2, baseURL: String?, secret: (Template) throws(TemplateError) -> String
    ) throws(TemplateError) -> RequestAuthentication.OAuth2 {
        let url = try text(settings.tokenURL)
        guard Self.isAbsolute(url) || baseURL != nil else {
            throw TemplateError(
                message: "the URL \"\(url)\" is relative, and the suite has no baseURL",
                range: settings.tokenURLRange, expression: url)
        }
        let grant: OAuth2Grant
        switch settings.grant {
        case .clientCredentials: grant = .clientCredentials
        case .password:
            grant = .password(
                username: try settings.username.map(text) ?? "", password: try settings.password.map(secret) ?? "")
        case .refreshToken: grant = .refreshToken(try settings.refreshToken.map(secret) ?? "")
        }
        var scopes: [String] = []
        for scope in settings.scopes { scopes += try text(scope).split(separator: " ").map(String.init) }
        return RequestAuthentication.OAuth2(
            tokenURL: Self.joined(url, to: baseURL ?? ""), grant: grant,
            clientID: try settings.clientID.map(text) ?? "", clientSecret: try settings.clientSecret.map(secret),
            scopes: scopes, audience: try settings.audience.map(text))
    }
}
