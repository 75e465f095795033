import APITestKit
import Basics
import Diagnostics
import Expectations
import FileSystem
import Glibc
import Reports
import RunModel
import Runner
import SuiteLoader
import SuiteModel

/// Loads, selects and runs suites once, as the options of a run say; watching does it again and again.
struct RunCycle {
    /// What a run does with the shapes of responses.
    private enum Locking {
        case none
        /// They are held against locks.
        case compare
        /// Locks are made of them.
        case write(LockWriting.Mode)
    }

    let suiteOptions: SuiteOptions
    let executionOptions: ExecutionOptions
    let outputOptions: OutputOptions
    let coverage: CoverageGate
    let isDryRun: Bool
    let allowsOnly: Bool
    /// What is done with the shapes of responses.
    private let locking: Locking
    /// The paths of the file of known findings, and of the one that is written.
    private let baselines: (known: String?, written: String?)
    private let environment: [String: String]
    private let trust: RunTrust
    private let routes: RunRoutes
    private let selected: SelectedPlan

    /// Checks the options.
    ///
    /// - Throws: ``ExitStatus/invalid`` when one is wrong, which is printed.
    init(_ command: RunCommand) throws {
        suiteOptions = command.suiteOptions
        executionOptions = command.executionOptions
        outputOptions = command.outputOptions
        coverage = command.coverageOptions.gate
        isDryRun = command.dryRun
        allowsOnly = command.allowOnly
        locking = command.locked ? .compare : .none
        baselines = (command.baseline, command.writeBaseline)
        environment = ProcessEnvironment.variables()
        trust = try command.connectionOptions.trust()
        routes = try command.connectionOptions.routes()
        selected = try SelectedPlan(command.selectionOptions, color: command.suiteOptions.color)
    }

    /// Checks the options of a command that writes locks.
    ///
    /// - Throws: ``ExitStatus/invalid`` when one is wrong, which is printed.
    init(_ command: LockCommand) throws {
        suiteOptions = command.suiteOptions
        executionOptions = command.executionOptions
        outputOptions = command.outputOptions
        coverage = CoverageGate()
        isDryRun = false
        allowsOnly = command.allowOnly
        baselines = (nil, nil)
        locking = .write(command.update ? .update : command.replace ? .replace : .compare)
        environment = ProcessEnvironment.variables()
        trust = try command.connectionOptions.trust()
        routes = try command.connectionOptions.routes()
        selected = try SelectedPlan(command.selectionOptions, color: command.suiteOptions.color)
    }

    /// The files of every run, beside those that suites are made of, as their paths were given.
    var commonFiles: [String] { suiteOptions.variablesFile + [baselines.known].compactMap { $0 } }

    /// The lock that the responses of a suite file are held against, absolute; nil when they are not.
    func lock(ofSuiteFile path: String) -> String? {
        guard case .compare = locking else { return nil }
        return LockFile.path(ofSuite: path)
    }

    /// Runs suites to their end.
    ///
    /// - Parameters:
    ///   - files: The suite files; nil for those that the paths stand for.
    ///   - control: The handle by which the run can be interrupted.
    /// - Returns: how the program would end.
    /// - Throws: an ``ExitStatus`` when nothing can be run, which is printed.
    func run(files: [String]? = nil, control: RunControl) async throws -> ExitStatus {
        let reporters = try outputOptions.reporters(
            color: suiteOptions.color, environment: environment, showsCoverage: coverage.showsAll)
        let loaded = try suiteOptions.load(files: files)
        try outputOptions.checkReports(
            inputs: loaded.suites.suites.flatMap { [$0.path] + $0.fragmentFiles } + commonFiles)
        if !allowsOnly {
            let problems = OnlyCheck.problems(of: loaded.suites.suites, environment: environment)
            suiteOptions.printDiagnostics(loaded.mask.masked(problems))
            if !problems.isEmpty { throw ExitStatus.invalid }
        }
        try coverage.check(loaded.suites.suites)
        let result = try selected.plan(of: loaded)
        if !outputOptions.quiet || result.plan.tests.isEmpty {
            for note in result.notes { StandardError.write(loaded.mask.masked(note) + "\n") }
        }
        let plan = try executionOptions.repeated(result.plan)
        if isDryRun {
            StandardOutput.write(loaded.mask.masked(plan.textGraph()))
            return .passed
        }
        var options = try options(loaded)
        options.testCountOfShards = result.testCountOfShards.map { $0 * (executionOptions.repeat ?? 1) }
        let report = { suiteOptions.printDiagnostics(loaded.mask.masked($0)) }
        var writing: LockWriting?
        switch locking {
        case .none: break
        case .compare:
            options.responses = try LockedSuites(root: options.fileRoot).comparison(of: plan.suites, report: report)
        case .write(let mode):
            writing = try LockWriting(
                of: plan.suites, documents: loaded.suites.suites, root: options.fileRoot, mode: mode,
                isPartial: selected.options.isPartial || !loaded.places.isEmpty, environment: environment,
                report: report)
            options.responses = writing?.responses
        }
        var known: BaselineUse?
        if baselines.known != nil || baselines.written != nil {
            known = try BaselineUse(
                known: baselines.known, written: baselines.written, suites: plan.suites, time: options.startTime,
                report: report)
            options.baseline = known?.baseline
        }
        return await PlanExecution(
            plan: plan, options: options, control: control, showsExchanges: outputOptions.verbosity > 0,
            coverage: coverage,
            repeatArguments: {
                RepeatArguments(of: Array(CommandLine.arguments.dropFirst()))
            },
            afterwards: { status, mask in
                let status = writing?.finish(status, mask: mask) ?? status
                return known?.finish(status, mask: mask) ?? status
            }
        ).run(reporters)
    }

