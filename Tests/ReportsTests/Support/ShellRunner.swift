import Glibc
import TestSupport

/// A runner of shell command lines.
enum ShellRunner {
    /// Returns the output of a command line, or nil if the shell does not exist.
    static func output(of line: String, shell: String) throws -> [UInt8]? {
        guard access(shell, X_OK) == 0 else { return nil }
        let directory = try TemporaryDirectory()
        let path = directory.path + "/output"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let arguments: [UnsafeMutablePointer<CChar>?] = [shell, "-c", line].map { (text: String) in strdup(text) }
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        InheritedDescriptors.closeOnExec()
        guard posix_spawn(&process, shell, &actions, nil, arguments + [nil], nil) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return try TemporaryDirectory.read(path)
    }
}
