import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

@Suite("Response cache")
struct ResponseCacheTests {
    /// A date that tests advance.
    final class Time: Sendable {
        private let seconds = Mutex(1_790_000_000.0)
        func pass(_ time: Double) { seconds.withLock { $0 += time } }
        var clock: SessionClock {
            var clock = SessionClock.system
            clock.date = { self.seconds.withLock { $0 } }
            return clock
        }
    }

    let time = Time()
    let cache = ResponseCache()
    let transport = ScriptedTransport()

    func session(_ policy: CachePolicy = .use) -> Session {
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.cache = cache
        configuration.cachePolicy = policy
        configuration.clock = time.clock
        return Session(configuration: configuration, transport: transport)
    }

    @Test("A fresh response is served from the cache, and a stale response is fetched again")
    func maxAge() async throws {
        transport.answer(
            .get, "/a", with: .response(200, ["Cache-Control": "max-age=60"], "one"),
            .response(200, ["Cache-Control": "max-age=60"], "two"))
        let session = session()
        let first = try await session.get("a").response()
        #expect(first.text == "one" && !first.isFromCache)
        time.pass(59)
        let second = try await session.get("a").response()
        #expect(second.text == "one" && second.isFromCache)
        #expect(second.headers["Age"] == "59")
        #expect(transport.requests.count == 1)
        time.pass(2)
        let third = try await session.get("a").response()
        #expect(third.text == "two" && !third.isFromCache)
    }

    @Test("A stale response is revalidated with its validators and updated with the fields of a 304 response")
    func revalidation() async throws {
        let date = "Sat, 21 Nov 2026 08:00:00 GMT"
        transport.answer(
            .get, "/a", with: .response(200, ["ETag": "\"1\"", "Last-Modified": date, "X-A": "old"], "body"),
            .response(304, ["ETag": "\"1\"", "X-A": "new", "Cache-Control": "max-age=10"]),
            .response(200, ["ETag": "\"2\""], "other"))
        let session = session()
        _ = try await session.get("a").response()
        let second = try await session.get("a").response()
        #expect(second.status == 200 && second.text == "body" && second.isFromCache)
        #expect(second.headers["X-A"] == "new")
        #expect(transport.requests.last?.headers["If-None-Match"] == "\"1\"")
        #expect(transport.requests.last?.headers["If-Modified-Since"] == date)
        let third = try await session.get("a").response()
        #expect(third.text == "body")
        #expect(transport.requests.count == 2)
        time.pass(11)
        let fourth = try await session.get("a").response()
        #expect(fourth.text == "other" && !fourth.isFromCache)
    }

    @Test(
        "Responses that must not be stored or reused are fetched each time",
        arguments: [
            ["Cache-Control": "no-store, max-age=60"], ["Cache-Control": "max-age=60", "Vary": "*"], [:],
            ["Cache-Control": "max-age=0"], ["Cache-Control": "no-cache, max-age=60"],
        ] as [HTTPHeaders])
    func notKept(_ headers: HTTPHeaders) async throws {
        transport.answer(.get, "/a", with: .response(200, headers, "x"))
        let session = session()
        for _ in 0..<2 { _ = try await session.get("a").response() }
        #expect(transport.requests.count == 2)
    }

