#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of a report of many files, created for the first of them.
package struct ReportFolder: ~Copyable {
    /// The path as it was given.
    package let path: String
    /// nil before the first file.
    private var descriptor: Int32?

    /// Checks that files can be written into a folder or, when it does not exist, that it can be created.
    package init(path: String) throws(ReportError) {
        self.path = path
        descriptor = nil
        let existing = ReportFile.existingFolder(of: Self.slashed(path))
        let folder = try Self.openFolder(existing.isEmpty ? "." : existing, shown: path)
        defer { close(folder) }
        // What the permissions say of a folder is not all that decides.
        let name = ".apitest.\(getpid()).tmp"
        let file = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        if file < 0 { throw Self.error(path, errno) }
        close(file)
        unlinkat(folder, name, 0)
    }

    private static func slashed(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

    private static func openFolder(_ folder: String, shown path: String) throws(ReportError) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw Self.error(path, errno) }
        return descriptor
    }

    /// Opens the folder, which is created unless it exists.
    private mutating func opened() throws(ReportError) -> Int32 {
        if let descriptor { return descriptor }
        do throws(FileHandle.Failure) {
            try ReportFile.createFolders(Self.slashed(path))
        } catch {
            throw Self.error(path, error.number)
        }
        let opened = try Self.openFolder(path, shown: path)
        descriptor = opened
        return opened
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Writes a file with one call to the system, and replaces one that has its name.
    ///
    /// It is not written under another name first: to rename costs as much as to create, for each of many small files. A
    /// file that could not be written is removed.
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
        ReportError(path: path, message: "cannot write the report \(path): \(SystemFacts.message(of: number))")
    }
}
