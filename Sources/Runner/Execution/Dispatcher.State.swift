import CEL
import RunModel
import SuiteModel

extension Dispatcher {
    /// A run's state, and the only place that changes it.
    struct State {
        /// What a worker gets when it asks for a test.
        enum Take {
            case test(Int)
            case wait
            case done
        }

        /// A waiting task and what it is woken with.
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
            /// `decided`: it will not run, and its result is about to be recorded.
            case waiting, decided, ready, running, done
        }

        private enum SuitePhase: UInt8 {
            case pending, open, givenUp, finished
        }

        /// A lock that a test holds, and the tests that wait for it.
        private struct LockState {
            var waiting: ReadyQueue
        }

        private let plan: TestPlan
        private let clock: RunClock
        private let sink: RunEventSink
        private let start: Int64
        private let failFast: Int?
        /// For each test its place in a shuffled order; empty when tests start in file order.
        private let ranks: [Int32]

        private var phases: [Phase]
        /// For each test how many others must be done before; empty when no test waits for another.
        private var missing: [Int32]
        /// For tests that wait for others still, how the first one in the file ended for which they are to be skipped.
        private var skips: [Int: (cause: Int, outcome: TestResult.Outcome)] = [:]
        private var ready: ReadyQueue
        private var suitePhases: [SuitePhase]
        private var suiteStart: [Int64]
        /// Results that are not reported yet, since tests before them are not done.
        private var results: [Int: TestResult] = [:]
        private var nextReport: [Int]
        /// For each suite, its teardown; it starts when all else of the suite is done.
        private let teardowns: [Int?]
        private var pendingTeardowns: Int
        /// Whether anything of each suite has been started.
        private var hasStarted: [Bool]
        /// How far the rows of tests are that others wait for.
        private var groups: RowGroupStates
        /// Lists of what the rows of a test captured, by the first row and the name.
        private var lists: [Int: [String: CELValue]] = [:]
        private var locks: [String: LockState] = [:]
        private var heldLocks: [Int: String] = [:]
        private var unfinished: Int
        private var stopReason: String?
        private var counts = OutcomeCounts()
        private var suiteCounts: [OutcomeCounts]
        /// The suites whose servers run, and how each ended whose tests are done: that is told when its server has stopped.
        private var served: [Int: SuiteSummary?] = [:]
        /// For each suite the tests that an interruption kept from running, or cut off.
        private var notRun: [Int]
        private var failures = 0
        private var exchanges = 0
        private var wasInterrupted = false
        /// When the run was interrupted, by its clock.
        private(set) var interruption: Int64?
        private var hasGivenUp = false
        private var hasServerError = false
        private var hasSnapshotError = false
        private var wakeups: [Wakeup] = []
        /// The warnings that were emitted, each once.
        private var warnings: Set<String> = []
        private static let largestWarningCount = 20
        /// The suite whose events are emitted as they come; those of later ones are held back.
        private var reportedSuite = 0
        private var held: [Int: [RunEvent]] = [:]

        /// Workers that wait for a test.
        var idle: [CheckedContinuation<Int?, Never>] = []
        /// Tasks that wait for the end of a suite.
        var suiteWaiters: [Int: [CheckedContinuation<Void, Never>]] = [:]
        /// Tests of each suite that are not done.
        private(set) var remaining: [Int]
        /// What finished tests captured, where others need it.
        private(set) var captures: [Int: TestCaptures] = [:]

