import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a report: parts are spilled beside it while the run lasts, and it appears whole or not at all.
///
/// The spilled parts are in a file without a name, so nothing is left behind when the process is killed. A report that begins
/// with all of them is that file: it is completed and named, and not copied.
package struct ReportFile: ~Copyable {
    /// The path as it was given.
    package let path: String
    /// Where the report is written: the path with symbolic links resolved.
    private let target: String
    /// Whether the path is no regular file, such as a pipe, which is written to and not replaced.
    package let isStream: Bool
    private let temporaryPath: String
    /// The folder of the report, with `/` at the end; empty for the working folder.
    private let folder: String
    /// The innermost of the folder and those above it that existed at the beginning, where parts are spilled.
    private let spillFolder: String
    private var spill: SpillFile
    /// What is spilled apart from the rest; nil until there is some.
    private var aside: SpillFile?

    /// A part that was spilled.
    package typealias Part = Range<Int>

    /// Makes sure that a path can be written.
    ///
    /// Folders that do not exist are created for the report, so that a run that does not begin leaves none.
    package init(path: String) throws(ReportError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if path.hasSuffix("/") || exists && status.st_mode & S_IFMT == S_IFDIR { throw Self.error(path, EISDIR) }
        if let standard = FileHandle.standardDescriptor(of: path) {
            // A pipe or socket that is open may be one that this user could not open.
            let flags = fcntl(standard, F_GETFL)
            if flags < 0 || flags & O_ACCMODE == O_RDONLY { throw Self.error(path, EBADF) }
        } else if exists, access(path, W_OK) != 0 {
            throw Self.error(path, errno)
        }
        let isStream =
            FileHandle.standardDescriptor(of: path) != nil
            || exists && (status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/"))
        let target = exists && !isStream ? Path.real(path) ?? path : path
        let folder = Self.folder(of: target)
        let name = target.dropFirst(folder.count)
        let temporaryPath = "\(folder).\(name).\(getpid()).tmp"
        let spillFolder = Self.existingFolder(of: folder)
        let spillPath = spillFolder + temporaryPath.dropFirst(folder.count)
        let spill = isStream ? SpillFile() : try Self.makeSpill(at: spillPath, in: spillFolder, for: path)
        self.init(
            path: path, target: target, isStream: isStream, temporaryPath: temporaryPath, folder: folder,
            spillFolder: spillFolder, spill: spill)
    }

    private init(
        path: String, target: String, isStream: Bool, temporaryPath: String, folder: String, spillFolder: String,
        spill: consuming SpillFile
    ) {
        self.path = path
        self.target = target
        self.isStream = isStream
        self.temporaryPath = temporaryPath
        self.folder = folder
        self.spillFolder = spillFolder
        self.spill = spill
    }

    private static func makeSpill(
        at temporaryPath: String, in folder: String, for path: String
    ) throws(ReportError) -> SpillFile {
        do throws(FileHandle.Failure) {
            return try SpillFile(at: temporaryPath, in: folder)
        } catch {
            throw Self.error(path, error.number)
        }
    }

    /// Keeps a part out of memory until the report is put together.
    ///
    /// - Parameter count: How many of the bytes, from the first on; nil for all.
    package mutating func spill(_ bytes: borrowing ByteBuffer, count: Int? = nil) throws(ReportError) -> Part {
        do {
            return try spill.append(bytes, count: count ?? bytes.count)
        } catch {
            throw Self.error(path, error.number)
        }
    }

    /// How much is spilled at a time at least, and what the lengths of files are then a multiple of: pages of a file that
    /// are written whole and together take the system half of the time.
    static let spillUnit = 1 << 15

    /// Keeps the first bytes out of memory, as many as fill units of the file, and forgets them.
    ///
    /// - Parameter isAside: Whether they are kept apart from other parts, which may then be the beginning of the report.
    mutating func spillUnits(of bytes: inout ByteBuffer, isAside: Bool) throws(ReportError) -> Part {
        let end = (isAside ? asideCount : spill.count) + bytes.count
        let count = max(0, bytes.count - end % Self.spillUnit)
        let part = try isAside ? spillAside(bytes, count: count) : spill(bytes, count: count)
        bytes.removeFirst(count)
        return part
    }

    private var asideCount: Int {
        switch aside {
        case .none: 0
        case .some(let aside): aside.count
        }
    }

    /// Keeps a part out of memory until the report is put together.
    package mutating func spill(_ bytes: [UInt8]) throws(ReportError) -> Part {
        do { return try spill.append(bytes) } catch { throw Self.error(path, error.number) }
    }

    /// Keeps a part out of memory, apart from the others, which may then be the beginning of the report.
    ///
    /// - Parameter count: How many of the bytes, from the first on; nil for all.
    mutating func spillAside(_ bytes: borrowing ByteBuffer, count: Int? = nil) throws(ReportError) -> Part {
        var file: SpillFile
        switch aside.take() {
        case .some(let aside): file = aside
        case .none:
            let spillPath = spillFolder + temporaryPath.dropFirst(folder.count)
            file = isStream ? SpillFile() : try Self.makeSpill(at: spillPath, in: spillFolder, for: path)
        }
        do {
            let part = try file.append(bytes, count: count ?? bytes.count)
            aside = consume file
            return part
        } catch {
            throw Self.error(path, error.number)
        }
    }

    /// Writes the report and puts it into its place.
    ///
    /// - Parameter pieces: The report's bytes, in order.
    package mutating func publish(_ pieces: [Piece]) throws(ReportError) {
        try publish(pieces, as: path, target: target)
    }

    /// Writes a further file of the report from the same parts, and puts it into its place.
    package mutating func publish(_ pieces: [Piece], as path: String) throws(ReportError) {
        try publish(pieces, as: path, target: Path.real(path) ?? path)
    }

    private mutating func publish(_ pieces: [Piece], as path: String, target: String) throws(ReportError) {
        do throws(FileHandle.Failure) {
            if !isStream { try Self.createFolders(folder) }
            if try !completeSpill(pieces) { try write(pieces) }
        } catch {
            if !isStream { unlink(temporaryPath) }
            throw Self.error(path, error.number)
        }
        guard !isStream, rename(temporaryPath, target) != 0 else { return }
        let number = errno
        unlink(temporaryPath)
        throw Self.error(path, number)
    }

    /// Makes the report of the file of spilled parts, when it begins with them and has them nowhere else.
    ///
    /// - Returns: Whether it could be done.
    private mutating func completeSpill(_ pieces: [Piece]) throws(FileHandle.Failure) -> Bool {
        var end = 0
        var rest = pieces[...]
        while case .part(let part)? = rest.first, part.lowerBound == end {
            end = part.upperBound
            rest = rest.dropFirst()
        }
        guard end == spill.count, rest.allSatisfy({ if case .part = $0 { false } else { true } }) else { return false }
        return try spill.become(temporaryPath) { output throws(FileHandle.Failure) in
            for piece in rest {
                switch piece {
                case .bytes(let bytes): try output.write(bytes)
                case .part: break
                case .aside(let part): try aside?.copy(part, to: output)
                }
            }
        }
    }

    private borrowing func write(_ pieces: [Piece]) throws(FileHandle.Failure) {
        // Appended, for a stream may be a file that others write to.
        let flags = isStream ? O_WRONLY | O_APPEND : O_WRONLY | O_CREAT | O_EXCL
        let output = try FileHandle(path: isStream ? path : temporaryPath, flags: flags)
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try output.write(bytes)
            case .part(let part): try spill.copy(part, to: output)
            case .aside(let part): try aside?.copy(part, to: output)
            }
        }
    }

    /// A piece of a report: bytes, or a part that was spilled before.
    package enum Piece {
        case bytes([UInt8])
        case part(Part)
        case aside(Part)
    }

    /// The path of a file of a report that is split: `report.xml` becomes `report-1.xml` and so on.
    ///
    /// - Parameter number: The file's number, from 1.
    package static func path(_ path: String, number: Int) -> String {
        let name = path.split(separator: "/").last ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }

    /// Removes the files that an earlier report of more files has left, from a number on up to the first that is not there.
    package static func removeAll(from number: Int, path: (Int) -> String) {
        var number = number
        while unlink(path(number)) == 0 { number += 1 }
    }

    /// The folder of a path, with `/` at its end; empty for the working folder.
    package static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    /// The innermost of a folder, whose path ends with `/`, and those above it that exists; empty for the working folder.
    static func existingFolder(of folder: String) -> String {
        var status = stat()
        var folder = folder[...]
        // A link that leads nowhere is there too, and no folder can be created in its place.
        while !folder.isEmpty, stat(String(folder), &status) != 0, lstat(String(folder.dropLast()), &status) != 0 {
            folder = folder.dropLast()
            folder = folder[..<(folder.lastIndex(of: "/").map(folder.index(after:)) ?? folder.startIndex)]
        }
        return String(folder)
    }

    /// Creates a folder, of which the path ends with `/`, and those above it.
    package static func createFolders(_ folder: String) throws(FileHandle.Failure) {
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

    /// What to say of a path that cannot be written.
    package static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(path: path, message: "cannot write the report \(path): \(SystemFacts.message(of: number))")
    }
}

/// A report that is written as it is made, to what is no regular file: a pipe, a terminal, a device.
package struct ReportStream: ~Copyable {
    /// The path as it was given.
    package let path: String
    private var output: FileHandle?

    /// Creates a stream; it is opened when something is written, for a pipe without a reader makes its writer wait.
    package init(path: String) {
        self.path = path
    }

    /// Writes all bytes at once.
    package mutating func write(_ bytes: borrowing ByteBuffer) throws(ReportError) {
        do throws(FileHandle.Failure) {
            // Appended, for a stream may be a file that others write to.
            if output == nil { output = try FileHandle(path: path, flags: O_WRONLY | O_APPEND) }
            switch output {
            case .none: break
            case .some(let file): try file.write(bytes)
            }
        } catch {
            throw ReportError(
                path: path, message: "cannot write the report \(path): \(SystemFacts.message(of: error.number))")
        }
    }
}

/// Why a report cannot be made or written.
public struct ReportError: Error, Sendable, Hashable {
    /// The path of the report, when it has one.
    public var path: String?
    /// What is wrong, as one sentence without a final full stop; it names the path.
    public var message: String

    /// Creates an error.
    public init(path: String? = nil, message: String) {
        self.path = path
        self.message = message
    }
}
