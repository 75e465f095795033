public import CEL
public import Expectations
import HTTPSession
import NIOCore
import NIOPosix
public import RunModel
public import SuiteModel

/// A runner of plans, which starts the suites, distributes the tests to workers on event loops, and sends events to a
/// sink.
///
/// The plan is a value that is complete before anything is sent. Each suite with a server has a task that starts the
/// server, opens the suite, and stops the server after the tests. Workers take tests from the dispatcher. Each worker
/// stays on one event loop, on which entire exchanges take place. Only the dispatcher knows the state of the run and
/// emits its events.
public struct Runner: Sendable {
    /// A function that starts the built-in mock server of a suite.
    ///
    /// The context is the one in which expressions of the mock's definition are evaluated.
    public typealias MockStarter =
        @Sendable (_ definition: MockDefinition, _ context: CELContext) async throws(ServeError) -> any RunningServer

    /// A function that returns the mask for the secrets registered so far, or nil if there are none.
    public typealias SecretMasking = @Sendable () -> SnapshotMask?

    private enum Part {
        case work
        case interruption(Bool)
    }

    private let plan: TestPlan
    private let options: RunOptions
    private let control: RunControl
    private let startMock: MockStarter
    private let mask: SecretMasking
    private let commit: (@Sendable () -> Void)?
    private let prepare: @Sendable (inout TestResult) -> Void
    private let runDeferred: @Sendable () -> Void
    private let sink: RunEventSink

    /// Creates a runner for one run.
    ///
    /// - Parameters:
    ///   - control: The handle for interrupting the run.
    ///   - startMock: Starts the mock server of a suite that declares one.
    ///   - mask: Returns the mask for secrets in snapshots. It is called after the sink has received the secrets.
    ///   - commit: Makes the results that the sink has received survive the end of the process. It is called before
    ///     anything that follows them is sent, once for all tests that finish together. Pass nil if no such call is
    ///     needed.
    ///   - prepare: Does the sink's work on a large result in advance, on a thread that nothing else waits for.
    ///   - runDeferred: Does work that the sink has deferred. It is called after events, by several threads concurrently,
    ///     where only the work of the calling thread waits for it. The caller handles what the last events defer.
    ///   - sink: Receives the run's events.
    public init(
        plan: TestPlan, options: RunOptions, control: RunControl = RunControl(), startMock: @escaping MockStarter,
        mask: @escaping SecretMasking, commit: (@Sendable () -> Void)? = nil,
        prepare: @escaping @Sendable (inout TestResult) -> Void = { _ in },
        runDeferred: @escaping @Sendable () -> Void = {}, sink: @escaping RunEventSink
    ) {
        self.plan = plan
        self.prepare = prepare
        self.options = options
        self.control = control
        self.startMock = startMock
        self.mask = mask
        self.commit = commit
        self.runDeferred = runDeferred
        self.sink = sink
    }

    /// The number of workers in a task group, which searches all of its tasks for each one that ends.
    private static let workersOfEachGroup = 100

