import Basics
import CEL
import HTTPSession
import RunModel
import SuiteModel
import Synchronization

/// A running suite: its variables and, once its server is running, the target of its requests.
final class SuiteRun: Sendable {
    /// The secrets whose values are not masked.
    private struct UnmaskedSecrets {
        /// The names that a warning was made about.
        var names: Set<String>
        /// The warnings that wait for the start of the run; nil after it.
        var pending: [MessageText]? = []
    }

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
    private let register: @Sendable (String) -> Void
    private let warn: @Sendable (MessageText) -> Void
    private let unmasked: Mutex<UnmaskedSecrets>
    private let location = Mutex(Location())

    /// Creates the state of a suite that has not started.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - givenVariables: The variables given on the command line.
    ///   - register: Registers a value that every output must mask.
    ///   - warn: Emits a warning about the suite.
    ///   - variableContext: Returns the context of the variable with an index.
    init(
        _ suite: Suite, givenVariables: [String: CELValue], register: @escaping @Sendable (String) -> Void,
        warn: @escaping @Sendable (MessageText) -> Void,
        variableContext: @escaping @Sendable (Int) -> CELContext
    ) {
        self.suite = suite
        self.register = register
        self.warn = warn
        unmasked = Mutex(UnmaskedSecrets(names: suite.unmaskedSecrets))
        self.givenVariables = givenVariables
        variables = SuiteVariables(suite, context: variableContext)
    }

    /// Registers the secrets that are known before any test, because a response may contain one before a test uses it.
    func registerSecrets() {
        for value in suite.secretValues { register(value) }
        for (name, value) in givenVariables { note(value, of: name) }
        let scope = SuiteVariableScope(run: self)
        for name in variables.sharedNames where suite.secrets.contains(name) {
            // A secret that has no value yet is registered when a test uses it.
            _ = try? scope.value(of: name)
        }
    }

    /// Registers a value as a secret if its name is secret.
    func note(_ value: CELValue, of name: String) {
        if suite.secrets.contains(name) { registerSecret(value, of: name) }
    }

    /// Registers a secret: the value itself, or the strings and numbers in it.
    func registerSecret(_ value: CELValue, of name: String) {
        let texts = value.json.map(SecretText.leaves) ?? [value.text]
        for text in texts { register(text) }
        guard let warning = SecretText.warning(about: name, texts) else { return }
        let message: MessageText = "\(warning): \(suite.secrets.advice(about: name))"
        let isDue = unmasked.withLock { unmasked in
            guard unmasked.names.insert(name).inserted else { return false }
            unmasked.pending?.append(message)
            return unmasked.pending == nil
        }
        if isDue { warn(message) }
    }

    /// Emits the warnings about secrets that arose before the start of the run.
    func reportUnmaskedSecrets() {
        let pending = unmasked.withLock { unmasked in
            defer { unmasked.pending = nil }
            return unmasked.pending ?? []
        }
        for message in pending { warn(message) }
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
