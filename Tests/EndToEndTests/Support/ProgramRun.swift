import Glibc
import TestSupport

/// A program started by a test in its own session, with its output in files.
///
/// All processes that the program starts belong to the session, regardless of their process groups. A test can
/// therefore detect processes that are still running.
struct ProgramRun {
    /// The termination status of a program.
    enum Ending: Equatable, CustomStringConvertible {
        case exit(Int32)
        case signal(Int32)

        var description: String {
            switch self {
            case .exit(let status): "exit status \(status)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    /// A failure of a program to start or to exit.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The identifier of the process and of its session.
    let identifier: pid_t
    private let outputPath: String
    private let errorPath: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The absolute path of the program and its arguments.
    ///   - environment: The complete environment.
    ///   - directory: The working directory.
    ///   - output: The path prefix of the `.stdout` and `.stderr` files.
    ///   - terminal: The path of a terminal that receives both instead of the files.
    init(
        _ arguments: [String], environment: [String: String], directory: String, output: String, terminal: String? = nil
    ) throws(Failure) {
        outputPath = output + ".stdout"
        errorPath = output + ".stderr"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let flags = O_CREAT | O_TRUNC | O_WRONLY | O_APPEND
        posix_spawn_file_actions_addopen(&actions, 1, terminal ?? outputPath, terminal == nil ? flags : O_RDWR, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, terminal ?? errorPath, terminal == nil ? flags : O_RDWR, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let attributeFlags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Self.setSession
        posix_spawnattr_setflags(&attributes, Int16(attributeFlags))
        // The shell changes the directory and replaces itself with the program, because the spawn action for this is
        // not imported into Swift.
        let command = ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", directory] + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var identifier: pid_t = 0
        InheritedDescriptors.closeOnExec()
        let result = posix_spawn(&identifier, "/bin/sh", &actions, &attributes, &argv, &envp)
        guard result == 0 else {
            throw Failure(description: "\(arguments) cannot be started: \(String(cString: strerror(result)))")
        }
        self.identifier = identifier
    }

    /// `POSIX_SPAWN_SETSID`, which is not imported into Swift.
    private static let setSession: Int32 = 0x80

    /// The standard output of the program so far.
    var standardOutput: String { TestFiles.text(outputPath) ?? "" }
    /// The standard error of the program so far.
    var standardError: String { TestFiles.text(errorPath) ?? "" }

    /// Sends a signal only to the program.
    func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits for the exit and calls a function repeatedly until then.
    ///
    /// - Throws: ``Failure`` if the program does not exit in time. The entire session is then killed.
    func wait(within bound: Duration = .seconds(60), meanwhile: () -> Void = {}) async throws -> Ending {
        var status: Int32 = 0
        let hasEnded = try await Poll.until(within: bound) {
            meanwhile()
            return waitpid(identifier, &status, WNOHANG) == identifier
        }
        guard hasEnded else {
            killSession()
            waitpid(identifier, &status, 0)
            throw Failure(
                description: "the program did not end within \(bound); standard output:\n\(standardOutput)\n"
                    + "standard error:\n\(standardError)")
        }
        let number = status & 0x7F
        return number == 0 ? .exit((status >> 8) & 0xFF) : .signal(number)
    }

    /// The commands of all running processes in the session.
    var survivors: [String] {
        sessionProcesses().map { "\($0) \(TestFiles.commandLine(of: $0))" }
    }

    /// Kills the entire session.
    func killSession() {
        for process in sessionProcesses() { kill(process, SIGKILL) }
    }

    private func sessionProcesses() -> [pid_t] {
        TestFiles.names(in: "/proc").compactMap { name in
            guard let process = pid_t(name), let text = TestFiles.text("/proc/\(name)/stat"),
                let parenthesis = text.lastIndex(of: ")")
            else { return nil }
            // After the name of the command: state, parent, group, session (proc_pid_stat(5)).
            let fields = text[parenthesis...].split(separator: " ")
            guard fields.count > 4, fields[1] != "Z", fields[4] == "\(identifier)" else { return nil }
            return process
        }
    }
}
