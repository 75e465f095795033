import HTTPSession
import Synchronization

/// A transport that answers each request with the same response, and notes the requests.
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

/// What a session gives for a response.
func response(
    _ status: Int = 200, _ headers: HTTPHeaders = [:], _ body: [UInt8] = [], method: HTTPMethod = .get
) throws -> Response {
    Response(
        head: ResponseHead(status: status, headers: headers), body: body,
        request: SentRequest(
            method: method, url: try HTTPURL("http://example.test/"), headers: .init(), body: .empty))
}
