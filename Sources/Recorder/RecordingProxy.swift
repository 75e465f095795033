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

    private let upstream: Upstream
    private let session: Session
    private let check: (@Sendable (RecordedExchange) -> Void)?
    private let log: @Sendable (String) -> Void
    /// The exchanges in the order in which the requests arrived; nil while the response is incomplete.
    private let recorded: Mutex<[RecordedExchange?]> = Mutex([])

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
    package var exchanges: [RecordedExchange] { recorded.withLock { $0.compactMap { $0 } } }

    /// Returns the index of an exchange whose request has arrived.
    private func begin() -> Int {
        recorded.withLock { recorded in
            recorded.append(nil)
            return recorded.count - 1
        }
    }

    private func end(_ exchange: RecordedExchange, _ index: Int) {
        recorded.withLock { $0[index] = exchange }
        check?(exchange)
    }

    package func answer(_ request: MockRequest) async -> MockAnswer {
        let line = "\(request.method) \(request.target)"
        let proxy = "http://\(request.host)"
        if request.fields[.upgrade] != nil {
            log("\(line) → 501 (an upgrade to another protocol is not recorded)")
            return MockAnswer(.problem(501, "the recording proxy does not support upgrades, such as WebSockets"))
        }
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
        do throws(SessionError) {
            let response = try await session.stream(sent)
            log("\(line) → \(response.status)")
            exchange.status = response.status
            exchange.responseHeaders = response.headers.map { ($0.name, $0.value) }
            exchange.mediaType = (response.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
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
