import Basics
import HTTPSession
import Synchronization

/// A transport that responds to each request with the result of a function.
final class AnswerTransport: Transport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws -> TransportResponse

    private let answer: Answer
    private let sent = Mutex<[TransportRequest]>([])

    /// Creates a transport.
    ///
    /// - Parameter answer: Returns the response for a request and its number, starting at 1. A thrown error that is not
    ///   a ``SessionError`` is treated as a cancelled exchange.
    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// The requests so far.
    var requests: [TransportRequest] { sent.withLock { $0 } }

    /// The `Authorization` fields of the requests so far.
    var authorizations: [String?] { requests.map { $0.headers["Authorization"] } }

    func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse {
        let number = sent.withLock { requests in
            requests.append(request)
            return requests.count
        }
        do {
            let response = try await answer(request, number)
            try Task.checkCancellation()
            return response
        } catch let error as SessionError {
            throw error
        } catch {
            throw SessionError(phase: .firstByte, reason: .cancelled, message: "the request was canceled")
        }
    }

    /// Returns a response.
    static func response(_ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "") -> TransportResponse {
        TransportResponse(head: ResponseHead(status: status, headers: headers), body: Array(body.utf8))
    }

    /// Returns a redirect.
    static func redirect(_ location: String, _ status: Int = 302) -> TransportResponse {
        response(status, ["Location": location])
    }

    /// Returns a 401 response with challenges.
    static func challenge(_ challenges: String...) -> TransportResponse {
        response(401, HTTPHeaders(challenges.map { .init(name: "WWW-Authenticate", value: $0) }))
    }
}

/// A transport that responds to each request with the same response and records the requests.
final class CannedTransport: Transport {
    private let response: TransportResponse
    private let seen = Mutex<[TransportRequest]>([])

    init(_ status: Int = 200, _ headers: HTTPHeaders = [:], _ body: [UInt8] = []) {
        response = TransportResponse(head: ResponseHead(status: status, headers: headers), body: body)
    }

    convenience init(_ status: Int = 200, _ headers: HTTPHeaders = [:], text: String) {
        self.init(status, headers, Array(text.utf8))
    }

    var requests: [TransportRequest] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse {
        seen.withLock { $0.append(request) }
        return response
    }
}

/// Returns a session's response.
func response(
    _ status: Int = 200, _ headers: HTTPHeaders = [:], _ body: [UInt8] = [], method: HTTPMethod = .get
) throws -> Response {
    Response(
        head: ResponseHead(status: status, headers: headers), body: body,
        request: SentRequest(
            method: method, url: try HTTPURL("http://example.test/"), headers: .init(), body: .empty))
}

/// A transport that responds to each request with the result of a function, with bodies in chunks.
final class BodyTransport: Transport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws(SessionError) -> TransportResponse

    private let answer: Answer
    private let sent = Mutex<[TransportRequest]>([])

    /// Creates a transport.
    ///
    /// - Parameter answer: Returns the response for a request and its number, starting at 1.
    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// The requests so far.
    var requests: [TransportRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse {
        let number = sent.withLock { requests in
            requests.append(request)
            return requests.count
        }
        return try await answer(request, number)
    }

    /// Returns a response with a body in chunks, which then ends normally or with an error.
    static func response(
        _ status: Int = 200, _ headers: HTTPHeaders = [:], pieces: [[UInt8]] = [], error: SessionError? = nil,
        onAbandon: @escaping @Sendable () -> Void = {}
    ) -> TransportResponse {
        let stream = ResponseBodyStream(onDemand: {}, onAbandon: onAbandon)
        for piece in pieces { _ = stream.yield(piece) }
        if let error { stream.finish(.failure(error)) } else { stream.finish(.success(.init())) }
        return TransportResponse(head: ResponseHead(status: status, headers: headers), stream: stream)
    }

    /// The error of a lost connection.
    static let lost = SessionError(phase: .receive, reason: .connectionReset, message: "reset")
}

/// A list that returns chunks one by one.
final class PieceList: Sendable {
    private let pieces: Mutex<ArraySlice<[UInt8]>>

    init(_ pieces: [[UInt8]]) {
        self.pieces = Mutex(pieces[...])
    }

    func next() -> [UInt8]? { pieces.withLock { $0.popFirst() } }
}
