public import Diagnostics
import HTTPSession
import RunModel
import SuiteModel

/// The server that a suite declares, for work other than running its tests.
public enum SuiteServer {
    /// A failure to start the server or to determine the base URL.
    public struct Failure: Error, Sendable {
        /// The problem, with the location in the suite.
        public var diagnostic: Diagnostic
    }

    /// Starts the server of a suite if it declares one, calls a function with the base URL, and stops the server.
    ///
    /// - Parameters:
    ///   - plan: A plan with one suite.
    ///   - startMock: Starts the mock server of a suite that declares one.
    ///   - sink: Receives secrets and warnings.
    ///   - body: The work; its argument is `nil` if the suite has no base URL.
    /// - Throws: ``Failure`` if the server does not become ready.
    public static func running<Result>(
        _ plan: TestPlan, options: RunOptions, startMock: @escaping Runner.MockStarter, sink: @escaping RunEventSink,
        _ body: (_ baseURL: String?) async throws -> Result
    ) async throws -> Result {
        let files = FileAccess(root: options.fileRoot, workingDirectory: options.workingDirectory)
        let parts = RunParts(
            plan: plan, options: options, loops: 1, connections: NIOTransport.Settings(), files: files,
            owner: LoadOwner(sink: sink), mask: { nil }, prepare: { _ in })
        let suite = parts.suites[0]
        suite.registerSecrets()
        var server: (any RunningServer)?
        do {
            if suite.suite.serve != nil {
                do throws(ServeError) {
                    server = try await parts.servers(startMock).start(0)
                } catch {
                    throw Failure(
                        diagnostic: Diagnostic(id: error.kind.rawValue, message: error.message, range: error.range))
                }
            }
            if let server { suite.set(port: server.port) }
            do throws(TemplateError) {
                try suite.resolveBaseURL(
                    server: server?.baseURL,
                    context: parts.contexts.context(forSuite: 0, directory: suite.suite.directory))
            } catch {
                throw Failure(diagnostic: Diagnostic(id: "expression", message: error.message, range: error.range))
            }
            let result = try await body(suite.baseURL)
            _ = await server?.stop()
            await parts.close()
            return result
        } catch {
            _ = await server?.stop()
            await parts.close()
            throw error
        }
    }
}
