import NIOHPACK
import NIOHTTP2

/// One exchange on an HTTP/2 connection, with what has arrived of its response.
final class HTTP2Stream {
    let id: HTTP2StreamID
    let exchange: TransportExchange
    private(set) var head: ResponseHead?
    /// Responses of status 1xx.
    private(set) var informational: [ResponseHead] = []
    private(set) var trailers = HTTPHeaders()
    private(set) var expectedLength: Int?
    var body: [UInt8] = []
    private var headerBytes = 0
    /// Bytes that have arrived and are not yet given back to the server's window.
    var unacknowledged = 0

    init(id: HTTP2StreamID, exchange: TransportExchange) {
        self.id = id
        self.exchange = exchange
    }

    /// Takes in a header block: that of an interim response, of the final one, or the trailers (RFC 9113 section 8.1).
    /// - Returns: Its size in bytes, before compression.
    func receive(_ fields: HPACKHeaders) throws(HTTP1ParseFailure) -> Int {
        var headers = HTTPHeaders()
        headers.reserve(fields.count)
        var status: Int?
        var size = 0
        for field in fields {
            size += field.name.utf8.count + field.value.utf8.count + 4
            if field.name.utf8.first == UInt8(ascii: ":") {
                guard field.name == ":status", status == nil, headers.isEmpty, head == nil else {
                    throw HTTP1ParseFailure(
                        "the server sent the pseudo-header field \(field.name) where it must not be")
                }
                status = Int(field.value)
            } else {
                try Self.check(field.name, field.value)
                headers.append(field.name, field.value)
            }
        }
        headerBytes += size
        let limit = exchange.request.limits.headerBytes
        guard headerBytes <= limit else {
            throw HTTP1ParseFailure(
                limit: .headerBytes, limit, "the response's header is larger than the limit of \(limit) bytes")
        }
        guard head == nil else {
            trailers = headers
            return size
        }
        guard let status, (100...999).contains(status), status != 101 else {
            throw HTTP1ParseFailure("the server sent a response without a valid status")
        }
        let received = ResponseHead(version: .http2, status: status, reason: "", headers: headers)
        if status < 200 {
            informational.append(received)
            return size
        }
        head = received
        try announceLength(received)
        return size
    }

    /// Refuses a field that HTTP/2 does not allow (sections 8.2.1 and 8.2.2).
    private static func check(_ name: String, _ value: String) throws(HTTP1ParseFailure) {
        let isName = ByteClass.isToken(name) && !name.utf8.contains { $0 >= 0x41 && $0 <= 0x5A }
        guard isName, ByteClass.isFieldValue(value) else {
            throw HTTP1ParseFailure("the server sent a header field that is not valid: \(name.debugDescription)")
        }
        switch name {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
            throw HTTP1ParseFailure("the server sent the header field \(name), which HTTP/2 does not allow")
        default: break
        }
    }

    private func announceLength(_ head: ResponseHead) throws(HTTP1ParseFailure) {
        guard let length = head.headers["Content-Length"].flatMap({ Int($0) }), length >= 0 else { return }
        if exchange.request.method == .head || head.status == 204 || head.status == 304 { return }
        expectedLength = length
        guard exchange.request.delivery == .whole else { return }
        guard length <= exchange.request.limits.bodyBytes else { throw bodyLimit("\(length) bytes") }
        body.reserveCapacity(min(length, 1 << 20))
    }

    /// Makes sure that a piece of the body stays within the limit.
    func checkLimit(adding count: Int) throws(HTTP1ParseFailure) {
        guard exchange.request.delivery == .whole else { return }
        guard count <= exchange.request.limits.bodyBytes - body.count else { throw bodyLimit("more bytes") }
    }

    private func bodyLimit(_ size: String) -> HTTP1ParseFailure {
        let limit = exchange.request.limits.bodyBytes
        return HTTP1ParseFailure(
            limit: .bodyBytes, limit, "the response's body of \(size) is larger than the limit of \(limit) bytes")
    }
}
