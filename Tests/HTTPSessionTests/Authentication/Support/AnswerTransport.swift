import HTTPSession
import Synchronization

/// A transport that answers each request as a function says.
final class AnswerTransport: Transport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws -> TransportResponse

    private let answer: Answer
    private let sent = Mutex<[TransportRequest]>([])

    /// - Parameter answer: Gives the response for a request and its number, from 1; an error that it throws and that is
    ///   no ``SessionError`` stands for a cancelled exchange.
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
            throw SessionError(phase: .firstByte, reason: .cancelled, message: "the request was cancelled")
        }
    }

    /// A response.
    static func response(_ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "") -> TransportResponse {
        TransportResponse(head: ResponseHead(status: status, headers: headers), body: Array(body.utf8))
    }

    /// A redirect.
    static func redirect(_ location: String, _ status: Int = 302) -> TransportResponse {
        response(status, ["Location": location])
    }

    /// A 401 with challenges.
    static func challenge(_ challenges: String...) -> TransportResponse {
        response(401, HTTPHeaders(challenges.map { .init(name: "WWW-Authenticate", value: $0) }))
    }
}
