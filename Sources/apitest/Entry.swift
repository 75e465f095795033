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
        let arguments = CommandLineArguments.normalized(CommandLine.arguments.dropFirst())
        if Self.areForThisThread(arguments) {
            SignalWatcher.waitOnThread()
            do {
                var command = try parse(try ProjectDefaults(arguments))
                try command.run()
                end(ExitStatus.passed.rawValue)
            } catch {
                end(status(of: error))
            }
        }
        // The one task without a parent: it is the program, and ends it.
        Task.detached {
            do {
                try await run(arguments)
                end(ExitStatus.passed.rawValue)
            } catch {
                end(status(of: error))
            }
        }
        SignalWatcher.wait()
    }

    /// Whether the arguments call a command that only loads suites.
    ///
    /// The memory of the main thread grows in large steps, that of other threads by a page and a call of the system: for
    /// a large suite, which takes little else than memory, that is a tenth of the time.
    private static func areForThisThread(_ arguments: [String]) -> Bool {
        arguments.first == ListCommand.configuration.commandName
            || arguments.first == LintCommand.configuration.commandName
    }

    /// Writes what is buffered, and ends the program.
    private static func end(_ status: Int32) -> Never {
        StandardOutput.flush()
        if let problem = StandardOutput.problem {
            StandardError.write("apitest: standard output cannot be written: \(problem)\n")
            exit(ExitStatus.internalError.rawValue)
        }
        exit(status)
    }

    /// Runs the command that the arguments and the project's defaults call.
    private static func run(_ arguments: [String]) async throws {
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

    /// Says what a command threw, unless it has said that itself, and gives the status for it.
    private static func status(of error: any Error) -> Int32 {
        if let status = error as? ExitStatus { return status.rawValue }
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
