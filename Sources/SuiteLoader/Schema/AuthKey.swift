/// Keys of `auth`.
enum AuthKey: String, CaseIterable, Sendable {
    case basic, digest, bearer, apiKey, oauth2, awsSigV4

    static let schema = MapSchema<AuthKey>(
        "auth", title: "auth", "How a request proves who sends it: one of these.",
        rows: [
            .init(.basic, .map("credentials"), "A user's name and password, sent with the request (RFC 7617)."),
            .init(
                .digest, .map("credentials"),
                "A user's name and password, with which the server's challenge is answered (RFC 7616)."),
            .init(.bearer, .text, "A token, sent as `Authorization: Bearer …`; it is masked in every output."),
            .init(.apiKey, .map("apiKey"), "A key, sent as a header, in the query or as a cookie."),
            .init(
                .oauth2, .map("oauth2"),
                "A token that is fetched once for all that need it, and once more when the server answers 401 (RFC 6749)."
            ),
            .init(.awsSigV4, .map("awsSigV4"), "A signature of the request (AWS Signature Version 4)."),
        ],
        misplaced: [
            "username": "write { basic: { username: …, password: … } }",
            "password": "write { basic: { username: …, password: … } }", "token": "write { bearer: … }",
            "header": "write { apiKey: { header: …, value: … } }", "none": "write \"auth: none\"",
        ])
}
