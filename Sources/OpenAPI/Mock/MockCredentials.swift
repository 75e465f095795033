import Basics

/// The credentials of a request to a mock. Any value in the form of its scheme is accepted.
struct MockCredentials {
    let description: OpenAPIDescription
    private var fields: RequestFields

    init(_ description: OpenAPIDescription, _ exchange: ContractExchange) {
        self.description = description
        fields = RequestFields(url: URLParts(exchange.url), headers: exchange.requestHeaders, path: nil)
    }

    /// Returns the reason that a request lacks the credentials of an operation, or `nil` if they are sufficient.
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

    /// Returns the missing or invalid credential of a scheme, or `nil` if it is valid or cannot be observed.
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

    /// Returns the error in the `Authorization` header, which must use one of some schemes, or `nil` if it is valid.
    private func authorizationLack(_ schemes: [String], _ content: String) -> String? {
        let wanted = "the header \"Authorization\" with \(content)"
        guard let text = fields.headers.first(named: "authorization"), !text.isEmpty else { return wanted }
        let scheme = text.prefix { $0 != " " }
        guard schemes.contains(where: { $0.lowercased() == scheme.lowercased() }) else {
            return wanted + " (got the scheme \"\(scheme.prefix(40))\")"
        }
        let credentials = text.dropFirst(scheme.count).drop { $0 == " " }
        if credentials.isEmpty { return wanted + " (got only the scheme)" }
        if scheme.lowercased() == "basic", !Self.isBasic(credentials) {
            return wanted + " (got credentials that are not a Base64-encoded username and password)"
        }
        return nil
    }

    /// Returns whether a string is a Base64-encoded user name and password with a colon (RFC 7617, section 2).
    private static func isBasic(_ text: Substring) -> Bool {
        Base64.decode(text.utf8, allowing: .withoutPadding)?.contains(UInt8(ascii: ":")) ?? false
    }
}
