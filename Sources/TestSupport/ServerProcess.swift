import Glibc

/// A server program that runs for the duration of a test.
public final class ServerProcess: Sendable {
    private let process: pid_t

    /// Starts a program with standard streams connected to `/dev/null`.
    ///
    /// - Parameter arguments: The program, which is searched in `PATH`, and its arguments.
    public init?(_ arguments: [String]) {
        guard let process = Self.spawn(arguments) else { return nil }
        self.process = process
    }

    /// Starts a program, which is searched in `PATH`, without input and output.
    ///
    /// The caller must wait for its exit.
    static func spawn(_ arguments: [String]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: CInt in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var process = pid_t()
        InheritedDescriptors.closeOnExec()
        guard let command = pointers[0], posix_spawnp(&process, command, &actions, nil, pointers, environ) == 0 else {
            return nil
        }
        return process
    }

    deinit {
        kill(process, SIGKILL)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return } }
    }

    /// Whether the program is still running.
    public var isRunning: Bool {
        var information = siginfo_t()
        // WNOWAIT leaves the exit status to the deinitializer.
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo == 0
    }

    /// Returns the path of a program in `PATH` or a directory of system programs, or `nil` if it is not found.
    public static func find(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let directories = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return directories.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// Waits until the program listens on a loopback port.
    ///
    /// Returns `false` if it exits or fails to do so within a minute.
    public func waitForPort(_ port: Int) async -> Bool {
        // Importing Python packages takes long on a busy machine.
        for _ in 0..<12_000 where isRunning {
            if Self.isOpen(port) { return isRunning }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    private static func isOpen(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Returns a free port for a program that will listen on it soon, or `nil` if there is none.
    ///
    /// The port is outside the kernel's ephemeral range, by default 32768 and above. Otherwise, the server or a
    /// connection of another test could get it first, and a test would connect to the wrong server.
    public static func freePort() -> Int? {
        for _ in 0..<64 {
            if let port = ClosedPort(port: Int.random(in: 20_000..<32_000))?.port { return port }
        }
        return nil
    }
}
