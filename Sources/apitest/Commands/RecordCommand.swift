import Basics
import Diagnostics
import FileSystem
import Glibc
import HTTPSession
import MockServer
import NIOCore
import NIOPosix
import OpenAPI
import Recorder
import Runner
import SuiteImport
import SuiteLoader
import Synchronization

/// The `apitest record --to URL -o FILE` command.
struct RecordCommand: Command {
    static let description = CommandDescription(
        name: "record", abstract: "Record requests to an API as a suite",
        discussion: """
            Serves a reverse proxy in front of an API until Ctrl-C, and writes a suite of the requests that passed through \
            it. Identifiers of responses that later requests contain become captures, values that change become matchers \
            of their types, and secrets become variables. With --contract, exchanges that violate the description are \
            reported while they pass. Exit status: 0 the suite was written; 1 an exchange violated the description; \
            2 nothing was recorded, or an option or file is invalid.
            """)

    var upstream: String?
    var output: String?
    var port = 8080
    var host = "127.0.0.1"
    var only: [String] = []
    var duration: String?
    var contract: String?
    var force = false
    var quiet = false
    var connection = ConnectionOptions()
    var descriptionOptions = DescriptionOptions()

    static var syntax: [Syntax] {
        [
            .option("to", value: "url", \.upstream, "URL of the API; its path precedes that of each request"),
            .option(
                "output", short: "o", value: "file", \.output, "Suite to write (default: HOST.apitest.yaml)",
                completion: .files(["yaml", "yml"])),
            .option("port", short: "p", \.port, "Port to listen on; 0 picks a free port"),
            .option("host", \.host, "Address to listen on"),
            .option(
                "only", value: "pattern", \.only, "Record only these paths, URLs or media types; * matches any"),
            .option("for", value: "duration", \.duration, "Stop after this time, such as 30s or 5m"),
            .option(
                "contract", value: "file", \.contract, "OpenAPI description to validate exchanges against",
                completion: .files(["yaml", "yml", "json"])),
            .flag("force", \.force, "Overwrite the suite if it exists"),
            .flag("quiet", short: "q", \.quiet, "Do not print requests"),
            .group(\.connection),
            .group(\.descriptionOptions),
        ]
    }

    func validate() throws {
        if upstream == nil {
            throw UsageError(.missingOption, "record needs the URL of the API: --to https://api.example.org")
        }
        guard (0...65_535).contains(port) else {
            throw UsageError(.invalidOption, "--port \(port): must be from 0 to 65535")
        }
        _ = try limit()
    }

    func run() async throws {
        let upstream = upstream ?? ""
        let server: Upstream
        do throws(HTTPURLError) {
            server = try Upstream(upstream)
        } catch {
            throw ExitStatus.invalid(.invalidOption, because: "--to: \(error.message)")
        }
        let path = output ?? ImportRun.suiteName(server.authority)
        if !force, access(path, F_OK) == 0 {
            throw ExitStatus.invalid(
                .existingFile, because: "record: \"\(path)\" already exists: use --force to overwrite it")
        }
        let contract = try await self.contract(upstream)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = SessionConfiguration(
            trust: try connection.trust(), routes: try connection.routes(), version: Apitest.version)
        // The client decides how long it waits, such as for the events of a stream.
        configuration.timeouts = Timeouts(firstByte: nil, idle: nil, total: nil)
        configuration.limits = Limits(bodyBytes: .max, decodedBodyBytes: .max)
        let session = Session(configuration: configuration)
        let isQuiet = quiet
        let proxy = RecordingProxy(to: server, session: session) { line in
            if isQuiet { return }
            StandardOutput.write(line + "\n")
            StandardOutput.flush()
        } check: {
            contract?.check($0)
        }
        try await serve(proxy, of: upstream, group)
        await session.close()
        try? await group.shutdownGracefully()
        try write(proxy.exchanges, to: path)
        if let contract, contract.violations > 0 { throw ExitStatus.failed }
    }

    /// Serves the proxy until it is interrupted or its time is over.
    private func serve(_ proxy: RecordingProxy, of upstream: String, _ group: MultiThreadedEventLoopGroup) async throws
    {
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        let limit = try limit()
        do throws(MockServerError) {
            var options = MockServerOptions()
            options.maximumBodySize = 256 << 20
            let running = try await MockServer.start(proxy, host: host, port: port, group: group, options: options)
            StandardError.write(
                "recording \(upstream) at \(running.baseURL), press Ctrl-C to stop and write the suite\n")
            await withTaskGroup { tasks in
                if let limit {
                    tasks.addTask {
                        try? await Task.sleep(for: .nanoseconds(limit))
                        control.interrupt()
                    }
                }
                _ = await control.wait()
                tasks.cancelAll()
            }
            await running.stop()
        } catch {
            throw ExitStatus.invalid(.unavailableAddress, because: "record: \(error.message)")
        }
    }

    private func limit() throws -> Int64? {
        guard let duration else { return nil }
        do throws(DurationOption.Failure) {
            return try DurationOption.nanoseconds(duration)
        } catch {
            throw UsageError(.invalidOption, "--for \(duration): \(error.message)")
        }
    }

    /// Writes the suite of the exchanges.
    private func write(_ exchanges: [RecordedExchange], to path: String) throws {
        var options = ImportOptions(workingDirectory: Path.workingDirectory, outputDirectory: Path.workingDirectory)
        options.only = only
        let (suite, counts) = ImportRun.suite(of: exchanges, at: path, options: options)
        guard let suite else {
            ImportReport.write(counts)
            throw ExitStatus.invalid(.noRequests, because: "record: no request was recorded, and nothing was written")
        }
        do {
            try FileReplacement.write(suite.text, to: path)
        } catch {
            throw ExitStatus.invalid(
                .unwritableFile, because: "record: cannot write \"\(path)\": \(error.message)")
        }
        ImportReport.write(suite, to: path)
        ImportReport.write(counts)
    }

    // MARK: Contract

    private func contract(_ upstream: String) async throws -> PassingContract? {
        guard let contract else { return nil }
        let named = try await NamedDescription(
            contract, options: descriptionOptions, connection: connection, command: "record"
        ) { $0.load($1, isStrict: false) }
        guard let description = named.description, !named.problems.contains(where: { $0.severity == .error }) else {
            descriptionOptions.printDiagnostics(named.problems)
            throw ExitStatus.invalid
        }
        return PassingContract(Contract(description, name: named.name), baseURL: upstream)
    }
}

/// The validation of exchanges against a description while they pass through a proxy.
private final class PassingContract: Sendable {
    private let contract: Contract
    private let baseURL: String
    private let count = Mutex(0)

    init(_ contract: Contract, baseURL: String) {
        self.contract = contract
        self.baseURL = baseURL
    }

    /// The number of exchanges with an error.
    var violations: Int { count.withLock { $0 } }

    /// Validates an exchange, and prints its differences.
    func check(_ exchange: RecordedExchange) {
        guard let traffic = exchange.contractExchange(baseURL: baseURL) else { return }
        let findings = contract.check(traffic).findings
        if findings.contains(where: \.isError) { count.withLock { $0 += 1 } }
        for finding in findings {
            let suggestion = finding.suggestion.map { "; \($0)" } ?? ""
            let location = finding.locationText.map { ", \($0)" } ?? ""
            StandardError.write(
                "\(finding.isError ? "error" : "warning"): \(exchange.method) \(RecordedExchange.shown(exchange.url)): \(finding.subject): "
                    + "\(finding.message.text)\(suggestion) [\(finding.rule.rawValue)]\(location)\n")
        }
    }
}
