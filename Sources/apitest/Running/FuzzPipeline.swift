import APITestKit
import Basics
import ContractTools
import Diagnostics
import FileSystem
import Glibc
import OpenAPI
import Output
import Reports
import RunModel
import Runner
import SuiteFormat

/// The steps of a fuzz run: read the description, search for faults, and report them.
struct FuzzPipeline {
    let command: ContractFuzzCommand
    let environment = ProcessEnvironment.variables()

    init(_ command: ContractFuzzCommand) {
        self.command = command
    }

    /// Searches for faults and reports them.
    ///
    /// - Returns: The exit status of the program.
    /// - Throws: ``ExitStatus`` if nothing can be sent. The error is printed.
    func run() async throws -> ExitStatus {
        var options = try command.options()
        let target = try FuzzTarget(command, environment: environment)
        let selected = target.description.operations.filter { options.takes($0) }
        guard !selected.isEmpty else {
            StandardError.write("no operation was selected: \(command.file) has none that matches\n")
            throw ExitStatus.nothingSelected
        }
        let trust = try command.connectionOptions.trust()
        let routes = try command.connectionOptions.routes()
        try command.outputOptions.checkReports(inputs: [command.file, target.file])
        let reporters = try command.outputOptions.reporters(
            color: command.descriptionOptions.color, environment: environment, authorities: trust.authorities,
            routes: routes, showsCoverage: false)
        let reports = ReportFanOut(reporters.all, showsExchanges: true)
        let record = try requestRecord()
        let runner = try CaseRunner(
            command, environment: environment, trust: trust, routes: routes,
            reports: [reports] + (record.map { [$0.reports] } ?? []), seed: options.seed)
        for secret in Self.secrets(of: options) { runner.send(.secretRegistered(secret)) }
        SignalWatcher.start { runner.interrupt() }
        var isComplete = true
        let summary = try await target.running(runner) { url in
            options.baseURL = url
            let info = info(of: target.description, options, runner)
            record?.start(info)
            let (outcome, began) = await search(target, options, runner, record)
            isComplete = write(outcome)
            return await RemoteRecords.sending(reporters.records, of: reports) {
                report(outcome, info, reports, runner, since: began)
            }
        }
        StandardOutput.flush()
        let errors =
            reports.finish() + (await reporters.records?.finish() ?? []) + (record?.finish(summary) ?? [])
        for error in errors { StandardError.write("apitest: \(error.message)\n") }
        if !isComplete { return .internalError }
        return summary.counts.total == 0 ? .nothingSelected : ExitStatus(of: summary, reportErrors: errors)
    }

    /// Searches for faults.
    ///
    /// - Returns: The outcome, and the start of the search on the monotonic clock.
    private func search(
        _ target: FuzzTarget, _ options: FuzzOptions, _ runner: CaseRunner, _ record: RequestRecord?
    ) async -> (FuzzRun.Outcome, Int64) {
        let began = RunClock.system.now()
        let run = FuzzRun(
            target.description, name: target.file, options: options, execution: { await runner.run($0) },
            time: { RunClock.system.now() }, isStopped: { runner.isInterrupted },
            observer: record.map { record in { record.add($0) } })
        let path = command.output.map { ContractGenerateCommand.relative(target.file, to: $0 + "/suite") }
        return (await run.run(contractPath: path ?? target.file), began)
    }

    /// Creates the record of all requests if there is to be one.
    ///
    /// - Throws: ``ExitStatus/invalid`` if it cannot be written. The error is printed.
    private func requestRecord() throws -> RequestRecord? {
        do throws(ReportError) {
            return try command.requests.map { path throws(ReportError) in try RequestRecord(path: path) }
        } catch {
            throw ExitStatus.invalid(because: error.message)
        }
    }

    /// Returns the information about the run, without the number of its tests.
    private func info(of description: OpenAPIDescription, _ options: FuzzOptions, _ runner: CaseRunner) -> RunInfo {
        let suite = SuiteInfo(
            index: 0, name: description.title.isEmpty ? "API" : description.title, path: command.file,
            baseURL: options.baseURL, testCount: 0)
        return RunInfo(
            suites: [suite], testCount: 0, seed: options.seed, jobs: CaseRunner.jobs, version: Apitest.version,
            startTime: runner.startTime, hostName: SystemInfo.hostName,
            workingDirectory: SystemInfo.workingDirectory, origin: RunOrigin(environment: environment))
    }

    /// Returns the values of header fields that may be credentials.
    private static func secrets(of options: FuzzOptions) -> [String] {
        (options.headers + options.identities.map(\.header)).flatMap {
            [$0.value] + ($0.value.split(separator: " ").last.map { [String($0)] } ?? [])
        }
        .filter { !SecretText.isUnmaskable($0) }
    }

    /// Writes the suites of the findings.
    ///
    /// - Returns: Whether all of them could be written. Errors are printed.
    private func write(_ outcome: FuzzRun.Outcome) -> Bool {
        guard let directory = command.output, !outcome.found.isEmpty else { return true }
        var isComplete = true
        mkdir(directory, 0o777)
        let working = Path.workingDirectory
        let formatter = SuiteFormatter(fileRoot: working, workingDirectory: working)
        for found in outcome.found {
            let path = "\(directory)/\(found.fileName)"
            let text = formatter.format(SourceFile(name: path, text: found.text)).text ?? Array(found.text.utf8)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o666)
            var problem = descriptor < 0 ? errno : 0
            if descriptor >= 0 {
                problem = FileDescriptorWriter.writeAll(text, to: descriptor) ?? 0
                close(descriptor)
            }
            if problem != 0 {
                isComplete = false
                StandardError.write("apitest: cannot write \"\(path)\": \(String(cString: strerror(problem)))\n")
            }
        }
        return isComplete
    }

    /// Sends the results to the reports.
    private func report(
        _ outcome: FuzzRun.Outcome, _ info: RunInfo, _ reports: ReportFanOut, _ runner: CaseRunner, since began: Int64
    ) -> RunSummary {
        for gap in outcome.gaps where !command.outputOptions.quiet {
            StandardError.write("not tested: \(gap.text)\n")
        }
        var info = info
        info.testCount = outcome.results.count
        info.suites[0].testCount = outcome.results.count
        info.suites[0].start = 0
        reports.send(.runStarted(info))
        reports.send(.suiteStarted(info.suites[0]))
        for message in outcome.unconfirmed {
            reports.send(
                .notice(
                    RunNotice(
                        severity: .note, suite: 0, message: "a fault did not occur again when its request was repeated",
                        details: [message])))
        }
        if !outcome.lessons.isEmpty, !command.outputOptions.quiet {
            reports.send(
                .notice(
                    RunNotice(
                        severity: .note, suite: 0,
                        message: "requests follow rules that the server enforces beyond its description",
                        details: outcome.lessons)))
        }
        var counts = OutcomeCounts()
        for result in outcome.results {
            counts.count(result)
            reports.send(.testStarted(result.test))
            reports.send(.testCompleted(result))
            reports.send(.testFinished(result))
        }
        let duration = RunClock.system.now() - began
        reports.send(.suiteFinished(SuiteSummary(suite: 0, counts: counts, duration: duration)))
        let summary = RunSummary(
            counts: counts, exchanges: outcome.requests, duration: duration, wasInterrupted: runner.isInterrupted)
        reports.send(.runFinished(summary))
        return summary
    }
}
