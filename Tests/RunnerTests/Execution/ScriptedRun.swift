import Basics
import CEL
import HTTPSession
import RunModel
import SuiteModel
import SuiteTestSupport
import Synchronization

@testable import Runner

/// A run of one suite against a scripted transport, with a clock that advances only when the run sleeps.
final class ScriptedRun: Sendable {
    /// The transport that returns the scripted responses.
    let transport = ScriptedTransport()
    private let now = Mutex<Int64>(0)
    private let waited = Mutex<[Int64]>([])
    private let events = Mutex<[RunEvent]>([])
    private let suite: SuiteModel.Suite
    private let retries: Int?
    private let keepsExchanges: Bool

    /// Loads a suite whose base URL is `http://api.test`.
    init(_ text: String, retries: Int? = nil, keepsExchanges: Bool = false) throws {
        suite = try loadGood("name: Suite\nbaseURL: http://api.test\n" + text)
        self.retries = retries
        self.keepsExchanges = keepsExchanges
    }

    /// The durations of the waits in nanoseconds, in order.
    var waits: [Int64] { waited.withLock { $0 } }

    /// The requests that were sent, in order, such as `GET /books`.
    var requests: [String] { transport.requests.map { "\($0.method.rawValue) \($0.url.target)" } }

    /// The registered secrets, which all output must mask.
    var secrets: [String] {
        events.withLock { $0 }.compactMap { if case .secretRegistered(let secret) = $0 { secret } else { nil } }
    }

    /// Advances the clock, as if the server took this long.
    func advance(by nanoseconds: Int64) { now.withLock { $0 += nanoseconds } }

    private var clock: RunClock {
        RunClock(
            now: { self.now.withLock { $0 } },
            sleep: { time in
                try Task.checkCancellation()
                // The time limit of a test never expires by itself.
                guard time < ScriptedRun.never else { return try await Task.sleep(for: .seconds(1_000_000)) }
                self.waited.withLock { $0.append(time) }
                self.advance(by: time)
            })
    }

    /// The minimum duration of a wait that never ends: one hour, in nanoseconds.
    static let never: Int64 = 3_600_000_000_000

    /// Runs all tests of the suite sequentially and returns their results in file order.
    func results() async -> [TestResult] {
        let options = RunOptions(
            jobs: 1, retries: retries, seed: 1, keepsExchanges: keepsExchanges, fileRoot: "/project", clock: clock,
            startTime: 0, version: "0")
        let plan = TestPlan(suites: [suite])
        let files = FileAccess(root: "/project")
        let dispatcher = Dispatcher(plan: plan, failFast: nil, clock: clock) { event in
            self.events.withLock { $0.append(event) }
        }
        let session = Session(transport: transport)
        let contexts = ContextFactory(options: options, files: files, suites: plan.suites)
        let run = SuiteRun(
            suite, givenVariables: [:], register: dispatcher.registerSecret,
            warn: { dispatcher.warn(RunNotice(.unmaskedSecret, severity: .warning, suite: 0, message: $0)) }
        ) { variable in
            contexts.context(forSuite: 0, variable: variable, directory: self.suite.directory)
        }
        let runner = TestRunner(
            plan: plan, suites: [run], session: session, owner: dispatcher, options: options, contexts: contexts,
            files: files, authenticators: Authenticators(register: dispatcher.registerSecret),
            snapshots: SnapshotStore(plan: plan, mode: options.snapshots, root: "/project", files: files) { nil },
            contracts: ContractLedger(plan.suites), prepare: { _ in }, start: 0)
        let servers = ServerStarter(
            suites: [run], session: session, options: options, contexts: contexts,
            startMock: { _, _ throws(ServeError) in throw ServeError(kind: .serveMock, message: "none") })
        SuiteRunner(plan: plan, suites: [run], servers: servers, dispatcher: dispatcher, contexts: contexts)
            .open(0, server: nil)
        while let test = await dispatcher.next() {
            let finished = await runner.run(
                plan.tests[test], isNeeded: plan.isNeeded(test), in: dispatcher, on: globalConcurrentExecutor)
            dispatcher.finish(
                test, result: finished.result, captures: finished.captures, exchanges: finished.exchanges)
        }
        await session.close()
        return events.withLock { $0 }.compactMap { if case .testFinished(let result) = $0 { result } else { nil } }
    }

    /// Runs the suite and returns a description of each test with its steps, such as `login passed: first passed`.
    func outcomes() async -> [String] {
        await results().map { result in
            let steps = result.steps.map { "\($0.name) \(Self.word($0.outcome))" }
            return "\(result.test.name) \(Self.word(result.outcome)): " + steps.joined(separator: ", ")
        }
    }

    private static func word(_ outcome: TestResult.Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .flaky: "flaky"
        case .known: "known"
        case .failed: "failed"
        case .errored: "errored"
        case .skipped(let reason): "skipped (\(reason))"
        case .blocked(let root): "blocked by \(root)"
        }
    }
}

extension TestResult {
    /// The findings of all steps, such as `status: expected 200, got 500`.
    var messages: [String] { steps.flatMap(\.messages) }
}

extension TestResult.Step {
    /// The findings, such as `status: expected 200, got 500`.
    var messages: [String] { findings.map { "\($0.subject): \($0.message)" } }
}

extension ScriptedTransport.Answer {
    /// Returns a response with status 200 and a JSON body.
    static func json(_ text: String) -> Self {
        .response(200, ["Content-Type": "application/json"], text)
    }
}
