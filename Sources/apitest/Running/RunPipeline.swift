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

/// The steps of a single run: load suites, select tests, and run them.
///
/// Watch mode repeats them.
struct RunPipeline {
    /// The treatment of response shapes in a run.
    private enum Locking {
        case none
        /// Validates them against response locks.
        case compare
        /// Writes response locks from them.
        case write(LockWriting.Mode)
    }

    let suiteOptions: SuiteOptions
    let executionOptions: ExecutionOptions
    let outputOptions: OutputOptions
    let coverage: CoverageGate
    let isDryRun: Bool
    let allowsOnly: Bool
    /// The treatment of response shapes.
    private let locking: Locking
    /// The paths of the baseline to read and of the one to write.
    private let baselines: (known: String?, written: String?)
    private let environment: [String: String]
    private let trust: TrustOptions
    private let routes: RunRoutes
    private let selected: SelectedPlan

    /// Creates the pipeline of a run and checks its options.
    ///
    /// - Throws: ``ExitStatus/invalid`` if an option is invalid. The error is printed.
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

    /// Creates the pipeline of a run that writes response locks, and checks its options.
    ///
    /// - Throws: ``ExitStatus/invalid`` if an option is invalid. The error is printed.
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

    /// The paths of input files shared by all suites, as given by the user.
    var commonFiles: [String] { suiteOptions.variablesFile + [baselines.known].compactMap { $0 } }

    /// Returns the absolute path of the response lock of a suite file, or `nil` if responses are not validated.
    func lock(ofSuiteFile path: String) -> String? {
        guard case .compare = locking else { return nil }
        return LockFile.path(ofSuite: path)
    }

    /// Runs suites: loads them, selects tests, executes the plan, and reports the results.
    ///
    /// - Parameters:
    ///   - files: The suite files, or `nil` for the files of the paths.
    ///   - control: A handle to interrupt the run.
    /// - Returns: The exit status of the program.
    /// - Throws: ``ExitStatus`` if nothing can be run. The error is printed.
    func run(files: [String]? = nil, control: RunControl) async throws -> ExitStatus {
        let reporters = try outputOptions.reporters(
            color: suiteOptions.color, environment: environment, authorities: trust.authorities, routes: routes,
            showsCoverage: coverage.showsAll, shard: selected.shard?.shard)
        let loaded = try load(files)
        let selection = try select(from: loaded)
        let plan = try executionOptions.repeated(selection.plan)
        if isDryRun {
            StandardOutput.write(plan.textGraph(masking: loaded.mask.masked))
            return .passed
        }
        executionOptions.raiseOpenFiles(
            tests: plan.tests.count,
            isServed: plan.suites.contains { if case .mock? = $0.serve { true } else { false } })
        let (options, held) = try prepare(plan, loaded, testCountOfShards: selection.testCountOfShards)
        let reports = ReportFanOut(reporters.all, showsExchanges: showsExchanges)
        let summary = await RemoteRecords.sending(reporters.records, of: reports) {
            await execute(plan, options, control: control, reports)
        }
        let status = await report(summary, of: plan, reports, reporters.records)
        return held.finish(status, mask: reports.masking())
    }

    /// Loads the suites and checks that they can be run with the options.
    private func load(_ files: [String]?) throws -> LoadedSuites {
        let loaded = try suiteOptions.load(files: files)
        let suites = loaded.suites.suites
        try outputOptions.checkReports(
            inputs: suites.flatMap { [$0.path] + $0.fragmentFiles } + commonFiles, shard: selected.shard?.shard)
        if !allowsOnly {
            let problems = OnlyCheck.problems(of: suites, environment: environment)
            suiteOptions.printDiagnostics(loaded.mask.masked(problems))
            if !problems.isEmpty { throw ExitStatus.invalid }
        }
        try coverage.check(suites)
        return loaded
    }

    /// Selects the tests and prints notes about the selection.
    private func select(from loaded: LoadedSuites) throws -> SelectedPlan.Result {
        let result = try selected.plan(of: loaded)
        if !outputOptions.quiet || result.plan.tests.isEmpty {
            for note in result.notes { StandardError.write(note + "\n") }
        }
        return result
    }

