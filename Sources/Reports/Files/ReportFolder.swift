#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of a report of many files.
struct ReportFolder: ~Copyable {
    /// The path as it was given.
    let path: String
    private let descriptor: Int32

    /// Makes sure that files can be written into a folder, which is created when it does not exist.
    init(path: String) throws(ReportError) {
        self.init(path: path, descriptor: try Self.openFolder(path))
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    private static func openFolder(_ path: String) throws(ReportError) -> Int32 {
        do throws(FileHandle.Failure) {
            try ReportFile.createFolders(path.hasSuffix("/") ? path : path + "/")
        } catch {
            throw Self.error(path, error.number)
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw Self.error(path, errno) }
        // What the permissions say of a folder is not all that decides.
        let name = ".apitest.\(getpid()).tmp"
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        if file < 0 {
            let number = errno
            close(descriptor)
            throw Self.error(path, number)
        }
        close(file)
        unlinkat(descriptor, name, 0)
        return descriptor
    }

    deinit { close(descriptor) }

    /// Writes a file with one call to the system, and replaces one that has its name.
    ///
    /// It is not written under another name first: to rename costs as much as to create, for each of many small files. A
    /// file that could not be written is removed.
    func write(_ bytes: [UInt8], as name: String) throws(ReportError) {
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
