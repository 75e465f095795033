public import Basics
import CEL
public import Diagnostics
import Glibc
public import RunModel
import SuiteModel

/// A server started by `serve: { command: … }`: a child process that runs from before the first test until after the
/// last.
final class ServedCommand: RunningServer {
    /// A function that sends a request and returns the response's status, or nil if none arrives in the given
    /// nanoseconds.
    typealias Probe = @Sendable (_ method: String, _ url: String, _ time: Int64) async -> Int?

    /// The time limit of one `ready` request, in nanoseconds.
    private static let maximumProbeTime: Int64 = 2_000_000_000
    /// The time limit of one connection attempt, which blocks a thread, in nanoseconds.
    private static let maximumConnectTime: Int64 = 50_000_000
    /// The time that a server has to exit after SIGTERM, in nanoseconds.
    private static let maximumStopTime: Int64 = 2_000_000_000
    /// The time to watch a server before SIGTERM, in nanoseconds. A crash on the last request may still be in progress.
    private static let maximumCrashTime: Int64 = 10_000_000

    let baseURL: String
    let port: Int
    private let process: ChildProcess
    private let command: String
    private let clock: RunClock

    private init(baseURL: String, port: Int, process: ChildProcess, command: String, clock: RunClock) {
        self.baseURL = baseURL
        self.port = port
        self.process = process
        self.command = command
        self.clock = clock
    }

    /// Starts the command and waits until it is ready.
    ///
    /// - Throws: ``ServeError`` if the server cannot be started, exits, or is not ready in time. The process is then
    ///   stopped.
    static func start(
        _ command: Serve.Command, scope: some CELScope, port: Int, context: CELContext, options: RunOptions,
        probe: Probe
    ) async throws(ServeError) -> ServedCommand {
        let arguments: [String]
        var environment = options.environment
        let readyURL: String?
        let within: Int64
        do {
            var texts: [String] = []
            for argument in command.arguments { texts.append(try argument.text(in: scope, context: context)) }
            for (name, value) in command.environment {
                environment[name] = try value.text(in: scope, context: context)
            }
            readyURL = try command.ready?.url.text(in: scope, context: context)
            within = try command.within.value(in: scope, context: context)
            arguments = texts
        } catch {
            throw ServeError(kind: .serveCommand, message: error.message, range: error.range)
        }
        let baseURL = "http://127.0.0.1:\(port)"
        let process: ChildProcess
        do {
            process = try ChildProcess(
                arguments: arguments, environment: environment.map { "\($0.key)=\($0.value)" },
                directory: command.directory, log: command.log)
        } catch {
            var error = error
            error.range = command.range
            throw error
        }
        let server = ServedCommand(
            baseURL: baseURL, port: port, process: process, command: arguments.joined(separator: " "),
            clock: options.clock)
        do {
            try await server.waitUntilReady(
                command, url: readyURL.map { RequestBuilder.joined($0, to: baseURL) }, within: within, probe: probe)
        } catch {
            process.finish()
            throw error
        }
        return server
    }

    /// Polls until the server responds to the `ready` request with a 2xx status, or accepts connections.
    private func waitUntilReady(
        _ command: Serve.Command, url: String?, within: Int64, probe: Probe
    ) async throws(ServeError) {
        let deadline = clock.time(in: within)
        var lastStatus: Int?
        while true {
            if let ending = process.ending() {
                throw ServeError(
                    kind: .init("serve-exit"),
                    message: "the server exited before it was ready (\(ending.description)): \(self.command)",
                    details: process.lastLines(20).map { MessageText($0) }, range: command.range)
            }
            // The last attempt at the end of the time limit gets a minimum of time.
            let left = max(1_000_000, deadline - clock.now())
            if let url {
                let time = min(left, Self.maximumProbeTime)
                lastStatus = await probe(command.ready?.method ?? "GET", url, time) ?? lastStatus
                if let status = lastStatus, (200..<300).contains(status) { return }
            } else if FreePort.accepts(port, within: Int32(min(left, Self.maximumConnectTime) / 1_000_000)) {
                return
            }
            guard clock.now() < deadline else {
                let seen = lastStatus.map { ", which last responded with \($0)" } ?? ", which did not respond"
                let what = url.map { "\(command.ready?.method ?? "GET") \($0)" } ?? "a connection to port \(port)"
                throw ServeError(
                    kind: .init("serve-timeout"),
                    message:
                        "the server was not ready within \(NanosecondsText.duration(within)): waited for \(what)\(seen)",
                    details: process.lastLines(20).map { MessageText($0) }, range: command.range)
            }
            do {
                try await Task.sleep(nanoseconds: 20_000_000)
            } catch {
                throw ServeError(
                    kind: .init("interrupted"), message: "interrupted while the server started", range: command.range)
            }
        }
    }

    func stop() async -> RunningServerReport? {
        var report: RunningServerReport?
        await waitForEnd(within: Self.maximumCrashTime)
        if let ending = process.ending() {
            report = RunningServerReport(
                message: "the server exited during the run (\(ending.description)): \(command)",
                details: process.lastLines(20).map { MessageText($0) })
        } else {
            process.kill(SIGTERM)
            await waitForEnd(within: Self.maximumStopTime)
        }
        process.finish()
        return report
    }

    /// Waits up to a time limit until the process has ended, even if the calling task is cancelled.
    private func waitForEnd(within time: Int64) async {
        let deadline = clock.time(in: time)
        // An unstructured task, because a cancelled task cannot sleep. This function awaits it.
        let waiting = Task { [process, clock] in
            while process.ending() == nil, clock.now() < deadline {
                do { try await clock.sleep(2_000_000) } catch { return }
            }
        }
        await waiting.value
    }
}

/// A server that was started for a suite.
public protocol RunningServer: Sendable {
    /// The base URL of the server, such as `http://127.0.0.1:49152`.
    var baseURL: String { get }

    /// The port that the server listens on.
    var port: Int { get }

    /// Stops the server and returns once it has ended, even if the calling task is cancelled.
    ///
    /// - Returns: A report if the server had already exited by itself.
    func stop() async -> RunningServerReport?
}

/// A report about a server that exited before it was stopped.
public struct RunningServerReport: Sendable {
    /// A one-sentence description without a final period.
    public var message: MessageText
    /// Additional lines, such as the end of the server's output.
    public var details: [MessageText]

    /// Creates a report.
    public init(message: MessageText, details: [MessageText] = []) {
        self.message = message
        self.details = details
    }
}

/// A failure to start a suite's server.
public struct ServeError: Error, Sendable {
    /// The stable identifier of the kind of error: `serve-command`, `serve-timeout`, `serve-exit`, `serve-mock`.
    public var kind: Finding.Reason
    /// A one-sentence description without a final period.
    public var message: MessageText
    /// Additional lines, such as the end of the server's output.
    public var details: [MessageText]
    /// The location of the `serve` entry.
    public var range: SourceRange?

    /// Creates an error.
    public init(kind: Finding.Reason, message: MessageText, details: [MessageText] = [], range: SourceRange? = nil) {
        self.kind = kind
        self.message = message
        self.details = details
        self.range = range
    }
}
