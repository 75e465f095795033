/// Which version of HTTP a request is sent with.
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// HTTP/2 where the server agrees to it in the TLS handshake (ALPN, RFC 7301), otherwise HTTP/1.1.
    case automatic
    /// HTTP/1.0, one exchange per connection unless the server keeps it alive.
    case http10
    /// HTTP/1.1.
    case http11
    /// HTTP/2: over TLS the server must agree to it, over plain TCP it is begun with prior knowledge (RFC 9113 section 3.3).
    case http2
}