    /// Returns the options of a run, and the files that its results are compared with or written to.
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
        options.outputDirectory = Path.absolute(outputOptions.outputDir, in: SystemInfo.workingDirectory)
        options.hostName = SystemInfo.hostName
        options.workingDirectory = SystemInfo.workingDirectory
        options.origin = RunOrigin(environment: environment, revision: outputOptions.historyOptions.revision)
        options.shard = selected.shard?.shard.description
        options.testCountOfShards = testCountOfShards.map { $0 * (executionOptions.repeat ?? 1) }
        options.shuffles = executionOptions.shuffle
        options.timeout = try executionOptions.exchangeTimeout()
        options.rate = try executionOptions.requestRate()
        var held = HeldFiles()
        let report = { suiteOptions.printDiagnostics(loaded.mask.masked($0)) }
        switch locking {
        case .none: break
        case .compare:
            options.responses = try LockedSuites(root: options.fileRoot).comparison(of: plan.suites, report: report)
        case .write(let mode):
            held.locks = try LockWriting(
                of: plan.suites, documents: loaded.suites.suites, root: options.fileRoot, mode: mode,
                isPartial: selected.options.isPartial || !loaded.locations.isEmpty, environment: environment,
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

    /// Executes the plan and delivers its events to the reports.
    private func execute(
        _ plan: TestPlan, _ options: RunOptions, control: RunControl, _ reports: ReportFanOut
    ) async -> RunSummary {
        var options = options
        options.keepsExchanges = showsExchanges || reports.needs.contains(.exchanges)
        options.makesDigests = reports.needs.contains(.digests)
        options.keepsOutlines = reports.needs.contains(.outlines)
        return await Runner(
            plan: plan, options: options, control: control, startMock: MockStarter.start, mask: reports.masking,
            commit: reports.expectCommits() ? reports.commit : nil, prepare: reports.prepare,
            runDeferred: reports.advance,
            sink: coverage.guarding(Self.sayingHowToRepeat(reports.post))
        ).run()
    }

    /// Finishes the reports of a run.
    ///
    /// Write errors are printed.
    private func report(
        _ summary: RunSummary, of plan: TestPlan, _ reports: ReportFanOut, _ records: RemoteRecords?
    ) async -> ExitStatus {
        StandardOutput.flush()
        LogMasking.maskLogs(ofServersIn: plan.suites, with: reports.mask)
        let errors = reports.finish() + (await records?.finish() ?? [])
        for error in errors { StandardError.report(error.id, error.message) }
        return ExitStatus(of: coverage.judged(summary), reportErrors: errors)
    }

    /// Whether reports include the exchanges of passed steps, even if they do not need them.
    private var showsExchanges: Bool { outputOptions.verbosity > 0 }

    /// Returns a sink that adds the arguments for a partial rerun to the last event.
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

/// The files that the results of a run are compared with or written to.
private struct HeldFiles {
    /// The response locks to write.
    var locks: LockWriting?
    var baseline: BaselineUse?

    /// Writes the files of a run.
    ///
    /// - Parameter status: The exit status of the run itself.
    /// - Returns: The exit status of the program.
    func finish(_ status: ExitStatus, mask: SnapshotMask?) -> ExitStatus {
        let status = locks?.finish(status, mask: mask) ?? status
        return baseline?.finish(status, mask: mask) ?? status
    }
}

extension ExitStatus {
    /// Creates the exit status of a run.
    init(of summary: RunSummary, reportErrors: [ReportError]) {
        self =
            summary.wasInterrupted
            ? .interrupted : !reportErrors.isEmpty ? .internalError : summary.hasFailed ? .failed : .passed
    }
}

/// A check that prevents `only` from excluding tests in CI, where this would go unnoticed.
enum OnlyCheck {
    /// Returns a problem for each test with `only` if the environment indicates continuous integration.
    static func problems(of suites: [Suite], environment: [String: String]) -> [Diagnostic] {
        guard ProcessEnvironment.isContinuousIntegration(environment) else { return [] }
        return suites.flatMap { suite in
            suite.tests.filter(\.isOnly).map { test in
                Diagnostic(
                    id: "only-in-ci",
                    message: "\"only\" of the test \"\(test.name)\" excludes other tests, and CI is set",
                    range: test.range, suggestion: "remove \"only\", or pass --allow-only")
            }
        }
    }
}

/// The masking of secrets in logs written by other programs.
enum LogMasking {
    /// Masks secrets in the logs of `serve` commands.
    static func maskLogs(ofServersIn suites: [Suite], with mask: SecretMask) {
        var seen: Set<String> = []
        for suite in suites {
            guard case .command(let command) = suite.serve, let log = command.log, seen.insert(log).inserted else {
                continue
            }
            Self.mask(log, with: mask)
        }
    }

    /// The maximum size in bytes of a log to mask.
    private static let maximumSize = 256 << 20

    /// Rewrites a file in place if it contains a secret.
    private static func mask(_ path: String, with mask: SecretMask) {
        guard !mask.isEmpty else { return }
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return }
        let size = Int(information.st_size)
        guard size <= maximumSize else {
            StandardError.warn(.unmaskedLog, "the log \(path) is too large to mask secrets in it")
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
