import Basics
import CEL
import Diagnostics
import Expectations
import Glibc
import HTTPSession
import Histogram
public import RunModel
public import SuiteModel

/// A runner of a load: it starts the suite's server, runs the setup once, repeats the tests, and judges the figures.
///
/// Every threshold is a test of the run, so all reports show it.
public struct LoadRunner: Sendable {
    /// The interval between two evaluations of `abort`, and of the figures for live output, in nanoseconds.
    private static let interval: Int64 = 1_000_000_000
    /// The maximum time that iterations in flight have to finish after an interruption, in nanoseconds.
    private static let grace: Int64 = 10_000_000_000

    private enum Part {
        case load
        case ticker
        case interruption(Bool)
    }

    private let plan: TestPlan
    private let profile: LoadProfile
    private let options: RunOptions
    private let shard: Shard?
    private let startDate: Double?
    /// The number of cases that judge the figures, 0 in a shard.
    private let caseCount: Int
    private let progressInterval: Int64?
    private let control: RunControl
    private let startMock: Runner.MockStarter
    private let sink: RunEventSink

    /// Creates a runner of one load.
    ///
    /// - Parameters:
    ///   - plan: The tests of one suite.
    ///   - profile: The profile of the whole load, with a model and a duration.
    ///   - shard: The part of the load to generate; nil for all of it. A shard evaluates no thresholds, because only the
    ///     figures of all shards together can meet them.
    ///   - startDate: The time at which the load starts, in seconds since 1970-01-01T00:00:00Z; nil to start at once.
    ///   - progressInterval: The time between two ``LoadEvent/progress(_:)`` events, in nanoseconds; nil for none. It is
    ///     rounded up to whole seconds.
    ///   - control: The handle for interrupting the load.
    ///   - startMock: Starts the mock server of a suite that declares one.
    ///   - sink: Receives the events.
    public init(
        plan: TestPlan, profile: LoadProfile, options: RunOptions, shard: Shard? = nil, startDate: Double? = nil,
        progressInterval: Int64? = nil,
        control: RunControl = RunControl(),
        startMock: @escaping Runner.MockStarter, sink: @escaping RunEventSink
    ) {
        self.plan = plan
        self.profile = profile
        let cases = LoadSummary(of: profile, in: plan).thresholdCount
        caseCount = shard == nil ? cases : 0
        var options = options
        options.shard = shard?.description
        options.testCountOfShards = shard == nil ? nil : cases
        self.options = options
        self.shard = shard
        self.startDate = startDate
        self.progressInterval = progressInterval
        self.control = control
        self.startMock = startMock
        self.sink = sink
    }

    /// Runs the load.
    ///
    /// - Returns: The summary that the last event carries.
    @concurrent public func run() async -> RunSummary {
        let began = options.clock.now()
        let owner = LoadOwner(sink: sink)
        let files = FileAccess(root: options.fileRoot, workingDirectory: options.workingDirectory)
        let parts = RunParts(
            plan: plan, options: options, loops: options.eventLoops ?? EventLoops.countForLoad,
            connections: profile.connections, files: files, owner: owner, mask: { nil },
            prepare: { _ in })
        if let secret = options.routes.secret { owner.registerSecret(secret) }
        for suite in parts.suites { suite.registerSecrets() }
        var info = plan.info(options, testCount: caseCount)
        info.suites[0].testCount = caseCount
        owner.emit(.runStarted(info))
        for suite in parts.suites { suite.reportUnmaskedSecrets() }
        var summary = await run(parts, owner)
        summary.counts = owner.counts
        summary.duration = options.clock.now() - began
        var suite = SuiteSummary(suite: 0, counts: owner.counts, duration: summary.duration)
        suite.hasServerError = summary.hasServerError
        owner.emit(.suiteFinished(suite))
        owner.emit(.runFinished(summary))
        control.finish()
        await parts.close()
        return summary
    }

