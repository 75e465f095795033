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
import SuiteLoader
import Synchronization

/// The `apitest contract fuzz FILE --url URL` command.
struct ContractFuzzCommand: Command {
    static let description = CommandDescription(
        name: "fuzz", abstract: "Search a server for faults that its OpenAPI description reveals",
        discussion: """
            Sends valid, unusual and invalid requests that are derived from the description, and reports only what an \
            exchange proves. Each finding is confirmed twice and written as a suite that fails until the fault is fixed. \
            The requests create, change and delete resources: use a test server. Exit status: 0 no fault was found; \
            1 a fault was found; 2 the description or an option is invalid; 3 no operation was selected.
            """)

    var file = ""
    var url: String?
    var phases: [String] = []
    var duration: String?
    var cases: Int?
    var seed: UInt64?
    var rate: String?
    var operation: [String] = []
    var checks: [String] = []
    var excludeChecks: [String] = []
    var header: [String] = []
    var identity: [String] = []
    var maxResponseTime: String?
    var output: String?
    var strict = false
    var descriptionOptions = DescriptionOptions()
    var outputOptions = OutputOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .argument(
                "file", \.file, isRequired: true, "Main file of the description",
                completion: .files(["yaml", "yml", "json"])),
            .option("url", \.url, "URL of the server, which replaces the servers of the description"),
            .option(
                "phases", value: "list", \.phases,
                "Phases to run: " + FuzzPhase.allCases.map(\.rawValue).joined(separator: ", ")),
            .option("for", value: "duration", \.duration, "Time for random requests, such as 30s or 2m"),
            .option("cases", value: "n", \.cases, "Number of random requests for each operation (default: 100)"),
            .option("seed", \.seed, "Seed for random values, printed in reports"),
            .option("rate", \.rate, "Maximum rate of requests, such as 50/s or 300/m"),
            .option(
                "operation", \.operation,
                "Test only this operation: its operationId, or \"GET /books/*\""),
            .option("checks", value: "list", \.checks, "Make only these checks (default: all)"),
            .option("exclude-checks", value: "list", \.excludeChecks, "Do not make these checks"),
            .option("header", value: "name: value", \.header, "Header field of all requests"),
            .option(
                "identity", value: "name=header", \.identity,
                "Header field of a user; a second one must not see objects of the first"),
            .option(
                "max-response-time", value: "duration", \.maxResponseTime,
                "Time after which a response is a fault, such as 2s"),
            .option(
                "output", short: "o", value: "directory", \.output, "Directory for the suites of the findings",
                completion: .directories),
            .flag("strict", \.strict, "Reject a description with any error, even in parts that no request uses"),
            .group(\.descriptionOptions),
            .group(\.outputOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        _ = try options()
        _ = try perSecond()
        if output == "" { throw UsageError("--output: must not be empty") }
    }

    func run() async throws {
        throw try await FuzzPipeline(self).run()
    }

