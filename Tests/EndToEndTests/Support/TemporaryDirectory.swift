import Glibc

/// A temporary directory that is removed on deinitialization.
final class TemporaryDirectory {
    /// The absolute path, without symbolic links.
    let path: String

    /// Creates an empty directory.
    init() throws(ProgramRun.Failure) {
        var template = Array("/tmp/apitest-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw ProgramRun.Failure(description: "no directory in /tmp: \(String(cString: strerror(errno)))")
        }
        path = String(cString: made)
    }

    deinit { TestFiles.remove(path) }
}
