import CEL
import Glibc
import SuiteModel

/// A suite's `serve: { command: … }`: a child process that is ready before the first test and gone after the last.
final class ServedCommand: RunningServer {
    /// Sends a request and gives the status of its answer, or nil when there is none.
    typealias Probe = @Sendable (_ method: String, _ url: String) async -> Int?

    let baseURL: String
    let port: Int
    private let process: ChildProcess
    private let command: String

    private init(baseURL: String, port: Int, process: ChildProcess, command: String) {
        self.baseURL = baseURL
        self.port = port
        self.process = process
        self.command = command
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
            throw ServeError(kind: "serve-command", message: error.message, range: error.range)
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
            baseURL: baseURL, port: port, process: process, command: arguments.joined(separator: " "))
        do {
            try await server.waitUntilReady(
                command, url: readyURL.map { RequestBuilder.joined($0, to: baseURL) }, clock: options.clock,
                probe: probe)
        } catch {
            process.finish()
            throw error
        }
        return server
    }

    /// Polls until the server answers the `ready` request with a 2xx status, or accepts connections.
    private func waitUntilReady(
        _ command: Serve.Command, url: String?, clock: RunClock, probe: Probe
    ) async throws(ServeError) {
        let deadline = clock.now() + command.within
        var lastStatus: Int?
        while true {
            if let ending = process.ending() {
                throw ServeError(
                    kind: "serve-exit",
                    message: "the server ended before it was ready (\(ending.description)): \(self.command)",
                    details: process.lastLines(20), range: command.range)
            }
            if let url {
                lastStatus = await probe(command.ready?.method ?? "GET", url) ?? lastStatus
                if let status = lastStatus, (200..<300).contains(status) { return }
            } else if FreePort.accepts(port) {
                return
            }
            guard clock.now() < deadline else {
                let seen = lastStatus.map { ", it last answered \($0)" } ?? ", it did not answer"
                let what = url.map { "\(command.ready?.method ?? "GET") \($0)" } ?? "a connection to port \(port)"
                throw ServeError(
                    kind: "serve-timeout",
                    message:
                        "the server was not ready within \(NanosecondsText.duration(command.within)): waited for \(what)\(seen)",
                    details: process.lastLines(20), range: command.range)
            }
            do {
                try await Task.sleep(nanoseconds: 20_000_000)
            } catch {
                throw ServeError(
                    kind: "interrupted", message: "interrupted while the server started", range: command.range)
            }
        }
    }

    func stop() async -> RunningServerReport? {
        var report: RunningServerReport?
        if let ending = process.ending() {
            report = RunningServerReport(
                message: "the server ended by itself during the run (\(ending.description)): \(command)",
                details: process.lastLines(20))
        } else {
            process.kill(SIGTERM)
            // A cancelled task cannot sleep, so the wait is a bounded number of short sleeps of the thread.
            var waits = 0
            while process.ending() == nil && waits < 1_000 {
                await Task.yield()
                usleep(2_000)
                waits += 1
            }
        }
        process.finish()
        return report
    }
}