    /// Returns the options of the run.
    ///
    /// - Throws: ``UsageError`` if one is invalid.
    func options() throws -> FuzzOptions {
        guard let url else { throw UsageError("--url is required: the requests change data, so name a test server") }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw UsageError("--url \(url): must start with http:// or https://")
        }
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        var options = FuzzOptions(baseURL: base)
        if !phases.isEmpty { options.phases = Set(try Self.values(phases, "--phases")) }
        if !checks.isEmpty { options.checks = Set(try Self.values(checks, "--checks")) }
        options.checks.subtract(try Self.values(excludeChecks, "--exclude-checks"))
        options.operations = operation
        options.seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        if let cases, cases < 1 { throw UsageError("--cases \(cases): must be at least 1") }
        options.duration = try Self.duration(duration, "--for")
        options.maximumDuration = try Self.duration(maxResponseTime, "--max-response-time")
        if let cases { options.cases = cases } else if duration != nil { options.cases = nil }
        options.headers = try header.map { try Self.field($0[...], "--header", "NAME: VALUE") }
        guard identity.count <= 2 else { throw UsageError("--identity: give at most two users") }
        options.identities = try identity.map { text in
            let equals = text.firstIndex(of: "=") ?? text.endIndex
            let field = try Self.field(text[equals...].dropFirst(), "--identity", "USER=NAME: VALUE")
            return (String(text[..<equals]), field)
        }
        return options
    }

    /// Returns the maximum number of requests per second, or `nil` for no maximum.
    func perSecond() throws -> Double? {
        guard let rate else { return nil }
        do throws(DurationOption.Failure) {
            return try RateOption.perSecond(rate)
        } catch {
            throw UsageError("--rate \(rate): \(error.message)")
        }
    }

    /// Parses a header field.
    private static func field(_ text: Substring, _ option: String, _ form: String) throws -> (String, String) {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw UsageError("\(option) \(text): write \(form)")
        }
        return (String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " }))
    }

    /// Parses lists of values, which are separated by commas.
    private static func values<Value>(_ texts: [String], _ option: String) throws -> [Value]
    where Value: RawRepresentable<String> & CaseIterable {
        try texts.flatMap { $0.split(separator: ",") }.map { text in
            let name = String(text.drop { $0 == " " })
            guard let value = Value(rawValue: name) else {
                let known = Value.allCases.map(\.rawValue)
                throw UsageError(
                    "\(option) \(name): expected \(known.joined(separator: ", "))\(Spelling.hint(for: name, among: known).text)"
                )
            }
            return value
        }
    }

    private static func duration(_ text: String?, _ option: String) throws -> Int64? {
        guard let text else { return nil }
        do throws(DurationOption.Failure) {
            let nanoseconds = try DurationOption.nanoseconds(text)
            guard nanoseconds > 0 else { throw DurationOption.Failure(message: "must be greater than 0") }
            return nanoseconds
        } catch {
            throw UsageError("\(option) \(text): \(error.message)")
        }
    }
}

