import CEL
import HTTPSession
import RunModel
import SuiteModel

/// Starts a suite's server, opens the suite for its tests, and stops the server after them.
struct SuiteConductor: Sendable {
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
            let context = contexts.context(forSuite: index, folder: suite.suite.folder)
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
                let context = contexts.context(forSuite: index, folder: suite.suite.folder)
                return try await startMock(definition, context)
            } catch {
                throw ServeError(kind: .serveMock, message: error.message, details: error.details, range: range)
            }
        case .command(let command):
            let context = contexts.context(forSuite: index, folder: suite.suite.folder)
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

/// A running suite: its variables and, once its server is running, the target of its requests.
final class SuiteRun: Sendable {
    private struct Location {
        var baseURL: String?
        var port: Int?
    }

    /// The suite.
    let suite: Suite
    /// The variables given on the command line.
    let givenVariables: [String: CELValue]
    /// The suite's own variables.
    let variables: SuiteVariables
    /// Whether the suite declares no secret names, as most suites do.
    private let hasNoSecretNames: Bool
    private let learn: @Sendable (String) -> Void
    private let location = Mutex(Location())

    /// Creates the state of a suite that has not started.
    ///
    /// - Parameter learn: Registers a value that every output must mask.
    init(
        _ suite: Suite, givenVariables: [String: CELValue], learn: @escaping @Sendable (String) -> Void,
        variableContext: @escaping @Sendable (Int) -> CELContext
    ) {
        self.suite = suite
        self.learn = learn
        hasNoSecretNames = suite.secrets.isEmpty
        self.givenVariables = givenVariables
        variables = SuiteVariables(suite, context: variableContext)
    }

    /// Registers the secrets that are known before any test, because a response may contain one before a test uses it.
    func learnSecrets() {
        for value in suite.secretValues { learn(value) }
        for (name, value) in givenVariables { note(value, of: name) }
        if hasNoSecretNames { return }
        let scope = SuiteVariableScope(run: self)
        for name in variables.sharedNames where suite.secrets.contains(name) {
            // A secret that has no value yet is registered when a test uses it.
            _ = try? scope.value(of: name)
        }
    }

    /// Registers a value as a secret if its name is declared secret.
    func note(_ value: CELValue, of name: String) {
        if hasNoSecretNames { return }
        if suite.secrets.contains(name) { learnSecret(value) }
    }

    /// Registers a secret: the value itself, or the strings and numbers in it.
    func learnSecret(_ value: CELValue) {
        guard let json = value.json else { return learn(value.text) }
        for text in SecretText.leaves(of: json) { learn(text) }
    }

    /// The base URL of relative URLs.
    var baseURL: String? {
        location.withLock { $0.baseURL }
    }

    /// The port of the suite's server.
    var port: Int? {
        location.withLock { $0.port }
    }

    /// Sets the port. Must be called before anything is rendered with it.
    func set(port: Int) {
        location.withLock { $0.port = port }
    }

    /// Renders the suite's base URL, or uses the server's if the suite has none.
    ///
    /// - Throws: ``TemplateError`` if an expression in the base URL fails.
    func resolveBaseURL(server: String?, context: CELContext) throws(TemplateError) {
        let text = try suite.baseURL?.text(in: SuiteVariableScope(run: self), context: context)
        location.withLock { $0.baseURL = text ?? server }
    }
}