        init(plan: TestPlan, failFast: Int?, ranks: [Int32], clock: RunClock, sink: @escaping RunEventSink) {
            let count = plan.tests.count
            self.plan = plan
            self.ranks = ranks
            ready = ReadyQueue(ranks: ranks)
            self.clock = clock
            self.sink = sink
            self.failFast = failFast
            start = clock.now()
            phases = Array(repeating: .waiting, count: count)
            groups = RowGroupStates(plan.groups)
            unfinished = count
            suitePhases = Array(repeating: .pending, count: plan.suites.count)
            suiteStart = Array(repeating: 0, count: plan.suites.count)
            nextReport = plan.testsOfSuite.map(\.lowerBound)
            remaining = plan.testsOfSuite.map(\.count)
            suiteCounts = Array(repeating: OutcomeCounts(), count: plan.suites.count)
            notRun = Array(repeating: 0, count: plan.suites.count)
            hasStarted = Array(repeating: false, count: plan.suites.count)
            teardowns = plan.testsOfSuite.map { $0.last.flatMap { plan.kind(of: $0) == .teardown ? $0 : nil } }
            pendingTeardowns = 0
            var missing: [Int32] = []
            if plan.hasEdges || teardowns.contains(where: { $0 != nil }) {
                missing = Array(repeating: 0, count: count)
                plan.tests.forEachEdge { index, _ in missing[index] += 1 }
            }
            self.missing = missing
            for teardown in teardowns.compactMap({ $0 }) {
                pendingTeardowns += 1
                // It does not wait for single tests.
                self.missing[teardown] = .max
            }
        }

        func emit(_ event: RunEvent) {
            sink(event)
        }

        /// Emits an event of a suite, or holds it back until every earlier suite is finished, so that reports have the
        /// suites in the order in which they were given.
        private mutating func emit(_ event: RunEvent, of suite: Int) {
            guard suite == reportedSuite else {
                held[suite, default: []].append(event)
                return
            }
            emit(event)
            guard case .suiteFinished = event else { return }
            var isFinished = true
            while isFinished {
                reportedSuite += 1
                isFinished = false
                for event in held.removeValue(forKey: reportedSuite) ?? [] {
                    emit(event)
                    if case .suiteFinished = event { isFinished = true }
                }
            }
        }

        mutating func notify(_ notice: RunNotice, ofSnapshots: Bool = false) {
            if notice.severity == .error {
                if ofSnapshots { hasSnapshotError = true } else { hasServerError = true }
            }
            emit(.notice(notice))
        }

        mutating func warn(_ message: String, suite: Int) {
            guard warnings.count < Self.largestWarningCount, warnings.insert(message).inserted else { return }
            emit(.notice(RunNotice(severity: .warning, suite: suite, message: message)), of: suite)
        }

        mutating func takeWakeups() -> [Wakeup] {
            defer { wakeups = [] }
            return wakeups
        }

        // MARK: Suites

        mutating func open(suite: Int, info: SuiteInfo) {
            guard begin(suite: suite, info: info, phase: .open) else { return }
            if ranks.isEmpty {
                for index in plan.testsOfSuite[suite] { makeReadyIfFree(index) }
            } else {
                for index in plan.testsOfSuite[suite].sorted(by: { ranks[$0] < ranks[$1] }) { makeReadyIfFree(index) }
            }
            finishSuiteIfDone(suite)
        }

        /// Makes a test ready that waits for nothing.
        private mutating func makeReadyIfFree(_ index: Int) {
            if phases[index] == .waiting && (missing.isEmpty || missing[index] == 0) { becomeReady(index) }
        }

        mutating func fail(suite: Int, info: SuiteInfo, finding: Finding) {
            guard begin(suite: suite, info: info, phase: .givenUp) else { return }
            hasServerError = true
            for index in plan.testsOfSuite[suite] where phases[index] != .done && index != teardowns[suite] {
                let reference = plan.tests[index].reference
                if let reason = skip(of: index) {
                    complete(index, TestResult(test: reference, outcome: .skipped(reason: reason)))
                    continue
                }
                noteFailure()
                let step = TestResult.Step(
                    name: reference.name, outcome: .errored, findings: [finding], range: reference.range)
                complete(
                    index,
                    TestResult(
                        test: reference, outcome: .errored, steps: [step], start: clock.now() - start, duration: 0))
                // What is left of the suite is given up with all else.
                if stopReason != nil { break }
            }
            finishSuiteIfDone(suite)
            giveUpIfStopped()
        }

