import JSON
import OpenAPI

/// The credentials of requests, which come from a login or from environment variables.
struct SecurityPlan {
    /// The parts of a request that carry credentials.
    struct Credentials {
        /// The names of the schemes, as a key for comparisons.
        var key: String
        var auth: SuiteNode?
        var headers: [(String, SuiteNode)] = []
        var query: [(String, SuiteNode)] = []
        var cookies: [(String, SuiteNode)] = []

        /// The credentials of the same kinds with values that no server accepts.
        var invalid: Credentials {
            func replaced(_ node: SuiteNode) -> SuiteNode {
                switch node {
                case .text(let text): .text(text.hasPrefix("${") ? Self.wrong : Self.invalid(text))
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

        /// A credential that no server accepts. It is masked as a secret, so it is not a word of a test name.
        private static let wrong = "wrong-credential"

        /// Returns whether a key of `auth` specifies the name of the carrier.
        private static func isName(_ key: String) -> Bool { ["header", "query", "cookie"].contains(key) }

        /// Returns an invalid credential that keeps the scheme before the expression.
        private static func invalid(_ text: String) -> String {
            text.firstIndex(of: "$").map { text[..<$0] + wrong } ?? text
        }
    }

    let description: OpenAPIDescription
    /// The login that provides credentials; those of other schemes come from environment variables.
    var login: FuzzLogin?

    /// Returns whether an operation accepts requests without credentials.
    static func isOpen(_ operation: Operation) -> Bool {
        operation.security.isEmpty || operation.security.contains { $0.schemes.isEmpty }
    }

    /// Returns the credentials for an operation, or `nil` if none are required.
    ///
    /// - Throws: ``SampleFailure`` if the required credentials cannot be expressed.
    func credentials(for operation: Operation) throws(SampleFailure) -> Credentials? {
        var failure: SampleFailure?
        for requirement in operation.security where !requirement.schemes.isEmpty {
            do throws(SampleFailure) { return try credentials(for: requirement) } catch { failure = failure ?? error }
        }
        if Self.isOpen(operation) { return nil }
        throw failure ?? SampleFailure(message: "its security requirements are unknown")
    }

    private func credentials(for requirement: SecurityRequirement) throws(SampleFailure) -> Credentials {
        var result = Credentials(key: requirement.schemes.map(\.name).joined(separator: " "))
        var schemes: [SecurityScheme] = []
        for (name, _) in requirement.schemes {
            guard let scheme = description.securityScheme(named: name) else {
                throw SampleFailure(message: "unknown security scheme \"\(name)\"")
            }
            schemes.append(scheme)
        }
        // Most schemes can set the `Authorization` header only through `auth`, but keys have alternatives.
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
        let source = login?.sources[scheme.name]
        let output: String? = if case .value(let name)? = source { "${\(name)}" } else { nil }
        switch scheme.kind {
        case .apiKey(let location, let field):
            let key = variable.contains("_") || variable.contains("API") ? variable : "API_" + variable
            let value = SuiteNode.text(output ?? "${env('\(key)', 'test-key')}")
            switch location {
            case _ where result.auth == nil:
                let key = location == .cookie ? "cookie" : location == .query ? "query" : "header"
                result.auth = .map([("apiKey", .map([(key, .text(SuiteNode.escaped(field))), ("value", value)]))])
            case .query: result.query.append((field, value))
            case .cookie: result.cookies.append((field, value))
            default: result.headers.append((field, value))
            }
        case .http(let kind, _) where kind == "basic" || kind == "digest":
            var (name, password) = (
                "${env('\(variable)_USERNAME', 'ada')}", "${env('\(variable)_PASSWORD', 'test-password')}"
            )
            if case .user(let ownName, let ownPassword)? = source {
                (name, password) = ("${\(ownName)}", "${\(ownPassword)}")
            }
            result.auth = .map([(kind, .map([("username", .text(name)), ("password", .text(password))]))])
        case .http(let kind, _) where kind != "bearer":
            let name = "\(kind.prefix(1).uppercased())\(kind.dropFirst())"
            let value = output ?? "${env('\(variable)', 'test-credentials')}"
            result.headers.append(("Authorization", .text("\(name) \(value)")))
        case .http, .oauth2, .openIDConnect:
            result.auth = .map([("bearer", .text(output ?? "${env('\(variable)_TOKEN', 'test-token')}"))])
        case .mutualTLS:
            throw SampleFailure(message: "it requires a client certificate (\(scheme.name)); add it under \"tls\"")
        }
    }

    private static let tooMany = SampleFailure(message: "it requires two kinds of credentials in the same header")
}

extension SecurityScheme {
    /// Whether the scheme sends a key, which any header, parameter, or cookie can carry.
    fileprivate var isKey: Bool {
        if case .apiKey = kind { true } else { false }
    }

    /// Whether the scheme uses the `Authorization` header, which a request can contain only once.
    fileprivate var usesAuthorization: Bool {
        switch kind {
        case .apiKey(let location, let name): location == .header && name.lowercased() == "authorization"
        case .http, .oauth2, .openIDConnect: true
        case .mutualTLS: false
        }
    }
}
