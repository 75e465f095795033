import Basics

/// The credentials of a request to a mock: any value will do, if it has the form of its scheme.
struct MockCredentials {
    let description: OpenAPIDescription
    private var fields: RequestFields

    init(_ description: OpenAPIDescription, _ exchange: ContractExchange) {
        self.description = description
        fields = RequestFields(url: URLParts(exchange.url), headers: exchange.requestHeaders, path: nil)
    }

    /// Returns why the credentials of a request are not those that an operation requires; nil when they are.
    mutating func problem(of operation: Operation) -> String? {
        if operation.security.isEmpty { return nil }
        var wanted: [String] = []
        for requirement in operation.security {
            var missing: [String] = []
            for (name, _) in requirement.schemes {
                guard let scheme = description.securityScheme(named: name), let lack = lack(of: scheme) else {
                    continue
                }
                missing.append(lack)
            }
            if missing.isEmpty { return nil }
            let text = missing.joined(separator: " and ")
            if !wanted.contains(text) { wanted.append(text) }
        }
        return "the operation requires \(wanted.joined(separator: ", or "))"
    }

    /// Returns what is missing of a scheme, or wrong with it; nil when it is there, or cannot be seen.
    private mutating func lack(of scheme: SecurityScheme) -> String? {
        switch scheme.kind {
        case .apiKey(.header, let name):
            return fields.headers.first(named: name.lowercased())?.isEmpty == false ? nil : "the header \"\(name)\""
        case .apiKey(.query, let name):
            return fields.query.contains { $0.name == name && !$0.value.isEmpty }
                ? nil : "the query parameter \"\(name)\""
        case .apiKey(.cookie, let name):
            return fields.cookies.contains { $0.name == name && !$0.value.isEmpty } ? nil : "the cookie \"\(name)\""
        case .apiKey, .mutualTLS: return nil
        case .http(let scheme, _): return authorizationLack([scheme], "\"\(scheme)\"")
        case .oauth2, .openIDConnect:
            if fields.query.contains(where: { $0.name == "access_token" && !$0.value.isEmpty }) { return nil }
            // RFC 6750 and RFC 9449.
            return authorizationLack(["bearer", "dpop"], "a token")
        }
    }

    /// Returns what is wrong with the header `Authorization`, which has one of some schemes; nil when it is right.
    private func authorizationLack(_ schemes: [String], _ content: String) -> String? {
        let wanted = "the header \"Authorization\" with \(content)"
        guard let text = fields.headers.first(named: "authorization"), !text.isEmpty else { return wanted }
        let scheme = text.prefix { $0 != " " }
        guard schemes.contains(where: { $0.lowercased() == scheme.lowercased() }) else {
            return wanted + " (its scheme is \"\(scheme.prefix(40))\")"
        }
        let credentials = text.dropFirst(scheme.count).drop { $0 == " " }
        if credentials.isEmpty { return wanted + " (nothing follows the scheme)" }
        if scheme.lowercased() == "basic", !Self.isBasic(credentials) {
            return wanted + " (what follows the scheme is not a user and a password in Base64)"
        }
        return nil
    }

    /// Whether a text is a user name, a colon and a password in Base64 (RFC 7617, section 2).
    private static func isBasic(_ text: Substring) -> Bool {
        Base64.decode(text.utf8, allowing: .withoutPadding)?.contains(UInt8(ascii: ":")) ?? false
    }
}