    /// Runs the load between the start and the stop of the suite's server.
    private func run(_ parts: RunParts, _ owner: LoadOwner) async -> RunSummary {
        var summary = RunSummary(counts: OutcomeCounts(), exchanges: 0, duration: 0)
        let suite = parts.suites[0]
        var info = plan.info(of: 0)
        info.testCount = caseCount
        let secrets = SecretCommands.needed(by: plan, given: options.variables)
        var commands = SecretCommands(
            plan: plan, suites: parts.suites, contexts: parts.contexts,
            renderer: CommandRenderer(options: options, files: parts.files))
        let finding: Finding?
        if let secrets = secrets[0] {
            finding = await commands.resolve(secrets, ofSuite: 0)
        } else {
            finding = nil
        }
        var server: (any RunningServer)?
        do {
            if finding == nil, suite.suite.serve != nil { server = try await parts.servers(startMock).start(0) }
        } catch {
            owner.emit(.suiteStarted(info))
            fail(
                Finding(
                    kind: .error, subject: .serve, type: error.kind, message: error.message,
                    range: error.range, details: error.details), owner)
            summary.hasServerError = true
            return summary
        }
        if let server { suite.set(port: server.port) }
        do {
            try suite.resolveBaseURL(
                server: server?.baseURL, context: parts.contexts.context(forSuite: 0, directory: suite.suite.directory))
            info.baseURL = suite.baseURL
            owner.emit(.suiteStarted(info))
            if let finding { fail(finding, owner) } else { await runTests(parts, owner, &summary) }
        } catch {
            owner.emit(.suiteStarted(info))
            fail(
                Finding(
                    kind: .error, subject: "baseURL", type: .expression, message: error.message,
                    range: error.range), owner)
        }
        if let report = await server?.stop() {
            owner.emit(
                .notice(
                    RunNotice(
                        .serveEnded, severity: .error, suite: 0, message: report.message, details: report.details)))
            summary.hasServerError = true
        }
        return summary
    }

    /// Runs the setup, the load, and the teardown, and judges the figures.
    private func runTests(_ parts: RunParts, _ owner: LoadOwner, _ summary: inout RunSummary) async {
        let order = LoadOrder(plan)
        let environment = SetupEnvironment()
        var setup: (index: Int, captures: TestCaptures)?
        var isReady = true
        if let index = order.setup {
            let finished = await parts.tests.run(
                plan.tests[index], isNeeded: true, in: environment, on: parts.executors[0])
            setup = (index, finished.captures ?? TestCaptures())
            environment.set(finished.captures, of: index)
            summary.exchanges += finished.exchanges
            if !finished.result.outcome.isSuccess {
                owner.finish(finished.result)
                if case .skipped = finished.result.outcome {} else { isReady = false }
            }
        }
        if isReady {
            let result = await load(parts, owner, order: order, setup: setup)
            summary.exchanges += result.total.requests
            summary.wasInterrupted = owner.interruption != nil
            owner.emit(.load(.finished(result)))
            judge(result, owner)
        }
        if let index = order.teardown {
            let finished = await parts.tests.run(
                plan.tests[index], isNeeded: false, in: environment, on: parts.executors[0])
            summary.exchanges += finished.exchanges
            if finished.result.outcome.isFailure { owner.finish(finished.result) }
        }
    }

    /// Emits the results of the thresholds. A shard has only that of `abort`, because others need the figures of all shards.
    private func judge(_ summary: LoadSummary, _ owner: LoadOwner) {
        let results =
            shard == nil
            ? LoadVerdict.results(of: summary) : LoadVerdict.abortion(of: summary).map { [$0] } ?? []
        for result in results { owner.finish(result) }
    }

    /// Returns the start of the load, and warns if it is late.
    private func start(_ owner: LoadOwner) -> LoadStart {
        let start = LoadStart(at: startDate, time: options.clock.now(), date: WallClock.now())
        if start.lateness >= 1_000_000 {
            owner.warn(
                RunNotice(
                    .lateStart, severity: .warning, suite: 0,
                    message: "the load starts \(NanosecondsText.compact(start.lateness)) after the time of "
                        + "--start-at; choose a later time, so that all shards are ready"))
        }
        return start
    }

