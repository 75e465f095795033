import Basics
package import HTTPSession
import HTTPTypes

/// The server behind a recording proxy, and how messages change between the two origins.
///
/// Header fields are forwarded by the rules for intermediaries (RFC 9110, section 7.6.1).
package struct Upstream: Sendable {
    /// The root URL of the server without a trailing slash, such as `https://api.example.org/v1`.
    let base: String
    private let url: HTTPURL

    /// Creates an upstream server.
    ///
    /// - Parameter text: The absolute URL of the server. A path in it precedes the path of each request.
    /// - Throws: ``HTTPURLError`` if the text is not such a URL.
    package init(_ text: String) throws(HTTPURLError) {
        url = try HTTPURL(text)
        let path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
        base = "\(url.scheme)://\(url.authority)\(path)"
    }

    /// The origin of the server, such as `https://api.example.org`.
    var origin: String { "\(url.scheme)://\(url.authority)" }

    /// The host of the server, which may be followed by its port.
    package var authority: String { url.authority }

    // MARK: Requests

    /// Returns the URL of a request.
    ///
    /// - Parameter target: The target that the client sent, in origin form or, to a proxy, in absolute form.
    func url(of target: String) -> String {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return base + target }
        let rest = target[scheme.upperBound...]
        return base + (rest.firstIndex(where: { $0 == "/" || $0 == "?" }).map { rest[$0...] } ?? "/")
    }

    /// Returns the header fields to send to the server.
    ///
    /// - Parameter proxy: The origin of the proxy, which `Origin` and `Referer` may name.
    func requestFields(_ fields: HTTPFields, proxy: String) -> HTTPSession.HTTPHeaders {
        let dropped = Self.connectionFields(fields).union(["host", "content-length", "expect"])
        var headers = HTTPSession.HTTPHeaders()
        for field in fields where !dropped.contains(field.name.canonicalName) {
            var value = field.value
            if value.hasPrefix(proxy) {
                switch field.name.canonicalName {
                case "origin": value = origin
                case "referer": value = base + value.dropFirst(proxy.count)
                default: break
                }
            }
            headers.append(name: field.name.rawName, value: value)
        }
        return headers
    }

    // MARK: Responses

    /// Returns the header fields to send to the client.
    ///
    /// - Parameter proxy: The origin of the proxy, to which redirects and cookies apply.
    func responseFields(_ headers: HTTPSession.HTTPHeaders, proxy: String) -> HTTPFields {
        var all = HTTPFields()
        for field in headers {
            if let name = HTTPField.Name(field.name) { all.append(HTTPField(name: name, value: field.value)) }
        }
        let dropped = Self.connectionFields(all)
        var fields = HTTPFields()
        for var field in all where !dropped.contains(field.name.canonicalName) {
            switch field.name.canonicalName {
            case "location", "content-location": field.value = location(field.value, proxy: proxy)
            case "set-cookie": field.value = Self.cookie(field.value)
            default: break
            }
            fields.append(field)
        }
        return fields
    }

    /// Returns a URL of the server as a URL of the proxy; any other URL stays as it is.
    private func location(_ value: String, proxy: String) -> String {
        for prefix in [base, origin] where value.hasPrefix(prefix) {
            let rest = value.dropFirst(prefix.count)
            if rest.isEmpty || "/?#".contains(rest.first ?? "/") { return proxy + rest }
        }
        let path = base.dropFirst(origin.count)
        // The path of the base precedes that of each request, so the client must not repeat it.
        return !path.isEmpty && value.hasPrefix(path + "/") ? String(value.dropFirst(path.count)) : value
    }

    /// Returns a `Set-Cookie` field that a client accepts from the proxy, which is another host and does not use TLS.
    private static func cookie(_ value: String) -> String {
        var parts = value.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first else { return value }
        parts.removeFirst()
        let kept = parts.filter { part in
            let attribute = ASCII.trimmed(part).lowercased()
            return !attribute.hasPrefix("domain=") && attribute != "secure" && attribute != "samesite=none"
        }
        return ([pair] + kept).joined(separator: ";")
    }

    /// Returns the lowercase names of the fields that are only for one connection.
    private static func connectionFields(_ fields: HTTPFields) -> Set<String> {
        var names: Set<String> = [
            "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te",
            "trailer",
            "transfer-encoding", "upgrade",
        ]
        for value in fields[values: .connection] {
            for name in value.split(separator: ",") { names.insert(ASCII.trimmed(name).lowercased()) }
        }
        return names
    }
}
