import Basics
import NIOHPACK
import NIOHTTP2

/// An exchange on an HTTP/2 connection: the state of its header blocks and flow-control windows.
final class HTTP2Stream {
    let id: HTTP2StreamID
    let exchange: TransportExchange
    private(set) var trailers = HTTPHeaders()
    /// The number of received bytes that have not been returned to the server's window.
    var unacknowledged = 0
    /// Whether the reader of the body applies back-pressure, so that the window is not enlarged.
    var isPaused = false
    /// The remaining send window of the stream in bytes; negative if queued bytes exceed it.
    var sendWindow: Int
    private var headerBytes = 0

    init(id: HTTP2StreamID, exchange: TransportExchange, sendWindow: Int) {
        self.id = id
        self.exchange = exchange
        self.sendWindow = sendWindow
    }

    /// Handles a header block: of an interim response, of the final response, or of trailers (RFC 9113, section 8.1).
    func receive(_ fields: HPACKHeaders) throws(HTTP1ParseFailure) {
        var headers = HTTPHeaders()
        headers.reserve(fields.count)
        var status: Int?
        var size = 0
        for field in fields {
            size += field.name.utf8.count + field.value.utf8.count + 4
            if field.name.utf8.first == UInt8(ascii: ":") {
                guard field.name == ":status", status == nil, headers.isEmpty, exchange.head == nil else {
                    throw HTTP1ParseFailure(
                        "the server sent an unexpected pseudo-header field \(field.name)")
                }
                status = Int(field.value)
            } else {
                try Self.check(field.name, field.value)
                headers.append(name: field.name, value: field.value)
            }
        }
        exchange.metrics.bytesReceived += size + 9
        headerBytes += size
        let limit = exchange.request.limits.headerBytes
        guard headerBytes <= limit else {
            throw HTTP1ParseFailure(
                limit: .headerBytes, limit, "the response's header section is larger than the limit of \(limit) bytes")
        }
        guard exchange.head == nil else {
            trailers = headers
            return
        }
        guard let status, (100...999).contains(status), status != 101 else {
            throw HTTP1ParseFailure("the server sent a response without a valid status")
        }
        let head = ResponseHead(version: .http2, status: status, reason: "", headers: headers)
        if status < 200 { return try exchange.receivedInformational(head) }
        let length = try announcedLength(head)
        exchange.receivedHead(head, expectedLength: length)
        if let length, length > exchange.bodyLimit { throw bodyLimit(" of \(length) bytes") }
    }

    /// Rejects a field that HTTP/2 does not allow (sections 8.2.1 and 8.2.2).
    private static func check(_ name: String, _ value: String) throws(HTTP1ParseFailure) {
        let isName = ByteClass.isToken(name) && !name.utf8.contains { $0 >= 0x41 && $0 <= 0x5A }
        guard isName, ByteClass.isFieldValue(value) else {
            throw HTTP1ParseFailure("the server sent an invalid header field: \(name.debugDescription)")
        }
        switch name {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
            throw HTTP1ParseFailure("the server sent the header field \"\(name)\", which HTTP/2 does not allow")
        default: break
        }
    }

    /// Returns the announced length of the body, if any (RFC 9113, section 8.1.1).
    private func announcedLength(_ head: ResponseHead) throws(HTTP1ParseFailure) -> Int? {
        if exchange.request.method == .head || head.status == 204 || head.status == 304 { return nil }
        let lengths = head.headers.tokens("Content-Length")
        guard let first = lengths.first ?? head.headers["Content-Length"] else { return nil }
        guard let length = Int(first), first.utf8.allSatisfy(ASCII.isDigit) else {
            throw HTTP1ParseFailure("the server sent an invalid Content-Length: \"\(first)\"")
        }
        guard lengths.allSatisfy({ $0 == first }) else {
            throw HTTP1ParseFailure(
                "the server sent different values of Content-Length: \(lengths.joined(separator: ", "))")
        }
        return length
    }

    /// Handles a part of the body.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP1ParseFailure) {
        guard exchange.head != nil else { throw HTTP1ParseFailure("the server sent a body before the header section") }
        guard bytes.count <= exchange.bodyLimit - exchange.metrics.bodyBytesReceived else {
            throw bodyLimit()
        }
        guard bytes.count > 0 else { return }
        bytes.withMemoryRebound(to: UInt8.self) { if !exchange.receivedBody($0) { isPaused = true } }
    }

    /// Validates that the response is complete.
    func checkEnd() throws(HTTP1ParseFailure) {
        guard exchange.head != nil else { throw HTTP1ParseFailure("the server ended the stream without a response") }
        let count = exchange.metrics.bodyBytesReceived
        if let expected = exchange.expectedLength, expected != count {
            throw HTTP1ParseFailure("the body has \(count) bytes, but the Content-Length is \(expected)")
        }
    }

    private func bodyLimit(_ size: String = "") -> HTTP1ParseFailure {
        let limit = exchange.bodyLimit
        return HTTP1ParseFailure(
            limit: .bodyBytes, limit, "the response's body\(size) is larger than the limit of \(limit) bytes")
    }
}

/// The encoder of request header blocks (RFC 9113, section 8.3.1).
enum HTTP2RequestHead {
    /// Returns whether a field is specific to HTTP/1 connections, which HTTP/2 forbids (section 8.2.2).
    private static func isConnectionSpecific(_ name: String) -> Bool {
        switch name {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "host", "http2-settings":
            true
        default: false
        }
    }

    /// Returns whether a value must not enter the compression table, where an attacker could guess it (RFC 7541,
    /// section 7.1).
    private static func isSensitive(_ name: String) -> Bool {
        switch name {
        case "authorization", "proxy-authorization", "cookie": true
        default: false
        }
    }

    /// Returns the header block.
    /// - Parameters:
    ///   - request: The request.
    ///   - bodyLength: The length of the body, if known and to be announced.
    ///   - isIndexed: Whether fields may be added to the compression table.
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
            // "trailers" is the only allowed value (section 8.2.2).
            if name == "te", lowercased(field.value) != "trailers" { continue }
            if name == "content-length" { hasLength = true }
            fields.add(name: name, value: field.value, indexing: isSensitive(name) ? .neverIndexed : indexing)
        }
        if let bodyLength, !hasLength {
            fields.add(name: "content-length", value: String(bodyLength), indexing: .nonIndexable)
        }
        return fields
    }

    /// Lowercases ASCII letters; a string without uppercase letters is not copied.
    private static func lowercased(_ text: String) -> String {
        text.utf8.contains { $0 >= 0x41 && $0 <= 0x5A } ? text.lowercased() : text
    }
}
