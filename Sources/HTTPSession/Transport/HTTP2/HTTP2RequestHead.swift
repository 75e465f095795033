import NIOHPACK

/// Makes the header block of a request as HTTP/2 sends it (RFC 9113 section 8.3.1).
enum HTTP2RequestHead {
    /// Fields that speak of an HTTP/1 connection, which HTTP/2 forbids (section 8.2.2).
    private static func isConnectionSpecific(_ name: String) -> Bool {
        switch name {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "host", "http2-settings":
            true
        default: false
        }
    }

    /// Values that a compressor must not put into its table, where an attacker could guess at them (RFC 7541 section 7.1).
    private static func isSensitive(_ name: String) -> Bool {
        switch name {
        case "authorization", "proxy-authorization", "cookie": true
        default: false
        }
    }

    /// The header block.
    /// - Parameters:
    ///   - request: The request.
    ///   - bodyLength: The number of bytes of its body, where it is known and to be announced.
    ///   - isIndexed: Whether fields may be kept in the compressor's table.
    static func fields(of request: TransportRequest, bodyLength: Int?, isIndexed: Bool) -> HPACKHeaders {
        var fields = HPACKHeaders()
        fields.reserveCapacity(request.headers.count + 5)
        let url = request.url
        let indexing: HPACKIndexing = isIndexed ? .indexable : .nonIndexable
        fields.add(name: ":method", value: request.method.rawValue, indexing: indexing)
        fields.add(name: ":scheme", value: url.scheme, indexing: indexing)
        fields.add(name: ":authority", value: request.headers["Host"] ?? url.authority, indexing: indexing)
        fields.add(name: ":path", value: url.target, indexing: .nonIndexable)
        var hasLength = false
        for field in request.headers.fields {
            let name = lowercased(field.name)
            if isConnectionSpecific(name) { continue }
            // "trailers" is the only value that may be sent (section 8.2.2).
            if name == "te", lowercased(field.value) != "trailers" { continue }
            if name == "content-length" { hasLength = true }
            fields.add(name: name, value: field.value, indexing: isSensitive(name) ? .neverIndexed : indexing)
        }
        if let bodyLength, !hasLength {
            fields.add(name: "content-length", value: String(bodyLength), indexing: .nonIndexable)
        }
        return fields
    }

    /// The text with ASCII letters in lower case; text that has none in upper case is not copied.
    private static func lowercased(_ text: String) -> String {
        text.utf8.contains { $0 >= 0x41 && $0 <= 0x5A } ? text.lowercased() : text
    }
}
