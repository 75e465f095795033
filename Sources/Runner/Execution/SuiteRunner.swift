import CEL
import HTTPSession
import RunModel
import SuiteModel

/// Starts a suite's server, opens the suite for its tests, and stops the server after them.
struct SuiteRunner: Sendable {
    let plan: TestPlan
    let suites: [SuiteRun]
    let session: Session
    let dispatcher: Dispatcher
    let options: RunOptions
    let contexts: ContextFactory
    let startMock: Runner.MockStarter

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
                    kind: .error, subject: "baseURL", type: .expression, message: error.message, range: error.range))
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
            for suite in ready {
                if plan.suites[suite].serve == nil {
                    open(suite, server: nil)
                } else {
                    group.addTask { await conduct(suite) }
                }
            }
        }
    }

    /// Starts the suite's server, waits for the suite to finish, and stops the server, even if the run is cancelled.
    func conduct(_ index: Int) async {
        let server: any RunningServer
        do {
            server = try await start(index)
        } catch {
            dispatcher.fail(
                suite: index, info: plan.info(of: index),
                finding: Finding(
                    kind: .error, subject: .serve, type: error.kind, message: error.message, range: error.range,
                    details: error.details))
            return
        }
        dispatcher.serve(suite: index)
        open(index, server: server)
        await dispatcher.waitUntilDone(suite: index)
        // A server that exited by itself fails its suite, so the end of the suite is reported only afterwards.
        let error = await server.stop().map { report in
            RunNotice(severity: .error, suite: index, message: report.message, details: report.details)
        }
        dispatcher.stopServing(suite: index, error: error)
    }

    private func start(_ index: Int) async throws(ServeError) -> any RunningServer {
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
