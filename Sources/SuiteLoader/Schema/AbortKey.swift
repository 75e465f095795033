/// Keys of `abort` in `until`.
enum AbortKey: String, CaseIterable, Sendable {
    case status, headers, cookies, json
    case jsonSchema = "schema"
    case xml, html, body, duration, size, redirects, hops, http, timings, certificate, trailers, sha256, image, assert

    static let schema = MapSchema<AbortKey>(
        "abort", title: "abort", "What ends polling as failed: an answer of which all of it holds.",
        rows: UntilKey.expectations(as: AbortKey.init(rawValue:)), misplaced: UntilKey.misplaced)
}
