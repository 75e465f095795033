import JSON

/// A request of a suite that is written.
struct RequestParts {
    var method: String
    /// The path, in which `${…}` is an expression.
    var path: String
    /// Pairs that stand in the URL, since `query` writes them in another way.
    var pairs: [String] = []
    var query: [(String, SuiteNode)] = []
    var queryStyle: String?
    var headers: [(String, SuiteNode)] = []
    var cookies: [(String, SuiteNode)] = []
    var body: (key: String, node: SuiteNode)?
    var contentType: String?
    var auth: SuiteNode?
    var followsRedirects = true

    /// The URL as it is written.
    var url: String { pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&") }

    /// The request as a part of a suite.
    var node: SuiteNode {
        var entries: [(String, SuiteNode)] = []
        if !query.isEmpty { entries.append(("query", .map(query))) }
        if let queryStyle { entries.append(("queryStyle", .text(queryStyle))) }
        if !headers.isEmpty { entries.append(("headers", .map(headers))) }
        if !cookies.isEmpty { entries.append(("cookies", .map(cookies))) }
        if let body { entries.append((body.key, body.node)) }
        if let contentType { entries.append(("contentType", .text(contentType))) }
        if let auth { entries.append(("auth", auth)) }
        if !followsRedirects { entries.append(("redirects", .plain("false"))) }
        if entries.isEmpty { return .text("\(method) \(url)") }
        var start: [(String, SuiteNode)] = method == "GET" ? [] : [("method", .text(method))]
        start.append(("url", .text(url)))
        return .map(start + entries)
    }
}
