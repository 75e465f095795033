import Diagnostics
import FileSystem
import Glibc
import JSON
import Runner

/// The `apitest mcp` command.
struct MCPCommand: Command {
    static let description = CommandDescription(
        name: "mcp", abstract: "Serve coding agents over the Model Context Protocol",
        discussion: """
            Speaks the Model Context Protocol: an agent can list and check suites, read failures, and look up ids and file \
            formats in the current directory. Only --allow-run lets it send requests, and write the files of a run.
            """)

    var allowRun = false

    static var syntax: [Syntax] {
        [
            .flag("allow-run", \.allowRun, "Let agents run tests, which sends requests")
        ]
    }

    func run() async throws {
        guard let program = Path.real("/proc/self/exe") else {
            StandardError.report(.missingResource, "the program cannot find its own file: /proc is not mounted")
            throw ExitStatus.internalError
        }
        let session = AgentSession(
            program: program, directory: Path.workingDirectory, environment: ProcessEnvironment.variables(),
            allowsRun: allowRun
        ) { message in
            // One write for each message, which is a line.
            _ = FileDescriptorWriter.writeAll(Array((message.serialized() + "\n").utf8), to: STDOUT_FILENO)
        }
        await withDiscardingTaskGroup { group in
            for await line in StandardInput.lines() {
                guard let call = await session.receive(line) else { continue }
                group.addTask { await session.run(call) }
            }
        }
    }
}