        /// Emits the suite's start, unless it was started before.
        private mutating func begin(suite: Int, info: SuiteInfo, phase: SuitePhase) -> Bool {
            guard suitePhases[suite] == .pending else { return false }
            suitePhases[suite] = phase
            suiteStart[suite] = clock.now()
            var info = info
            info.start = suiteStart[suite] - start
            emit(.suiteStarted(info), of: suite)
            return true
        }

        private mutating func finishSuiteIfDone(_ suite: Int) {
            guard suitePhases[suite] == .open || suitePhases[suite] == .givenUp else { return }
            let range = plan.testsOfSuite[suite]
            while nextReport[suite] < range.upperBound, let result = results.removeValue(forKey: nextReport[suite]) {
                nextReport[suite] += 1
                counts.count(result)
                suiteCounts[suite].count(result)
                if result.isCutOff, result.test.kind == .test { notRun[suite] += 1 }
                emit(.testFinished(result), of: suite)
            }
            guard remaining[suite] == 0, nextReport[suite] == range.upperBound else { return }
            suitePhases[suite] = .finished
            var summary = SuiteSummary(
                suite: suite, counts: suiteCounts[suite], duration: clock.now() - suiteStart[suite])
            summary.notRun = notRun[suite]
            if served[suite] == nil { emit(.suiteFinished(summary), of: suite) } else { served[suite] = .some(summary) }
            for waiter in suiteWaiters.removeValue(forKey: suite) ?? [] { wakeups.append(.suite(waiter)) }
        }

        /// Holds back the end of a suite until its server has stopped.
        mutating func serve(suite: Int) {
            if suitePhases[suite] != .finished { served[suite] = .some(nil) }
        }

        /// Tells the end of a suite whose server has stopped.
        ///
        /// - Parameter error: What went wrong with the server.
        mutating func stopServing(suite: Int, error: RunNotice?) {
            if let error { notify(error) }
            guard case .some(var summary?) = served.removeValue(forKey: suite) else { return }
            summary.hasServerError = error != nil
            emit(.suiteFinished(summary), of: suite)
        }

        // MARK: Tests

        mutating func take() -> Take {
            if isOver { return .done }
            // Tests that were given up while they were ready are still in the queue.
            while let index = ready.pop() {
                guard phases[index] == .ready else { continue }
                begin(index)
                return .test(index)
            }
            return .wait
        }

        /// Whether nothing will be started any more.
        private var isOver: Bool { unfinished == 0 || (stopReason != nil && pendingTeardowns == 0) }

        private mutating func begin(_ index: Int) {
            phases[index] = .running
            hasStarted[plan.suite(of: index)] = true
            emit(.testStarted(plan.tests[index].reference))
        }

        /// Why a test is skipped before it starts, or nil.
        private func skip(of index: Int) -> String? {
            if let reason = plan.skip(of: index) { return reason }
            guard plan.kind(of: index) == .setup else { return nil }
            let range = plan.testsOfSuite[plan.suite(of: index)]
            let runs = range.contains { plan.kind(of: $0) == .test && plan.skip(of: $0) == nil }
            // A setup that was selected alone is run for itself.
            let hasTests = range.contains { plan.kind(of: $0) == .test }
            return runs || !hasTests ? nil : "every test is skipped"
        }

