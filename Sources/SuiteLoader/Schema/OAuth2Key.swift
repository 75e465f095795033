/// Keys of `oauth2`.
enum OAuth2Key: String, CaseIterable, Sendable {
    case tokenURL, grant, clientID, clientSecret, scopes, audience, username, password, refreshToken

    static let schema = MapSchema<OAuth2Key>(
        "oauth2", title: "oauth2", "What a token is asked for with (RFC 6749).",
        rows: [
            .init(
                .tokenURL, .template, required: true,
                "Where tokens are asked for; relative to the suite's `baseURL`."),
            .init(
                .grant, .choice(["clientCredentials", "password", "refreshToken"]),
                "What entitles to a token; without it, `clientCredentials`."),
            .init(.clientID, .text, "The client's identifier."),
            .init(.clientSecret, .text, "The client's secret; it is masked in every output."),
            .init(
                .scopes, .anyOf([.list(.text), .text]),
                "What the token is to allow: a list, or names separated by spaces."),
            .init(.audience, .text, "Whom the token is for."),
            .init(.username, .text, "The user's name, for the grant `password`."),
            .init(.password, .text, "The user's password, for the grant `password`; it is masked in every output."),
            .init(
                .refreshToken, .text,
                "The token by which others are had, for the grant `refreshToken`; it is masked in every output."),
        ],
        misplaced: [
            "url": "did you mean \"tokenURL\"?", "clientId": "did you mean \"clientID\"?",
            "scope": "did you mean \"scopes\"?", "user": "did you mean \"username\"?",
        ])
}
