import Basics
import CEL
import RunModel
import SuiteModel

extension Dispatcher {
    /// The state of a run. All changes to it happen in this type.
    struct State {
        /// The response to a worker that requests a test.
        enum Take {
            case test(Int)
            case wait
            case done
        }

        /// A suspended task, with the value to resume it with.
        enum Wakeup {
            case worker(CheckedContinuation<Int?, Never>, Int?)
            case suite(CheckedContinuation<Void, Never>)

            func resume() {
                switch self {
                case .worker(let continuation, let test): continuation.resume(returning: test)
                case .suite(let continuation): continuation.resume()
                }
            }
        }

        private enum Phase: UInt8 {
            /// `decided`: the test will not run, and its result is about to be recorded.
            case waiting, decided, ready, running, done
        }

        let plan: TestPlan
        private let clock: RunClock
        private let start: Int64
        private let failFast: Int?
        /// For each test, its rank in the shuffled order; empty when tests start in file order.
        private let ranks: [Int32]

        private var phases: PagedValues<Phase>
        /// For each test, its number of unfinished dependencies; empty when no test depends on another.
        private var missing: PagedValues<Int32>
        /// For tests with unfinished dependencies, the outcome of the first test in the file that causes them to be
        /// skipped.
        private var skips: [Int: (cause: Int, outcome: TestResult.Outcome)] = [:]
        private var ready: ReadyQueue
        private(set) var suites: [SuiteState]
        private var pendingTeardowns = 0
        /// The progress of the row groups that other tests depend on.
        private var groups: RowGroupStates
        /// For tests with rows, the lists of captured values, by the index of the first row and the name.
        private var lists: [Int: [String: CELValue]] = [:]
        private var locks: LockQueues
        private var unfinished: Int
        private var stopReason: String?
        private var counts = OutcomeCounts()
        private var failures = 0
        private var exchanges = 0
        private var wasInterrupted = false
        /// The time of the interruption, by the run's clock.
        private(set) var interruption: Int64?
        private var hasGivenUp = false
        private var hasServerError = false
        private var hasSnapshotError = false
        private var wakeups: [Wakeup] = []
        private var events: EventOrder

        /// The workers that wait for a test.
        var idle: [CheckedContinuation<Int?, Never>] = []
        /// The tasks that wait for a suite to finish.
        var suiteWaiters: [Int: [CheckedContinuation<Void, Never>]] = [:]
        /// The captures of finished tests that other tests use.
        private(set) var captures: [Int: TestCaptures] = [:]

        init(plan: TestPlan, failFast: Int?, ranks: [Int32], clock: RunClock, sink: @escaping RunEventSink) {
            let count = plan.tests.count
            self.plan = plan
            self.ranks = ranks
            ready = ReadyQueue(ranks: ranks)
            self.clock = clock
            events = EventOrder(sink: sink)
            locks = LockQueues(ranks: ranks)
            self.failFast = failFast
            start = clock.now()
            phases = PagedValues(repeating: .waiting, count: count)
            groups = RowGroupStates(plan.groups)
            unfinished = count
            suites = plan.suites.indices.map { SuiteState($0, of: plan) }
            let teardowns = suites.compactMap(\.teardown)
            var missing = PagedValues<Int32>(
                repeating: 0, count: plan.hasEdges || !teardowns.isEmpty ? count : 0)
            plan.tests.forEachEdge { index, _ in missing[index] += 1 }
            self.missing = missing
            for teardown in teardowns {
                pendingTeardowns += 1
                // A teardown does not depend on individual tests.
                self.missing[teardown] = .max
            }
        }

        func emit(_ event: RunEvent) { events.emit(event) }

        /// Emits a notice and records errors for the summary.
        mutating func notify(_ notice: RunNotice, ofSnapshots: Bool = false) {
            if notice.severity == .error {
                if ofSnapshots { hasSnapshotError = true } else { hasServerError = true }
            }
            emit(.notice(notice))
        }

        mutating func warn(_ notice: RunNotice) { events.warn(notice) }

        /// Returns and clears the tasks to resume.
        mutating func takeWakeups() -> [Wakeup] {
            defer { wakeups = [] }
            return wakeups
        }

        // MARK: Suites

        /// Starts a suite and makes its tests without dependencies ready.
        mutating func open(suite: Int, info: SuiteInfo) {
            guard begin(suite: suite, info: info, phase: .open) else { return }
            if ranks.isEmpty {
                for index in plan.testsOfSuite[suite] { makeReadyIfFree(index) }
            } else {
                for index in plan.testsOfSuite[suite].sorted(by: { ranks[$0] < ranks[$1] }) { makeReadyIfFree(index) }
            }
            finishSuiteIfDone(suite)
        }