    private func options(_ loaded: LoadedSuites) throws -> RunOptions {
        var options = RunOptions(
            jobs: executionOptions.jobs, failFast: executionOptions.failFast, retries: executionOptions.retries,
            seed: executionOptions.seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
            variables: loaded.variables,
            snapshots: SnapshotMode(updates: outputOptions.updateSnapshots, environment: environment),
            fileRoot: suiteOptions.absoluteFileRoot, trust: trust, routes: routes, environment: environment,
            startTime: WallClock.now(), version: Apitest.version)
        options.hostName = SystemFacts.hostName
        options.workingFolder = SystemFacts.workingFolder
        options.origin = RunOrigin(environment: environment, revision: outputOptions.historyOptions.revision)
        options.shard = selected.options.shard
        options.shuffles = executionOptions.shuffle
        options.timeout = try executionOptions.exchangeTimeout()
        return options
    }
}

/// Runs a plan with reporters, and says how the program ends.
struct PlanExecution {
    let plan: TestPlan
    let options: RunOptions
    let control: RunControl
    /// Whether reports have the exchanges of steps that passed, also where they can do without.
    let showsExchanges: Bool
    /// How much of the suites' contracts is enough.
    var coverage = CoverageGate()
    /// The arguments by which reports say how tests are run again.
    var repeatArguments: @Sendable () -> RepeatArguments = { RepeatArguments() }
    /// What is done after a run, with its status and what masks secrets; it says how the program ends.
    var afterwards: ((ExitStatus, SnapshotMask?) -> ExitStatus)?

    /// Runs the plan; what a report cannot write is printed.
    func run(_ reporters: [any Reporter]) async -> ExitStatus {
        let fanOut = ReportFanOut(reporters, showsExchanges: showsExchanges)
        var options = options
        options.keepsExchanges = showsExchanges || fanOut.needs.contains(.exchanges)
        options.makesDigests = fanOut.needs.contains(.digests)
        options.keepsOutlines = fanOut.needs.contains(.outlines)
        let summary = await Runner(
            plan: plan, options: options, control: control, startMock: MockStarter.start, mask: fanOut.masking,
            commit: fanOut.expectCommits() ? fanOut.commit : nil, prepare: fanOut.prepare, settle: fanOut.advance,
            sink: coverage.guarding(sayingHowToRepeat(fanOut.post))
        ).run()
        StandardOutput.flush()
        maskLogs(with: fanOut.mask)
        let errors = fanOut.finish()
        for error in errors { StandardError.write("apitest: \(error.message)\n") }
        let status = Self.status(of: coverage.judged(summary), reportErrors: errors)
        return afterwards?(status, fanOut.masking()) ?? status
    }

    /// Hands events on, the last one with the arguments that a part of the run is repeated with.
    private func sayingHowToRepeat(_ sink: @escaping @Sendable (RunEvent) -> Void) -> @Sendable (RunEvent) -> Void {
        { [repeatArguments] event in
            guard case .runFinished(var summary) = event, summary.hasFailed else { return sink(event) }
            summary.repeatArguments = repeatArguments()
            sink(.runFinished(summary))
        }
    }

    /// Masks secrets in what the commands of `serve` have written to their logs.
    private func maskLogs(with mask: SecretMask) {
        var seen: Set<String> = []
        for suite in plan.suites {
            guard case .command(let command) = suite.serve, let log = command.log, seen.insert(log).inserted else {
                continue
            }
            LogMasking.mask(log, with: mask)
        }
    }

    /// How the program ends after a run.
    static func status(of summary: RunSummary, reportErrors: [ReportError]) -> ExitStatus {
        if summary.wasInterrupted { return .interrupted }
        if !reportErrors.isEmpty { return .internalError }
        return summary.hasFailed ? .failed : .passed
    }
}

/// Refuses a run of which `only` would leave tests out where nobody looks on.
enum OnlyCheck {
    /// What is wrong with running suites where the environment says that this is a service of continuous integration.
    static func problems(of suites: [Suite], environment: [String: String]) -> [Diagnostic] {
        guard let value = environment["CI"], !["", "0", "false"].contains(value) else { return [] }
        return suites.flatMap { suite in
            suite.tests.filter(\.isOnly).map { test in
                Diagnostic(
                    id: "only-in-ci",
                    message: "\"only\" of the test \"\(test.name)\" leaves out other tests, where CI is set",
                    range: test.range, suggestion: "remove \"only\", or allow it with --allow-only")
            }
        }
    }
}

/// Masks secrets in a log that another program has written.
enum LogMasking {
    /// The largest log that is masked, in bytes.
    private static let maximumSize = 256 << 20

    /// Rewrites a file in place if it holds a secret.
    static func mask(_ path: String, with mask: SecretMask) {
        guard !mask.isEmpty else { return }
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return }
        let size = Int(information.st_size)
        guard size <= maximumSize else {
            StandardError.write("apitest: the log \(path) is too large for secrets to be masked in it\n")
            return
        }
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        bytes.withUnsafeMutableBytes { buffer in
            while count < size {
                let result = pread(file, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
                if result > 0 { count += result } else if result == 0 || errno != EINTR { return }
            }
        }
        bytes.removeLast(size - count)
        guard let masked = mask.masked(bytes) else { return }
        guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else { return }
        _ = FileDescriptorWriter.writeAll(masked, to: file)
    }
}
