import Basics

/// Decides which recorded exchanges and header fields belong in a suite.
enum TrafficFilter {
    /// Returns the kind of an exchange that is left out, in the plural; nil if it is kept.
    static func omission(_ exchange: RecordedExchange, _ filter: ImportFilter) -> String? {
        let url = exchange.url.lowercased()
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            return url.hasPrefix("ws") ? "WebSockets" : "URLs of other schemes"
        }
        if exchange.status == 101, exchange.messages == nil { return "WebSockets" }
        if exchange.status == 0 { return "requests without a response" }
        if exchange.method == "OPTIONS", exchange.header("Access-Control-Request-Method") != nil {
            return "preflight requests"
        }
        if !filter.matches(method: exchange.method, url: exchange.url, mediaType: exchange.mediaType) {
            return "requests that --only does not select"
        }
        // A pattern for the type is a wish for such requests.
        if isAsset(exchange), filter.isEmpty || !filter.selects(mediaType: exchange.mediaType) {
            return "static assets"
        }
        return nil
    }

    private static let assetTypes: Set<String> = [
        "text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/wasm",
        "application/manifest+json", "application/font-woff", "application/vnd.ms-fontobject",
    ]

    private static let assetExtensions: Set<String> = [
        "js", "mjs", "css", "map", "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "avif", "woff", "woff2", "ttf",
        "otf",
        "eot", "mp4", "webm", "mp3", "wasm", "webmanifest",
    ]

    private static func isAsset(_ exchange: RecordedExchange) -> Bool {
        guard exchange.method == "GET" || exchange.method == "HEAD" else { return false }
        let type = exchange.mediaType
        if ["image/", "font/", "video/", "audio/"].contains(where: type.hasPrefix) || assetTypes.contains(type) {
            return true
        }
        // The extension decides only if the type does not.
        guard type.isEmpty || type == "application/octet-stream" || type == "text/plain" || type == "x-unknown" else {
            return false
        }
        let path = exchange.url.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: "."), dot > (path.lastIndex(of: "/") ?? path.startIndex) else {
            return false
        }
        return assetExtensions.contains(path[path.index(after: dot)...].lowercased())
    }

    /// The request header fields, in lowercase, that clients set by themselves.
    private static let clientFields: Set<String> = [
        "host", "connection", "content-length", "accept-encoding", "accept-language", "user-agent", "referer", "origin",
        "cache-control", "pragma", "upgrade-insecure-requests", "dnt", "priority", "te", "if-none-match",
        "if-modified-since", "keep-alive", "proxy-connection", "transfer-encoding", "expect", "purpose",
        "x-requested-with", "upgrade", "traceparent", "tracestate", "save-data", "device-memory", "rtt", "downlink",
        "ect",
    ]

    /// Returns whether a header field expresses the client rather than the request.
    static func isOfClient(_ name: String, _ value: String) -> Bool {
        let lower = name.lowercased()
        // The application chooses the protocol of a WebSocket.
        if lower == "sec-websocket-protocol" { return false }
        if lower.hasPrefix(":") || lower.hasPrefix("sec-") || clientFields.contains(lower) { return true }
        return lower == "accept" && value == "*/*"
    }
}
