import CEL
import RunModel
import SuiteModel
import Synchronization

/// A suite while it runs: its variables and, once its server is up, where its requests go.
final class SuiteRun: Sendable {
    private struct Location {
        var baseURL: String?
        var port: Int?
    }

    /// The suite.
    let suite: Suite
    /// Variables of the command line.
    let givenVariables: [String: CELValue]
    /// The suite's own variables.
    let variables: SuiteVariables
    /// Whether nothing is secret by its name, which is so in most suites.
    private let hasNoSecretNames: Bool
    private let learn: @Sendable (String) -> Void
    private let location = Mutex(Location())

    /// Creates the state of a suite that has not started.
    ///
    /// - Parameter learn: takes a value that every output must mask.
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

    /// Has the secrets masked that can be known before any test: a response may have one before a test uses it.
    func learnSecrets() {
        for value in suite.secretValues { learn(value) }
        for (name, value) in givenVariables { note(value, of: name) }
        if hasNoSecretNames { return }
        let scope = SuiteScope(run: self)
        for name in variables.sharedNames where suite.secrets.contains(name) {
            // What has no value yet, or none at all, is told where a test uses it.
            _ = try? scope.value(of: name)
        }
    }

    /// Has the value of a name masked if it is secret.
    func note(_ value: CELValue, of name: String) {
        if hasNoSecretNames { return }
        if suite.secrets.contains(name) { learnSecret(value) }
    }

    /// Has a value masked: itself, or the texts and numbers in it.
    func learnSecret(_ value: CELValue) {
        guard let json = value.json else { return learn(value.text) }
        for text in SecretText.leaves(of: json) { learn(text) }
    }

    /// What relative URLs are appended to.
    var baseURL: String? {
        location.withLock { $0.baseURL }
    }

    /// The port of the suite's server.
    var port: Int? {
        location.withLock { $0.port }
    }

    /// Sets the port, before anything is rendered with it.
    func set(port: Int) {
        location.withLock { $0.port = port }
    }

    /// Renders the suite's base URL, or takes the server's.
    ///
    /// - Throws: ``TemplateError`` when an expression in it fails.
    func resolveBaseURL(server: String?, context: CELContext) throws(TemplateError) {
        let text = try suite.baseURL?.text(in: SuiteScope(run: self), context: context)
        location.withLock { $0.baseURL = text ?? server }
    }
}