        /// Hands a test whose dependencies are done to a worker, to its lock's queue, or to the ready queue.
        private mutating func becomeReady(_ index: Int) {
            if let reason = skip(of: index) {
                complete(index, TestResult(test: plan.tests[index].reference, outcome: .skipped(reason: reason)))
                return
            }
            guard suitePhases[plan.suite(of: index)] == .open, stopReason == nil else { return }
            phases[index] = .ready
            if let name = plan.lock(of: index) {
                if locks[name] != nil {
                    locks[name]?.waiting.push(index)
                    return
                }
                locks[name] = LockState(waiting: ReadyQueue(ranks: ranks))
                heldLocks[index] = name
            }
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

        mutating func finish(_ index: Int, result: TestResult, captures: TestCaptures?, exchanges: Int) {
            self.exchanges += exchanges
            if let captures { self.captures[index] = captures }
            if result.outcome.isFailure { noteFailure() }
            if let name = heldLocks.removeValue(forKey: index) { release(name) }
            var result = result
            if wasInterrupted, case .skipped = result.outcome { result.isCutOff = true }
            complete(index, result)
            giveUpIfStopped()
        }

        /// Finds the reason to stop if the failure that is about to be recorded makes as many as `--fail-fast` allows.
        ///
        /// The reason is there before the graph is followed, so that the last failure makes no further test start.
        private mutating func noteFailure() {
            guard let failFast, stopReason == nil, failures + 1 >= failFast else { return }
            stopReason = "stopped after \(failFast) failed \(failFast == 1 ? "test" : "tests") (--fail-fast)"
        }

        private mutating func giveUpIfStopped() {
            if !wasInterrupted, let stopReason { giveUp(reason: stopReason) }
        }

        private mutating func release(_ name: String) {
            guard stopReason == nil, let index = locks[name]?.waiting.pop() else {
                locks[name] = nil
                return
            }
            heldLocks[index] = name
            offer(index)
        }

        /// Records a result and follows the graph: tests that waited for it become ready or are blocked.
        private mutating func complete(_ index: Int, _ result: TestResult) {
            var pending = [(index, result)]
            while let (index, result) = pending.popLast() {
                guard phases[index] != .done else { continue }
                phases[index] = .done
                results[index] = result
                emit(.testCompleted(result))
                unfinished -= 1
                let suite = plan.suite(of: index)
                remaining[suite] -= 1
                if index == teardowns[suite] { pendingTeardowns -= 1 }
                if result.outcome.isFailure { failures += 1 }
                // Once the run is being stopped, every test that has not started is given up at one place: giveUp(reason:).
                if stopReason == nil {
                    follow(plan.dependents(of: index), after: index, outcome: result.outcome, pending: &pending)
                    if let group = groups.finish(index, outcome: result.outcome) {
                        follow(group.dependents, after: group.index, outcome: group.outcome, pending: &pending)
                    }
                }
                if remaining[suite] == 1, let teardown = teardowns[suite], phases[teardown] == .waiting {
                    if hasStarted[suite] {
                        phases[teardown] = .ready
                        offer(teardown)
                    } else {
                        let reason = stopReason ?? "nothing of the suite was run"
                        pending.append(
                            (
                                teardown,
                                TestResult(test: plan.tests[teardown].reference, outcome: .skipped(reason: reason))
                            ))
                    }
                }
                finishSuiteIfDone(suite)
            }
            if isOver { wakeIdle() }
        }

        /// Tells tests that what they waited for is done: they become ready, or are given up and so become pending results.
        private mutating func follow(
            _ dependents: [TestPlan.Dependent], after index: Int, outcome: TestResult.Outcome,
            pending: inout [(Int, TestResult)]
        ) {
            for edge in ranks.isEmpty ? dependents : dependents.sorted(by: { rank(of: $0) < rank(of: $1) }) {
                let dependent = Int(edge.test)
                guard phases[dependent] == .waiting, plan.kind(of: dependent) != .teardown else { continue }
                missing[dependent] -= 1
                let reference = plan.tests[dependent].reference
                let skip = skip(of: dependent)
                var fate = edge.isOrder ? nil : fate(of: dependent, after: index, outcome: outcome)
                if let reason = fate, case .skipped = reason {
                    // Another one that it waits for may still fail, which blocks it, whichever of the two ends first.
                    if skips[dependent].map({ index < $0.cause }) ?? true { skips[dependent] = (index, reason) }
                    fate = nil
                }
                if fate == nil, missing[dependent] == 0 { fate = skips.removeValue(forKey: dependent)?.outcome }
                if let fate {
                    let outcome = skip.map { TestResult.Outcome.skipped(reason: $0) } ?? fate
                    // What else it waits for may be recorded before it.
                    phases[dependent] = .decided
                    pending.append(
                        (dependent, TestResult(test: reference, outcome: outcome, start: clock.now() - start)))
                } else if missing[dependent] == 0 {
                    if let skip {
                        phases[dependent] = .decided
                        pending.append((dependent, TestResult(test: reference, outcome: .skipped(reason: skip))))
                    } else {
                        becomeReady(dependent)
                    }
                }
            }
        }

        private func rank(of edge: TestPlan.Dependent) -> Int32 { ranks[Int(edge.test)] }

        /// What becomes of a test that needs `index`, when it cannot run as that has ended so; nil when it still can.
        ///
        /// What needs a test that was skipped on purpose is skipped too: a skip does not make a run fail.
        private func fate(
            of dependent: Int, after index: Int, outcome: TestResult.Outcome
        ) -> TestResult.Outcome? {
            switch outcome {
            case .passed, .flaky: return nil
            case .known:
                guard lacksCapture(dependent, of: index) else { return nil }
                let name = plan.tests[index].reference.name
                return .skipped(reason: "needs what \"\(name)\" captures, which fails as is known")
            case .blocked(let root): return .blocked(by: root)
            case .failed, .errored: return .blocked(by: plan.tests[index].reference.name)
            // A setup none of whose steps was to be done has not failed.
            case .skipped where plan.kind(of: index) == .setup: return nil
            case .skipped: return .skipped(reason: "needs \"\(plan.tests[index].reference.name)\", which is skipped")
            }
        }

        /// Whether a test uses what another one should have captured and has not.
        private func lacksCapture(_ dependent: Int, of index: Int) -> Bool {
            plan.tests.edges(of: dependent).contains { edge in
                guard edge.tests.contains(index) else { return false }
                return switch edge.reason {
                case .capture(let name): captures[index]?.value(of: name) == nil
                case .exchange: captures[index]?.exchange == nil
                case .needs, .setup, .order: false
                }
            }
        }

        /// What the rows of a test captured under a name, as a list in their order; rows that captured nothing are left out.
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

        // MARK: The end

        mutating func interrupt() {
            guard !wasInterrupted else { return }
            wasInterrupted = true
            interruption = clock.now()
            emit(.interrupted(whatRuns))
            guard stopReason == nil else { return }
            stopReason = "interrupted"
            giveUp(reason: "interrupted")
        }

        /// The tests that run, and whether teardowns of suites of which anything was started are still to be done.
        private var whatRuns: RunInterruption {
            let running = plan.tests.indices.count { phases[$0] == .running && plan.kind(of: $0) != .teardown }
            let hasTeardown = teardowns.indices.contains { suite in
                teardowns[suite].map { hasStarted[suite] && phases[$0] != .done } ?? false
            }
            return RunInterruption(runningTests: running, hasTeardown: hasTeardown)
        }

        /// Skips, for the reason, every test that has not started, but no teardown; does nothing the second time.
        private mutating func giveUp(reason: String) {
            guard !hasGivenUp else { return }
            hasGivenUp = true
            for suite in plan.suites.indices { _ = begin(suite: suite, info: plan.info(of: suite), phase: .open) }
            for index in plan.tests.indices where phases[index] == .waiting || phases[index] == .ready {
                if index == teardowns[plan.suite(of: index)] { continue }
                var result = TestResult(test: plan.tests[index].reference, outcome: .skipped(reason: reason))
                result.isCutOff = wasInterrupted
                complete(index, result)
            }
            if isOver { wakeIdle() }
        }

        func end(coverages: [ContractCoverage]) -> RunSummary {
            var summary = RunSummary(
                counts: counts, exchanges: exchanges, duration: clock.now() - start, wasInterrupted: wasInterrupted,
                hasServerError: hasServerError)
            summary.hasSnapshotError = hasSnapshotError
            summary.coverages = coverages
            if wasInterrupted {
                summary.missing = MissingTests(
                    notRun: notRun.reduce(0, +), planned: plan.testCount, reasons: ["interrupted"])
            }
            emit(.runFinished(summary))
            return summary
        }
    }
}
