import Basics
import RunModel
import SuiteModel
import Synchronization
import Testing

@testable import Runner

/// A receiver that records the relevant parts of events.
private final class Recorder: Sendable {
    private let lines = Mutex<[String]>([])

    var log: [String] { lines.withLock { $0 } }

    func receive(_ event: RunEvent) {
        let line: String
        switch event {
        case .runStarted: line = "run"
        case .suiteStarted(let info): line = "suite \(info.name)"
        case .testStarted(let test): line = "start \(test.name)"
        case .testCompleted, .load: return
        case .testFinished(let result): line = "\(result.test.name): \(Self.word(result.outcome))"
        case .secretRegistered: line = "secret"
        case .notice(let notice): line = "notice \(notice.message)"
        case .suiteFinished(let summary): line = "end \(summary.counts.total)"
        case .interrupted: line = "interrupted"
        case .runFinished(let summary): line = "finished \(summary.counts.passed)/\(summary.counts.total)"
        }
        lines.withLock { $0.append(line) }
    }

    private static func word(_ outcome: TestResult.Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .flaky: "flaky"
        case .known: "known"
        case .failed: "failed"
        case .errored: "errored"
        case .skipped(let reason): "skipped (\(reason))"
        case .blocked(let test): "blocked by \(test)"
        }
    }
}

@Testing.Suite("The dispatcher")
struct DispatcherTests {
    private let recorder = Recorder()

    private func dispatcher(_ suites: [Suite], failFast: Int? = nil) -> (Dispatcher, TestPlan) {
        let plan = TestPlan(suites: suites)
        let recorder = recorder
        let clock = RunClock { 0 }
        let dispatcher = Dispatcher(plan: plan, failFast: failFast, clock: clock) { recorder.receive($0) }
        return (dispatcher, plan)
    }

    private func finish(_ dispatcher: Dispatcher, _ plan: TestPlan, _ index: Int, _ outcome: TestResult.Outcome) {
        dispatcher.finish(
            index, result: TestResult(test: plan.tests[index].reference, outcome: outcome), captures: nil, exchanges: 1)
    }

    /// Runs all tests in sequence, with the outcomes in `outcomes`, or passed by default.
    private func runAll(_ dispatcher: Dispatcher, _ plan: TestPlan, _ outcomes: [String: TestResult.Outcome] = [:])
        async
    {
        while let index = await dispatcher.next() {
            finish(dispatcher, plan, index, outcomes[plan.tests[index].reference.name] ?? .passed)
        }
    }

    @Test(
        "A blocked test never starts, in any start order",
        arguments: [[0, 1, 2, 3], [0, 3, 2, 1], [0, 2, 3, 1]])
    func blockedInAnyOrder(ranks: [Int32]) async {
        let login = SuiteTest.Dependency(test: 0, reason: .needs)
        let tests = ["log in", "one", "two", "three"].enumerated().map { index, name in
            Suites.test(index, name, lock: index == 0 ? nil : "L", after: index == 0 ? [] : [login])
        }
        let plan = TestPlan(suites: [Suites.suite(tests, mode: .serial)])
        let recorder = recorder
        let dispatcher = Dispatcher(plan: plan, failFast: nil, ranks: ranks, clock: RunClock { 0 }) {
            recorder.receive($0)
        }
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        var begun: [String] = []
        while let index = await dispatcher.next() {
            begun.append(plan.tests[index].reference.name)
            finish(dispatcher, plan, index, .failed)
        }
        #expect(begun == ["log in"])
        for name in ["one", "two", "three"] { #expect(recorder.log.contains("\(name): blocked by log in")) }
    }

    @Test("Results are reported in file order, whatever order the tests finish in")
    func fileOrder() async {
        let (dispatcher, plan) = dispatcher([
            Suites.suite([Suites.test(0, "a"), Suites.test(1, "b"), Suites.test(2, "c")])
        ])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        let taken = [await dispatcher.next(), await dispatcher.next(), await dispatcher.next()]
        #expect(taken == [0, 1, 2])
        finish(dispatcher, plan, 2, .passed)
        finish(dispatcher, plan, 1, .failed)
        #expect(!recorder.log.contains { $0.hasPrefix("c:") })
        finish(dispatcher, plan, 0, .passed)
        #expect(recorder.log.suffix(4) == ["a: passed", "b: failed", "c: passed", "end 3"])
        #expect(await dispatcher.next() == nil)
    }

    @Test("Tests that depend on a failed test are blocked transitively and name the first cause")
    func blocked() async {
        let suite = Suites.suite([
            Suites.test(0, "add"), Suites.test(1, "read", after: [.init(test: 0, reason: .capture(name: "id"))]),
            Suites.test(2, "remove", after: [.init(test: 1, reason: .needs)]), Suites.test(3, "other"),
        ])
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        await runAll(dispatcher, plan, ["add": .failed])
        #expect(
            recorder.log.filter { $0.contains(":") } == [
                "add: failed", "read: blocked by add", "remove: blocked by add", "other: passed",
            ])
    }