        /// Makes a test ready if it has no unfinished dependencies.
        private mutating func makeReadyIfFree(_ index: Int) {
            if phases[index] == .waiting && (missing.count == 0 || missing[index] == 0) { becomeReady(index) }
        }

        /// Starts a suite whose server failed, and records an error with the given finding for each of its tests.
        mutating func fail(suite: Int, info: SuiteInfo, finding: Finding) {
            guard begin(suite: suite, info: info, phase: .givenUp) else { return }
            hasServerError = true
            for index in plan.testsOfSuite[suite] where phases[index] != .done && index != suites[suite].teardown {
                if let reason = skip(of: index) {
                    complete(index, HeldResults.NotRun(outcome: .skipped(reason: reason)))
                    continue
                }
                noteFailure()
                let reference = plan.tests[index].reference
                let step = TestResult.Step(
                    name: reference.name, outcome: .errored, findings: [finding], range: reference.range)
                complete(
                    index,
                    TestResult(
                        test: reference, outcome: .errored, steps: [step], start: clock.now() - start, duration: 0))
                // The rest of the suite is skipped along with the other suites.
                if stopReason != nil { break }
            }
            finishSuiteIfDone(suite)
            giveUpIfStopped()
        }

        /// Emits the start of a suite.
        ///
        /// - Returns: Whether the suite had not started before.
        private mutating func begin(suite: Int, info: SuiteInfo, phase: SuiteState.Phase) -> Bool {
            guard suites[suite].phase == .pending else { return false }
            suites[suite].phase = phase
            suites[suite].start = clock.now()
            var info = info
            info.start = suites[suite].start - start
            events.emit(.suiteStarted(info), of: suite)
            return true
        }

        private mutating func finishSuiteIfDone(_ suite: Int) {
            guard suites[suite].phase == .open || suites[suite].phase == .givenUp else { return }
            let range = plan.testsOfSuite[suite]
            while suites[suite].nextReport < range.upperBound,
                let result = suites[suite].results.remove(
                    at: suites[suite].nextReport, reference: { plan.tests[$0].reference })
            {
                suites[suite].nextReport += 1
                counts.count(result)
                suites[suite].counts.count(result)
                if result.isCutOff, result.test.kind == .test { suites[suite].notRun += 1 }
                events.emit(.testFinished(result), of: suite)
            }
            guard suites[suite].remaining == 0, suites[suite].nextReport == range.upperBound else { return }
            suites[suite].phase = .finished
            var summary = SuiteSummary(
                suite: suite, counts: suites[suite].counts, duration: clock.now() - suites[suite].start)
            summary.notRun = suites[suite].notRun
            switch suites[suite].serving {
            case .nothing: events.emit(.suiteFinished(summary), of: suite)
            case .running: suites[suite].serving = .running(summary)
            }
            for waiter in suiteWaiters.removeValue(forKey: suite) ?? [] { wakeups.append(.suite(waiter)) }
        }

        /// Delays the end of a suite until its server has stopped.
        mutating func serve(suite: Int) {
            if suites[suite].phase != .finished { suites[suite].serving = .running(nil) }
        }

        /// Emits the end of a suite whose server has stopped.
        ///
        /// - Parameter error: The failure of the server, if any.
        mutating func stopServing(suite: Int, error: RunNotice?) {
            if let error { notify(error) }
            let serving = suites[suite].serving
            suites[suite].serving = .nothing
            guard case .running(var summary?) = serving else { return }
            summary.hasServerError = error != nil
            events.emit(.suiteFinished(summary), of: suite)
        }

        // MARK: Tests

        /// Starts the next ready test and returns it, or returns the reason why there is none.
        mutating func take() -> Take {
            if isOver { return .done }
            // The queue still contains tests that were skipped while they were ready.
            while let index = ready.pop() {
                guard phases[index] == .ready else { continue }
                begin(index)
                return .test(index)
            }
            return .wait
        }

        /// Whether no further test will start.
        private var isOver: Bool { unfinished == 0 || (stopReason != nil && pendingTeardowns == 0) }

        private mutating func begin(_ index: Int) {
            phases[index] = .running
            suites[plan.suite(of: index)].hasStarted = true
            emit(.testStarted(plan.tests[index].reference))
        }

        /// Passes a test whose dependencies have finished to a worker, to the queues of its resource locks, or to the
        /// ready queue.
        private mutating func becomeReady(_ index: Int) {
            if let reason = skip(of: index) {
                complete(index, HeldResults.NotRun(outcome: .skipped(reason: reason)))
                return
            }
            guard suites[plan.suite(of: index)].phase == .open, stopReason == nil else { return }
            phases[index] = .ready
            if !locks.take(plan.locks(of: index), for: index) { return }
            offer(index)
        }

