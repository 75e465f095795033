/// The credentials that an operation requires.
extension ContractCheck {
    /// Tells when a request without the required credentials was answered as if it had them.
    mutating func checkSecurity(_ operation: Operation, _ fields: inout RequestFields) {
        // A server that refuses does what the description says.
        if operation.security.isEmpty || exchange.status == 401 || exchange.status == 403 { return }
        var wanted: [String] = []
        for requirement in operation.security {
            var missing: [String] = []
            for (name, _) in requirement.schemes {
                guard let scheme = contract.description.securityScheme(named: name),
                    let lack = lack(of: scheme, &fields)
                else { continue }
                missing.append(lack)
            }
            if missing.isEmpty { return }
            wanted.append(missing.joined(separator: " and "))
        }
        add(
            .missingSecurity, at: "request",
            "the operation requires \(wanted.joined(separator: ", or ")), which was not sent, but the answer is "
                + "\(exchange.status)",
            suggestion: "a server that refuses answers 401 or 403",
            place: operation.node["security"] ?? contract.description.root["security"] ?? operation.node)
    }

    /// What is missing of a scheme in the request; nil when it is there, or cannot be seen.
    private func lack(of scheme: SecurityScheme, _ fields: inout RequestFields) -> String? {
        let authorization = exchange.requestHeaders.first(named: "authorization")
        switch scheme.kind {
        case .apiKey(.header, let name):
            return exchange.requestHeaders.first(named: name.lowercased()) == nil ? "the header \"\(name)\"" : nil
        case .apiKey(.query, let name):
            return fields.query.contains { $0.name == name } ? nil : "the query parameter \"\(name)\""
        case .apiKey(.cookie, let name):
            return fields.cookies.contains { $0.name == name } ? nil : "the cookie \"\(name)\""
        case .apiKey, .mutualTLS: return nil
        case .http(let wanted, _):
            let sent = authorization?.prefix { $0 != " " }.lowercased()
            return sent == wanted.lowercased() ? nil : "the header \"Authorization\" with \"\(wanted)\""
        case .oauth2, .openIDConnect:
            if authorization != nil || fields.query.contains(where: { $0.name == "access_token" }) { return nil }
            return "the header \"Authorization\" with a token"
        }
    }
}