    /// Repeats the tests and returns the figures.
    private func load(
        _ parts: RunParts, _ owner: LoadOwner, order: LoadOrder, setup: (index: Int, captures: TestCaptures)?
    ) async -> LoadSummary {
        let begin = self.start(owner)
        let start = begin.time
        let schedule = LoadSchedule(level: profile.model?.level ?? 0, stages: profile.resolvedStages)
        let recorders = parts.executors.map { _ in LoadRecorder(start: start) }
        let stop = LoadEngine.StopFlag()
        let engine = LoadEngine(
            model: profile.model ?? .users(1), think: profile.think, schedule: schedule,
            share: LoadShare(shard), warmup: profile.warmup, order: order, setup: setup, runner: parts.tests,
            executors: parts.executors, recorders: recorders,
            clock: options.clock, start: start, stop: stop)
        let figures = LoadFigures(profile: profile, plan: plan, recorders: recorders, start: start)
        let processorTime = Self.processorTime()
        let abort = LoadEngine.StopFlag()
        await withTaskGroup(of: Part.self) { tasks in
            tasks.addTask {
                await engine.run()
                return .load
            }
            tasks.addTask {
                await tick(figures, owner, stop, abort)
                return .ticker
            }
            tasks.addTask { .interruption(await control.wait()) }
            while let part = await tasks.next() {
                switch part {
                case .load:
                    tasks.cancelAll()
                    control.finish()
                    return
                case .ticker: continue
                case .interruption(let isInterrupted):
                    guard isInterrupted else { continue }
                    owner.interrupt(at: options.clock.now())
                    stop.set()
                    tasks.addTask {
                        try? await options.clock.sleep(Self.grace)
                        return .ticker
                    }
                }
            }
        }
        let end = options.clock.now()
        if let second = figures.second(at: end) { owner.emit(.load(.second(second))) }
        var summary = figures.summary(at: min(end, start + schedule.duration))
        summary.processorTime = Self.processorTime() - processorTime
        summary.loops = parts.executors.count
        summary.startTime = begin.date
        summary.isCutShort = stop.isSet
        summary.isAborted = abort.isSet
        summary.invalidities = LoadVerdict.invalidities(of: summary, elapsed: end - start)
        // Another shard may have requests.
        if shard != nil { summary.invalidities.removeAll { $0 == .empty } }
        return summary
    }

    /// Emits the figures of each second, and ends the load when `abort` is met.
    private func tick(
        _ figures: LoadFigures, _ owner: LoadOwner, _ stop: LoadEngine.StopFlag, _ aborted: LoadEngine.StopFlag
    ) async {
        var next = figures.start + Self.interval
        var nextProgress = progressInterval.map { figures.start + $0 }
        while !stop.isSet {
            do { try await options.clock.sleep(max(0, next - options.clock.now())) } catch { return }
            next += Self.interval
            if let second = figures.second(at: options.clock.now()) { owner.emit(.load(.second(second))) }
            if let interval = progressInterval, let due = nextProgress, options.clock.now() >= due {
                nextProgress = max(due + interval, options.clock.now())
                owner.emit(.load(.progress(figures.progress)))
            }
            guard let abort = profile.abort else { continue }
            let summary = figures.summary(at: options.clock.now())
            guard summary.total.requests > 0, LoadVerdict.isMet(abort, summary) else { continue }
            aborted.set()
            stop.set()
        }
    }

    /// Emits the error of a suite whose load cannot start.
    private func fail(_ finding: Finding, _ owner: LoadOwner) {
        owner.finish(LoadVerdict.result("load", .errored, [finding], position: 0, range: plan.suites[0].range))
    }

    /// Returns the processor time of the program so far, in nanoseconds.
    private static func processorTime() -> Int64 {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
            sum + Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000
        }
    }
}

extension LoadProfile {
    /// The stages, or the one stage of a constant load.
    var resolvedStages: [Stage] { stages.isEmpty ? [Stage(duration: duration ?? 0)] : stages }
}

extension LoadProfile {
    /// The highest rate per second or number of users.
    public var highestLevel: Double { max(model?.level ?? 0, stages.compactMap(\.target).max() ?? 0) }

    /// The limits of the connections on each event loop.
    ///
    /// Each user has a connection. A load with a rate would otherwise open thousands of them while a server is slow, and
    /// run out of ports or files. Its requests wait for a connection instead, which their response times include.
    ///
    /// An event loop does not poll for a response if it has iterations to start meanwhile. Polling would delay them, and
    /// take the processor from a server on the same machine.
    var connections: NIOTransport.Settings {
        var settings = NIOTransport.Settings()
        if case .users? = model {
            settings.connectionsPerOrigin = max(settings.connectionsPerOrigin, Int(highestLevel))
            settings.pollsForResponse = think == 0
        } else {
            settings.pollsForResponse = false
        }
        return settings
    }
}
