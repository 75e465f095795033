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
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == ShellCompletion.command {
            StandardOutput.write(ShellCompletion(Array(arguments.dropFirst())).text)
            end(ExitStatus.passed.rawValue)
        }
        let call = CommandCall(arguments)
        if call.wish == .run { run(call) }
        end(status(of: call.wish, call))
    }

    /// Runs a command, and ends the program.
    private static func run(_ call: CommandCall) -> Never {
        if call.command is any SynchronousCommand.Type {
            SignalWatcher.waitOnThread()
            do {
                try (ProjectDefaults(call).command() as? any SynchronousCommand)?.run()
                end(ExitStatus.passed.rawValue)
            } catch {
                end(status(of: error, call))
            }
        }
        // The one task without a parent: it is the program, and ends it.
        Task.detached {
            do {
                try await ProjectDefaults(call).command().run()
                end(ExitStatus.passed.rawValue)
            } catch {
                end(status(of: error, call))
            }
        }
        SignalWatcher.wait()
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

    /// Says what a command threw, unless it has said that itself, and gives the status for it.
    private static func status(of error: any Error, _ call: CommandCall) -> Int32 {
        switch error {
        case let status as ExitStatus: return status.rawValue
        case let wish as CommandCall.Wish:
            StandardOutput.write(wish == .version ? Apitest.version + "\n" : HelpText(call).text)
            return ExitStatus.passed.rawValue
        case let mistake as UsageError:
            StandardError.write(HelpText(call).message(for: mistake))
            return ExitStatus.invalid.rawValue
        default:
            StandardError.write("Error: \(error)\n")
            return ExitStatus.internalError.rawValue
        }
    }
}

/// Values that live until the program ends, so that no time is spent on giving back memory of which the end takes care.
enum KeptUntilExit {
    /// Holds a value in memory.
    private final class Holder {
        let value: any Sendable

        init(_ value: any Sendable) {
            self.value = value
        }
    }

    /// Keeps a value; only for a command that ends the program.
    static func keep(_ value: some Sendable) {
        _ = Unmanaged.passRetained(Holder(value))
    }
}
