import APITestKit
import Basics
import Diagnostics
import Expectations
import FileSystem
import Glibc
import Output
import Redaction
import Reports
import RunModel
import Runner
import SuiteLoader
import SuiteModel

/// Loads, selects and runs suites once, as the options of a run say; watching does it again and again.
struct RunPipeline {
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

    /// Runs suites to their end: load, select, plan, run, report, conclude.
    ///
    /// - Parameters:
    ///   - files: The suite files; nil for those that the paths stand for.
    ///   - control: The handle by which the run can be interrupted.
    /// - Returns: how the program would end.
    /// - Throws: an ``ExitStatus`` when nothing can be run, which is printed.
    func run(files: [String]? = nil, control: RunControl) async throws -> ExitStatus {
        let reporters = try outputOptions.reporters(
            color: suiteOptions.color, environment: environment, showsCoverage: coverage.showsAll)
        let loaded = try load(files)
        let selection = try select(from: loaded)
        let plan = try executionOptions.repeated(selection.plan)
        if isDryRun {
            StandardOutput.write(loaded.mask.masked(plan.textGraph()))
            return .passed
        }
        let (options, held) = try prepare(plan, loaded, testCountOfShards: selection.testCountOfShards)
        let reports = ReportFanOut(reporters, showsExchanges: showsExchanges)
        let summary = await execute(plan, options, control: control, reports)
        return held.finish(report(summary, of: plan, reports), mask: reports.masking())
    }

    /// Loads the suites, and makes sure that they may be run with these options.
    private func load(_ files: [String]?) throws -> LoadedSuites {
        let loaded = try suiteOptions.load(files: files)
        let suites = loaded.suites.suites
        try outputOptions.checkReports(inputs: suites.flatMap { [$0.path] + $0.fragmentFiles } + commonFiles)
        if !allowsOnly {
            let problems = OnlyCheck.problems(of: suites, environment: environment)
            suiteOptions.printDiagnostics(loaded.mask.masked(problems))
            if !problems.isEmpty { throw ExitStatus.invalid }
        }
        try coverage.check(suites)
        return loaded
    }

    /// Selects the tests, and tells what there is to say of it.
    private func select(from loaded: LoadedSuites) throws -> SelectedPlan.Result {
        let result = try selected.plan(of: loaded)
        if !outputOptions.quiet || result.plan.tests.isEmpty {
            for note in result.notes { StandardError.write(loaded.mask.masked(note) + "\n") }
        }
        return result
    }

    /// The options of a run, and the files that its results are held against.
    private func prepare(
        _ plan: TestPlan, _ loaded: LoadedSuites, testCountOfShards: Int?
    ) throws -> (RunOptions, HeldFiles) {
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
        options.testCountOfShards = testCountOfShards.map { $0 * (executionOptions.repeat ?? 1) }
        options.shuffles = executionOptions.shuffle
        options.timeout = try executionOptions.exchangeTimeout()
        var held = HeldFiles()
        let report = { suiteOptions.printDiagnostics(loaded.mask.masked($0)) }
        switch locking {
        case .none: break
        case .compare:
            options.responses = try LockedSuites(root: options.fileRoot).comparison(of: plan.suites, report: report)
        case .write(let mode):
            held.locks = try LockWriting(
                of: plan.suites, documents: loaded.suites.suites, root: options.fileRoot, mode: mode,
                isPartial: selected.options.isPartial || !loaded.places.isEmpty, environment: environment,
                report: report)
            options.responses = held.locks?.responses
        }
        if baselines.known != nil || baselines.written != nil {
            held.baseline = try BaselineUse(
                known: baselines.known, written: baselines.written, suites: plan.suites, time: options.startTime,
                report: report)
            options.baseline = held.baseline?.baseline
        }
        return (options, held)
    }

    /// Runs the plan, and hands its events to the reports.
    private func execute(
        _ plan: TestPlan, _ options: RunOptions, control: RunControl, _ reports: ReportFanOut
    ) async -> RunSummary {
        var options = options
        options.keepsExchanges = showsExchanges || reports.needs.contains(.exchanges)
        options.makesDigests = reports.needs.contains(.digests)
        options.keepsOutlines = reports.needs.contains(.outlines)
        return await Runner(
            plan: plan, options: options, control: control, startMock: MockStarter.start, mask: reports.masking,
            commit: reports.expectCommits() ? reports.commit : nil, prepare: reports.prepare, settle: reports.advance,
            sink: coverage.guarding(Self.sayingHowToRepeat(reports.post))
        ).run()
    }

    /// Ends the reports of a run; what one cannot write is printed.
    private func report(_ summary: RunSummary, of plan: TestPlan, _ reports: ReportFanOut) -> ExitStatus {
        StandardOutput.flush()
        LogMasking.maskLogs(ofServersIn: plan.suites, with: reports.mask)
        let errors = reports.finish()
        for error in errors { StandardError.write("apitest: \(error.message)\n") }
        return ExitStatus(of: coverage.judged(summary), reportErrors: errors)
    }

    /// Whether reports have the exchanges of steps that passed, also where they can do without.
    private var showsExchanges: Bool { outputOptions.verbosity > 0 }

    /// Hands events on, the last one with the arguments that a part of the run is repeated with.
    private static func sayingHowToRepeat(
        _ sink: @escaping @Sendable (RunEvent) -> Void
    ) -> @Sendable (RunEvent) -> Void {
        { event in
            guard case .runFinished(var summary) = event, summary.hasFailed else { return sink(event) }
            summary.repeatArguments = RepeatArguments(of: Array(CommandLine.arguments.dropFirst()))
            sink(.runFinished(summary))
        }
    }
}

/// Files that the results of a run are held against, or that are written of them.
private struct HeldFiles {
    /// The locks that are written.
    var locks: LockWriting?
    var baseline: BaselineUse?

    /// Writes what is to be written of a run.
    ///
    /// - Returns: how the program ends, when it would have ended with `status`.
    func finish(_ status: ExitStatus, mask: SnapshotMask?) -> ExitStatus {
        let status = locks?.finish(status, mask: mask) ?? status
        return baseline?.finish(status, mask: mask) ?? status
    }
}

extension ExitStatus {
    /// How the program ends after a run.
    init(of summary: RunSummary, reportErrors: [ReportError]) {
        self =
            summary.wasInterrupted
            ? .interrupted : !reportErrors.isEmpty ? .internalError : summary.hasFailed ? .failed : .passed
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
    /// Masks secrets in what the commands of `serve` have written to their logs.
    static func maskLogs(ofServersIn suites: [Suite], with mask: SecretMask) {
        var seen: Set<String> = []
        for suite in suites {
            guard case .command(let command) = suite.serve, let log = command.log, seen.insert(log).inserted else {
                continue
            }
            Self.mask(log, with: mask)
        }
    }

    /// The largest log that is masked, in bytes.
    private static let maximumSize = 256 << 20

    /// Rewrites a file in place if it holds a secret.
    private static func mask(_ path: String, with mask: SecretMask) {
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
