import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

@Suite("Authentication interceptor")
struct AuthenticationInterceptorTests {
    typealias Interceptor = AuthenticationInterceptor<TokenAuthenticator>

    struct Refused: Error, Equatable {}

    static func session(
        _ interceptor: Interceptor, clock: SettableClock = SettableClock(), _ transport: AnswerTransport
    ) -> Session {
        var configuration = SessionConfiguration(baseURL: "http://a.test/")
        configuration.clock = clock.clock
        configuration.intercept(with: interceptor)
        return Session(configuration: configuration, transport: transport)
    }

    /// Returns a transport that accepts one token and all later ones.
    static func accepting(_ number: Int) -> AnswerTransport {
        AnswerTransport { request, _ in
            await Task.yield()
            let token = request.headers["Authorization"].flatMap { Int($0.dropFirst(6)) } ?? -1
            return AnswerTransport.response(token >= number ? 200 : 401)
        }
    }

    /// Sends requests concurrently and returns their statuses.
    static func statuses(_ count: Int, _ session: Session) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await session.get("x").response().status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("Hundreds of unauthorized requests cause a single refresh, then all succeed")
    func oneRefresh() async throws {
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let session = Self.session(interceptor, Self.accepting(1))
        let statuses = try await Self.statuses(400, session)
        #expect(statuses == Array(repeating: 200, count: 400))
        #expect(authenticator.refreshes == 1)
        #expect(interceptor.credential == TestToken(number: 1))
    }