    @Test("Requests that differ in a field listed in Vary have separate responses")
    func vary() async throws {
        transport.answer(
            where: { $0.headers["Accept-Language"] == "de" },
            with: .response(200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], "hallo"))
        transport.answer(with: .response(200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], "hello"))
        let session = session()
        for _ in 0..<2 {
            let german = try await session.get("a", headers: ["Accept-Language": "de"]).string()
            let english = try await session.get("a", headers: ["Accept-Language": "en"]).string()
            #expect(german == "hallo" && english == "hello")
        }
        #expect(transport.requests.count == 2)
        #expect(cache.count == 2)
    }

    @Test("The policies ignore, cacheElseLoad, and cacheOnly control use of the cache")
    func policies() async throws {
        transport.answer(with: .response(200, ["Cache-Control": "max-age=1"], "x"))
        let missing = await ExchangeTests.failure { try await session(.cacheOnly).get("a").response() }
        #expect(missing?.reason == .notInCache)
        #expect(transport.requests.isEmpty)
        _ = try await session(.cacheElseLoad).get("a").response()
        time.pass(100)
        let stale = try await session(.cacheElseLoad).get("a").response()
        #expect(stale.isFromCache)
        let only = try await session(.cacheOnly).get("a").response()
        #expect(only.isFromCache)
        #expect(transport.requests.count == 1)
        let ignoring = try await session(.ignore).get("a").response()
        #expect(!ignoring.isFromCache)
        let single = try await session(.use).get("a").with { $0.cachePolicy = .cacheOnly }.response()
        #expect(single.isFromCache)
    }

    @Test("A successful unsafe request invalidates stored responses")
    func invalidation() async throws {
        transport.answer(.get, with: .response(200, ["Cache-Control": "max-age=60"], "x"))
        transport.answer(.put, with: .response(204, ["Content-Location": "/b"]))
        transport.answer(.delete, with: .response(500))
        let session = session()
        for path in ["a", "b", "c"] { _ = try await session.get(path).response() }
        _ = try await session.put("a").response()
        _ = try await session.delete("c").response()
        #expect(cache.count == 1)
    }

    @Test("A streamed response to an unsafe request invalidates stored responses")
    func streamedInvalidation() async throws {
        let server = FaultyServer(
            [
                .receive, .send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1\r\n\r\nx"),
                .receive, .send(ExchangeTests.ok),
            ])
        var configuration = SessionConfiguration()
        configuration.cache = cache
        try await ExchangeTests.with(server, configuration) { server, session in
            _ = try await session.get(server.url).response()
            #expect(cache.count == 1)
            for try await _ in try await session.put(server.url).stream().body {}
            #expect(cache.count == 0)
        }
    }

    @Test("The least recently used responses are evicted until the preferred size is reached")
    func purging() async throws {
        let cache = ResponseCache(capacity: 10_000, preferredSize: 5_000, maximumEntrySize: 5_000)
        var configuration = SessionConfiguration(baseURL: "http://host/")
        configuration.cache = cache
        let body = String(repeating: "x", count: 2_000)
        transport.answer(.get, "/huge", with: .response(200, ["Cache-Control": "max-age=60"], body + body + body))
        transport.answer(with: .response(200, ["Cache-Control": "max-age=60"], body))
        let session = Session(configuration: configuration, transport: transport)
        for path in ["a", "b", "c", "d"] { _ = try await session.get(path).response() }
        _ = try await session.get("a").response()
        #expect(transport.requests.count == 4)
        _ = try await session.get("e").response()
        #expect(cache.cost <= 5_000)
        #expect(cache.count == 2)
        let kept = try await session.get("a").response()
        #expect(kept.isFromCache)
        let before = cache.count
        _ = try await session.get("huge").response()
        #expect(cache.count == before)
        cache.removeAll()
        #expect(cache.cost == 0)
    }

    @Test("Cache-Control directives in the request are honored")
    func requestDirectives() async throws {
        transport.answer(with: .response(200, ["Cache-Control": "max-age=60"], "x"))
        let session = session()
        _ = try await session.get("a").response()
        time.pass(30)
        let cases: [(String, Bool)] = [
            ("no-cache", false), ("max-age=10", false), ("max-age=40", true), ("min-fresh=40", false),
            ("min-fresh=10", true), ("only-if-cached", true),
        ]
        for (directive, isCached) in cases {
            let response = try await session.get("a", headers: ["Cache-Control": directive]).response()
            #expect(response.isFromCache == isCached, "\(directive)")
            if !isCached { time.pass(30) }
        }
    }
}
