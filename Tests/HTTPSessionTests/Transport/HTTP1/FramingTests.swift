import TestSupport
import Testing

@testable import HTTPSession

/// Tests of the end of responses on the wire, delivered completely and as a stream.
@Suite("Framing")
struct FramingTests {
    static let ok = ExchangeTests.ok
    typealias Responses = StreamedResponseTests

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var method = HTTPMethod.get
        var response: String
        var body = ""
        var trailers: HTTPHeaders = [:]
        var informational: [Int] = []
        var isReused = true
    }

    static let cases: [Case] = [
        Case(
            testDescription: "HEAD has no body regardless of Content-Length", method: .head,
            response: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"),
        Case(
            testDescription: "HEAD has no body regardless of Transfer-Encoding", method: .head,
            response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Case(testDescription: "204 has no body", response: "HTTP/1.1 204 No Content\r\n\r\n"),
        Case(
            testDescription: "304 has no body", response: "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"),
        Case(
            testDescription: "204 with a body prevents reuse",
            response: "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc", isReused: false),
        Case(
            testDescription: "interim responses precede the final response",
            response: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok, body: "ok",
            informational: [100, 103]),
        Case(
            testDescription: "chunked body with extensions and trailers",
            response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3;name=value;flag\r\nabc\r\n2 ; q=\"a;b\"\r\nde\r\n0;last\r\nX-One: 1\r\nX-Two: 2\r\n\r\n",
            body: "abcde", trailers: ["X-One": "1", "X-Two": "2"]),
        Case(
            testDescription: "Connection: close prevents reuse",
            response: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", body: "ok",
            isReused: false),
        Case(
            testDescription: "an unsolicited second response prevents reuse", response: ok + ok, body: "ok",
            isReused: false),
        Case(
            testDescription: "a body without framing ends when the connection closes",
            response: "HTTP/1.0 200 OK\r\n\r\nall",
            body: "all", isReused: false),
    ]

    @Test(
        "The body ends where it should, and the connection is reused only if that is certain", arguments: cases,
        [ResponseDelivery.whole, .streamed])
    func ends(test: Case, delivery: ResponseDelivery) async throws {
        // A response without framing ends with the connection.
        let isEndless = test.response.hasPrefix("HTTP/1.0")
        let server = FaultyServer(
            [.receive, .send(test.response)] + (isEndless ? [.close] : [.receive, .send(Self.ok), .waitForClose]),
            [.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            let response = try await transport.send(Responses.request(server, test.method, delivery: delivery))
            let body = try await response.stream?.collect() ?? response.body
            #expect(String(decoding: body, as: UTF8.self) == test.body)
            #expect((response.stream?.end?.trailers ?? response.trailers) == test.trailers)
            #expect(response.informational.map(\.status) == test.informational)
            let next = try await transport.send(Responses.request(server, delivery: .whole))
            #expect(next.body == Array("ok".utf8))
            #expect(next.metrics.reusedConnection == test.isReused)
        }
    }

    @Test("An unsolicited response closes an idle connection and is discarded")
    func unasked() async throws {
        let gate = Gate()
        let wrong = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"
        let server = FaultyServer(
            [.receive, .send(Self.ok), .wait(gate), .send(wrong), .waitForClose], [.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            _ = try await transport.send(Responses.request(server, delivery: .whole))
            gate.open()
            await server.waitForClosedConnections(1)
            let next = try await transport.send(Responses.request(server, delivery: .whole))
            #expect(next.body == Array("ok".utf8))
            #expect(!next.metrics.reusedConnection)
        }
    }

    @Test(
        "Over TLS, a slow reader slows the server down, and releasing the body closes the connection",
        .enabled(if: TestCertificates.isAvailable, "requires the openssl command"))
    func secured() async throws {
        let certificates = try #require(TLSTests.certificates)
        let size = 8 << 20
        let server = try await TLSServer(
            certificates.valid,
            response: "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n" + String(repeating: "x", count: size))
        let transport = ConnectionTests.oneLoop(.init(connectionsPerOrigin: 1))
        var request = TransportRequest(method: .get, url: try HTTPURL("https://127.0.0.1:\(server.port)/"))
        request.delivery = .streamed
        request.connection.version = .http11
        request.connection.tls.trust = .insecure
        var response: TransportResponse? = try await transport.send(request)
        #expect(response?.tls != nil)
        while let stream = response?.stream, stream.waiting < ResponseBodyStream.highWater { await Task.yield() }
        response = nil
        // The only connection is available for this request, although the server had more to send.
        let stream = try #require(try await transport.send(request).stream)
        var count = 0
        var maximum = 0
        while let piece = try await stream.next() {
            count += piece.count
            maximum = max(maximum, stream.waiting)
        }
        #expect(count == size)
        #expect(maximum < 4 << 20, "\(maximum)")
        await transport.close()
        await server.shutDown()
    }
}
