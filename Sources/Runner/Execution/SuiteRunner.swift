import Basics
import CEL
import Diagnostics
import HTTPSession
import RunModel
import SuiteModel

/// Starts a suite's server, opens the suite for its tests, and stops the server after them.
struct SuiteRunner: Sendable {
    let plan: TestPlan
    let suites: [SuiteRun]
    let servers: ServerStarter
    let dispatcher: Dispatcher
    let contexts: ContextFactory

    /// Allows the tests of a suite to start, with a running server or without one.
    func open(_ index: Int, server: (any RunningServer)?) {
        let suite = suites[index]
        var info = plan.info(of: index)
        do {
            if let server { suite.set(port: server.port) }
            let context = contexts.context(forSuite: index, directory: suite.suite.directory)
            try suite.resolveBaseURL(server: server?.baseURL, context: context)
            info.baseURL = suite.baseURL
            dispatcher.open(suite: index, info: info)
        } catch {
            dispatcher.fail(
                suite: index, info: info,
                finding: Finding(
                    kind: .error, subject: "baseURL", type: .expression, message: error.message,
                    range: error.range))
        }
    }

    /// Runs the programs whose output is the value of secrets, then opens their suites.
    ///
    /// - Parameter secrets: The secrets by the index of their suite.
    func conduct(_ secrets: [Int: [SecretCommand]], _ commands: SecretCommands) async {
        var commands = commands
        var ready: [Int] = []
        for (suite, secrets) in secrets.sorted(by: { $0.key < $1.key }) {
            if let finding = await commands.resolve(secrets, ofSuite: suite) {
                dispatcher.fail(suite: suite, info: plan.info(of: suite), finding: finding)
            } else {
                ready.append(suite)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for served in openWithoutServer(ready) { group.addTask { await conduct(served) } }
        }
    }

    /// Opens the suites without a server.
    ///
    /// - Returns: The other suites, by the server that they share; most have one of their own.
    func openWithoutServer(_ indices: [Int]) -> [[Int]] {
        var groups: [[Int]] = []
        var shared: [ServerKey: Int] = [:]
        for index in indices {
            guard let serve = plan.suites[index].serve else {
                open(index, server: nil)
                continue
            }
            guard plan.suites[index].sharesServer else {
                groups.append([index])
                continue
            }
            let context = contexts.context(forSuite: index, directory: plan.suites[index].directory)
            let key = ServerKey(serve, scope: SuiteVariableScope(run: suites[index]), context: context)
            if let group = shared[key] {
                groups[group].append(index)
            } else {
                shared[key] = groups.count
                groups.append([index])
            }
        }
        return groups
    }

    /// Starts the server of suites, waits for them to finish, and stops the server, even if the run is cancelled.
    ///
    /// - Parameter indices: The suites that share the server.
    func conduct(_ indices: [Int]) async {
        guard let first = indices.first else { return }
        let server: any RunningServer
        do {
            server = try await servers.start(first)
        } catch {
            for index in indices {
                dispatcher.fail(
                    suite: index, info: plan.info(of: index),
                    finding: Finding(
                        kind: .error, subject: .serve, type: error.kind, message: error.message,
                        range: error.range,
                        details: error.details))
            }
            return
        }
        for index in indices {
            dispatcher.serve(suite: index)
            open(index, server: server)
        }
        for index in indices { await dispatcher.waitUntilDone(suite: index) }
        // A server that exited by itself fails its suites, so the end of the suites is reported only afterwards.
        let report = await server.stop()
        for index in indices {
            let error = report.map { report in
                RunNotice(
                    .serveEnded, severity: .error, suite: index, message: report.message, details: report.details)
            }
            dispatcher.stopServing(suite: index, error: error)
        }
    }
}

/// A starter of the servers that suites declare.
struct ServerStarter: Sendable {
    let suites: [SuiteRun]
    let session: Session
    let options: RunOptions
    let contexts: ContextFactory
    let startMock: Runner.MockStarter

    /// Starts the server of a suite.
    ///
    /// - Throws: ``ServeError`` if it does not become ready.
    func start(_ index: Int) async throws(ServeError) -> any RunningServer {
        let suite = suites[index]
        switch suite.suite.serve {
        case nil:
            throw ServeError(kind: .serveMock, message: "the suite serves nothing")
        case .mock(let definition, let range):
            do {
                let context = contexts.context(forSuite: index, directory: suite.suite.directory)
                return try await startMock(definition, context)
            } catch {
                throw ServeError(kind: .serveMock, message: error.message, details: error.details, range: range)
            }
        case .command(let command):
            let context = contexts.context(forSuite: index, directory: suite.suite.directory)
            let port = try FreePort.find()
            suite.set(port: port)
            let session = session
            return try await ServedCommand.start(
                command, scope: SuiteVariableScope(run: suite), port: port, context: context,
                options: options
            ) { method, url, time in
                var request = Request(HTTPMethod(rawValue: method), url: url)
                request.timeouts = .total(.nanoseconds(time))
                return try? await session.send(request).status
            }
        }
    }
}

/// The identity of a server that several suites can share: equal keys start equal servers.
struct ServerKey: Hashable {
    private let parts: [String]

    /// Creates the key of a server.
    ///
    /// - Parameters:
    ///   - serve: The server.
    ///   - scope: The scope of the suite, before its server has a port.
    ///   - context: The context of the suite's expressions.
    init(_ serve: Serve, scope: SuiteVariableScope, context: CELContext) {
        let scope = PortPlaceholder(suite: scope)
        // A template that needs the number of the port is compared as written.
        func text(_ template: Template) -> String {
            (try? template.text(in: scope, context: context)) ?? template.source
        }
        switch serve {
        case .mock(let definition, _): parts = ["mock", definition.file.name]
        case .command(let command):
            parts =
                ["command", command.directory, command.log ?? "", command.ready?.method ?? ""]
                + [command.ready.map { text($0.url) } ?? ""] + command.arguments.map(text)
                + command.environment.map { "\($0.name)=\(text($0.value))" }
        }
    }

    /// The scope of a suite with a name in place of the number of the port.
    private struct PortPlaceholder: CELScope {
        let suite: SuiteVariableScope

        func value(of name: String) throws(CELEvaluationError) -> CELValue? {
            if let value = try suite.value(of: name) { return value }
            return name == "port" ? .string("${port}") : nil
        }
    }
}
