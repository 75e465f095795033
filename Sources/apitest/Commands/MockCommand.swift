import Diagnostics
import FileSystem
import Glibc
import MockServer
import NIOCore
import NIOPosix
import Runner
import SuiteLint
import SuiteLoader

/// The `apitest mock FILE` command.
struct MockCommand: Command {
    static let description = CommandDescription(
        name: "mock",
        abstract: "Serve a mock file or an OpenAPI description")

    var file = ""
    var port = 8080
    var host = "127.0.0.1"
    var strict = false
    var schemaOptions = SchemaFileOptions()
    var quiet = false
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .argument(
                "file", \.file, isRequired: true, "Mock file, or main file of an OpenAPI description",
                completion: .files(["yaml", "yml", "json"])),
            .option("port", short: "p", \.port, "Port to listen on; 0 picks a free port"),
            .option("host", \.host, "Address to listen on"),
            .flag("strict", \.strict, "Reject a description with any error, even in parts that no request uses"),
            .group(\.schemaOptions),
            .flag("quiet", short: "q", \.quiet, "Do not print requests"),
            .option("color", \.color, "When to use color"),
        ]
    }

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw UsageError(.invalidOption, "--port \(port): must be from 0 to 65535")
        }
    }

    func run() async throws {
        let directory = Path.workingDirectory
        var loading = LoaderOptions(fileRoot: directory, workingDirectory: directory)
        loading.schemas = schemaOptions.files
        var loader = MockLoader(options: loading)
        loader.isStrict = strict
        var (definition, diagnostics) = loader.load(path: file)
        if let definition { diagnostics += SuiteLinter().lint(definition) }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        if !diagnostics.isEmpty { StandardError.write(TextRenderer(color: isColored).render(diagnostics)) }
        guard let definition, !diagnostics.contains(where: { $0.severity == .error }) else { throw ExitStatus.invalid }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var options = MockServerOptions()
        if !quiet {
            options.log = { entry in
                StandardOutput.write(entry.description + "\n")
                StandardOutput.flush()
            }
        }
        let control = RunControl()
        SignalWatcher.start { control.interrupt() }
        do throws(MockServerError) {
            let server = try await MockServer.start(definition, host: host, port: port, group: group, options: options)
            StandardError.write("serving \(file) at \(server.baseURL), press Ctrl-C to stop\n")
            _ = await control.wait()
            await server.stop()
        } catch {
            throw ExitStatus.invalid(.unavailableAddress, because: "\(error.message)")
        }
        try? await group.shutdownGracefully()
    }
}
