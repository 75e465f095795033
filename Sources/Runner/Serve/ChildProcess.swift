import Basics
import FileSystem
import Glibc
import RunModel

/// A child process in its own process group, which is killed entirely by ``kill(_:)`` or when this process ends.
///
/// A second, minimal process watches a pipe that only this process holds open. When this process ends for any reason,
/// even by SIGKILL, the pipe closes and the watcher kills the child's entire group.
final class ChildProcess: Sendable {
    /// The termination status of a process.
    enum Ending: Sendable, Hashable {
        case exit(status: Int32)
        case signal(Int32)

        var description: String {
            switch self {
            case .exit(let status): "exit status \(status)"
            case .signal(let signal): "signal \(signal)"
            }
        }
    }

    /// The descriptors of a program's standard streams.
    struct Streams: Sendable {
        var input: Int32
        var output: Int32
        var errors: Int32
    }

    /// The identifier of the process and of its group.
    let identifier: pid_t
    private let watcher: pid_t
    private let pipe: Int32
    /// The file that contains the output, or -1.
    private let output: Int32

    /// Starts a program whose output is written to a file.
    ///
    /// - Parameters:
    ///   - arguments: The program, which is looked up in PATH, and its arguments.
    ///   - environment: The complete environment, as `NAME=value` strings.
    ///   - directory: The working directory.
    ///   - log: The file for standard output and standard error; nil for an unnamed file in the environment's `TMPDIR`,
    ///     or in `/tmp`.
    /// - Throws: ``ServeError`` if the program or the log cannot be opened.
    convenience init(
        arguments: [String], environment: [String], directory: String, log: String?
    ) throws(ServeError) {
        let output = try Self.openOutput(log, environment: environment)
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(null) }
        do {
            try self.init(
                arguments: arguments, environment: environment, directory: directory,
                streams: Streams(input: null, output: output, errors: output), log: output)
        } catch {
            close(output)
            throw error
        }
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The program, which is looked up in PATH, and its arguments.
    ///   - environment: The complete environment, as `NAME=value` strings.
    ///   - directory: The working directory.
    ///   - streams: The descriptors of the standard streams, which remain open.
    ///   - log: The descriptor of the file that contains the output, which is closed when this object is released; -1
    ///     for none.
    /// - Throws: ``ServeError`` if the program cannot be started.
    init(
        arguments: [String], environment: [String], directory: String, streams: Streams, log: Int32 = -1
    ) throws(ServeError) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else {
            throw ServeError(kind: .serveCommand, message: "cannot create a pipe: \(Self.reason(errno))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        do {
            let program = try Self.find(arguments.first ?? "", environment: environment, directory: directory)
            // The shell only changes the directory and replaces itself with the program.
            let command = ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", directory, program] + arguments.dropFirst()
            identifier = try Self.spawn(command, environment: environment, streams: streams)
        } catch {
            close(ends[1])
            throw error
        }
        let script = "read -r line; kill -KILL -\(identifier) 2>/dev/null"
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        watcher =
            (try? Self.spawn(
                ["/bin/sh", "-c", script], environment: [],
                streams: Streams(input: ends[0], output: null, errors: null))) ?? -1
        pipe = ends[1]
        output = log
    }

    deinit {
        if output >= 0 { close(output) }
    }

