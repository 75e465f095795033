import JSON
import OpenAPI

/// How requests prove who sends them: credentials come from the environment.
struct SecurityPlan {
    /// What a request has on account of security.
    struct Credentials {
        /// The names of the schemes, by which credentials are compared.
        var key: String
        var auth: SuiteNode?
        var headers: [(String, SuiteNode)] = []
        var query: [(String, SuiteNode)] = []
        var cookies: [(String, SuiteNode)] = []

        /// Credentials of the same kinds that no server knows.
        var invalid: Credentials {
            func replaced(_ node: SuiteNode) -> SuiteNode {
                switch node {
                case .text(let text): .text(text.hasPrefix("${") ? "invalid" : Self.invalid(text))
                case .members(let map): .map(map.entries.map { ($0.0, Self.isName($0.0) ? $0.1 : replaced($0.1)) })
                case .plain, .list: node
                }
            }
            var result = self
            result.auth = auth.map(replaced)
            result.headers = headers.map { ($0.0, replaced($0.1)) }
            result.query = query.map { ($0.0, replaced($0.1)) }
            result.cookies = cookies.map { ($0.0, replaced($0.1)) }
            return result
        }

        /// Whether a key of `auth` has the name of what carries a key.
        private static func isName(_ key: String) -> Bool { ["header", "query", "cookie"].contains(key) }

        /// The scheme in front of an expression stays.
        private static func invalid(_ text: String) -> String {
            text.firstIndex(of: "$").map { text[..<$0] + "invalid" } ?? text
        }
    }

    let description: OpenAPIDescription

    /// Whether an operation can be used without credentials.
    static func isOpen(_ operation: Operation) -> Bool {
        operation.security.isEmpty || operation.security.contains { $0.schemes.isEmpty }
    }

    /// The credentials for an operation; nil for none.
    ///
    /// - Throws: Why there are none although some are needed.
    func credentials(for operation: Operation) throws(SampleFailure) -> Credentials? {
        var failure: SampleFailure?
        for requirement in operation.security where !requirement.schemes.isEmpty {
            do throws(SampleFailure) { return try credentials(for: requirement) } catch { failure = failure ?? error }
        }
        if Self.isOpen(operation) { return nil }
        throw failure ?? SampleFailure(message: "its security is not known")
    }

    private func credentials(for requirement: SecurityRequirement) throws(SampleFailure) -> Credentials {
        var result = Credentials(key: requirement.schemes.map(\.name).joined(separator: " "))
        var schemes: [SecurityScheme] = []
        for (name, _) in requirement.schemes {
            guard let scheme = description.securityScheme(named: name) else {
                throw SampleFailure(message: "there is no security scheme \"\(name)\"")
            }
            schemes.append(scheme)
        }
        // Only `auth` writes the header Authorization of most schemes; keys can be written in other ways too.
        schemes = schemes.filter { !$0.isKey } + schemes.filter(\.isKey)
        var hasAuthorization = false
        for scheme in schemes {
            if scheme.usesAuthorization {
                guard !hasAuthorization else { throw Self.tooMany }
                hasAuthorization = true
            }
            try add(scheme, to: &result)
        }
        return result
    }

    private func add(_ scheme: SecurityScheme, to result: inout Credentials) throws(SampleFailure) {
        let variable = Naming.environment(scheme.name)
        switch scheme.kind {
        case .apiKey(let location, let field):
            let key = variable.contains("_") || variable.contains("API") ? variable : "API_" + variable
            let value = SuiteNode.text("${env('\(key)', 'test-key')}")
            switch location {
            case _ where result.auth == nil:
                let place = location == .cookie ? "cookie" : location == .query ? "query" : "header"
                result.auth = .map([("apiKey", .map([(place, .text(SuiteNode.escaped(field))), ("value", value)]))])
            case .query: result.query.append((field, value))
            case .cookie: result.cookies.append((field, value))
            default: result.headers.append((field, value))
            }
        case .http(let kind, _) where kind == "basic" || kind == "digest":
            result.auth = .map([
                (
                    kind,
                    .map([
                        ("username", .text("${env('\(variable)_USERNAME', 'ada')}")),
                        ("password", .text("${env('\(variable)_PASSWORD', 'test-password')}")),
                    ])
                )
            ])
        case .http(let kind, _) where kind != "bearer":
            let name = "\(kind.prefix(1).uppercased())\(kind.dropFirst())"
            result.headers.append(("Authorization", .text("\(name) ${env('\(variable)', 'test-credentials')}")))
        case .http, .oauth2, .openIDConnect:
            result.auth = .map([("bearer", .text("${env('\(variable)_TOKEN', 'test-token')}"))])
        case .mutualTLS:
            throw SampleFailure(message: "it needs a client certificate (\(scheme.name)): give it under \"tls\"")
        }
    }

    private static let tooMany = SampleFailure(message: "it needs two kinds of credentials in one header")
}

extension SecurityScheme {
    /// Whether a key is sent, which any header, parameter or cookie may hold.
    fileprivate var isKey: Bool {
        if case .apiKey = kind { true } else { false }
    }

    /// Whether the header Authorization is sent, of which a request has one.
    fileprivate var usesAuthorization: Bool {
        switch kind {
        case .apiKey(let location, let name): location == .header && name.lowercased() == "authorization"
        case .http, .oauth2, .openIDConnect: true
        case .mutualTLS: false
        }
    }
}