/// The steps of a fuzz run: read the description, search for faults, and report them.
private struct FuzzPipeline {
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
        let options = try command.options()
        let description = try description()
        let selected = description.operations.filter { options.takes($0) }
        guard !selected.isEmpty else {
            StandardError.write("no operation was selected: \(command.file) has none that matches\n")
            throw ExitStatus.nothingSelected
        }
        let trust = try command.connectionOptions.trust()
        let routes = try command.connectionOptions.routes()
        try command.outputOptions.checkReports(inputs: [command.file])
        let reporters = try command.outputOptions.reporters(
            color: command.descriptionOptions.color, environment: environment, authorities: trust.authorities,
            routes: routes, showsCoverage: false)
        let reports = ReportFanOut(reporters.all, showsExchanges: true)
        for secret in Self.secrets(of: options) { reports.send(.secretRegistered(secret)) }
        let runner = try CaseRunner(
            command, environment: environment, trust: trust, routes: routes, reports: reports, seed: options.seed)
        SignalWatcher.start { runner.interrupt() }
        let began = RunClock.system.now()
        let directory = command.output
        let summary = await RemoteRecords.sending(reporters.records, of: reports) {
            let run = FuzzRun(
                description, name: command.file, options: options, execution: { await runner.run($0) },
                time: { RunClock.system.now() },
                isStopped: { runner.isInterrupted })
            let outcome = await run.run(
                contractPath: directory.map { ContractGenerateCommand.relative(command.file, to: $0 + "/suite") }
                    ?? command.file)
            write(outcome)
            return report(outcome, of: description, options, reports, runner, since: began)
        }
        StandardOutput.flush()
        let errors = reports.finish() + (await reporters.records?.finish() ?? [])
        for error in errors { StandardError.write("apitest: \(error.message)\n") }
        return summary.counts.total == 0 ? .nothingSelected : ExitStatus(of: summary, reportErrors: errors)
    }

    /// Reads the description. Invalid parts are left out.
    private func description() throws -> OpenAPIDescription {
        let source = try DescriptionArgument(
            command.file, options: command.descriptionOptions, command: "contract fuzz")
        let (description, problems) = OpenAPILoader(source: source).load(source.location, isStrict: command.strict)
        let errors = problems.filter { $0.severity == .error }
        if command.strict || description == nil { command.descriptionOptions.printDiagnostics(errors) }
        guard let description, !command.strict || errors.isEmpty else { throw ExitStatus.invalid }
        return description
    }

    /// Returns the values of header fields that may be credentials.
    private static func secrets(of options: FuzzOptions) -> [String] {
        (options.headers + options.identities.map(\.header)).flatMap {
            [$0.value] + ($0.value.split(separator: " ").last.map { [String($0)] } ?? [])
        }
        .filter { $0.utf8.count >= 8 }
    }

    /// Writes the suites of the findings.
    private func write(_ outcome: FuzzRun.Outcome) {
        guard let directory = command.output, !outcome.found.isEmpty else { return }
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
                StandardError.write("apitest: cannot write \"\(path)\": \(String(cString: strerror(problem)))\n")
            }
        }
    }

    /// Sends the results to the reports.
    private func report(
        _ outcome: FuzzRun.Outcome, of description: OpenAPIDescription, _ options: FuzzOptions,
        _ reports: ReportFanOut, _ runner: CaseRunner, since began: Int64
    ) -> RunSummary {
        for gap in outcome.gaps where !command.outputOptions.quiet {
            StandardError.write("not tested: \(gap.text)\n")
        }
        var suite = SuiteInfo(
            index: 0, name: description.title.isEmpty ? "API" : description.title, path: command.file,
            baseURL: options.baseURL, testCount: outcome.results.count)
        suite.start = 0
        reports.send(
            .runStarted(
                RunInfo(
                    suites: [suite], testCount: outcome.results.count, seed: options.seed, jobs: CaseRunner.jobs,
                    version: Apitest.version, startTime: runner.startTime, hostName: SystemInfo.hostName,
                    workingDirectory: SystemInfo.workingDirectory, origin: RunOrigin(environment: environment))))
        reports.send(.suiteStarted(suite))
        for message in outcome.unconfirmed {
            reports.send(
                .notice(
                    RunNotice(
                        severity: .note, suite: 0, message: "a fault did not occur again when its request was repeated",
                        details: [message])))
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

/// A runner of the suites that a fuzz run generates.
private final class CaseRunner: Sendable {
    /// The maximum number of requests in flight.
    static let jobs = 16
    private static let timeout: Int64 = 10_000_000_000

    private struct State {
        var control: RunControl?
        var isInterrupted = false
    }

    let startTime = WallClock.now()
    private let options: RunOptions
    private let reports: ReportFanOut
    private let state = Mutex(State())

    init(
        _ command: ContractFuzzCommand, environment: [String: String], trust: TrustOptions, routes: RunRoutes,
        reports: ReportFanOut, seed: UInt64
    ) throws {
        var options = RunOptions(
            jobs: Self.jobs, retries: 0, seed: seed, keepsExchanges: true, fileRoot: Path.workingDirectory,
            trust: trust, routes: routes, environment: environment, startTime: startTime, version: Apitest.version)
        options.rate = try command.perSecond()
        options.timeout = Self.timeout
        options.workingDirectory = SystemInfo.workingDirectory
        self.options = options
        self.reports = reports
    }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Ends the run after the requests in flight.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.control?.interrupt()
        }
    }

    /// Runs the tests of a suite.
    ///
    /// - Returns: The results in the order of the tests.
    func run(_ text: String) async -> [TestResult] {
        let directory = Path.workingDirectory
        var loader = LoaderOptions(fileRoot: directory, workingDirectory: directory, variables: [:])
        loader.processEnvironment = options.environment
        let loaded = SuiteLoader(options: loader).load(
            SourceFile(name: "fuzz", text: text), absolutePath: directory + "/fuzz.apitest.yaml")
        guard !loaded.hasErrors else {
            // The generator has a fault.
            StandardError.write(TextRenderer(color: false).render(loaded.diagnostics))
            return []
        }
        let control = RunControl()
        let isInterrupted = state.withLock { state in
            state.control = control
            return state.isInterrupted
        }
        if isInterrupted { return [] }
        let results = Mutex<[Int: TestResult]>([:])
        let reports = reports
        _ = await Runner(
            plan: TestPlan(suites: loaded.suites), options: options, control: control, startMock: MockStarter.start,
            mask: { nil },
            sink: { event in
                switch event {
                case .secretRegistered: reports.send(event)
                case .testCompleted(let result): results.withLock { $0[result.test.position] = result }
                default: break
                }
            }
        ).run()
        return results.withLock { results in results.sorted { $0.key < $1.key }.map(\.value) }
    }
}
