import APITestKit
import Basics
import ContractTools
import Diagnostics
import Expectations
import FileSystem
import Glibc
import OpenAPI
import Output
import Reports
import RunModel
import RunRecord
import Runner
import SuiteFormat
import SuiteLoader

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
        if let path = command.failed {
            let report = try PreviousRun.read(path, option: "--failed", color: command.descriptionOptions.color)
            guard report.cases.contains(where: \.verdict.needsAnotherRun) else {
                StandardError.write("nothing failed in \(path)\n")
                return .passed
            }
            options.titles = Self.titles(of: target.description.operations, failedIn: report)
        }
        let selected = target.description.operations.filter { options.takes($0) }
        guard !selected.isEmpty else {
            throw ExitStatus.nothingSelected(
                because: "no operation was selected: \(command.file) has none that matches")
        }
        let trust = try command.connectionOptions.trust()
        let routes = try command.connectionOptions.routes()
        let directory = Path.normalized(Path.absolute(command.output ?? ".", in: Path.workingDirectory))
        let login = try command.auth.map { try LoginTest($0, command, environment: environment) }
        let replayed = try login?.replayed(
            in: directory, target.description, color: command.descriptionOptions.color)
        options.login = replayed?.login
        options.environment = Set(environment.keys)
        options.server = target.server(in: directory)
        let inputs = [command.file, target.file] + [login?.path, command.baseline].compactMap { $0 }
        try command.outputOptions.checkReports(inputs: inputs)
        let reporters = try command.outputOptions.reporters(
            color: command.descriptionOptions.color, environment: environment, authorities: trust.authorities,
            routes: routes, showsCoverage: false)
        let reports = ReportFanOut(reporters.all, showsExchanges: true)
        let record = try requestRecord(inputs: inputs)
        let runner = try CaseRunner(
            command, environment: environment, trust: trust, routes: routes,
            reports: [reports] + (record.map { [$0.reports] } ?? []), seed: options.seed)
        for secret in Self.secrets(of: options) + (login?.secretValues ?? []) {
            runner.send(.secretRegistered(secret))
        }
        let baseline = try baseline(of: target.description, since: runner.startTime)
        SignalWatcher.start { runner.interrupt() }
        var isComplete = true
        let summary = try await target.running(runner) { url in
            options.baseURL = url
            let began = RunClock.system.now()
            let info = info(of: target.description, options, runner)
            record?.start(info)
            let session = login.flatMap { test in options.login.map { LoginSession(test, $0, baseURL: url) } }
            var outcome: FuzzRun.Outcome
            if let failed = try await session?.start(runner) {
                outcome = FuzzRun.Outcome(results: failed, requests: failed.reduce(0) { $0 + $1.steps.count })
            } else {
                outcome = await search(target, options, runner, session, record)
                await runner.closeConnections()
                isComplete = write(outcome, login: replayed?.file)
                baseline?.baseline.apply(to: &outcome, file: file, mask: reports.masking())
            }
            let notices = [session?.notice].compactMap { $0 } + (baseline?.baseline.notices() ?? [])
            return await RemoteRecords.sending(reporters.records, of: reports) {
                report(outcome, notices, info, reports, runner, since: began)
            }
        }
        StandardOutput.flush()
        let errors =
            reports.finish() + (await reporters.records?.finish() ?? []) + (record?.finish(summary) ?? [])
        for error in errors { StandardError.report(error.id, error.message) }
        if !isComplete { return .internalError }
        let status = summary.counts.total == 0 ? .nothingSelected : ExitStatus(of: summary, reportErrors: errors)
        // The findings are masked already, except for the words of the program.
        return baseline?.finish(status, mask: nil) ?? status
    }

    /// The absolute path of the file that names the tests.
    private var file: String {
        Path.normalized(Path.absolute(command.file, in: Path.real(Path.workingDirectory) ?? Path.workingDirectory))
    }

    /// Reads the baseline files, if any.
    private func baseline(of description: OpenAPIDescription, since time: Double) throws -> BaselineUse? {
        guard command.baseline != nil || command.writeBaseline != nil else { return nil }
        let titles = description.operations.map(\.title)
        return try BaselineUse(
            known: command.baseline, written: command.writeBaseline,
            report: command.descriptionOptions.printDiagnostics
        ) { known, path in
            Baseline(known: known, path: path, file: file, time: time) { test in
                titles.contains { test.hasPrefix("\($0) › ") }
            }
        }
    }

    /// Returns the operations that did not pass in a report.
    private static func titles(of operations: [OpenAPI.Operation], failedIn report: PreviousReport) -> Set<String> {
        let names = report.cases.filter(\.verdict.needsAnotherRun).map(\.name)
        return Set(operations.map(\.title)).filter { title in
            names.contains { $0 == title || $0.hasPrefix("\(title) › ") }
        }
    }

    /// Searches for faults.
    ///
    /// - Parameter login: The login that provides the credentials, if any.
    private func search(
        _ target: FuzzTarget, _ options: FuzzOptions, _ runner: CaseRunner, _ login: LoginSession?,
        _ record: RequestRecord?
    ) async -> FuzzRun.Outcome {
        let run = FuzzRun(
            target.description, name: target.file, options: options,
            execution: { await runner.run($0, login, completed: $1) },
            time: { RunClock.system.now() }, isStopped: { runner.isInterrupted },
            observer: record.map { record in { record.add($0) } })
        let path = command.output.map { ContractGenerateCommand.relative(target.file, to: $0 + "/suite") }
        return await run.run(contractPath: path ?? target.file)
    }

    /// Creates the record of all requests if there is to be one.
    ///
    /// - Parameter inputs: The paths of the files that the run reads, which the record must not overwrite.
    /// - Throws: ``ExitStatus/invalid`` if it cannot be written. The error is printed.
    private func requestRecord(inputs: [String]) throws -> RequestRecord? {
        guard let path = command.requests else { return nil }
        do throws(ReportError) {
            try RequestedReports(["json=\(path)"]).check(inputs: inputs)
            return try RequestRecord(path: path)
        } catch {
            throw ExitStatus.invalid(error.id, because: error.message)
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
    /// - Parameter login: The name and the text of the file with their login, if they need one.
    /// - Returns: Whether all of them could be written. Errors are printed.
    private func write(_ outcome: FuzzRun.Outcome, login: (name: String, text: String)?) -> Bool {
        guard let directory = command.output, !outcome.found.isEmpty else { return true }
        let files = outcome.found.map { (name: $0.fileName, text: $0.text) } + (login.map { [$0] } ?? [])
        var isComplete = true
        mkdir(directory, 0o777)
        let working = Path.workingDirectory
        let formatter = SuiteFormatter(fileRoot: working, workingDirectory: working)
        for file in files {
            let path = "\(directory)/\(file.name)"
            let text = formatter.format(SourceFile(name: path, text: file.text)).text ?? Array(file.text.utf8)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o666)
            var problem = descriptor < 0 ? errno : 0
            if descriptor >= 0 {
                problem = FileDescriptorWriter.writeAll(text, to: descriptor) ?? 0
                close(descriptor)
            }
            if problem != 0 {
                isComplete = false
                StandardError.report(
                    .unwritableFile, "cannot write \"\(path)\": \(String(cString: strerror(problem)))")
            }
        }
        if login != nil, let first = files.first {
            checkLogin(ofSuite: "\(directory)/\(first.name)", in: working)
        }
        return isComplete
    }

    /// Prints the problems of a suite whose login cannot be repeated outside of the suite where it is written.
    private func checkLogin(ofSuite path: String, in directory: String) {
        var options = LoaderOptions(fileRoot: directory, workingDirectory: directory)
        options.processEnvironment = environment
        let errors = SuiteLoader(options: options).load(paths: [path]).diagnostics.filter { $0.severity == .error }
        guard !errors.isEmpty else { return }
        command.descriptionOptions.printDiagnostics(errors)
        StandardError.warn(
            .unrepeatableLogin,
            "the suites of the findings cannot repeat the login: write it as a fragment in a file of its own, "
                + "and pass that to --auth")
    }

    /// Sends the results to the reports.
    private func report(
        _ outcome: FuzzRun.Outcome, _ notices: [RunNotice], _ info: RunInfo, _ reports: ReportFanOut,
        _ runner: CaseRunner, since began: Int64
    ) -> RunSummary {
        for gap in outcome.gaps where !command.outputOptions.quiet {
            StandardError.write("not tested: \(gap.text) [\(NoticeID.notTested.rawValue)]\n")
        }
        var info = info
        info.testCount = outcome.results.count
        info.suites[0].testCount = outcome.results.count
        info.suites[0].start = 0
        reports.send(.runStarted(info))
        reports.send(.suiteStarted(info.suites[0]))
        for notice in outcome.notices(isQuiet: command.outputOptions.quiet) { reports.send(.notice(notice)) }
        for notice in notices { reports.send(.notice(notice)) }
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

extension Baseline {
    /// Marks the known findings of a fuzz run.
    ///
    /// - Parameters:
    ///   - file: The absolute path of the file that names the tests.
    ///   - mask: The mask for secrets; `nil` if there are none.
    fileprivate func apply(to outcome: inout FuzzRun.Outcome, file: String, mask: SnapshotMask?) {
        for name in outcome.passes { note(test: name.masked(mask), of: file) }
        for (position, identity) in outcome.identities {
            apply(
                to: &outcome.results[position],
                key: FindingKey(
                    suite: file, test: identity.test.masked(mask), subject: identity.check, type: identity.check,
                    message: identity.message.masked(mask)))
        }
    }
}

extension MessageText {
    /// Returns the text with the secrets in its data masked.
    fileprivate func masked(_ mask: SnapshotMask?) -> String {
        guard let mask else { return text }
        var result = ""
        var position = 0
        let bytes = Array(text.utf8)
        for range in data {
            result += String(decoding: bytes[position..<range.lowerBound], as: UTF8.self)
            result += mask(String(decoding: bytes[range], as: UTF8.self))
            position = range.upperBound
        }
        return result + String(decoding: bytes[position...], as: UTF8.self)
    }
}
