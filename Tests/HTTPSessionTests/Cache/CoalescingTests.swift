import TestSupport
import Testing

@testable import HTTPSession

@Suite("Request coalescing")
struct CoalescingTests {
    let transport = ScriptedTransport()
    var session: Session {
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.coalescesRequests = true
        return Session(configuration: configuration, transport: transport)
    }

    @Test("Identical concurrent requests are sent once, and different or later requests are sent separately")
    func once() async throws {
        let gate = AsyncGate()
        transport.answer(.get, "/a", with: .when({ await gate.wait() }, .response(200, [:], "a")))
        transport.answer(with: .response(200, [:], "other"))
        let session = session
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await session.get("a").string() } }
            group.addTask { try await session.get("b").string() }
            group.addTask { try await session.get("a", headers: ["X": "1"]).with { $0.url = "c" }.string() }
            let first = try await group.next()
            #expect(first == "other")
            await gate.open()
            for try await text in group { #expect(text == "a" || text == "other") }
        }
        let sent = transport.requests.filter { $0.url.path == "/a" }.count
        #expect(sent >= 1 && sent < 100)
        let before = transport.requests.count
        _ = try await session.get("a").string()
        #expect(transport.requests.count == before + 1)
    }

    private static var http2: ConnectionOptions {
        var options = ConnectionOptions()
        options.version = .http2
        return options
    }

    @Test("Requests whose settings affect the response are not coalesced")
    func keys() throws {
        let plain = try #require(RequestCoalescer.Key(Request(.get, url: "a")))
        #expect(plain == RequestCoalescer.Key(Request(.get, url: "a")))
        let changes: [(inout Request) -> Void] = [
            { $0.url = "b" }, { $0.headers["X"] = "1" }, { $0.redirects = .never },
            { $0.timeouts = .total(.seconds(1)) }, { $0.limits = Limits(bodyBytes: 1) }, { $0.cachePolicy = .ignore },
            { $0.allowMalformed = true }, { $0.bytesPerSecond = 10 }, { $0.credentialFields = ["X"] },
            { $0.decompress = false }, { $0.connection = Self.http2 }, { $0.redirects = .follow },
            { $0.connection.proxy = .direct },
            { $0.connection.tls.identity = nil }, { $0.timeouts = Timeouts(total: .seconds(60)) },
        ]
        for (index, change) in changes.enumerated() {
            var request = Request(.get, url: "a")
            change(&request)
            #expect(RequestCoalescer.Key(request) != plain, "\(index)")
        }
        var asking = Request(.get, url: "a")
        asking.redirects = .ask { _ in .follow }
        #expect(RequestCoalescer.Key(asking) == nil)
        var withoutCookies = Request(.get, url: "a")
        withoutCookies.cookies = .never
        #expect(RequestCoalescer.Key(withoutCookies) == nil)
    }

    @Test("If the request that was sent is canceled, a waiting request is sent in its place")
    func cancellation() async throws {
        let session = session
        transport.answer(.get, "/a", with: .never, .response(200, [:], "second"))
        let leader = Task { await ExchangeTests.failure { try await session.get("a").response() } }
        let isSent = try await HTTP2Tests.poll { transport.requests.count == 1 }
        #expect(isSent)
        async let follower = session.get("a").string()
        leader.cancel()
        #expect(await leader.value?.reason == .cancelled)
        let text = try await follower
        #expect(text == "second")
        #expect(transport.requests.count == 2)
    }

    @Test("A failure is delivered to all coalesced requests")
    func failure() async throws {
        let gate = AsyncGate()
        transport.answer(with: .when({ await gate.wait() }, .failure(.connectionReset)))
        let session = session
        await withTaskGroup(of: SessionError.Reason?.self) { group in
            for _ in 0..<10 {
                group.addTask { await ExchangeTests.failure { try await session.get("a").response() }?.reason }
            }
            await gate.open()
            for await reason in group { #expect(reason == .connectionReset) }
        }
    }
}

/// A gate that suspends tasks until it is opened.
actor AsyncGate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