        private mutating func offer(_ index: Int) {
            if let worker = idle.popLast() {
                begin(index)
                wakeups.append(.worker(worker, index))
            } else {
                ready.push(index)
            }
        }

        /// Records the result of a running test and updates the state of its dependents, its lock and its suite.
        mutating func finish(_ index: Int, result: TestResult, captures: TestCaptures?, exchanges: Int) {
            self.exchanges += exchanges
            if let captures { self.captures[index] = captures }
            if result.outcome.isFailure { noteFailure() }
            for next in locks.release(by: index, passesOn: stopReason == nil) { offer(next) }
            var result = result
            if wasInterrupted, case .skipped = result.outcome { result.isCutOff = true }
            complete(index, result)
            giveUpIfStopped()
        }

        /// Sets the stop reason if the failure that is about to be recorded reaches the limit of `--fail-fast`.
        ///
        /// The reason is set before the dependents are updated, so the last failure does not start any further test.
        private mutating func noteFailure() {
            guard let failFast, stopReason == nil, failures + 1 >= failFast else { return }
            stopReason = "stopped after \(failFast) failed \(failFast == 1 ? "test" : "tests") (--fail-fast)"
        }

        private mutating func giveUpIfStopped() {
            if !wasInterrupted, let stopReason { giveUp(reason: stopReason) }
        }

        /// Consecutive tests that will not run and whose results are about to be recorded.
        private struct Decision {
            var tests: Range<Int>
            let result: HeldResults.NotRun
        }

        /// Records the result of a test that ran, and updates the dependents of the test.
        private mutating func complete(_ index: Int, _ result: TestResult) {
            var decisions: [Decision] = []
            if phases[index] != .done {
                suites[plan.suite(of: index)].results.add(result, at: index)
                record(index, result, decisions: &decisions)
            }
            complete(&decisions)
        }

        /// Records the result of a test that did not run, and updates the dependents of the test.
        private mutating func complete(_ index: Int, _ result: HeldResults.NotRun) {
            var decisions = [Decision(tests: index..<index + 1, result: result)]
            complete(&decisions)
        }

        /// Records the results of tests that will not run and of their dependents.
        private mutating func complete(_ decisions: inout [Decision]) {
            // The first of consecutive tests comes first, because its result can be reported immediately.
            while let decision = decisions.last {
                let index = decision.tests.lowerBound
                if decision.tests.count > 1 {
                    decisions[decisions.count - 1].tests = index + 1..<decision.tests.upperBound
                } else {
                    decisions.removeLast()
                }
                guard phases[index] != .done else { continue }
                suites[plan.suite(of: index)].results.add(decision.result, at: index)
                record(index, decision.result.result(of: plan.tests[index].reference), decisions: &decisions)
            }
            if isOver { wakeIdle() }
        }

        /// Updates the state after a result, and appends the tests that can no longer run because of it.
        private mutating func record(_ index: Int, _ result: TestResult, decisions: inout [Decision]) {
            phases[index] = .done
            emit(.testCompleted(result))
            unfinished -= 1
            let suite = plan.suite(of: index)
            suites[suite].remaining -= 1
            if index == suites[suite].teardown { pendingTeardowns -= 1 }
            if result.outcome.isFailure { failures += 1 }
            // Once the run is stopping, all tests that have not started are skipped in one function: giveUp(reason:).
            if stopReason == nil {
                follow(plan.dependents(of: index), after: index, outcome: result.outcome, decisions: &decisions)
                if let group = groups.finish(index, outcome: result.outcome) {
                    follow(group.dependents, after: group.index, outcome: group.outcome, decisions: &decisions)
                }
            }
            if suites[suite].remaining == 1, let teardown = suites[suite].teardown, phases[teardown] == .waiting {
                if suites[suite].hasStarted {
                    phases[teardown] = .ready
                    offer(teardown)
                } else {
                    let reason = stopReason ?? "no test of the suite ran"
                    decide(teardown, HeldResults.NotRun(outcome: .skipped(reason: reason)), &decisions)
                }
            }
            finishSuiteIfDone(suite)
        }

        /// Appends a test that will not run.
        private func decide(_ index: Int, _ result: HeldResults.NotRun, _ decisions: inout [Decision]) {
            if let last = decisions.last, last.tests.upperBound == index, last.result == result {
                decisions[decisions.count - 1].tests = last.tests.lowerBound..<index + 1
            } else {
                decisions.append(Decision(tests: index..<index + 1, result: result))
            }
        }

