import Diagnostics
import Glibc

/// The directory that a command writes files to.
enum OutputDirectory {
    /// Creates a directory and its missing ancestors.
    ///
    /// - Parameter command: The name of the command, for messages.
    static func create(_ directory: String, command: String) throws {
        var path = directory.hasPrefix("/") ? "/" : ""
        for part in directory.split(separator: "/") {
            path += path.isEmpty || path == "/" ? String(part) : "/" + part
            if mkdir(path, 0o777) != 0, errno != EEXIST {
                throw ExitStatus.invalid(
                    .unwritableFile,
                    because:
                        "\(command): the directory \(path) cannot be created: \(String(cString: strerror(errno)))")
            }
        }
    }
}
