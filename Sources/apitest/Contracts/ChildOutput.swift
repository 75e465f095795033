import FileSystem
import Glibc
import Runner

/// What a program wrote that was run to its end.
struct ChildOutput {
    /// The exit status; nil when a signal ended it.
    var status: Int32?
    /// What it wrote on standard output.
    var output: [UInt8]
    /// What it wrote on standard error.
    var errors: String

    /// Why a program was not run.
    struct Failure: Error {
        /// The reason, as one sentence without a final full stop.
        var message: String
    }

    /// The most that is read of what a program writes, in bytes.
    private static let largestOutput = 256 << 20

    /// Runs a program, which is looked up in PATH, with nothing to read.
    static func run(_ arguments: [String]) throws(Failure) -> ChildOutput {
        var outputs: [Int32] = [-1, -1]
        var errors: [Int32] = [-1, -1]
        guard pipe(&outputs) == 0 else { throw Failure(message: reason(errno)) }
        guard pipe(&errors) == 0 else {
            let code = errno
            for end in outputs { close(end) }
            throw Failure(message: reason(code))
        }
        for end in outputs + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in [outputs[0], errors[0]] { close(end) } }
        let started = spawn(arguments, outputs[1], errors[1])
        close(outputs[1])
        close(errors[1])
        guard case .success(let identifier) = started else {
            throw Failure(message: "\(arguments.first ?? "") cannot be started")
        }
        var texts: [[UInt8]] = [[], []]
        let isComplete = readAll([outputs[0], errors[0]], into: &texts)
        if !isComplete { kill(identifier, SIGKILL) }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        guard isComplete else { throw Failure(message: "\(arguments.first ?? "") writes too much") }
        let hasExited = status & 0x7F == 0
        return ChildOutput(
            status: hasExited ? (status >> 8) & 0xFF : nil, output: texts[0],
            errors: String(decoding: texts[1], as: UTF8.self))
    }

    /// Reads descriptors to their ends, whichever has something.
    ///
    /// - Returns: Whether all was read.
    private static func readAll(_ descriptors: [Int32], into texts: inout [[UInt8]]) -> Bool {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while polls.contains(where: { $0.fd >= 0 }) {
            if poll(&polls, nfds_t(polls.count), -1) < 0 {
                if errno == EINTR { continue }
                return false
            }
            for index in polls.indices where polls[index].fd >= 0 && polls[index].revents != 0 {
                let count = read(polls[index].fd, &chunk, chunk.count)
                if count > 0 {
                    texts[index] += chunk[..<count]
                    if texts[index].count > largestOutput { return false }
                } else if count == 0 || errno != EINTR {
                    polls[index].fd = -1
                }
            }
        }
        return true
    }

    private static func spawn(_ arguments: [String], _ output: Int32, _ errors: Int32) -> Result<pid_t, Failure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child starts with no signal blocked, so that an interruption ends it too.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Messages in English, of which some are recognized.
        let variables = ProcessEnvironment.variables().merging(["LC_ALL": "C"]) { $1 }
        var identifier: pid_t = 0
        let result = withCStrings(arguments) { argv in
            withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
                posix_spawnp(&identifier, arguments.first ?? "", &actions, &attributes, argv, envp)
            }
        }
        return result == 0 ? .success(identifier) : .failure(Failure(message: reason(result)))
    }

    /// Calls `body` with a null-terminated array of C strings.
    private static func withCStrings(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
        pointers.append(nil)
        defer { pointers.forEach { free($0) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return EINVAL }
            return body(base)
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
