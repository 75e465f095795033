#if canImport(Glibc)
import FileSystem
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The directory of a multi-file report, created along with the first file.
package struct ReportDirectory: ~Copyable {
    /// The path as given by the user.
    package let path: String
    /// The open directory, or `nil` before the first file.
    private var descriptor: Int32?

    /// Creates a report directory and checks that files can be created in it or that it can be created itself.
    package init(path: String) throws(ReportError) {
        self.path = path
        descriptor = nil
        let existing = ReportFile.existingDirectory(of: Self.slashed(path))
        let directory = try Self.openDirectory(existing.isEmpty ? "." : existing, shown: path)
        defer { close(directory) }
        // Permission bits alone do not decide whether a file can be created, so this creates one.
        let name = ".apitest.\(getpid()).tmp"
        let file = openat(directory, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        if file < 0 { throw Self.error(path, errno) }
        close(file)
        unlinkat(directory, name, 0)
    }

    private static func slashed(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

    private static func openDirectory(_ directory: String, shown path: String) throws(ReportError) -> Int32 {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw Self.error(path, errno) }
        return descriptor
    }

    /// Opens the directory, and creates it if it does not exist.
    private mutating func opened() throws(ReportError) -> Int32 {
        if let descriptor { return descriptor }
        do throws(FileHandle.Failure) {
            try ReportFile.createDirectories(Self.slashed(path))
        } catch {
            throw Self.error(path, error.number)
        }
        let opened = try Self.openDirectory(path, shown: path)
        descriptor = opened
        return opened
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Writes a file with a single system call, and replaces an existing file of that name.
    ///
    /// The file is not written under a temporary name first. With many small files, renaming each costs as much as
    /// creating it. A file that cannot be written completely is removed.
    package mutating func write(_ bytes: [UInt8], as name: String) throws(ReportError) {
        let descriptor = try opened()
        do throws(FileHandle.Failure) {
            let file = try FileHandle(named: name, in: descriptor, flags: O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(bytes)
        } catch {
            unlinkat(descriptor, name, 0)
            throw Self.error(path + "/" + name, error.number)
        }
    }

    private static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(path: path, message: "cannot write the report \"\(path)\": \(SystemInfo.message(of: number))")
    }
}
