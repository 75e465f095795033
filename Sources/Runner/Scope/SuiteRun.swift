import CEL
import HTTPSession
import RunModel
import SuiteModel
import Synchronization

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
    /// The cookie jar that the tests with `cookieJar: keep` share.
    let jar = CookieJar()
    /// The suite's own variables.
    let variables: SuiteVariables
    /// Whether the suite declares no secret names, as most suites do.
    private let hasNoSecretNames: Bool
    private let register: @Sendable (String) -> Void
    private let location = Mutex(Location())

    /// Creates the state of a suite that has not started.
    ///
    /// - Parameter register: Registers a value that every output must mask.
    init(
        _ suite: Suite, givenVariables: [String: CELValue], register: @escaping @Sendable (String) -> Void,
        variableContext: @escaping @Sendable (Int) -> CELContext
    ) {
        self.suite = suite
        self.register = register
        hasNoSecretNames = suite.secrets.isEmpty
        self.givenVariables = givenVariables
        variables = SuiteVariables(suite, context: variableContext)
    }

    /// Registers the secrets that are known before any test, because a response may contain one before a test uses it.
    func registerSecrets() {
        for value in suite.secretValues { register(value) }
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
        if suite.secrets.contains(name) { registerSecret(value) }
    }

    /// Registers a secret: the value itself, or the strings and numbers in it.
    func registerSecret(_ value: CELValue) {
        guard let json = value.json else { return register(value.text) }
        for text in SecretText.leaves(of: json) { register(text) }
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
