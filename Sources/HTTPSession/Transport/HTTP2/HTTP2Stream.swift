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

    /// Takes in a header block: that of an interim response, of the final one, or the trailers.
    func receive(_ fields: HPACKHeaders) throws(HTTP1ParseFailure) {
        for field in fields { headerBytes += field.name.utf8.count + field.value.utf8.count + 4 }
        let limit = exchange.request.limits.headerBytes
        guard headerBytes <= limit else {
            throw HTTP1ParseFailure(
                limit: .headerBytes, limit, "the response's header is larger than the limit of \(limit) bytes")
        }
        var headers = HTTPHeaders()
        headers.reserve(fields.count)
        var status: Int?
        for field in fields {
            if field.name.utf8.first == UInt8(ascii: ":") {
                if field.name == ":status" { status = Int(field.value) }
            } else {
                headers.append(field.name, field.value)
            }
        }
        guard head == nil else {
            trailers = headers
            return
        }
        guard let status, (100...999).contains(status), status != 101 else {
            throw HTTP1ParseFailure("the server sent a response without a valid status")
        }
        let received = ResponseHead(version: .http2, status: status, reason: "", headers: headers)
        if status < 200 {
            informational.append(received)
            return
        }
        head = received
        try announceLength(received)
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
