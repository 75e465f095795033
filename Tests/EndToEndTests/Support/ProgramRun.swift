import Glibc
import TestSupport

/// A program that was started by a test, in a session of its own, with its output in files.
///
/// The session's number is on everything that the program starts, whatever process groups these make, so that a test can
/// see whether anything is left of them.
struct ProgramRun {
    /// How a program ended.
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

    /// A program that cannot be started, or does not end.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The process's identifier, which is its session's too.
    let identifier: pid_t
    private let outputPath: String
    private let errorPath: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: the program's absolute path and its arguments.
    ///   - environment: the whole environment.
    ///   - folder: the working folder.
    ///   - output: a path for which `.stdout` and `.stderr` files are made.
    ///   - terminal: the path of a terminal that gets both in place of the files.
    init(
        _ arguments: [String], environment: [String: String], folder: String, output: String, terminal: String? = nil
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
        // The shell enters the folder and becomes the program: the importer gives no spawn action for that.
        let command = ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", folder] + arguments
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

    /// `POSIX_SPAWN_SETSID`, which the importer does not give.
    private static let setSession: Int32 = 0x80

    /// What the program has written to standard output.
    var standardOutput: String { TestFiles.text(outputPath) ?? "" }
    /// What the program has written to standard error.
    var standardError: String { TestFiles.text(errorPath) ?? "" }

    /// Sends a signal to the program alone.
    func send(_ signal: Int32) {
        kill(identifier, signal)
    }

    /// Waits for the end, and calls a function again and again until then.
    ///
    /// - Throws: ``Failure`` when the program does not end in time; it and all that it started are killed then.
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

    /// The commands of all processes that the program started and that still run.
    var survivors: [String] {
        sessionProcesses().map { "\($0) \(TestFiles.commandLine(of: $0))" }
    }

    /// Kills the program and all that it started.
    func killSession() {
        for process in sessionProcesses() { kill(process, SIGKILL) }
    }

    private func sessionProcesses() -> [pid_t] {
        TestFiles.names(in: "/proc").compactMap { name in
            guard let process = pid_t(name), let text = TestFiles.text("/proc/\(name)/stat"),
                let parenthesis = text.lastIndex(of: ")")
            else { return nil }
            // After the command's name: state, parent, group, session (proc_pid_stat(5)).
            let fields = text[parenthesis...].split(separator: " ")
            guard fields.count > 4, fields[1] != "Z", fields[4] == "\(identifier)" else { return nil }
            return process
        }
    }
}
