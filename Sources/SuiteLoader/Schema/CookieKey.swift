import SuiteModel

/// Keys of an expected cookie that is a map of more than operators.
enum CookieKey: String, CaseIterable, Sendable {
    case value, path, domain, secure, httpOnly, sameSite, maxAge, expires

    static let schema = MapSchema<CookieKey>(
        "expectedCookie", title: "an expected cookie",
        "What the value and the attributes of a cookie must be that the response sets.",
        rows: [
            .init(.value, .matcher(.value), "The cookie's value."),
            .init(.path, .matcher(.value), "The path at and below which it is sent."),
            .init(.domain, .matcher(.value), "The domain whose hosts get it, as it is written."),
            .init(.secure, .matcher(.value), "Whether it is sent over https only."),
            .init(.httpOnly, .matcher(.value), "Whether scripts do not see it."),
            .init(.sameSite, .matcher(.value), "`Strict`, `Lax` or `None`, as it is written."),
            .init(.maxAge, .matcher(.value), "For how many seconds it is kept."),
            .init(.expires, .matcher(.value), "Until when it is kept, a date for `before`, `after` and `within`."),
        ],
        misplaced: Dictionary(
            uniqueKeysWithValues: OperatorKey.allCases.map { ($0.rawValue, "write it under \"value\"") }))
}