    @Test(
        "A test that depends on a failed and a skipped test is blocked, whichever finishes first",
        arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0]])
    func blockedAndSkipped(order: [Int]) async {
        let needs = [0, 1, 2].map { SuiteTest.Dependency(test: $0, reason: .needs) }
        let suite = Suites.suite([
            Suites.test(0, "first"), Suites.test(1, "second"), Suites.test(2, "bad"),
            Suites.test(3, "all", after: needs), Suites.test(4, "two", after: [needs[1], needs[0]]),
        ])
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        for _ in order { _ = await dispatcher.next() }
        for index in order { finish(dispatcher, plan, index, index == 2 ? .failed : .skipped(reason: "if")) }
        #expect(recorder.log.contains("all: blocked by bad"))
        // If two dependencies were skipped, the first one in the file is named.
        #expect(recorder.log.contains("two: skipped (depends on \"first\", which was skipped)"))
    }

    @Test("Dependents of a test with a known failure run unless they need one of its captures")
    func known() async {
        let suite = Suites.suite([
            Suites.test(0, "add"), Suites.test(1, "read", after: [.init(test: 0, reason: .capture(name: "id"))]),
            Suites.test(2, "remove", after: [.init(test: 0, reason: .needs)]),
        ])
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        await runAll(dispatcher, plan, ["add": .known(reason: "")])
        #expect(
            recorder.log.filter { $0.contains(":") } == [
                "add: known", "read: skipped (depends on a capture of \"add\", which is a known failure)",
                "remove: passed",
            ])
        #expect(dispatcher.end().counts.known == 1)
    }

    @Test("Ready tests start in the order of their ranks")
    func shuffled() async {
        let plan = TestPlan(suites: [
            Suites.suite([
                Suites.test(0, "a"), Suites.test(1, "b", lock: "l"), Suites.test(2, "c", lock: "l"),
                Suites.test(3, "d", after: [.init(test: 4, reason: .needs)]), Suites.test(4, "e", lock: "l"),
                Suites.test(5, "f", after: [.init(test: 4, reason: .needs)]),
            ])
        ])
        let recorder = recorder
        let dispatcher = Dispatcher(plan: plan, failFast: nil, ranks: [5, 4, 2, 1, 3, 0], clock: RunClock { 0 }) {
            recorder.receive($0)
        }
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        await runAll(dispatcher, plan)
        // "c" acquires the lock first, then "e" before "b". Afterwards come "f" and "d", which depend on "e".
        #expect(
            recorder.log.filter { $0.hasPrefix("start") }.map { $0.dropFirst(6) } == ["c", "e", "f", "d", "b", "a"])
    }

    @Test("Serial tests continue after a failure that they do not depend on")
    func serial() async {
        let suite = Suites.suite([Suites.test(0, "a"), Suites.test(1, "b"), Suites.test(2, "c")], mode: .serial)
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        await runAll(dispatcher, plan, ["a": .failed])
        #expect(
            recorder.log == [
                "suite Suite", "start a", "a: failed", "start b", "b: passed", "start c", "c: passed", "end 3",
            ])
    }

    @Test("A resource lock is held by one test at a time")
    func locks() async {
        let suite = Suites.suite([
            Suites.test(0, "a", lock: "db"), Suites.test(1, "b", lock: "db"), Suites.test(2, "c"),
        ])
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        #expect(await dispatcher.next() == 0)
        #expect(await dispatcher.next() == 2)
        finish(dispatcher, plan, 0, .passed)
        #expect(await dispatcher.next() == 1)
        finish(dispatcher, plan, 1, .passed)
        finish(dispatcher, plan, 2, .passed)
        #expect(await dispatcher.next() == nil)
    }

    @Test("A resource lock is held by one test at a time across suites")
    func locksAcrossSuites() async {
        let (dispatcher, plan) = dispatcher([
            Suites.suite([Suites.test(0, "a", lock: "db")]),
            Suites.suite([Suites.test(0, "b", lock: "db"), Suites.test(1, "c", lock: "files")], path: "second.yaml"),
        ])
        for suite in 0..<2 { dispatcher.open(suite: suite, info: plan.info(of: suite)) }
        #expect(await dispatcher.next() == 0)
        #expect(await dispatcher.next() == 2)
        finish(dispatcher, plan, 0, .failed)
        #expect(await dispatcher.next() == 1)
    }

    @Test("Tests marked as skipped and their dependents are skipped")
    func skipped() async {
        let suite = Suites.suite([
            Suites.test(0, "a", skip: "not today"), Suites.test(1, "b", after: [.init(test: 0, reason: .needs)]),
            Suites.test(2, "c", skip: "", after: [.init(test: 1, reason: .needs)]),
        ])
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        await runAll(dispatcher, plan)
        #expect(
            recorder.log == [
                "suite Suite", "a: skipped (not today)", "b: skipped (depends on \"a\", which was skipped)",
                "c: skipped ()",
                "end 3",
            ])
    }

    @Test("The run stops after the given number of failures, and the rest reports why it did not run")
    func failFast() async {
        let tests = (0..<4).map { Suites.test($0, "t\($0)") }
        let (dispatcher, plan) = dispatcher([Suites.suite(tests)], failFast: 1)
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        await runAll(dispatcher, plan, ["t1": .errored])
        let reason = "skipped (stopped after 1 failed test (--fail-fast))"
        #expect(
            recorder.log.filter { $0.hasPrefix("t") } == [
                "t0: passed", "t1: errored", "t2: \(reason)", "t3: \(reason)",
            ])
    }

    @Test(
        "After the failure that stops the run, no test that waited for it or its lock starts", arguments: [true, false])
    func failFastWakesNobody(isSerial: Bool) async {
        let tests = [
            Suites.test(0, "a", lock: isSerial ? nil : "db"), Suites.test(1, "b", lock: isSerial ? nil : "db"),
        ]
        let (dispatcher, plan) = dispatcher(
            [Suites.suite(tests, mode: isSerial ? .serial : .concurrent)], failFast: 1)
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        #expect(await dispatcher.next() == 0)
        async let second = dispatcher.next()
        finish(dispatcher, plan, 0, .failed)
        #expect(await second == nil)
        #expect(!recorder.log.contains("start b"))
        #expect(recorder.log.last == "end 2")
    }

    @Test("Every test of an interrupted run is reported, including suites that had not started")
    func interrupted() async {
        let (dispatcher, plan) = dispatcher([
            Suites.suite([Suites.test(0, "a"), Suites.test(1, "b", after: [.init(test: 0, reason: .needs)])]),
            Suites.suite([Suites.test(0, "c")], path: "second.yaml"),
        ])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        #expect(await dispatcher.next() == 0)
        dispatcher.interrupt()
        #expect(await dispatcher.next() == nil)
        finish(dispatcher, plan, 0, .skipped(reason: "interrupted while running"))
        dispatcher.open(suite: 1, info: plan.info(of: 1))
        _ = dispatcher.end()
        #expect(
            recorder.log == [
                "suite Suite", "start a", "interrupted", "a: skipped (interrupted while running)",
                "b: skipped (interrupted)", "end 2", "suite Suite", "c: skipped (interrupted)", "end 1",
                "finished 0/3",
            ])
    }

    @Test("If a suite's server does not start, each of its tests is reported once as an error")
    func serverFailure() async {
        let suite = Suites.suite([Suites.test(0, "a"), Suites.test(1, "b")], mode: .serial)
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.fail(
            suite: 0, info: plan.info(of: 0),
            finding: Finding(kind: .error, subject: "serve", type: .init("serve-timeout"), message: "not ready"))
        #expect(await dispatcher.next() == nil)
        await dispatcher.waitUntilDone(suite: 0)
        #expect(recorder.log == ["suite Suite", "a: errored", "b: errored", "end 2"])
        #expect(dispatcher.end().hasServerError)
    }

    @Test("Tests that fail because a server did not start count toward fail-fast")
    func serverFailureFailFast() async {
        let (dispatcher, plan) = dispatcher(
            [
                Suites.suite([Suites.test(0, "a"), Suites.test(1, "b"), Suites.test(2, "c")]),
                Suites.suite([Suites.test(0, "d")], path: "second.yaml"),
            ], failFast: 2)
        dispatcher.fail(
            suite: 0, info: plan.info(of: 0),
            finding: Finding(kind: .error, subject: "serve", type: .init("serve-timeout"), message: "not ready"))
        dispatcher.open(suite: 1, info: plan.info(of: 1))
        #expect(await dispatcher.next() == nil)
        await dispatcher.waitUntilDone(suite: 1)
        let reason = "skipped (stopped after 2 failed tests (--fail-fast))"
        #expect(
            recorder.log == [
                "suite Suite", "a: errored", "b: errored", "c: \(reason)", "end 3", "suite Suite", "d: \(reason)",
                "end 1",
            ])
    }

    @Test("Suites are reported in order, whichever finishes first")
    func suiteOrder() async {
        let (dispatcher, plan) = dispatcher([
            Suites.suite([Suites.test(0, "a")]), Suites.suite([Suites.test(0, "b")], path: "second.yaml"),
            Suites.suite([Suites.test(0, "c")], path: "third.yaml"),
        ])
        for suite in 0..<3 { dispatcher.open(suite: suite, info: plan.info(of: suite)) }
        for _ in 0..<3 { _ = await dispatcher.next() }
        for index in [2, 1] { finish(dispatcher, plan, index, .passed) }
        #expect(recorder.log == ["suite Suite", "start a", "start b", "start c"])
        finish(dispatcher, plan, 0, .passed)
        #expect(
            recorder.log.suffix(8) == [
                "a: passed", "end 1", "suite Suite", "b: passed", "end 1", "suite Suite", "c: passed", "end 1",
            ])
        #expect(dispatcher.end().counts.passed == 3)
    }

    @Test("A waiting worker is woken when a test becomes ready")
    func waking() async {
        let suite = Suites.suite([Suites.test(0, "a"), Suites.test(1, "b", after: [.init(test: 0, reason: .needs)])])
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        #expect(await dispatcher.next() == 0)
        async let second = dispatcher.next()
        finish(dispatcher, plan, 0, .passed)
        #expect(await second == 1)
        async let third = dispatcher.next()
        finish(dispatcher, plan, 1, .passed)
        #expect(await third == nil)
    }

    // MARK: Setup and teardown

    /// Returns a suite with a setup, two tests, and a teardown that uses a capture of the second test.
    private static func framed(path: String = "suite.yaml") -> Suite {
        let afterSetup = SuiteTest.Dependency(test: 0, reason: .setup)
        var setup = Suites.test(0, "setup")
        setup.kind = .setup
        var teardown = Suites.test(3, "teardown", after: [.init(test: 2, reason: .capture(name: "id"))])
        teardown.kind = .teardown
        return Suites.suite(
            [setup, Suites.test(1, "a", after: [afterSetup]), Suites.test(2, "b", after: [afterSetup]), teardown],
            path: path)
    }

    @Test(
        "The teardown runs after all tests, whatever their outcome",
        arguments: [
            ([:], ["setup: passed", "a: passed", "b: passed", "teardown: passed"]),
            (["b": .failed], ["setup: passed", "a: passed", "b: failed", "teardown: passed"]),
            (
                ["setup": .errored],
                ["setup: errored", "a: blocked by setup", "b: blocked by setup", "teardown: passed"]
            ),
            (
                ["setup": .skipped(reason: "if")],
                ["setup: skipped (if)", "a: passed", "b: passed", "teardown: passed"]
            ),
            (["teardown": .failed], ["setup: passed", "a: passed", "b: passed", "teardown: failed"]),
        ] as [([String: TestResult.Outcome], [String])])
    func teardown(_ outcomes: [String: TestResult.Outcome], _ expected: [String]) async {
        let (dispatcher, plan) = dispatcher([Self.framed()])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        await runAll(dispatcher, plan, outcomes)
        #expect(recorder.log.filter { $0.contains(":") } == expected)
        // A setup or teardown counts only if it failed.
        let broken = ["setup", "teardown"].count { outcomes[$0]?.isFailure == true }
        #expect(recorder.log.last == "end \(2 + broken)")
    }

    @Test("Rows that are blocked or skipped together are reported one by one", arguments: [true, false])
    func blockedRows(isInterrupted: Bool) async throws {
        var suite = Self.framed()
        suite.tests[1].data = TestData(sources: [.repetition(10_000)])
        let held = Mutex((now: 0, maximum: 0, names: [String]()))
        let plan = TestPlan(suites: [suite])
        let dispatcher = Dispatcher(plan: plan, failFast: nil, clock: RunClock { 0 }) { event in
            held.withLock { held in
                switch event {
                case .testCompleted: held.now += 1
                case .testFinished(let result):
                    held.now -= 1
                    held.names.append(result.test.name)
                default: break
                }
                held.maximum = max(held.maximum, held.now)
            }
        }
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        #expect(await dispatcher.next() == 0)
        if isInterrupted { dispatcher.interrupt() }
        finish(dispatcher, plan, 0, isInterrupted ? .passed : .errored)
        #expect(await dispatcher.next() == 10_002)
        finish(dispatcher, plan, 10_002, .passed)
        #expect(held.withLock { $0.names } == plan.tests.map(\.reference.name))
        // While the setup runs, the results of the tests after it cannot be reported.
        if !isInterrupted { #expect(held.withLock { $0.maximum } == 1) }
    }

    @Test("When the run stops, only the teardowns of started suites still run", arguments: [true, false])
    func teardownOfStoppedRun(isInterrupted: Bool) async {
        let (dispatcher, plan) = dispatcher([Self.framed(), Self.framed(path: "second.yaml")], failFast: 1)
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        #expect(await dispatcher.next() == 0)
        finish(dispatcher, plan, 0, .passed)
        #expect(await dispatcher.next() == 1)
        if isInterrupted {
            dispatcher.interrupt()
            async let next = dispatcher.next()
            finish(dispatcher, plan, 1, .skipped(reason: "interrupted while running"))
            #expect(await next == 3)
        } else {
            finish(dispatcher, plan, 1, .failed)
            #expect(await dispatcher.next() == 3)
        }
        finish(dispatcher, plan, 3, .passed)
        #expect(await dispatcher.next() == nil)
        // Nothing of the second suite has started, so there is nothing to tear down.
        let ends = recorder.log.filter { $0.hasPrefix("teardown: ") }
        let reason = isInterrupted ? "interrupted" : "stopped after 1 failed test (--fail-fast)"
        #expect(ends == ["teardown: passed", "teardown: skipped (\(reason))"])
        #expect(dispatcher.interruption == (isInterrupted ? 0 : nil))
    }

    @Test("Setup and teardown are skipped if all tests are skipped")
    func nothingToFrame() async {
        var suite = Self.framed()
        for index in 1...2 { suite.tests[index].skip = "later" }
        let (dispatcher, plan) = dispatcher([suite])
        dispatcher.open(suite: 0, info: plan.info(of: 0))
        #expect(await dispatcher.next() == nil)
        #expect(
            recorder.log == [
                "suite Suite", "setup: skipped (every test was skipped)", "a: skipped (later)", "b: skipped (later)",
                "teardown: skipped (no test of the suite ran)", "end 2",
            ])
    }

    @Test("The teardown does not run if the server did not start")
    func teardownWithoutServer() async {
        let (dispatcher, plan) = dispatcher([Self.framed()])
        dispatcher.fail(
            suite: 0, info: plan.info(of: 0),
            finding: Finding(kind: .error, subject: "serve", type: .init("serve-timeout"), message: "not ready"))
        #expect(await dispatcher.next() == nil)
        #expect(
            recorder.log == [
                "suite Suite", "setup: errored", "a: blocked by setup", "b: blocked by setup",
                "teardown: skipped (no test of the suite ran)", "end 3",
            ])
    }
}
