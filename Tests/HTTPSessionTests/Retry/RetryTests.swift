import Basics
import Synchronization
import Testing

@testable import HTTPSession

/// Tests of the guarantees of the request pipeline for retried requests.
@Suite("Retries")
struct RetryTests {
    struct Wrong: Error, Equatable {}

    /// A retrier that decides with a function and counts its calls.
    final class FunctionRetrier: Retrier {
        private let count = Atomic<Int>(0)
        private let decide: @Sendable (FailedAttempt, AttemptContext) async -> RetryDecision

        init(_ decide: @escaping @Sendable (FailedAttempt, AttemptContext) async -> RetryDecision) {
            self.decide = decide
        }

        var asked: Int { count.load(ordering: .relaxed) }

        func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
            count.add(1, ordering: .relaxed)
            return await decide(failure, context)
        }
    }

    /// A monitor that signals the start of each delay and counts the completed requests.
    final class DelayMonitor: EventMonitor {
        let delayed = Signal()
        let finished = Signal()

        func receive(_ event: SessionEvent, of request: RequestID) {
            switch event {
            case .retrying: delayed.send()
            case .finished: finished.send()
            default: break
            }
        }
    }

    static func session(
        _ transport: AnswerTransport, retriers: [any Retrier], monitor: (any EventMonitor)? = nil,
        clock: SessionClock = SettableClock().clock
    ) -> Session {
        var configuration = SessionConfiguration(baseURL: "http://a.test/")
        configuration.retriers = retriers
        configuration.clock = clock
        if let monitor { configuration.monitors = [monitor] }
        return Session(configuration: configuration, transport: transport)
    }

    /// Returns a transport that responds with these statuses, and then with the last one repeatedly.
    static func statuses(_ statuses: Int...) -> AnswerTransport {
        AnswerTransport { _, number in
            AnswerTransport.response(number <= statuses.count ? statuses[number - 1] : statuses.last ?? 200)
        }
    }

    static let always = FunctionRetrier { _, context in context.attempt < 5 ? .retry : .doNotRetry }

    @Test("Without validators, retriers are consulted only for statuses of 400 or higher")
    func withoutValidators() async throws {
        let retrier = FunctionRetrier { failure, _ in
            #expect(failure.error == nil)
            return failure.response?.status == 503 ? .retry : .doNotRetry
        }
        let transport = Self.statuses(503, 503, 404)
        let response = try await Self.session(transport, retriers: [retrier]).get("x").response()
        #expect(response.status == 404)
        #expect(response.attempts.count == 2)
        #expect(retrier.asked == 3)
        let fine = FunctionRetrier { _, _ in .retry }
        #expect(try await Self.session(Self.statuses(399), retriers: [fine]).get("x").response().status == 399)
        #expect(fine.asked == 0)
    }

    @Test("Retriers are consulted about a response that validators reject, whatever its status")
    func withValidators() async throws {
        let retrier = FunctionRetrier { failure, _ in
            #expect(failure.error?.reason == .unacceptableResponse)
            #expect(failure.response?.status == 201)
            return .retry
        }
        let transport = Self.statuses(201, 201, 200)
        let response = try await Self.session(transport, retriers: [retrier]).get("x").validate(.status([200]))
            .response()
        #expect(response.status == 200)
        #expect(retrier.asked == 2)
    }

    @Test("A body that can be read only once is never retried")
    func notReplayable() async throws {
        let retrier = FunctionRetrier { _, _ in .retry }
        let pieces = AsyncStream<[UInt8]> { $0.finish() }
        let transport = Self.statuses(503, 200)
        let response = try await Self.session(transport, retriers: [retrier]).put("x", body: .stream(.init(pieces)))
            .response()
        #expect(response.status == 503)
        #expect(transport.requests.count == 1)
        #expect(retrier.asked == 0)
        let again = Self.statuses(503, 200)
        let body = RequestBody.stream(BodySource(isReplayable: true) { { nil } })
        #expect(try await Self.session(again, retriers: [retrier]).put("x", body: body).response().status == 200)
    }

    @Test("Retriers are consulted in order, starting with the session's, until one decides")
    func order() async throws {
        let asked = Mutex<[String]>([])
        func retrier(_ name: String, _ decision: RetryDecision) -> FunctionRetrier {
            FunctionRetrier { _, context in
                asked.withLock { $0.append(name) }
                return context.attempt == 1 ? decision : .doNotRetry
            }
        }
        let session = Self.session(
            Self.statuses(500), retriers: [retrier("a", .doNotRetry), retrier("b", .doNotRetry)])
        let response = try await session.get("x").retry(with: retrier("c", .retry)).retry(with: retrier("d", .retry))
            .response()
        #expect(response.status == 500)
        #expect(asked.withLock { $0 } == ["a", "b", "c", "a", "b", "c", "d"])
    }

    @Test("A replacement error ends the request and retains the response and the attempts")
    func replacement() async throws {
        let stop = FunctionRetrier { _, context in context.attempt == 1 ? .retry : .doNotRetryWithError(Wrong()) }
        let other = FunctionRetrier { _, _ in .retry }
        let error = await ExchangeTests.failure {
            try await Self.session(Self.statuses(500), retriers: [stop, other]).get("x").response()
        }
        #expect(error?.reason == .retrierFailed)
        #expect(error?.underlying as? Wrong == Wrong())
        #expect(error?.response?.status == 500)
        #expect(error?.attempts.count == 1)
        #expect(other.asked == 0)
        let own = SessionError(phase: .request, reason: .invalidURL, message: "mine")
        let given = FunctionRetrier { _, _ in .doNotRetryWithError(own) }
        let result = await ExchangeTests.failure {
            try await Self.session(Self.statuses(500), retriers: [given]).get("x").response()
        }
        #expect(result?.message == "mine")
        #expect(result?.originalError?.reason == .unacceptableResponse)
        #expect(result?.originalError?.response?.status == 500)
    }

    @Test("Adapters run again for each attempt, starting from the original request")
    func adaptersAgain() async throws {
        struct Numbering: RequestAdapter {
            func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
                var request = request
                request.headers.append(name: "Attempt", value: String(context.attempt))
                return request
            }
        }
        let transport = Self.statuses(500, 500, 200)
        _ = try await Self.session(transport, retriers: [Self.always]).get("x").adapt(with: Numbering()).response()
        #expect(transport.requests.map { $0.headers.values("Attempt") } == [["1"], ["2"], ["3"]])
    }

    // MARK: Completion

    @Test("Canceling during a delay ends the request immediately and exactly once", .timeLimit(.minutes(1)))
    func cancelDuringDelay() async throws {
        let monitor = DelayMonitor()
        let retrier = FunctionRetrier { _, _ in .retryAfter(.seconds(3600)) }
        let transport = Self.statuses(503)
        let session = Self.session(transport, retriers: [retrier], monitor: monitor)
        let task = Task { await ExchangeTests.failure { try await session.get("x").response() } }
        await monitor.delayed.wait()
        task.cancel()
        let error = await task.value
        #expect(error?.reason == .cancelled)
        #expect(error?.attempts.count == 1)
        #expect(monitor.finished.count == 1)
        #expect(transport.requests.count == 1)
    }

    @Test("Closing the session during a delay ends the request immediately and exactly once", .timeLimit(.minutes(1)))
    func closeDuringDelay() async throws {
        let monitor = DelayMonitor()
        let retrier = FunctionRetrier { _, _ in .retryAfter(.seconds(3600)) }
        let session = Self.session(Self.statuses(503), retriers: [retrier], monitor: monitor)
        let task = Task { await ExchangeTests.failure { try await session.get("x").response() } }
        await monitor.delayed.wait()
        await session.close()
        #expect(await task.value?.reason == .sessionClosed)
        #expect(monitor.finished.count == 1)
    }

    @Test("Canceling while a retrier decides cancels the request, whatever the decision", .timeLimit(.minutes(1)))
    func cancelDuringDecision() async throws {
        let decisions: [RetryDecision] = [.retry, .doNotRetry, .retryAfter(.seconds(9)), .doNotRetryWithError(Wrong())]
        for decision in decisions {
            let (asked, mayDecide) = (Signal(), Signal())
            let monitor = DelayMonitor()
            let retrier = FunctionRetrier { _, _ in
                asked.send()
                await mayDecide.wait()
                return decision
            }
            let transport = Self.statuses(503)
            let session = Self.session(transport, retriers: [retrier], monitor: monitor)
            let task = Task { await ExchangeTests.failure { try await session.get("x").response() } }
            await asked.wait()
            task.cancel()
            mayDecide.send()
            #expect(await task.value?.reason == .cancelled)
            #expect(monitor.finished.count == 1)
            #expect(transport.requests.count == 1)
        }
    }

    @Test("Retriers are not consulted about canceled requests")
    func cancelledIsFinal() async throws {
        let retrier = FunctionRetrier { _, _ in .retry }
        let sending = Signal()
        let transport = AnswerTransport { _, _ in
            sending.send()
            try await Task.sleep(for: .seconds(86400))
            return AnswerTransport.response(200)
        }
        let session = Self.session(transport, retriers: [retrier])
        let task = Task { await ExchangeTests.failure { try await session.get("x").response() } }
        await sending.wait()
        task.cancel()
        #expect(await task.value?.reason == .cancelled)
        #expect(retrier.asked == 0)
    }

    @Test("Hundreds of requests, canceled at arbitrary times, finish exactly once each")
    func cancelAnytime() async throws {
        let monitor = DelayMonitor()
        let retrier = FunctionRetrier { _, context in
            await Task.yield()
            return context.attempt % 2 == 0 ? .retryAfter(.microseconds(10)) : .retry
        }
        let clock = SessionClock(
            now: { .zero }, date: { 0 },
            sleep: { _ in
                await Task.yield()
                try Task.checkCancellation()
            })
        let transport = AnswerTransport { _, number in
            await Task.yield()
            return AnswerTransport.response(number % 4 == 0 ? 200 : 500)
        }
        let session = Self.session(transport, retriers: [retrier], monitor: monitor, clock: clock)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let task = Task { try await session.get("x").response().status }
                    for _ in 0..<(index % 40) { await Task.yield() }
                    task.cancel()
                    switch await task.result {
                    case .success(let status): #expect(status == 200)
                    case .failure(let error): #expect((error as? SessionError)?.reason == .cancelled)
                    }
                }
            }
        }
        #expect(monitor.finished.count == 500)
    }
}
