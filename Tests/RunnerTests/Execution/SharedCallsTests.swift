import CEL
import SuiteModel
import Testing

@testable import Runner

/// Tests of shared calls: the caller that makes them, the others, and cancellation.
struct SharedCallsTests {
    private final class Thing: Sendable {}

    private static func key(_ thing: Thing, arguments: String = "{}", baseURL: String? = nil) -> SharedCalls.Key {
        SharedCalls.Key(
            fragment: ObjectIdentifier(thing), arguments: arguments, baseURL: baseURL, environment: [:])
    }

    private static func outputs(_ value: Int64) -> SharedCalls.Outputs {
        SharedCalls.Outputs(values: [("n", .int(value))], cookies: [])
    }

    private static func failure(attempts: Int) -> SharedCalls.Failure {
        SharedCalls.Failure(caller: "Suite › test", attempts: attempts, findings: [])
    }

    private enum Answer: Equatable {
        case call(Int), outputs(String), failure(String), cancelled
    }

    private static func answer(_ claim: SharedCalls.Claim) -> Answer {
        switch claim {
        case .call(let made): .call(made)
        case .outputs(let outputs): .outputs(outputs.values.map { "\($0.name)=\($0.value.text)" }.joined())
        case .failure(let failure): .failure(failure.caller)
        case .cancelled: .cancelled
        }
    }

    /// Waits until the given number of callers is waiting.
    private func wait(for calls: SharedCalls, _ key: SharedCalls.Key, count: Int) async {
        while calls.waiting(for: key) < count { await Task.yield() }
    }

    @Test func onlyOneCallerMakesTheCall() async {
        let thing = Thing()
        let key = Self.key(thing)
        let calls = SharedCalls()
        let answers = await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    let claim = await calls.claim(key, attempts: 1)
                    if case .call = claim {
                        while calls.waiting(for: key) < 499 { await Task.yield() }
                        calls.pass(key, Self.outputs(7))
                    }
                    return Self.answer(claim)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == .call(0) }.count == 1)
        #expect(answers.filter { $0 == .outputs("n=7") }.count == 499)
        #expect(Self.answer(await calls.claim(key, attempts: 1)) == .outputs("n=7"))
    }

    @Test func differentCallsAreNotShared() async {
        let (thing, other) = (Thing(), Thing())
        let calls = SharedCalls()
        let keys = [
            Self.key(thing), Self.key(other), Self.key(thing, arguments: "{\"a\":1}"),
            Self.key(thing, baseURL: "http://a"), Self.key(thing, baseURL: "http://b"),
            SharedCalls.Key(
                fragment: ObjectIdentifier(thing), arguments: "{}", baseURL: nil, environment: ["A": "1"]),
        ]
        for key in keys {
            #expect(Self.answer(await calls.claim(key, attempts: 1)) == .call(0))
        }
    }

    @Test func aFailureReachesWaitingAndLaterCallers() async {
        let thing = Thing()
        let key = Self.key(thing)
        let calls = SharedCalls()
        #expect(Self.answer(await calls.claim(key, attempts: 1)) == .call(0))
        async let first = calls.claim(key, attempts: 1)
        async let second = calls.claim(key, attempts: 1)
        await wait(for: calls, key, count: 2)
        calls.fail(key, Self.failure(attempts: 1))
        #expect(Self.answer(await first) == .failure("Suite › test"))
        #expect(Self.answer(await second) == .failure("Suite › test"))
        #expect(Self.answer(await calls.claim(key, attempts: 1)) == .failure("Suite › test"))
    }

    @Test func aWaitingCallerWithMoreAttemptsRetries() async {
        let thing = Thing()
        let key = Self.key(thing)
        let calls = SharedCalls()
        #expect(Self.answer(await calls.claim(key, attempts: 1)) == .call(0))
        async let patient = calls.claim(key, attempts: 3)
        await wait(for: calls, key, count: 1)
        async let other = calls.claim(key, attempts: 3)
        await wait(for: calls, key, count: 2)
        async let impatient = calls.claim(key, attempts: 1)
        await wait(for: calls, key, count: 3)
        calls.fail(key, Self.failure(attempts: 1))
        #expect(Self.answer(await impatient) == .failure("Suite › test"))
        #expect(Self.answer(await patient) == .call(1))
        calls.pass(key, Self.outputs(2))
        #expect(Self.answer(await other) == .outputs("n=2"))
        #expect(Self.answer(await calls.claim(key, attempts: 1)) == .outputs("n=2"))
    }

    @Test func aLaterCallerWithMoreAttemptsRetries() async {
        let thing = Thing()
        let key = Self.key(thing)
        let calls = SharedCalls()
        _ = await calls.claim(key, attempts: 1)
        calls.fail(key, Self.failure(attempts: 1))
        #expect(Self.answer(await calls.claim(key, attempts: 2)) == .call(1))
        calls.fail(key, Self.failure(attempts: 2))
        #expect(Self.answer(await calls.claim(key, attempts: 2)) == .failure("Suite › test"))
    }

    @Test func anAbandonedCallPassesToTheNextCaller() async {
        let thing = Thing()
        let key = Self.key(thing)
        let calls = SharedCalls()
        _ = await calls.claim(key, attempts: 1)
        async let next = calls.claim(key, attempts: 1)
        await wait(for: calls, key, count: 1)
        async let last = calls.claim(key, attempts: 1)
        await wait(for: calls, key, count: 2)
        calls.abandon(key, attemptsMade: 0)
        #expect(Self.answer(await next) == .call(0))
        calls.pass(key, Self.outputs(1))
        #expect(Self.answer(await last) == .outputs("n=1"))
    }

    @Test func anAbandonedCallWithoutWaitersIsMadeByTheNextCaller() async {
        let thing = Thing()
        let key = Self.key(thing)
        let calls = SharedCalls()
        _ = await calls.claim(key, attempts: 1)
        calls.abandon(key, attemptsMade: 0)
        #expect(Self.answer(await calls.claim(key, attempts: 1)) == .call(0))
    }

    @Test func cancellingAWaitingCallerDoesNotAffectOthers() async {
        let thing = Thing()
        let key = Self.key(thing)
        let calls = SharedCalls()
        _ = await calls.claim(key, attempts: 1)
        async let other = calls.claim(key, attempts: 1)
        await wait(for: calls, key, count: 1)
        let cancelled = Task { await calls.claim(key, attempts: 1) }
        await wait(for: calls, key, count: 2)
        cancelled.cancel()
        #expect(Self.answer(await cancelled.value) == .cancelled)
        #expect(calls.waiting(for: key) == 1)
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return await calls.claim(key, attempts: 1)
        }
        early.cancel()
        #expect(Self.answer(await early.value) == .cancelled)
        calls.pass(key, Self.outputs(3))
        #expect(Self.answer(await other) == .outputs("n=3"))
    }
}
