import Diagnostics
import MockServer
import NIOPosix
import SuiteLoader
import SuiteModel
import Testing

/// Mock servers that run during tests.
enum MockRun {
    /// The error of a mock file without a valid definition.
    struct Broken: Error {
        var problems: [String]
    }

    /// Parses the text of a mock file.
    static func definition(_ yaml: String) throws -> MockDefinition {
        let result = load(yaml)
        guard let definition = result.definition, result.diagnostics.isEmpty else {
            throw Broken(problems: result.diagnostics.map(\.message))
        }
        return definition
    }

    /// Parses the text of a mock file and returns its diagnostics.
    static func load(_ yaml: String, directory: String = "/") -> (
        definition: MockDefinition?, diagnostics: [Diagnostic]
    ) {
        MockLoader(options: LoaderOptions(fileRoot: "/", workingDirectory: directory))
            .load(SourceFile(name: "test.mock.yaml", text: yaml), directory: directory)
    }

    /// Starts a server, calls `body` with it, and stops it.
    static func with(
        _ yaml: String, options: MockServerOptions = MockServerOptions(),
        _ body: (RunningMockServer) async throws -> Void
    ) async throws {
        let server = try await MockServer.start(
            try definition(yaml), group: MultiThreadedEventLoopGroup.singleton, options: options)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Starts a server, calls `body` with a connection to it, and stops it.
    static func connected(
        _ yaml: String, options: MockServerOptions = MockServerOptions(),
        _ body: (TestConnection) async throws -> Void
    ) async throws {
        try await with(yaml, options: options) { server in
            try await body(TestConnection(port: server.port))
        }
    }
}
