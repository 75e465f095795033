import APITestKit
import ArgumentParser
import Diagnostics
import Glibc
import Reports
import Runner
import SuiteLoader
import SuiteModel

/// `apitest [run] PATH…`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Run suites (the default command).")

    @OptionGroup var suiteOptions: SuiteOptions
    @OptionGroup var selectionOptions: SelectionOptions

    @Option(name: .shortAndLong, help: "Exchanges in flight at most.")
    var jobs = 16

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write a report, as FORMAT or FORMAT=PATH; may be repeated. Formats: junit.", valueName: "format[=path]"))
    var report: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Start no further test after N failed ones (1 without a number).", valueName: "n"))
    var failFast: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Try tests again up to N times of which their suite does not say how often; 0 tries nothing again.",
            valueName: "n"))
    var retries: Int?

    @Option(name: .long, help: "The seed of random values, printed in reports; the same seed gives the same values.")
    var seed: UInt64?

    @Flag(name: .long, help: "Show what would run, and send nothing.")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "Show only failures and the summary.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show each exchange; twice, headers and timings too.")
    var verbose: Int

    @Flag(name: .long, help: "Accept any TLS certificate.")
    var insecure = false

    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("Trust the authorities in this PEM file instead of the system's.", valueName: "file"))
    var authorities: String?

    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp("Show servers that ask for one the certificate in this PEM file.", valueName: "file"))
    var certificate: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The PEM file of the certificate's key; without it, the certificate's file holds it.", valueName: "file"))
    var key: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Send requests through the proxy with this URL (http, https or socks5).", valueName: "url"))
    var proxy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Connect to an address in place of what a name resolves to; may be repeated.",
            valueName: "host:port:address"))
    var resolve: [String] = []

    func validate() throws {
        if let retries, !(0...100).contains(retries) {
            throw ValidationError("--retries \(retries): write a number from 0 to 100")
        }
        if key != nil, certificate == nil { throw ValidationError("--key: it needs the certificate, --cert") }
        guard jobs > 0 else { throw ValidationError("--jobs \(jobs): write a number from 1") }
        if let failFast, failFast < 1 { throw ValidationError("--fail-fast=\(failFast): write a number from 1") }
    }

    func run() async throws {
        let environment = ProcessEnvironment.variables()
        let trust = RunTrust(isInsecure: insecure, authorities: authorities, certificate: certificate, key: key)
        try check(trust)
        let routes = try routes()
        let reporters = try makeReporters(environment: environment)
        let loaded = try suiteOptions.load()
        let plan = TestPlan(
            suites: loaded.suites.suites, selection: selectionOptions.selection(places: loaded.places))
        guard !plan.tests.isEmpty else {
            StandardError.write(
                selectionOptions.emptyMessage(suites: loaded.suites.suites, places: loaded.places))
            throw ExitStatus.nothingSelected
        }
        if dryRun {
            StandardOutput.write(loaded.mask.masked(plan.textGraph()))
            throw ExitStatus.passed
        }
        let options = RunOptions(
            jobs: jobs, failFast: failFast, retries: retries, seed: seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
            variables: loaded.variables, keepsExchanges: verbose > 0, fileRoot: suiteOptions.absoluteFileRoot,
            trust: trust, routes: routes, environment: environment,
            startTime: WallClock.now(), version: Apitest.version)
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        let fanOut = ReportFanOut(reporters)
        let summary = await Runner(
            plan: plan, options: options, control: control, startMock: MockStarter.start, sink: fanOut.send
        ).run()
        StandardOutput.flush()
        maskLogs(of: plan, with: fanOut.mask)
        let errors = fanOut.finish()
        for error in errors { StandardError.write("apitest: \(error.message)\n") }
        throw status(of: summary, reportErrors: errors)
    }

    /// Masks secrets in what the commands of `serve` have written to their logs.
    private func maskLogs(of plan: TestPlan, with mask: SecretMask) {
        var seen: Set<String> = []
        for suite in plan.suites {
            guard case .command(let command) = suite.serve, let log = command.log, seen.insert(log).inserted else {
                continue
            }
            LogMasking.mask(log, with: mask)
        }
    }

    private func check(_ trust: RunTrust) throws {
        if let problem = RunTrust(authorities: trust.authorities).problem() {
            StandardError.write("apitest: --cacert: \(problem)\n")
            throw ExitStatus.invalid
        }
        if let problem = trust.problem() {
            StandardError.write("apitest: --cert: \(problem)\n")
            throw ExitStatus.invalid
        }
    }

    private func routes() throws -> RunRoutes {
        do throws(RunRoutes.Failure) {
            _ = try RunRoutes(proxy: proxy)
        } catch {
            StandardError.write("apitest: --proxy: \(error.message)\n")
            throw ExitStatus.invalid
        }
        do throws(RunRoutes.Failure) {
            return try RunRoutes(proxy: proxy, resolve: resolve)
        } catch {
            StandardError.write("apitest: --resolve: \(error.message)\n")
            throw ExitStatus.invalid
        }
    }

    private func makeReporters(environment: [String: String]) throws -> [any Reporter] {
        var reporters: [any Reporter] = [
            ConsoleReporter(
                options: ConsoleOptions(
                    color: suiteOptions.color.isOn(for: STDOUT_FILENO, environment: environment),
                    width: Terminal.width(of: STDOUT_FILENO), verbosity: quiet ? -1 : verbose,
                    showsProgress: !quiet && Terminal.canShowProgress(environment: environment)),
                output: { text in
                    StandardOutput.write(text)
                    if isatty(STDOUT_FILENO) == 1 { StandardOutput.flush() }
                },
                progress: StandardError.write)
        ]
        do throws(ReportError) {
            var paths: Set<String> = []
            for text in report {
                let request = try ReportRequest(text)
                guard paths.insert(request.path).inserted else {
                    throw ReportError(path: request.path, message: "two reports would be written to \(request.path)")
                }
                reporters.append(try ReporterFactory.reporter(for: request))
            }
        } catch {
            StandardError.write("apitest: \(error.message)\n")
            throw ExitStatus.invalid
        }
        return reporters
    }

    private func status(of summary: RunSummary, reportErrors: [ReportError]) -> ExitStatus {
        if summary.wasInterrupted { return .interrupted }
        if !reportErrors.isEmpty { return .internalError }
        let isGood = summary.counts.failed + summary.counts.errored + summary.counts.blocked == 0
        return isGood && !summary.hasServerError ? .passed : .failed
    }
}
