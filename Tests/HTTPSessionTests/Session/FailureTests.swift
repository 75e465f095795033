import TestSupport
import Testing

@testable import HTTPSession

/// Tests of the error of an exchange without a response.
@Suite("Failures")
struct FailureTests {
    static let ok = ExchangeTests.ok

    @Test("A connection to a closed port is refused")
    func refused() async throws {
        let closed = try #require(ClosedPort())
        let port = closed.port
        await withSession { session in
            let error = await ExchangeTests.failure { try await session.get("http://127.0.0.1:\(port)/").response() }
            #expect(error?.reason == .connectionRefused)
            #expect(error?.phase == .connect)
            #expect(error?.message == "connection refused: 127.0.0.1:\(port)")
            #expect(error?.description == "GET http://127.0.0.1:\(port)/: connection refused: 127.0.0.1:\(port)")
            let local = await ExchangeTests.failure { try await session.get("http://localhost:\(port)/").response() }
            #expect(local?.reason == .connectionRefused)
            #expect(local?.message.hasPrefix("connection refused: localhost:\(port) (tried 127.0.0.1:\(port)") == true)
        }
        withExtendedLifetime(closed) {}
    }

    @Test("A host name without an address is reported as unresolvable")
    func unknownName() async throws {
        await withSession { session in
            let error = await ExchangeTests.failure { try await session.get("http://no-such-host.invalid/").response() }
            #expect(error?.reason == .nameNotResolved)
            #expect(error?.phase == .dns)
            #expect(error?.message.contains("no-such-host.invalid cannot be resolved") == true)
        }
    }

