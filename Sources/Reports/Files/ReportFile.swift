#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a report: parts are spilled beside it while the run lasts, and it appears whole or not at all.
///
/// The spilled parts are in a file without a name, so nothing is left behind when the process is killed.
struct ReportFile: ~Copyable {
    /// The path as it was given.
    let path: String
    /// Where the report is written: the path with symbolic links resolved.
    private let target: String
    /// Whether the path is no regular file, such as a pipe, which is written to and not replaced.
    let isStream: Bool
    private let temporaryPath: String
    /// nil for a stream, of which the parts stay in memory.
    private var spill: FileHandle?
    private var spilled = 0
    private var inMemory: [UInt8] = []

    /// A part that was spilled.
    typealias Part = Range<Int>

    /// Makes sure that a path can be written.
    ///
    /// Folders that do not exist are created.
    init(path: String) throws(ReportError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if path.hasSuffix("/") || exists && status.st_mode & S_IFMT == S_IFDIR { throw Self.error(path, EISDIR) }
        if exists, access(path, W_OK) != 0 { throw Self.error(path, errno) }
        let isStream = exists && (status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/"))
        let target = exists && !isStream ? Self.resolved(path) : path
        let name = target.split(separator: "/").last.map(String.init) ?? target
        let folder = String(target.dropLast(name.count))
        let temporaryPath = "\(folder).\(name).\(getpid()).tmp"
        let spill = isStream ? nil : try Self.makeSpill(at: temporaryPath, in: folder, for: path)
        self.init(path: path, target: target, isStream: isStream, temporaryPath: temporaryPath, spill: spill)
    }

    private init(
        path: String, target: String, isStream: Bool, temporaryPath: String, spill: consuming FileHandle?
    ) {
        self.path = path
        self.target = target
        self.isStream = isStream
        self.temporaryPath = temporaryPath
        self.spill = spill
    }

    /// Opens a file and takes its name away.
    private static func makeSpill(
        at temporaryPath: String, in folder: String, for path: String
    ) throws(ReportError) -> FileHandle? {
        do throws(FileHandle.Failure) {
            try createFolders(folder)
            unlink(temporaryPath)
            let file = try FileHandle(path: temporaryPath, flags: O_RDWR | O_CREAT | O_EXCL)
            unlink(temporaryPath)
            return file
        } catch {
            throw Self.error(path, error.number)
        }
    }

    /// Keeps a part out of memory until the report is put together.
    mutating func spill(_ bytes: borrowing ByteBuffer) throws(ReportError) -> Part {
        switch spill {
        case .none: inMemory += bytes.array
        case .some(let file):
            do { try file.write(bytes) } catch { throw Self.error(path, error.number) }
        }
        return addPart(of: bytes.count)
    }

    /// Keeps a part out of memory until the report is put together.
    mutating func spill(_ bytes: [UInt8]) throws(ReportError) -> Part {
        switch spill {
        case .none: inMemory += bytes
        case .some(let file):
            do { try file.write(bytes) } catch { throw Self.error(path, error.number) }
        }
        return addPart(of: bytes.count)
    }

    private mutating func addPart(of count: Int) -> Part {
        defer { spilled += count }
        return spilled..<spilled + count
    }

    /// Writes the report and puts it into its place.
    ///
    /// - Parameter pieces: The report's bytes, in order.
    mutating func publish(_ pieces: [Piece]) throws(ReportError) {
        try publish(pieces, as: path, target: target)
    }

    /// Writes a further file of the report from the same parts, and puts it into its place.
    mutating func publish(_ pieces: [Piece], as path: String) throws(ReportError) {
        try publish(pieces, as: path, target: Self.resolved(path))
    }

    private borrowing func publish(_ pieces: [Piece], as path: String, target: String) throws(ReportError) {
        do throws(FileHandle.Failure) {
            try write(pieces)
        } catch {
            if !isStream { unlink(temporaryPath) }
            throw Self.error(path, error.number)
        }
        guard !isStream, rename(temporaryPath, target) != 0 else { return }
        let number = errno
        unlink(temporaryPath)
        throw Self.error(path, number)
    }

    private borrowing func write(_ pieces: [Piece]) throws(FileHandle.Failure) {
        // Appended, for a stream such as /dev/stdout may be a file that others write to.
        let flags = isStream ? O_WRONLY | O_APPEND : O_WRONLY | O_CREAT | O_EXCL
        let output = try FileHandle(path: isStream ? path : temporaryPath, flags: flags)
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try output.write(bytes)
            case .part(let part): try copy(part, to: output)
            }
        }
    }

    /// A piece of a report: bytes, or a part that was spilled before.
    enum Piece {
        case bytes([UInt8])
        case part(Part)
    }

    /// Copies a part, within the kernel where it can.
    private borrowing func copy(_ part: Part, to output: borrowing FileHandle) throws(FileHandle.Failure) {
        var rest = part
        switch spill {
        case .none: break
        case .some(let file): rest = part.lowerBound + file.copy(part, to: output)..<part.upperBound
        }
        if !rest.isEmpty { try output.write(try read(rest)) }
    }

    private borrowing func read(_ part: Part) throws(FileHandle.Failure) -> [UInt8] {
        switch spill {
        case .none: Array(inMemory[part])
        case .some(let file): try file.read(part)
        }
    }

    /// Removes the files that an earlier report of more files has left, from a number on up to the first that is not there.
    static func removeAll(from number: Int, path: (Int) -> String) {
        var number = number
        while unlink(path(number)) == 0 { number += 1 }
    }

    /// Creates a folder, of which the path ends with `/`, and those above it.
    static func createFolders(_ folder: String) throws(FileHandle.Failure) {
        var status = stat()
        guard !folder.isEmpty, stat(folder, &status) != 0 else { return }
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            if mkdir(path, 0o777) != 0, errno != EEXIST, errno != EISDIR {
                throw FileHandle.Failure(number: errno)
            }
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// What to say of a path that cannot be written.
    static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(path: path, message: "cannot write the report \(path): \(SystemFacts.message(of: number))")
    }
}
