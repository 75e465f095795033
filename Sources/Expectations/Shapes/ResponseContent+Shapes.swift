import JSON
import SuiteModel

extension ResponseContent {
    /// Header fields that say nothing of what an interface promises: those of a connection, of caches, of tracing, and of the
    /// moment (RFC 9110, section 7.6.1 and others).
    private static let volatileHeaders: Set<String> = [
        "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "content-encoding", "content-length",
        "content-type",
        "date", "expires", "keep-alive", "nel", "proxy-connection", "report-to", "reporting-endpoints", "server",
        "server-timing", "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "via",
        "x-amz-cf-id", "x-amz-cf-pop", "x-amzn-trace-id", "x-cache", "x-correlation-id", "x-powered-by", "x-request-id",
        "x-response-time", "x-runtime", "x-served-by", "x-timer",
    ]

    /// The longest name of a header field that is looked at.
    private static let longestName = 100

    /// The media type as shapes have it.
    var shapeContentType: String {
        let field = exchange.response?.header("content-type") ?? ""
        let type = ContentType(field).mediaType
        let isPlain = type.utf8.count <= Self.longestName && type.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return type.isEmpty || !isPlain ? ResponseShape.noContentType : type
    }

    /// The names of the header fields that shapes have, each once, in lower case.
    var shapeHeaderNames: Set<String> {
        var names: Set<String> = []
        for field in headers where field.name.utf8.count <= Self.longestName {
            let name = field.name.lowercased()
            if !Self.volatileHeaders.contains(name) { names.insert(name) }
        }
        return names
    }

    /// The body that has a shape: one that is declared to be JSON, and is.
    var shapeBody: JSONValue? {
        guard isDeclaredJSON, !bytes.isEmpty else { return nil }
        return try? json()
    }
}
