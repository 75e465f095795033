import TestSupport
import Testing

@testable import HTTPSession

/// Tests of custom transports that forward to a ``NIOTransport``.
@Suite("Forwarding transports")
struct ForwardingTransportTests {
    /// A transport that sends everything to a loopback server, with a field unknown to the session.
    private final class Gateway: Transport {
        private let inner = ConnectionTests.oneLoop()
        private let port: Int

        init(port: Int) {
            self.port = port
        }

        func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse {
            let url = try? HTTPURL("http://127.0.0.1:\(port)" + request.url.path)
            var request = TransportRequest(method: request.method, url: url ?? request.url, headers: request.headers)
            request.headers.set(name: "X-Gateway", value: "1")
            return try await inner.send(request)
        }

        func close() async {
            await inner.close()
        }
    }

    @Test("The response and its redirects refer to the requests that the session sent")
    func redirects() async throws {
        let server = try #require(
            FaultyServer(
                [.receive, .send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")],
                [.receive, .send(ExchangeTests.ok)]))
        defer { server.shutDown() }
        let response = try await withSession(transport: Gateway(port: server.port)) { session in
            try await session.get("http://api.example.org/start", headers: ["Authorization": "Bearer abc"]).response()
        }
        #expect(response.text == "ok")
        #expect(response.url.description == "http://api.example.org/next")
        #expect(response.request.headers["Authorization"] == "Bearer abc")
        #expect(response.request.headers["X-Gateway"] == nil)
        #expect(response.history.map(\.url.description) == ["http://api.example.org/start"])
        #expect(server.requestTexts.allSatisfy { $0.contains("Authorization: Bearer abc") })
        #expect(server.requestTexts.allSatisfy { $0.contains("X-Gateway: 1") })
    }
}