    /// Runs the plan.
    ///
    /// - Returns: The summary that the last event carries.
    @concurrent public func run() async -> RunSummary {
        let files = FileAccess(root: options.fileRoot, workingDirectory: options.workingDirectory)
        let plan = planWithDigests(files)
        let ranks = options.shuffles ? ShuffledOrder.ranks(count: plan.tests.count, seed: options.seed) : []
        let dispatcher = Dispatcher(
            plan: plan, failFast: options.failFast, ranks: ranks, clock: options.clock, runDeferred: runDeferred,
            sink: sink)
        let loops = options.eventLoops ?? EventLoops.count(tests: plan.tests.count, jobs: options.jobs)
        let parts = RunParts(
            plan: plan, options: options, loops: loops, connections: options.connectionSettings, files: files,
            owner: dispatcher, mask: mask, prepare: prepare)
        let (suites, contexts, tests) = (parts.suites, parts.contexts, parts.tests)
        let conductor = SuiteRunner(
            plan: plan, suites: suites, servers: parts.servers(startMock), dispatcher: dispatcher, contexts: contexts)

        let secrets = SecretCommands.needed(by: plan, given: options.variables)
        let commands = SecretCommands(
            plan: plan, suites: suites, contexts: contexts, renderer: CommandRenderer(options: options, files: files))
        if let secret = options.routes.secret { dispatcher.registerSecret(secret) }
        for suite in suites { suite.registerSecrets() }
        dispatcher.begin(plan.info(options, testCount: plan.testCount))
        if let notice = plan.limitNotice { dispatcher.notify(notice) }
        for suite in suites { suite.reportUnmaskedSecrets() }
        let executors = parts.executors
        let gates = commit.map { commit in executors.map { RecordBarrier($0.eventLoop, commit: commit) } }
        let commitsBeforeTests = commit != nil && plan.hasWaitingTests
        await withTaskGroup(of: Part.self) { [commit] tasks in
            var running = 0
            if !secrets.isEmpty {
                running += 1
                tasks.addTask {
                    await conductor.conduct(secrets, commands)
                    return .work
                }
            }
            for served in conductor.openWithoutServer(plan.suites.indices.filter { secrets[$0] == nil }) {
                running += 1
                tasks.addTask {
                    await conductor.conduct(served)
                    return .work
                }
            }
            let work: @Sendable (Int) async -> Void = { loop in
                while let test = await dispatcher.next() {
                    // The tests that this one depends on may have finished on another loop.
                    if commitsBeforeTests { commit?() }
                    let finished = await tests.run(
                        plan.tests[test], isNeeded: plan.isNeeded(test), in: dispatcher, on: executors[loop])
                    dispatcher.finish(
                        test, result: finished.result, captures: finished.captures, exchanges: finished.exchanges)
                    await gates?[loop].pass()
                }
            }
            let workers = min(max(1, options.jobs), plan.tests.count)
            for first in stride(from: 0, to: workers, by: Self.workersOfEachGroup) {
                running += 1
                tasks.addTask {
                    await withDiscardingTaskGroup { group in
                        for worker in first..<min(first + Self.workersOfEachGroup, workers) {
                            let loop = worker % executors.count
                            group.addTask(executorPreference: executors[loop]) { await work(loop) }
                        }
                    }
                    return .work
                }
            }
            tasks.addTask { [control] in .interruption(await control.wait()) }
            while running > 0, let part = await tasks.next() {
                switch part {
                case .work:
                    running -= 1
                case .interruption(let isInterrupted):
                    guard isInterrupted else { continue }
                    dispatcher.interrupt()
                    tasks.cancelAll()
                }
            }
            control.finish()
        }
        for notice in parts.snapshots.finish() { dispatcher.notify(notice, ofSnapshots: true) }
        let notices = (options.responses?.notices() ?? []) + (options.baseline?.notices() ?? [])
        for notice in notices { dispatcher.notify(notice) }
        let summary = dispatcher.end(coverages: parts.contracts.coverages)
        await parts.close()
        return summary
    }

    /// Returns the plan, with the digests of its suites if they are requested.
    private func planWithDigests(_ files: FileAccess) -> TestPlan {
        guard options.makesDigests else { return plan }
        var digests = SuiteDigests(files: files, workingDirectory: options.workingDirectory)
        var plan = plan
        plan.digests = plan.suites.map { digests.digest(of: $0) }
        return plan
    }
}

extension TestPlan {
    /// Returns the information about a run of the plan before it starts.
    ///
    /// - Parameter testCount: The number of results that reports count.
    func info(_ options: RunOptions, testCount: Int) -> RunInfo {
        RunInfo(
            suites: suites.indices.map(info(of:)), testCount: testCount, seed: options.seed, jobs: options.jobs,
            version: options.version, startTime: options.startTime, hostName: options.hostName,
            workingDirectory: options.workingDirectory, shard: options.shard, origin: options.origin,
            testCountOfShards: options.testCountOfShards)
    }
}
