import CEL
import HTTPSession
import RunModel
import SuiteModel
import Synchronization

/// The tests of an iteration, in the order in which they run.
///
/// A test with rows is one test: each iteration uses the next row.
struct LoadOrder {
    /// A test of each iteration.
    struct Test {
        /// The tests of the plan, one for each row.
        var tests: Range<Int>
        /// Whether the test has rows.
        var hasRows: Bool
        /// Whether other tests need its captures.
        var isNeeded: Bool
        /// The dependencies, without those of the setup.
        var edges: [TestPlan.Edge]
        /// The reason why the test is skipped; nil if it is not.
        var skip: String?

        /// Returns the index of the test that an iteration runs.
        func index(in iteration: Int) -> Int { tests.lowerBound + iteration % tests.count }
    }

    /// The tests, each after those that it depends on.
    let tests: [Test]
    /// Whether a test depends on another, except the setup.
    let hasEdges: Bool
    /// The indices of the setup and the teardown; nil if there is none.
    let (setup, teardown): (Int?, Int?)

    /// Creates the order of a plan with one suite.
    init(_ plan: TestPlan) {
        var (setup, teardown): (Int?, Int?) = (nil, nil)
        var found: [Test] = []
        var index = 0
        while index < plan.tests.count {
            let location = plan.tests.location(of: index)
            var end = index + 1
            let hasRows = plan.suites[location.suite].tests[location.test].data != nil
            while hasRows, end < plan.tests.count, plan.tests.location(of: end) == location { end += 1 }
            switch plan.kind(of: index) {
            case .setup: setup = index
            case .teardown: teardown = index
            case .test:
                found.append(
                    Test(
                        tests: index..<end, hasRows: hasRows, isNeeded: plan.isNeeded(index),
                        edges: plan.tests.edges(of: index).filter { $0.reason != .setup },
                        skip: plan.skip(of: index)))
            }
            index = end
        }
        (self.setup, self.teardown) = (setup, teardown)
        tests = Self.sorted(found)
        hasEdges = tests.contains { !$0.edges.isEmpty }
    }

    /// Returns the tests, each after those that it depends on, and otherwise in file order.
    private static func sorted(_ tests: [Test]) -> [Test] {
        var positions: [Int: Int] = [:]
        for (position, test) in tests.enumerated() { positions[test.tests.lowerBound] = position }
        var sorted: [Test] = []
        var isDone = tests.map { _ in false }
        // The plan has no cycles, so the recursion of the dependencies is a loop over a stack of bounded size.
        for position in tests.indices {
            var stack = [position]
            while let top = stack.last {
                if isDone[top] {
                    stack.removeLast()
                    continue
                }
                let missing = tests[top].edges.compactMap { positions[$0.test] }.filter { !isDone[$0] && $0 != top }
                if missing.isEmpty {
                    isDone[top] = true
                    sorted.append(tests[top])
                    stack.removeLast()
                } else {
                    stack += missing.reversed()
                }
            }
        }
        return sorted
    }
}

/// One iteration of a load: the tests of the suite, one after another, with captures and cookies of their own.
final class LoadIteration: TestEnvironment {
    private struct State {
        var captures: [Int: TestCaptures] = [:]
        var jar: CookieJar?
        /// The intended start of the next exchange, if it is not its actual start.
        var intended: Int64?
        var exchanges = 0
    }

    private let state: Mutex<State>
    private let setup: (index: Int, captures: TestCaptures)?
    private let recorder: LoadRecorder
    private let isMeasured: Bool

    /// Creates an iteration that has not started.
    ///
    /// - Parameters:
    ///   - intended: The intended start, by the clock of the run.
    ///   - setup: The index of the setup and its captures.
    ///   - isMeasured: Whether it starts after the warm-up.
    init(
        intended: Int64, setup: (index: Int, captures: TestCaptures)?, recorder: LoadRecorder, isMeasured: Bool
    ) {
        state = Mutex(State(intended: intended))
        self.setup = setup
        self.recorder = recorder
        self.isMeasured = isMeasured
    }

    func captures(of index: Int) -> TestCaptures? {
        if let setup, setup.index == index { return setup.captures }
        return state.withLock { $0.captures[index] }
    }

    func list(of name: String, from tests: Range<Int>) -> CELValue {
        // The captures of the row that this iteration used.
        .list(CELList([captures(of: tests.lowerBound)?.value(of: name)].compactMap { $0 }))
    }

    func jar(of suite: SuiteRun) -> CookieJar {
        state.withLock { state in
            if let jar = state.jar { return jar }
            let jar = CookieJar()
            // The setup may have logged in.
            for cookie in suite.jar.cookies { jar.set(cookie) }
            state.jar = jar
            return jar
        }
    }

    func record(_ sample: @autoclosure () -> ExchangeSample) {
        let sample = sample()
        // The delay of the iteration counts for its first exchange. The others start when the previous one has ended.
        let intended = state.withLock { state in
            defer { state.intended = nil }
            return state.intended ?? sample.sent
        }
        recorder.record(sample, intended: min(intended, sample.sent), isMeasured: isMeasured)
    }

    /// Runs the tests.
    ///
    /// - Parameters:
    ///   - order: The tests.
    ///   - number: The index of the iteration, which determines rows and random values.
    /// - Returns: Whether a test failed.
    nonisolated(nonsending) func run(
        _ order: LoadOrder, number: Int, of runner: TestRunner, on executor: any TaskExecutor
    ) async -> Bool {
        var outcomes: [Int: TestResult.Outcome] = [:]
        var hasFailed = false
        for test in order.tests where test.skip == nil {
            let first = test.tests.lowerBound
            if order.hasEdges, let edge = test.edges.first(where: { !isMet($0, outcomes) }) {
                outcomes[first] = outcomes[edge.test] ?? .skipped(reason: "")
                continue
            }
            // The generator has looked before the first test.
            if first != order.tests.first?.tests.lowerBound, Task.isCancelled { return true }
            var entry = runner.plan.tests[test.index(in: number)]
            entry.round = number
            let finished = await runner.run(entry, isNeeded: test.isNeeded, in: self, on: executor)
            if order.hasEdges { outcomes[first] = finished.result.outcome }
            if finished.result.outcome.isFailure { hasFailed = true }
            if let captures = finished.captures { state.withLock { $0.captures[first] = captures } }
        }
        return hasFailed
    }

    /// Returns whether the outcome of a dependency allows a test to run.
    private func isMet(_ edge: TestPlan.Edge, _ outcomes: [Int: TestResult.Outcome]) -> Bool {
        edge.reason == .order || outcomes[edge.test]?.isSuccess ?? true
    }
}
