import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of responses with status 1xx, and of bodies that wait for one.
@Suite("Informational responses")
struct InformationalTests {
    static let ok = ExchangeTests.ok
    typealias Responses = StreamedResponseTests

    @Test("Informational responses are included in order with the final response")
    func collected() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 102 Processing\r\n\r\n" + hints), .send(hints + Self.ok), .receive,
            .send(Self.ok),
        ])
        try await Responses.with(server) { server, transport in
            let response = try await transport.send(Responses.request(server, delivery: .whole))
            #expect(response.informational.map(\.status) == [102, 103, 103])
            #expect(response.informational.last?.headers == ["Link": "</a>"])
            #expect(response.body == Array("ok".utf8))
            let next = try await transport.send(Responses.request(server, delivery: .whole))
            #expect(next.informational.isEmpty)
            #expect(next.metrics.reusedConnection)
        }
    }

    @Test(
        "Too many or too large informational responses are an error",
        arguments: [
            (128 << 10, "more than 100 informational (1xx) responses"), (1000, "larger than the limit of 1000 bytes"),
        ])
    func endless(headerBytes: Int, words: String) async throws {
        let many = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 200)
        let server = FaultyServer([.receive, .send(many), .waitForClose])
        try await Responses.with(server) { server, transport in
            var request = try Responses.request(server, delivery: .whole)
            request.limits.headerBytes = headerBytes
            let error = await ExchangeTests.failure { try await transport.send(request) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(error?.phase == .receive)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("The first-byte timeout applies to the final response")
    func timeLimit() async throws {
        let server = FaultyServer([.receive, .send("HTTP/1.1 102 Processing\r\n\r\n"), .waitForClose])
        try await Responses.with(server) { server, transport in
            var request = try Responses.request(server, delivery: .whole)
            request.timeouts = Timeouts(firstByte: .milliseconds(200))
            let error = await ExchangeTests.failure { try await transport.send(request) }
            #expect(error?.reason == .timedOut(.firstByte, .milliseconds(200)))
            #expect(error?.phase == .firstByte)
        }
    }

    // MARK: Expect: 100-continue

    private static let bodies: [RequestBody] = [
        .bytes(Array("body".utf8)), StreamedRequestTests.Pieces(["bo", "dy"]).source(length: 4),
        .bytes(Array(repeating: 65, count: 100_000)),
    ]

    @Test("A body is sent only after a 100 Continue response", arguments: bodies.indices)
    func consent(index: Int) async throws {
        let server = FaultyServer([
            .receiveHeader, .send("HTTP/1.1 100 Continue\r\n\r\n"), .receiveHeader, .send(Self.ok), .receive,
            .send(Self.ok),
        ])
        // The body ends with an empty line, so the server reads it as a second header.
        let bodies: [RequestBody] = [
            .text("body\r\n\r\n"), StreamedRequestTests.Pieces(["bo", "dy\r\n\r\n"]).source(length: 8),
            .text(String(repeating: "b", count: 100_000) + "\r\n\r\n"),
        ]
        try await Responses.with(server) { server, transport in
            var request = try Responses.request(server, .post, body: bodies[index], delivery: .whole)
            request.expectContinue = .seconds(3600)
            let response = try await transport.send(request)
            #expect(response.head.status == 200)
            #expect(response.informational.map(\.status) == [100])
            #expect(server.requestTexts[0].hasSuffix("\r\nExpect: 100-continue\r\n\r\n"))
            #expect(server.requestTexts[1].hasSuffix("\r\n\r\n"))
            let next = try await transport.send(Responses.request(server, delivery: .whole))
            #expect(next.metrics.reusedConnection)
        }
    }

    @Test("After a final response, the body is not sent, and the connection is not reused", arguments: bodies.indices)
    func refusal(index: Int) async throws {
        for status in [200, 417] {
            let answer = "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n"
            let server = FaultyServer([.receiveHeader, .send(answer), .waitForClose])
            try await Responses.with(server) { server, transport in
                var request = try Responses.request(server, .post, body: Self.bodies[index], delivery: .whole)
                request.expectContinue = .seconds(3600)
                let response = try await transport.send(request)
                #expect(response.head.status == status)
                #expect(response.metrics.bytesSent == server.requests.first?.count)
                await server.waitForClosedConnections(1)
            }
        }
    }

    @Test("Without a 100 Continue response, the body is sent after the timeout, by default one second")
    func silence() async throws {
        let server = FaultyServer([.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            var request = try Responses.request(
                server, .post, ["Connection": "close"], body: .text("body"), delivery: .whole)
            // Long enough that a busy machine does not exhaust the idle timeout while the body is sent.
            request.expectContinue = .milliseconds(800)
            request.timeouts = Timeouts(idle: .milliseconds(400))
            let response = try await transport.send(request)
            #expect(response.metrics.send >= .milliseconds(800))
            request.timeouts = Timeouts()
            request.expectContinue = nil
            request.headers = ["Connection": "close", "Expect": "100-Continue"]
            let second = try await transport.send(request)
            #expect(second.metrics.send >= .seconds(1))
            #expect(server.requestTexts.last?.contains("100-continue") == false)
        }
    }

    @Test("Requests without a body and HTTP/1.0 requests do not send an Expect field")
    func notAsked() async throws {
        let server = FaultyServer([.receive, .send(Self.ok)])
        try await Responses.with(server) { server, transport in
            for (body, version) in [
                (RequestBody.empty, HTTPVersionPolicy.http11), (.bytes([]), .http11), (.text("x"), .http10),
            ] {
                var request = try Responses.request(
                    server, .post, ["Connection": "close"], body: body, delivery: .whole)
                request.expectContinue = .seconds(3600)
                request.connection.version = version
                _ = try await transport.send(request)
                #expect(server.requestTexts.last?.contains("Expect") == false)
            }
        }
    }
}