    @Test("Requests wait while an expired credential is refreshed")
    func ahead() async throws {
        let clock = SettableClock(1000)
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0, expires: 1500))
        let transport = Self.accepting(0)
        let session = Self.session(interceptor, clock: clock, transport)
        #expect(try await Self.statuses(3, session) == [200, 200, 200])
        #expect(authenticator.refreshes == 0)
        clock.advance(500)
        #expect(try await Self.statuses(300, session).allSatisfy { $0 == 200 })
        #expect(authenticator.refreshes == 1)
        #expect(transport.authorizations.dropFirst(3).allSatisfy { $0 == "Token 1" })
    }

    @Test("A request that failed with an outdated credential is retried without another refresh")
    func stale() async throws {
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let (isSlow, mayAnswer) = (Signal(), Signal())
        let transport = AnswerTransport { request, _ in
            let token = request.headers["Authorization"]
            if request.url.path == "/slow", token == "Token 0" {
                isSlow.send()
                await mayAnswer.wait()
            }
            return AnswerTransport.response(token == "Token 0" ? 401 : 200)
        }
        let session = Self.session(interceptor, transport)
        async let slow = session.get("slow").response()
        await isSlow.wait()
        #expect(try await session.get("fast").response().status == 200)
        #expect(authenticator.refreshes == 1)
        mayAnswer.send()
        #expect(try await slow.status == 200)
        #expect(authenticator.refreshes == 1)
        #expect(transport.requests.filter { $0.url.path == "/slow" }.count == 2)
    }

    @Test("A failed refresh fails all waiting requests, and the next request starts a new refresh")
    func failure() async throws {
        let mayFail = Signal()
        let authenticator = TokenAuthenticator { number, _ in
            guard number == 1 else { return }
            await mayFail.wait()
            throw Refused()
        }
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let refused = Signal()
        let transport = AnswerTransport { request, _ in
            guard request.headers["Authorization"] == "Token 0" else { return AnswerTransport.response(200) }
            refused.send()
            await refused.wait(for: 100)
            return AnswerTransport.response(401)
        }
        let session = Self.session(interceptor, transport)
        let errors = await withTaskGroup(of: SessionError?.self) { group in
            for _ in 0..<100 {
                group.addTask { await ExchangeTests.failure { try await session.get("x").response() } }
            }
            while interceptor.waiting < 100 { await Task.yield() }
            mayFail.send()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count == 100)
        #expect(errors.allSatisfy { $0?.reason == .retrierFailed && $0?.underlying as? Refused == Refused() })
        #expect(errors.allSatisfy { $0?.response?.status == 401 })
        #expect(authenticator.refreshes == 1)
        #expect(try await session.get("x").response().status == 200)
        #expect(authenticator.refreshes == 2)
    }

    @Test("Exceeding the refresh window is an error until the window has passed")
    func excessive() async throws {
        let clock = SettableClock()
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let session = Self.session(interceptor, clock: clock, Self.accepting(.max))
        let error = await ExchangeTests.failure { try await session.get("x").response() }
        #expect(error?.underlying as? AuthenticationError == .excessiveRefresh)
        #expect(authenticator.refreshes == 5)
        clock.advance(29)
        let again = await ExchangeTests.failure { try await session.get("x").response() }
        #expect(again?.underlying as? AuthenticationError == .excessiveRefresh)
        #expect(authenticator.refreshes == 5)
        clock.advance(2)
        _ = await ExchangeTests.failure { try await session.get("x").response() }
        #expect(authenticator.refreshes == 10)
        #expect(again?.originalError == nil)
    }

    @Test("An excessive-refresh error retains the response and the original error")
    func originalOfExcessive() async throws {
        let interceptor = Interceptor(
            TokenAuthenticator(), credential: TestToken(number: 0), window: RefreshWindow(maximumRefreshes: 0))
        let session = Self.session(interceptor, Self.accepting(.max))
        let error = await ExchangeTests.failure { try await session.get("x").validate().response() }
        #expect(error?.underlying as? AuthenticationError == .excessiveRefresh)
        #expect(error?.response?.status == 401)
        #expect(error?.originalError?.reason == .unacceptableResponse)
    }

    @Test("With a limit of one refresh per request, the second 401 is the final response")
    func refreshesPerRequest() async throws {
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0), refreshesPerRequest: 1)
        let transport = Self.accepting(.max)
        let session = Self.session(interceptor, transport)
        #expect(try await session.get("x").response().status == 401)
        #expect(authenticator.refreshes == 1)
        #expect(transport.authorizations == ["Token 0", "Token 1"])
    }

    @Test("No request is sent if no credential is available")
    func missing() async throws {
        let interceptor = Interceptor(TokenAuthenticator())
        let transport = Self.accepting(0)
        let error = await ExchangeTests.failure {
            try await Self.session(interceptor, transport).get("x").response()
        }
        #expect(error?.reason == .adapterFailed)
        #expect(error?.underlying as? AuthenticationError == .missingCredential)
        #expect(transport.requests.isEmpty)
    }

    @Test("A canceled request stops waiting immediately, and the refresh continues for the others")
    func cancelOne() async throws {
        let (begun, mayEnd) = (Signal(), Signal())
        let authenticator = TokenAuthenticator { _, _ in
            begun.send()
            await mayEnd.wait()
            try Task.checkCancellation()
        }
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let session = Self.session(interceptor, Self.accepting(1))
        let first = Task { await ExchangeTests.failure { try await session.get("x").response() } }
        await begun.wait()
        async let second = session.get("y").response()
        while interceptor.waiting < 2 { await Task.yield() }
        first.cancel()
        // The request ends although the refresh is still suspended.
        #expect(await first.value?.reason == .cancelled)
        mayEnd.send()
        #expect(try await second.status == 200)
        #expect(authenticator.refreshes == 1)
    }

    @Test("A refresh is canceled when no request waits for it, and the next request starts a new one")
    func cancelAll() async throws {
        let (begun, ended) = (Signal(), Signal())
        let authenticator = TokenAuthenticator { number, _ in
            begun.send()
            guard number == 1 else { return }
            defer { ended.send() }
            try await Task.sleep(for: .seconds(86400))
        }
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let session = Self.session(interceptor, Self.accepting(1))
        let tasks = (0..<20).map { _ in
            Task { await ExchangeTests.failure { try await session.get("x").response() } }
        }
        while interceptor.waiting < 20 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value?.reason == .cancelled) }
        await ended.wait()
        #expect(try await session.get("x").response().status == 200)
        #expect(authenticator.refreshes == 2)
    }

    @Test("A request that the refresh sends through the session does not wait for the refresh", .timeLimit(.minutes(1)))
    func noRecursion() async throws {
        let authenticator = TokenAuthenticator { _, session in
            let response = try await session.post("token").response()
            #expect(response.request.headers["Authorization"] == nil)
        }
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let transport = AnswerTransport { request, _ in
            if request.url.path == "/token" { return AnswerTransport.response(200) }
            return AnswerTransport.response(request.headers["Authorization"] == "Token 1" ? 200 : 401)
        }
        #expect(try await Self.statuses(50, Self.session(interceptor, transport)).allSatisfy { $0 == 200 })
        #expect(transport.requests.filter { $0.url.path == "/token" }.count == 1)
    }

    @Test(
        "A 401 for the refresh request fails that request and does not start another refresh", .timeLimit(.minutes(1)))
    func refusedRefresh() async throws {
        let authenticator = TokenAuthenticator { _, session in
            _ = try await session.post("token").validate().response()
        }
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let session = Self.session(interceptor, Self.accepting(.max))
        let error = await ExchangeTests.failure { try await session.get("x").response() }
        #expect(error?.reason == .unacceptableResponse)
        #expect(error?.url == "http://a.test/token")
        #expect(authenticator.refreshes == 1)
    }

    @Test("Concurrent expirations, rejections, and cancellations leave no request waiting")
    func stress() async throws {
        let server = Atomic<Int>(0)
        let authenticator = TokenAuthenticator { number, _ in
            for _ in 0..<(number % 7) { await Task.yield() }
            server.add(1, ordering: .relaxed)
        }
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0), window: nil)
        let answered = Atomic<Int>(0)
        let transport = AnswerTransport { request, number in
            for _ in 0..<(number % 5) { await Task.yield() }
            let token = request.headers["Authorization"].flatMap { Int($0.dropFirst(6)) } ?? -1
            // Every 50th request is rejected although its token is the newest.
            if number % 50 == 0 { return AnswerTransport.response(401) }
            answered.add(1, ordering: .relaxed)
            return AnswerTransport.response(token >= server.load(ordering: .relaxed) - 1 ? 200 : 401)
        }
        let session = Self.session(interceptor, transport)
        let results = await withTaskGroup(of: Result<Int, any Error>.self) { group in
            for index in 0..<800 {
                group.addTask {
                    let task = Task { try await session.get("x").response().status }
                    if index % 3 == 0 {
                        for _ in 0..<(index % 11) { await Task.yield() }
                        task.cancel()
                    }
                    return await task.result
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 800)
        for result in results {
            switch result {
            case .success(let status): #expect(status == 200)
            case .failure(let error): #expect((error as? SessionError)?.reason == .cancelled)
            }
        }
        #expect(interceptor.waiting == 0)
        #expect(authenticator.refreshes > 0)
    }

    @Test("Waiting requests use a credential that is set during a refresh")
    func setMeanwhile() async throws {
        let (begun, mayEnd) = (Signal(), Signal())
        let authenticator = TokenAuthenticator { _, _ in
            begun.send()
            await mayEnd.wait()
        }
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let transport = Self.accepting(1)
        let session = Self.session(interceptor, transport)
        async let status = session.get("x").response().status
        await begun.wait()
        interceptor.credential = TestToken(number: 77)
        mayEnd.send()
        #expect(try await status == 200)
        #expect(interceptor.credential == TestToken(number: 77))
        #expect(transport.authorizations == ["Token 0", "Token 77"])
    }

    @Test("A request that has its own Authorization field or is out of scope is left unchanged")
    func leftAlone() async throws {
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(
            authenticator, credential: TestToken(number: 0), scope: .origins("http://a.test", "nonsense"))
        let transport = Self.accepting(.max)
        let session = Self.session(interceptor, transport)
        #expect(try await session.get("x", headers: ["Authorization": "Own"]).response().status == 401)
        #expect(try await session.get("http://b.test/x").response().status == 401)
        #expect(transport.authorizations == ["Own", nil])
        #expect(authenticator.refreshes == 0)
    }

    @Test("A cross-origin redirect carries no credential, and a 401 there does not cause a refresh")
    func redirect() async throws {
        let authenticator = TokenAuthenticator()
        let interceptor = Interceptor(authenticator, credential: TestToken(number: 0))
        let transport = AnswerTransport { request, _ in
            switch request.url.description {
            case "http://a.test/x": AnswerTransport.redirect("/y")
            case "http://a.test/y": AnswerTransport.redirect("http://b.test/1")
            case "http://b.test/1": AnswerTransport.redirect("/2")
            default: AnswerTransport.response(401)
            }
        }
        #expect(try await Self.session(interceptor, transport).get("x").response().status == 401)
        #expect(transport.authorizations == ["Token 0", "Token 0", nil, nil])
        #expect(authenticator.refreshes == 0)
    }
}