        /// Updates the dependents of a finished test. They become ready, or they are appended to the decisions.
        private mutating func follow(
            _ dependents: TestPlan.DependentList, after index: Int, outcome: TestResult.Outcome,
            decisions: inout [Decision]
        ) {
            if dependents.isEmpty { return }
            let now = clock.now() - start
            for edge in inStartOrder(dependents) {
                let dependent = Int(edge.test)
                guard phases[dependent] == .waiting, plan.kind(of: dependent) != .teardown else { continue }
                missing[dependent] -= 1
                let skip = skip(of: dependent)
                var fate = edge.isOrder ? nil : fate(of: dependent, after: index, outcome: outcome)
                if let reason = fate, case .skipped = reason {
                    // Another dependency may still fail and block the test, even if it finishes first.
                    if skips[dependent].map({ index < $0.cause }) ?? true { skips[dependent] = (index, reason) }
                    fate = nil
                }
                if fate == nil, missing[dependent] == 0 { fate = skips.removeValue(forKey: dependent)?.outcome }
                if let fate {
                    // The results of its other dependencies may be recorded before its own.
                    phases[dependent] = .decided
                    let outcome = skip.map { TestResult.Outcome.skipped(reason: $0) } ?? fate
                    decide(dependent, HeldResults.NotRun(outcome: outcome, start: now), &decisions)
                } else if missing[dependent] == 0 {
                    if let skip {
                        phases[dependent] = .decided
                        decide(dependent, HeldResults.NotRun(outcome: .skipped(reason: skip)), &decisions)
                    } else {
                        becomeReady(dependent)
                    }
                }
            }
        }

        /// Returns tests that may start at the same time, in the order in which they start.
        private func inStartOrder(_ dependents: TestPlan.DependentList) -> TestPlan.DependentList {
            if ranks.isEmpty { return dependents }
            var sorted = TestPlan.DependentList()
            for dependent in dependents.sorted(by: { rank(of: $0) < rank(of: $1) }) { sorted.append(dependent) }
            return sorted
        }

        private func rank(of edge: TestPlan.Dependent) -> Int32 { ranks[Int(edge.test)] }

        /// Returns the values that the rows of a test captured under a name, in row order, without rows that captured
        /// nothing.
        mutating func list(of name: String, from tests: Range<Int>) -> CELValue {
            if let list = lists[tests.lowerBound]?[name] { return list }
            let list = CELValue.list(CELList(tests.compactMap { captures[$0]?.value(of: name) }))
            lists[tests.lowerBound, default: [:]][name] = list
            return list
        }

        private mutating func wakeIdle() {
            for worker in idle { wakeups.append(.worker(worker, nil)) }
            idle = []
        }

        // MARK: Completion

        /// Emits the interruption and skips all tests that have not started.
        mutating func interrupt() {
            guard !wasInterrupted else { return }
            wasInterrupted = true
            interruption = clock.now()
            emit(.interrupted(whatRuns))
            guard stopReason == nil else { return }
            stopReason = "interrupted"
            giveUp(reason: "interrupted")
        }

        /// The number of running tests, and whether teardowns of started suites are still pending.
        private var whatRuns: RunInterruption {
            let running = plan.tests.indices.count { phases[$0] == .running && plan.kind(of: $0) != .teardown }
            let hasTeardown = suites.contains { suite in
                suite.teardown.map { suite.hasStarted && phases[$0] != .done } ?? false
            }
            return RunInterruption(runningTests: running, hasTeardown: hasTeardown)
        }

        /// Skips every test that has not started, except teardowns. Has no effect when called again.
        private mutating func giveUp(reason: String) {
            guard !hasGivenUp else { return }
            hasGivenUp = true
            for suite in plan.suites.indices { _ = begin(suite: suite, info: plan.info(of: suite), phase: .open) }
            for index in plan.tests.indices where phases[index] == .waiting || phases[index] == .ready {
                if index == suites[plan.suite(of: index)].teardown { continue }
                complete(
                    index, HeldResults.NotRun(outcome: .skipped(reason: reason), isCutOff: wasInterrupted))
            }
            if isOver { wakeIdle() }
        }

        /// Emits the last event and returns its summary.
        func end(coverages: [ContractCoverage]) -> RunSummary {
            var summary = RunSummary(
                counts: counts, exchanges: exchanges, duration: clock.now() - start, wasInterrupted: wasInterrupted,
                hasServerError: hasServerError)
            summary.hasSnapshotError = hasSnapshotError
            summary.coverages = coverages
            if wasInterrupted {
                summary.missing = MissingTests(
                    notRun: suites.reduce(0) { $0 + $1.notRun }, planned: plan.testCount, reasons: ["interrupted"])
            }
            emit(.runFinished(summary))
            return summary
        }
    }
}
