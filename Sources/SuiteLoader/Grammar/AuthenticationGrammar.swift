import Basics

/// The keys of `auth`.
enum AuthKey: String, CaseIterable, Sendable {
    case basic, digest, bearer, apiKey, oauth2, awsSigV4

    static let schema = MapSchema<AuthKey>(
        "auth", title: "\"auth\"", "How a request authenticates: one of these.",
        rows: [
            .init(.basic, .map("credentials"), "A user name and password, sent with the request (Basic, RFC 7617)."),
            .init(
                .digest, .map("credentials"),
                "A user name and password, used to answer the server's challenge (Digest, RFC 7616)."),
            .init(.bearer, .text, "A token, sent as `Authorization: Bearer …`; it is masked in every output."),
            .init(.apiKey, .map("apiKey"), "A key, sent as a header, in the query or as a cookie."),
            .init(
                .oauth2, .map("oauth2"),
                "An access token (OAuth 2.0, RFC 6749), fetched once and shared, and fetched again when the server responds with 401."
            ),
            .init(.awsSigV4, .map("awsSigV4"), "A signature of the request (AWS Signature Version 4)."),
        ],
        choice: .init(
            keys: Set(allCases), conflict: "a request can use only one kind of authentication",
            first: "the first one is here"),
        misplaced: [
            "username": "write { basic: { username: …, password: … } }",
            "password": "write { basic: { username: …, password: … } }", "token": "write { bearer: … }",
            "header": "write { apiKey: { header: …, value: … } }", "none": "write \"auth: none\"",
        ])
}

/// The keys of `basic` and `digest`.
enum CredentialsKey: String, CaseIterable, Sendable {
    case username, password

    static let schema = MapSchema<CredentialsKey>(
        "credentials", title: "a credentials mapping", "A user name and password.",
        rows: [
            .init(.username, .text, required: true, "The user name."),
            .init(.password, .text, required: true, "The password; it is masked in every output."),
        ],
        misplaced: ["user": .key("username")])
}

/// The keys of `apiKey`.
enum APIKeyKey: String, CaseIterable, Sendable {
    case header, query, cookie, value

    static let schema = MapSchema<APIKeyKey>(
        "apiKey", title: "\"apiKey\"", "A key, and where to send it.",
        rows: [
            .init(.header, .template, "The name of the header that holds the key."),
            .init(.query, .template, "The name of the query parameter that holds the key."),
            .init(.cookie, .template, "The name of the cookie that holds the key."),
            .init(.value, .text, required: true, "The secret access key; it is masked in every output."),
        ],
        choice: .init(
            keys: [.header, .query, .cookie], conflict: "a key can be sent in only one location",
            first: "the first one is here"))
}

/// The keys of `oauth2`.
enum OAuth2Key: String, CaseIterable, Sendable {
    case tokenURL, grant, clientID, clientSecret, scopes, audience, username, password, refreshToken

    static let schema = MapSchema<OAuth2Key>(
        "oauth2", title: "\"oauth2\"", "How to request an access token (OAuth 2.0, RFC 6749).",
        rows: [
            .init(
                .tokenURL, .template, required: true,
                "The token endpoint; relative to the suite's `baseURL`."),
            .init(
                .grant, .choice(["clientCredentials", "password", "refreshToken"]),
                "The grant type (default: `clientCredentials`)."),
            .init(.clientID, .text, "The client identifier."),
            .init(.clientSecret, .text, "The client secret; it is masked in every output."),
            .init(
                .scopes, .anyOf([.list(.text), .text]),
                "The scopes to request: a sequence, or names separated by spaces."),
            .init(.audience, .text, "The audience of the token."),
            .init(.username, .text, "The user name, for the grant type `password`."),
            .init(
                .password, .text, "The user's password, for the grant type `password`; it is masked in every output."),
            .init(
                .refreshToken, .text,
                "The refresh token, for the grant type `refreshToken`; it is masked in every output."),
        ],
        misplaced: [
            "url": .key("tokenURL"), "clientId": .key("clientID"),
            "scope": .key("scopes"), "user": .key("username"),
        ])
}

/// The keys of `awsSigV4`.
enum AWSSigV4Key: String, CaseIterable, Sendable {
    case accessKey, secretKey, sessionToken, region, service

    static let schema = MapSchema<AWSSigV4Key>(
        "awsSigV4", title: "\"awsSigV4\"", "The credentials and scope of the signature.",
        rows: [
            .init(.accessKey, .text, required: true, "The access key ID."),
            .init(.secretKey, .text, required: true, "The secret access key; it is masked in every output."),
            .init(.sessionToken, .text, "The session token of temporary credentials; it is masked in every output."),
            .init(.region, .text, required: true, "The region, such as `eu-central-1`."),
            .init(.service, .text, required: true, "The service, such as `s3`."),
        ])
}
