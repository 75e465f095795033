import Basics
package import HTTPSession
import HTTPTypes
package import MockServer
import NIOCore
import OpenAPI
package import SuiteImport
import Synchronization

/// A reverse proxy that forwards requests to a server and records the exchanges.
///
/// Bodies pass through unchanged as they arrive; the copy that is recorded has a maximum size.
package final class RecordingProxy: Responder {
    /// The maximum size of a response body that is recorded, before and after decoding, in bytes.
    private static let maximumBodySize = 4 << 20

    /// The maximum size of all response bodies that are recorded, in bytes. Further exchanges have none.
    private static let maximumTotalSize = 256 << 20

    private struct State {
        /// The exchanges in the order in which the requests arrived; nil while the response is incomplete.
        var exchanges: [RecordedExchange?] = []
        /// The conversations over WebSockets, by the index of the exchange that opened them.
        var conversations: [Int: Conversation] = [:]
        /// The size of the response bodies in bytes.
        var bodySize = 0
        /// Whether a request was only forwarded, because there are too many.
        var isFull = false
    }

    private let upstream: Upstream
    private let session: Session
    private let check: (@Sendable (RecordedExchange) -> Void)?
    private let log: @Sendable (String) -> Void
    private let recorded = Mutex(State())

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - upstream: The server that responds to the requests.
    ///   - session: The session that sends them.
    ///   - log: Called with a line for each exchange.
    ///   - check: Called with each complete exchange, such as to validate it against a description.
    package init(
        to upstream: Upstream, session: Session, log: @escaping @Sendable (String) -> Void,
        check: (@Sendable (RecordedExchange) -> Void)?
    ) {
        self.upstream = upstream
        self.session = session
        self.log = log
        self.check = check
    }

    /// The complete exchanges in the order in which the requests arrived.
    package var exchanges: [RecordedExchange] {
        recorded.withLock { state in
            for (index, conversation) in state.conversations {
                state.exchanges[index]?.messages = conversation.messages
            }
            return state.exchanges.compactMap { $0 }
        }
    }

    /// Returns the index of an exchange whose request has arrived; nil if no more are recorded.
    private func begin() -> Int? {
        let (index, isFirstLeftOut) = recorded.withLock { state -> (Int?, Bool) in
            guard state.exchanges.count < ImportLimits.requests else {
                defer { state.isFull = true }
                return (nil, !state.isFull)
            }
            state.exchanges.append(nil)
            return (state.exchanges.count - 1, false)
        }
        if isFirstLeftOut { log("\(ImportLimits.requests) requests are recorded, and others are only forwarded") }
        return index
    }

    private func end(_ exchange: RecordedExchange, _ index: Int?) {
        check?(exchange)
        guard let index else { return }
        recorded.withLock { state in
            var exchange = exchange
            let size = exchange.responseBody?.count ?? 0
            if state.bodySize + size > Self.maximumTotalSize {
                exchange.responseBody = nil
            } else {
                state.bodySize += size
            }
            state.exchanges[index] = exchange
        }
    }

    package func answer(_ request: MockRequest) async -> MockAnswer {
        let line = "\(request.method) \(RecordedExchange.shown(request.target))"
        let proxy = "http://\(request.host)"
        let index = begin()
        var sent = Request(HTTPMethod(rawValue: request.method), url: upstream.url(of: request.target))
        sent.headers = upstream.requestFields(request.fields, proxy: proxy)
        if request.body.readableBytes > 0 { sent.body = .bytes(Array(request.body.readableBytesView)) }
        sent.decompress = false
        sent.redirects = .never
        sent.cookies = .never
        var exchange = RecordedExchange(method: request.method, url: sent.url, status: 0)
        exchange.headers = sent.headers.map { ($0.name, $0.value) }
        if case .bytes(let bytes) = sent.body { exchange.body = .bytes(bytes) }
        // A server may ignore any other upgrade, such as that of HTTP/2 (RFC 9110, section 7.8).
        let isWebSocket = request.fields[.upgrade]?.lowercased().contains("websocket") == true
        do throws(SessionError) {
            if isWebSocket { return try await upgrade(sent, exchange, index, line: line, proxy: proxy) }
            let response = try await session.stream(sent)
            log("\(line) → \(response.status)")
            exchange.note(response.status, response.headers)
            var reply = Reply(response.status, fields: upstream.responseFields(response.headers, proxy: proxy))
            // RFC 9112, section 6.3: these responses have no body.
            if request.method == "HEAD" || response.status == 204 || response.status == 304 {
                response.body.abandon()
                end(exchange, index)
                return MockAnswer(reply)
            }
            let copy = BodyCopy(exchange, codings: ContentCoding.applied(in: response.headers))
            reply.nextPiece = { [self] in
                do throws(SessionError) {
                    if let piece = try await response.body.next() {
                        copy.add(piece, limit: Self.maximumBodySize)
                        return ByteBuffer(bytes: piece)
                    }
                } catch {
                    log("\(line): \(error.wording.text)")
                    throw error
                }
                end(copy.finished(limit: Self.maximumBodySize), index)
                return nil
            }
            return MockAnswer(reply)
        } catch {
            log("\(line) → 502 (\(error.wording.text))")
            return MockAnswer(.problem(502, error.wording.text))
        }
    }

    /// Requests a WebSocket, and relays it if the server opens it.
    private func upgrade(
        _ request: Request, _ exchange: RecordedExchange, _ index: Int?, line: String, proxy: String
    ) async throws(SessionError) -> MockAnswer {
        var (sent, exchange) = (request, exchange)
        sent.headers.set(name: "Connection", value: "Upgrade")
        sent.headers.set(name: "Upgrade", value: "websocket")
        // Compressed messages could not be recorded.
        sent.headers.remove("Sec-WebSocket-Extensions")
        let relay = WebSocketRelay()
        let (response, isOpen) = try await session.request(sent).upgrade { _, channel, _ in
            try relay.attach(server: channel)
            return true
        }
        log("\(line) → \(response.status)")
        exchange.note(response.status, response.headers)
        var reply = Reply(response.status, fields: upstream.responseFields(response.headers, proxy: proxy))
        guard isOpen == true else {
            reply.body = ByteBuffer(bytes: response.body)
            let codings = ContentCoding.applied(in: response.headers)
            if codings?.isEmpty == true { exchange.responseBody = response.body }
            end(exchange, index)
            return MockAnswer(reply)
        }
        reply.fields[.connection] = "Upgrade"
        reply.fields[.upgrade] = "websocket"
        exchange.messages = []
        if let index {
            recorded.withLock { state in
                state.exchanges[index] = exchange
                state.conversations[index] = relay.conversation
            }
        }
        return MockAnswer(reply, upgrade: relay)
    }
}

