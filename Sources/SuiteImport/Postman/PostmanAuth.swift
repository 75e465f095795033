import JSON

/// Translates the authentication of a request.
enum PostmanAuth {
    /// The credentials of a request, or the reason why they have no translation.
    enum Result {
        case auth(ImportedAuth)
        /// A header field, for a prefix other than `Bearer`.
        case header(ImportedField)
        /// A query parameter.
        case query(ImportedField)
        /// No credentials are sent.
        case nothing
        case untranslated(String)
    }

    /// Returns the credentials of an `auth` object.
    static func result(_ value: JSONValue, _ variables: inout ScriptVariables) -> Result {
        guard let type = value["type"]?.stringValue else { return .nothing }
        let members = members(value[type])
        func text(_ name: String) -> ImportedText { ScriptTemplate.text(members[name] ?? "", &variables) }
        func has(_ name: String) -> Bool { !(members[name] ?? "").isEmpty }
        func list(_ pairs: [(String, String)]) -> [ImportedValue.Member] {
            pairs.filter { has($0.1) }.map { ImportedValue.Member(ImportedText($0.0), .text(text($0.1))) }
        }
        switch type {
        case "noauth": return .nothing
        case "basic": return .auth(.basic(username: text("username"), password: text("password")))
        case "digest": return .auth(.digest(username: text("username"), password: text("password")))
        case "bearer": return has("token") ? .auth(.bearer(text("token"))) : .nothing
        case "apikey":
            guard has("key") else { return .nothing }
            let location: ImportedAuth.KeyLocation = members["in"] == "query" ? .query : .header
            return .auth(.apiKey(location, name: text("key"), value: text("value")))
        case "oauth2":
            if has("accessToken") { return token(text("accessToken"), members) }
            guard has("accessTokenUrl"), has("clientId") else { return .untranslated("oauth2 without a token") }
            let common = [("tokenURL", "accessTokenUrl"), ("clientID", "clientId"), ("clientSecret", "clientSecret")]
            var result = list([common[0]])
            switch members["grant_type"] {
            case "client_credentials", "client_credentials_grant": break
            case "password_credentials":
                result.append(ImportedValue.Member("grant", "password"))
                result += list([("username", "username"), ("password", "password")])
            case let grant: return .untranslated("oauth2 with \(grant ?? "authorization_code")")
            }
            result += list(Array(common.dropFirst()))
            if has("scope") {
                let scopes = (members["scope"] ?? "").split(separator: " ").map { String($0) }
                result.append(
                    ImportedValue.Member(
                        "scopes", .sequence(scopes.map { .text(ScriptTemplate.text($0, &variables)) })))
            }
            return .auth(.oauth2(result))
        case "awsv4":
            guard has("accessKey") || has("secretKey") else { return .nothing }
            return .auth(
                .awsSigV4(
                    list([
                        ("accessKey", "accessKey"), ("secretKey", "secretKey"), ("sessionToken", "sessionToken"),
                        ("region", "region"), ("service", "service"),
                    ])))
        default: return .untranslated("\(type) authentication")
        }
    }

    private static func token(_ token: ImportedText, _ members: [String: String]) -> Result {
        if members["addTokenTo"] == "queryParams" { return .query(ImportedField("access_token", token)) }
        var prefix = members["headerPrefix"] ?? "Bearer"
        while prefix.hasSuffix(" ") { prefix.removeLast() }
        if prefix == "Bearer" { return .auth(.bearer(token)) }
        return .header(ImportedField("Authorization", ImportedText(prefix.isEmpty ? "" : "\(prefix) ") + token))
    }

    /// Returns the parameters of a type: an array of keys and values, or an object in format 2.0.
    private static func members(_ value: JSONValue?) -> [String: String] {
        var result: [String: String] = [:]
        switch value {
        case .array(let entries):
            for entry in entries {
                if let key = entry["key"]?.stringValue { result[key] = PostmanVariables.text(entry["value"]) }
            }
        case .object(let object): for (key, value) in object { result[key] = PostmanVariables.text(value) }
        default: break
        }
        return result
    }
}
