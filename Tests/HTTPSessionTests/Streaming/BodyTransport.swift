import HTTPSession
import Synchronization

/// A transport that answers each request as a function says, with bodies in pieces.
final class BodyTransport: Transport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws(SessionError) -> TransportResponse

    private let answer: Answer
    private let sent = Mutex<[TransportRequest]>([])

    /// - Parameter answer: Gives the response for a request and its number, from 1.
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

    /// A response whose body has come in pieces, and then ended well or with an error.
    static func response(
        _ status: Int = 200, _ headers: HTTPHeaders = [:], pieces: [[UInt8]] = [], error: SessionError? = nil,
        onAbandon: @escaping @Sendable () -> Void = {}
    ) -> TransportResponse {
        let stream = ResponseBodyStream(onDemand: {}, onAbandon: onAbandon)
        for piece in pieces { _ = stream.yield(piece) }
        if let error { stream.finish(.failure(error)) } else { stream.finish(.success(.init())) }
        return TransportResponse(head: ResponseHead(status: status, headers: headers), stream: stream)
    }

    /// The error of a connection that was lost.
    static let lost = SessionError(phase: .receive, reason: .connectionReset, message: "reset")
}