extension RecordedExchange {
    /// Adds the head of the response.
    fileprivate mutating func note(_ status: Int, _ headers: HTTPSession.HTTPHeaders) {
        self.status = status
        responseHeaders = headers.map { ($0.name, $0.value) }
        mediaType = (headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
    }
}

/// The copy of a response body that is recorded while it passes.
private final class BodyCopy: Sendable {
    private let exchange: RecordedExchange
    private let codings: [ContentCoding]?
    /// The bytes so far; nil if there are too many.
    private let bytes: Mutex<[UInt8]?> = Mutex([])

    init(_ exchange: RecordedExchange, codings: [ContentCoding]?) {
        self.exchange = exchange
        self.codings = codings
    }

    func add(_ piece: [UInt8], limit: Int) {
        bytes.withLock { bytes in
            guard let count = bytes?.count else { return }
            if count + piece.count > limit { bytes = nil } else { bytes?.append(contentsOf: piece) }
        }
    }

    /// Returns the exchange with its body, unless it is too large or cannot be decoded.
    func finished(limit: Int) -> RecordedExchange {
        var exchange = exchange
        guard let bytes = bytes.withLock({ $0 }), let codings else { return exchange }
        exchange.responseBody =
            codings.isEmpty
            ? bytes : try? ContentDecoder.decode(bytes, codings, limits: Limits(decodedBodyBytes: limit))
        return exchange
    }
}
