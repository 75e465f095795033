import ArgumentParser
import Diagnostics
import FileSystem
import Glibc
import MockServer
import NIOCore
import NIOPosix
import Runner
import SuiteLoader

/// `apitest mock FILE`
struct MockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock",
        abstract: "Serve a mock file or an OpenAPI description.")

    @Argument(
        help: ArgumentHelp("The mock file, or the description's main file.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String

    @Option(name: .shortAndLong, help: "The port to listen on; 0 takes a free one.")
    var port = 8080

    @Option(name: .long, help: "The address to listen on.")
    var host = "127.0.0.1"

    @Flag(name: .long, help: "Refuse a description with an error, also in parts that no request needs.")
    var strict = false

    @OptionGroup var schemaOptions: SchemaFileOptions

    @Flag(name: .shortAndLong, help: "Do not print requests.")
    var quiet = false

    @Option(name: .long, help: "Color: auto, always or never.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port \(port): write a number from 0 to 65535")
        }
    }

    func run() async throws {
        let folder = Path.workingDirectory
        var loading = LoaderOptions(fileRoot: folder, workingDirectory: folder)
        loading.schemas = schemaOptions.files
        var loader = MockLoader(options: loading)
        loader.isStrict = strict
        let (definition, diagnostics) = loader.load(path: file)
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
            StandardError.write("serving \(file) at \(server.baseURL), Ctrl-C stops\n")
            _ = await control.wait()
            await server.stop()
        } catch {
            StandardError.write("apitest: \(error.message)\n")
            throw ExitStatus.invalid
        }
        try? await group.shutdownGracefully()
    }
}