    @Test(
        "A connection that the server closes or resets too early is an error",
        arguments: [
            (
                "", FaultyServer.Step.close, SessionError.Reason.connectionClosed, SessionError.Phase.firstByte,
                "closed the connection before it sent a response"
            ),
            ("HTTP/1.1 200 OK\r\nContent-", .close, .connectionClosed, .receive, "in the middle of the header section"),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", .close, .connectionClosed, .receive,
                "after 2 of 5 bytes"
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", .close, .connectionClosed, .receive,
                "chunked body, after 2 bytes"
            ),
            ("", .reset, .connectionReset, .firstByte, "reset the connection before"),
        ])
    func closesEarly(
        text: String, end: FaultyServer.Step, reason: SessionError.Reason, phase: SessionError.Phase, words: String
    ) async throws {
        let server = FaultyServer([.receive, .send(text), end])
        try await ExchangeTests.with(server) { server, session in
            let error = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(error?.reason == reason)
            #expect(error?.phase == phase)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(error?.message.hasPrefix("127.0.0.1:\(server.port) ") == true)
            #expect(error?.attempt == 1)
            if text.contains("\r\n\r\n") {
                #expect(error?.head?.status == 200)
                #expect(error?.partialBody == Array("he".utf8))
            }
        }
    }

    @Test("A response that is not HTTP or is malformed is an error, and the connection is closed")
    func invalid() async throws {
        let server = FaultyServer(
            [.receive, .send("220 mail.example ESMTP\r\n"), .waitForClose],
            [.receive, .send("HTTP/1.1 200 OK\r\nbad header\r\n\r\n"), .waitForClose])
        try await ExchangeTests.with(server) { server, session in
            let first = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(first?.reason == .invalidResponse)
            #expect(first?.message == "the server did not respond with HTTP: it sent \"220 mail.example ESMTP\\r\\n\"")
            let second = await ExchangeTests.failure { try await session.get(server.url).response() }
            #expect(second?.reason == .invalidResponse)
            #expect(second?.phase == .receive)
            await server.waitForClosedConnections(2)
        }
    }

    @Test("Exceeding a size limit ends the exchange and closes the connection")
    func sizeLimits() async throws {
        let server = FaultyServer([
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"), .waitForClose,
        ])
        try await ExchangeTests.with(server) { server, session in
            var request = Request(.get, url: server.url)
            request.limits = Limits(bodyBytes: 99)
            let error = await ExchangeTests.failure { try await session.send(request) }
            #expect(error?.reason == .limitExceeded(.bodyBytes, 99))
            #expect(error?.head?.status == 200)
            #expect(error?.head?.headers["Content-Length"] == "100")
            await server.waitForClosedConnections(1)
        }
    }

    // MARK: Time limits

    @Test(
        "A timeout error states the limit, its value, and what the exchange was waiting for",
        arguments: [
            (
                Timeouts(firstByte: .milliseconds(250)), "", SessionError.TimeLimit.firstByte,
                SessionError.Phase.firstByte,
                "timeout after 250 ms (first-byte) waiting for the first byte of the response from 127.0.0.1:"
            ),
            (
                Timeouts(idle: .milliseconds(250)), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", .idle, .receive,
                "timeout after 250 ms (idle) receiving the response from 127.0.0.1:"
            ),
            (
                Timeouts(total: .milliseconds(250)), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", .total, .receive,
                "timeout after 250 ms (total) receiving the response from 127.0.0.1:"
            ),
            (Timeouts(total: .milliseconds(250)), "", .total, .firstByte, "timeout after 250 ms (total) waiting for"),
        ])
    func timeouts(
        timeouts: Timeouts, sent: String, limit: SessionError.TimeLimit, phase: SessionError.Phase, words: String
    ) async throws {
        let server = FaultyServer([.receive, .send(sent), .waitForClose])
        try await ExchangeTests.with(server) { server, session in
            var request = Request(.get, url: server.url)
            request.timeouts = timeouts
            let error = await ExchangeTests.failure { try await session.send(request) }
            #expect(error?.reason == .timedOut(limit, .milliseconds(250)))
            #expect(error?.phase == phase)
            #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
            if !sent.isEmpty {
                #expect(error?.message.hasSuffix("after 2 of 5 bytes of the body") == true)
                #expect(error?.partialBody == Array("he".utf8))
            }
            #expect((error?.metrics.total ?? .zero) >= .milliseconds(250))
            await server.waitForClosedConnections(1)
        }
    }

    @Test("A connection that is not established in time is a connect timeout")
    func connectTimeout() async throws {
        let port = try #require(UnansweringPort())
        await withSession(.init(timeouts: Timeouts(connect: .milliseconds(50)))) { session in
            let error = await ExchangeTests.failure {
                try await session.get("http://127.0.0.1:\(port.port)/").response()
            }
            #expect(error?.reason == .timedOut(.connect, .milliseconds(50)))
            #expect(error?.phase == .connect)
            #expect(error?.message == "timeout after 50 ms (connect) connecting to 127.0.0.1:\(port.port)")
        }
    }

    @Test("A TLS handshake that is not completed in time is a connect timeout")
    func handshakeTimeout() async throws {
        let server = FaultyServer([.waitForClose])
        let timeouts = Timeouts(connect: .milliseconds(500))
        try await ExchangeTests.with(server, .init(timeouts: timeouts, trust: .insecure)) { server, session in
            let error = await ExchangeTests.failure {
                try await session.get("https://127.0.0.1:\(server.port)/").response()
            }
            #expect(error?.reason == .timedOut(.connect, .milliseconds(500)))
            #expect(error?.phase == .tls)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("A request body that the server never reads is an idle timeout")
    func sendTimeout() async throws {
        let gate = Gate()
        let server = FaultyServer([.receiveHeader, .wait(gate)])
        try await ExchangeTests.with(server) { server, session in
            var request = Request(.post, url: server.url, body: .bytes(Array(repeating: 0, count: 64 << 20)))
            request.timeouts = Timeouts(idle: .milliseconds(100))
            let error = await ExchangeTests.failure { try await session.send(request) }
            #expect(error?.reason == .timedOut(.idle, .milliseconds(100)))
            #expect(error?.phase == .send)
        }
        gate.open()
    }

    @Test("A slow but steady server does not cause a timeout")
    func slowServer() async throws {
        let body = "0123456789"
        let parts = ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + body).utf8.map { [$0] }
        let server = FaultyServer([.receive, .drip(parts, milliseconds: 2)])
        try await ExchangeTests.with(server, .init(timeouts: Timeouts(idle: .seconds(2)))) { server, session in
            let response = try await session.get(server.url).response()
            #expect(response.text == body)
            #expect(response.metrics.receive > .milliseconds(20))
            #expect(response.metrics.total >= response.metrics.receive)
        }
    }

    // MARK: Cancellation

    @Test("Canceling an exchange ends it immediately and closes its connection")
    func cancellation() async throws {
        let partial = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"
        for step in ["", partial] {
            let server = FaultyServer([.receive, .send(step), .waitForClose])
            try await ExchangeTests.with(server) { server, session in
                let url = server.url
                let task = Task { await ExchangeTests.failure { try await session.get(url).response() } }
                await server.waitForRequests(1)
                task.cancel()
                let error = await task.value
                #expect(error?.reason == .cancelled)
                await server.waitForClosedConnections(1)
            }
        }
    }

    @Test("A task that is canceled before it starts sends nothing")
    func cancelledBefore() async throws {
        try await ExchangeTests.with(FaultyServer([.receive, .send(Self.ok)])) { server, session in
            let url = server.url
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await ExchangeTests.failure { try await session.get(url).response() }
            }
            #expect(await task.value?.reason == .cancelled)
            #expect(server.connections == 0)
        }
    }

    @Test("Canceling while connecting ends the exchange immediately")
    func cancelledConnecting() async throws {
        let port = try #require(UnansweringPort())
        await withSession { session in
            let url = "http://127.0.0.1:\(port.port)/"
            let task = Task { await ExchangeTests.failure { try await session.get(url).response() } }
            task.cancel()
            #expect(await task.value?.reason == .cancelled)
        }
    }

    @Test("Exchanges canceled at arbitrary times end exactly once")
    func cancellationRace() async throws {
        var script: [FaultyServer.Step] = []
        for _ in 0..<200 { script += [.receive, .send(Self.ok)] }
        let steps = script
        try await ExchangeTests.with(FaultyServer(steps)) { server, session in
            let url = server.url
            var outcomes = 0
            for round in 0..<200 {
                let task = Task { await ExchangeTests.failure { try await session.get(url).response() } }
                for _ in 0..<(round % 40) { await Task.yield() }
                task.cancel()
                let error = await task.value
                #expect(error == nil || error?.reason == .cancelled)
                outcomes += 1
            }
            #expect(outcomes == 200)
            let value1 = try await session.get(url).response().status
            #expect(value1 == 200)
        }
    }
}