    /// Returns the termination status, or nil while the process runs.
    func ending() -> Ending? {
        var information = siginfo_t()
        // WNOWAIT leaves it to `finish` to reap the process, so the number of its group is not reused in the meantime.
        guard waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return nil }
        guard information._sifields._sigchld.si_pid == identifier else { return nil }
        let status = information._sifields._sigchld.si_status
        return information.si_code == CLD_EXITED ? .exit(status: status) : .signal(status)
    }

    /// Sends a signal to the entire process group.
    func kill(_ signal: Int32) {
        _ = Glibc.kill(-identifier, signal)
    }

    /// Kills the rest of the group, reaps the process, and stops the watcher.
    func finish() {
        kill(SIGKILL)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        if watcher > 0 {
            _ = Glibc.kill(watcher, SIGKILL)
            while waitpid(watcher, &status, 0) < 0 && errno == EINTR {}
        }
        close(pipe)
    }

    /// Returns the last lines of the output.
    ///
    /// - Parameter count: The maximum number of lines. Only the last 16 KiB of the output are examined.
    func lastLines(_ count: Int) -> [String] {
        let size = lseek(output, 0, SEEK_END)
        guard size > 0 else { return [] }
        let length = min(Int(size), 16_384)
        var bytes = [UInt8](repeating: 0, count: length)
        let read = pread(output, &bytes, length, size - off_t(length))
        guard read > 0 else { return [] }
        let text = String(decoding: bytes[..<read], as: UTF8.self)
        return text.split(separator: "\n").suffix(count).map(String.init)
    }

    private static func openOutput(_ log: String?, environment: [String]) throws(ServeError) -> Int32 {
        let file: Int32
        if let log {
            file = open(log, O_CREAT | O_TRUNC | O_RDWR | O_APPEND | O_CLOEXEC, 0o644)
            guard file >= 0 else {
                throw ServeError(kind: .serveCommand, message: "the log \"\(log)\" cannot be written: \(reason(errno))")
            }
        } else {
            let flags = temporaryFile | O_RDWR | O_APPEND | O_CLOEXEC
            let directory = environment.first { $0.hasPrefix("TMPDIR=/") }?.dropFirst(7)
            let inDirectory = directory.map { open(String($0), flags, 0o600) } ?? -1
            file = inDirectory >= 0 ? inDirectory : open("/tmp", flags, 0o600)
            guard file >= 0 else {
                throw ServeError(
                    kind: .serveCommand, message: "cannot create a temporary file for the output: \(reason(errno))")
            }
        }
        return file
    }

    /// `O_TMPFILE`, which is not imported into Swift: an unnamed file that disappears when it is closed.
    private static let temporaryFile: Int32 = 0o20_000_000 | O_DIRECTORY

    /// Returns the path of a program: as given if it contains a slash, otherwise found in the environment's PATH.
    private static func find(_ name: String, environment: [String], directory: String) throws(ServeError) -> String {
        guard !name.isEmpty else { throw ServeError(kind: .serveCommand, message: "the command is empty") }
        if name.utf8.contains(UInt8(ascii: "/")) {
            let path = name.hasPrefix("/") ? name : directory + "/" + name
            guard access(path, X_OK) == 0 else {
                throw ServeError(
                    kind: .serveCommand, message: "the command \"\(name)\" cannot be started: \(reason(errno))")
            }
            return path
        }
        let search = environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? "/usr/local/bin:/usr/bin:/bin"
        for entry in search.split(separator: ":") {
            let path = "\(entry)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        throw ServeError(
            kind: .serveCommand, message: "the command \"\(name)\" cannot be started: not found in PATH")
    }

    private static func spawn(
        _ arguments: [String], environment: [String], streams: Streams
    ) throws(ServeError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, streams.input, 0)
        posix_spawn_file_actions_adddup2(&actions, streams.output, 1)
        posix_spawn_file_actions_adddup2(&actions, streams.errors, 2)
        _ = Self.addCloseFrom?(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child starts without blocked or ignored signals, regardless of this process's own signal handling.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        Self.closeOnExec()
        var identifier: pid_t = 0
        let result = CStringArray.with(arguments) { argv in
            CStringArray.with(environment) { envp in
                posix_spawn(&identifier, "/bin/sh", &actions, &attributes, argv, envp)
            }
        }
        guard result == 0 else {
            throw ServeError(
                kind: .serveCommand,
                message: "the command \"\(arguments.first ?? "")\" cannot be started: \(reason(result))")
        }
        return identifier
    }

    private typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    /// `posix_spawn_file_actions_addclosefrom_np` (glibc 2.34), which is not imported into Swift.
    ///
    /// It closes, in the child, descriptors that other threads opened up to the last moment.
    private static let addCloseFrom: AddCloseFrom? = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: AddCloseFrom.self)
    }

    /// Marks every open descriptor except the standard ones as close-on-exec.
    ///
    /// SwiftNIO opens sockets without this flag. A child that inherited them would keep the port of a stopped mock
    /// server and closed connections open. If the C library can also close them in the child, it does.
    private static func closeOnExec() {
        guard let directory = opendir("/proc/self/fd") else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }

    private static func reason(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
