#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder of a report of many files, each of which appears whole or not at all.
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

    /// Writes a file, which takes its name when it is whole and replaces one that has it.
    func write(_ bytes: [UInt8], as name: String) throws(ReportError) {
        let temporary = "." + name + ".tmp"
        do throws(FileHandle.Failure) {
            let file = try FileHandle(named: temporary, in: descriptor, flags: O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(bytes)
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw Self.error(path + "/" + name, error.number)
        }
        guard renameat(descriptor, temporary, descriptor, name) != 0 else { return }
        let number = errno
        unlinkat(descriptor, temporary, 0)
        throw Self.error(path + "/" + name, number)
    }

    private static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(path: path, message: "cannot write the report \(path): \(SystemFacts.message(of: number))")
    }
}
