import ArgumentParser
import Glibc
import Runner

/// The program's beginning: parses the arguments, runs the command, and makes the exit status the documented one.
@main
enum Entry {
    static func main() {
        // Blocked before any thread exists, so that every thread has them blocked and the main one takes them.
        SignalWatcher.block()
        signal(SIGPIPE, SIG_IGN)
        StandardDescriptors.fill()
        // The arguments are read from there: without them, the program would do something else than it was asked for.
        guard !CommandLine.arguments.isEmpty else {
            StandardError.write("apitest: the arguments cannot be read: /proc is not mounted\n")
            exit(ExitStatus.internalError.rawValue)
        }
        guard FileDescriptors.areLeft else {
            StandardError.write("apitest: \(FileDescriptors.shortage)\n")
            exit(ExitStatus.internalError.rawValue)
        }
        // The one task without a parent: it is the program, and ends it.
        Task.detached {
            let status = await run()
            StandardOutput.flush()
            if let problem = StandardOutput.problem {
                StandardError.write("apitest: standard output cannot be written: \(problem)\n")
                exit(ExitStatus.internalError.rawValue)
            }
            exit(status)
        }
        SignalWatcher.wait()
    }

    /// Runs the command that the arguments and the project's defaults call.
    private static func runCommand() async throws {
        let arguments = CommandLineArguments.normalized(CommandLine.arguments.dropFirst())
        if arguments == ["--version"] { return StandardOutput.write(Apitest.version + "\n") }
        let defaults = try ProjectDefaults(arguments)
        if let command = QuickRunParser.command(defaults.arguments) { return try await command.run() }
        var command = try parse(defaults)
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// The command as the argument parser reads it.
    private static func parse(_ defaults: ProjectDefaults) throws -> any ParsableCommand {
        do {
            return try Apitest.parseAsRoot(defaults.arguments)
        } catch {
            try defaults.explain()
            throw error
        }
    }

    private static func run() async -> Int32 {
        do {
            try await runCommand()
            return ExitStatus.passed.rawValue
        } catch let status as ExitStatus {
            return status.rawValue
        } catch {
            let code = Apitest.exitCode(for: error)
            let text = Apitest.fullMessage(for: error)
            if code == .success {
                StandardOutput.write(text + "\n")
                return ExitStatus.passed.rawValue
            }
            StandardError.write(text + "\n")
            return code == .validationFailure ? ExitStatus.invalid.rawValue : ExitStatus.internalError.rawValue
        }
    }
}
