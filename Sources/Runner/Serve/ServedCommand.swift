import CEL
public import Diagnostics
import Glibc
public import RunModel
import SuiteModel

/// A suite's `serve: { command: … }`: a child process that is ready before the first test and gone after the last.
final class ServedCommand: RunningServer {
    /// Sends a request and gives the status of its answer, or nil when there is none within so many nanoseconds.
    typealias Probe = @Sendable (_ method: String, _ url: String, _ time: Int64) async -> Int?

    /// How long one request for `ready` may take, in nanoseconds.
    private static let longestProbe: Int64 = 2_000_000_000
    /// How long one connection may take, in nanoseconds; a thread waits for it.
    private static let longestConnect: Int64 = 50_000_000
    /// How long a server may take to end after SIGTERM, in nanoseconds.
    private static let longestEnd: Int64 = 2_000_000_000
    /// How long a server is watched before SIGTERM, in nanoseconds: one that crashed on the last request is still ending then.
    private static let longestCrash: Int64 = 10_000_000

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
    /// - Throws: ``ServeError`` when it cannot be started, ends by itself, or is not ready in time; nothing is left of it then.
    static func start(
        _ command: Serve.Command, scope: some CELScope, port: Int, context: CELContext, options: RunOptions,
        probe: Probe
    ) async throws(ServeError) -> ServedCommand {
        let arguments: [String]
        var environment = options.environment
        let readyURL: String?
        do {
            var texts: [String] = []
            for argument in command.arguments { texts.append(try argument.text(in: scope, context: context)) }
            for (name, value) in command.environment {
                environment[name] = try value.text(in: scope, context: context)
            }
            readyURL = try command.ready?.url.text(in: scope, context: context)
            arguments = texts
        } catch {
            throw ServeError(kind: .serveCommand, message: error.message, range: error.range)
        }
        let baseURL = "http://127.0.0.1:\(port)"
        let process: ChildProcess
        do {
            process = try ChildProcess(
                arguments: arguments, environment: environment.map { "\($0.key)=\($0.value)" },
                folder: command.folder, log: command.log)
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
                command, url: readyURL.map { RequestBuilder.joined($0, to: baseURL) }, probe: probe)
        } catch {
            process.finish()
            throw error
        }
        return server
    }

    /// Polls until the server answers the `ready` request with a 2xx status, or accepts connections.
    private func waitUntilReady(
        _ command: Serve.Command, url: String?, probe: Probe
    ) async throws(ServeError) {
        let deadline = clock.time(in: command.within)
        var lastStatus: Int?
        while true {
            if let ending = process.ending() {
                throw ServeError(
                    kind: .init("serve-exit"),
                    message: "the server ended before it was ready (\(ending.description)): \(self.command)",
                    details: process.lastLines(20), range: command.range)
            }
            // The last one, at the end of the time, gets a moment.
            let left = max(1_000_000, deadline - clock.now())
            if let url {
                let time = min(left, Self.longestProbe)
                lastStatus = await probe(command.ready?.method ?? "GET", url, time) ?? lastStatus
                if let status = lastStatus, (200..<300).contains(status) { return }
            } else if FreePort.accepts(port, within: Int32(min(left, Self.longestConnect) / 1_000_000)) {
                return
            }
            guard clock.now() < deadline else {
                let seen = lastStatus.map { ", it last answered \($0)" } ?? ", it did not answer"
                let what = url.map { "\(command.ready?.method ?? "GET") \($0)" } ?? "a connection to port \(port)"
                throw ServeError(
                    kind: .init("serve-timeout"),
                    message:
                        "the server was not ready within \(NanosecondsText.duration(command.within)): waited for \(what)\(seen)",
                    details: process.lastLines(20), range: command.range)
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
        await waitForEnd(within: Self.longestCrash)
        if let ending = process.ending() {
            report = RunningServerReport(
                message: "the server ended by itself during the run (\(ending.description)): \(command)",
                details: process.lastLines(20))
        } else {
            process.kill(SIGTERM)
            await waitForEnd(within: Self.longestEnd)
        }
        process.finish()
        return report
    }

    /// Waits until the process has ended, for a bounded time, whatever state the calling task is in.
    private func waitForEnd(within time: Int64) async {
        let deadline = clock.time(in: time)
        // A task of its own, since a cancelled one cannot sleep; this function waits for it.
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
    /// Where it answers, such as `http://127.0.0.1:49152`.
    var baseURL: String { get }

    /// The port on which it listens.
    var port: Int { get }

    /// Stops it and returns once nothing of it is left, whatever state the calling task is in.
    ///
    /// - Returns: a sentence when it had ended by itself before, and further lines such as the end of its output.
    func stop() async -> RunningServerReport?
}

/// What is to be said of a server that ended before it was stopped.
public struct RunningServerReport: Sendable {
    /// What happened, as one sentence without a final full stop.
    public var message: String
    /// Further lines, such as the end of its output.
    public var details: [String]

    /// Creates a report.
    public init(message: String, details: [String] = []) {
        self.message = message
        self.details = details
    }
}

/// A server of a suite that could not be started.
public struct ServeError: Error, Sendable {
    /// A stable word for the kind of error: `serve-command`, `serve-timeout`, `serve-exit`, `serve-mock`.
    public var kind: Finding.Reason
    /// What happened, as one sentence without a final full stop.
    public var message: String
    /// Further lines, such as the end of the server's output.
    public var details: [String]
    /// The place of the `serve` entry.
    public var range: SourceRange?

    /// Creates an error.
    public init(kind: Finding.Reason, message: String, details: [String] = [], range: SourceRange? = nil) {
        self.kind = kind
        self.message = message
        self.details = details
        self.range = range
    }
}
