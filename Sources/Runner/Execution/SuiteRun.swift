import CEL
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
    private let location = Mutex(Location())

    /// Creates the state of a suite that has not started.
    init(
        _ suite: Suite, givenVariables: [String: CELValue], variableContext: @escaping @Sendable (Int) -> CELContext
    ) {
        self.suite = suite
        self.givenVariables = givenVariables
        variables = SuiteVariables(suite, context: variableContext)
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
