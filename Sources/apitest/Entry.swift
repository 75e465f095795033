import Diagnostics
import Glibc
import Runner
import Synchronization

/// The entry point, which parses the arguments, runs the command, and exits with a documented status.
@main
enum Entry {
    static func main() {
        // Blocked before any thread exists. All threads inherit the mask, and the main thread waits for the signals.
        SignalWatcher.block()
        signal(SIGPIPE, SIG_IGN)
        StandardDescriptors.fill()
        // Swift reads the arguments from /proc. Without it, the program would silently ignore them.
        guard !CommandLine.arguments.isEmpty else {
            StandardError.report(.missingResource, "the arguments cannot be read: /proc is not mounted")
            exit(ExitStatus.internalError.rawValue)
        }
        guard FileDescriptors.areLeft else {
            StandardError.report(.missingResource, "\(FileDescriptors.shortage)")
            exit(ExitStatus.internalError.rawValue)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == ShellCompletion.command {
            StandardOutput.write(ShellCompletion(Array(arguments.dropFirst())).text)
            end(ExitStatus.passed.rawValue)
        }
        let call = CommandCall(arguments)
        if let (error, group) = call.unknownCommand { end(status(of: error, group)) }
        if call.wish == .run { run(call) }
        end(status(of: call.wish, call))
    }

    /// Runs a command and exits the program.
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
        // The only unstructured task. It represents the whole program and exits it.
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

    /// Writes buffered output and exits the program.
    private static func end(_ status: Int32) -> Never {
        StandardOutput.flush()
        if let problem = StandardOutput.problem {
            StandardError.report(.unwritableFile, "cannot write to standard output: \(problem)")
            exit(ExitStatus.internalError.rawValue)
        }
        exit(status)
    }

    /// Prints an error unless it has already been printed, and returns its exit status.
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
            StandardError.report(.internalError, "\(error)")
            return ExitStatus.internalError.rawValue
        }
    }
}

/// Values that live until the program exits, which saves the time to deallocate them.
enum KeptUntilExit {
    // A reference without an owner would do, but the optimizer removes a retain that nothing can observe.
    private static let values = Mutex<[any Sendable]>([])

    /// Keeps a value in memory.
    ///
    /// Use it only in a command that exits the program.
    static func keep(_ value: some Sendable) {
        values.withLock { $0.append(value) }
    }
}
