public import Diagnostics
package import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A report file that collects parts on disk during a run and is then published completely or not at all.
///
/// The parts are spilled to an unnamed file, so a killed process leaves nothing behind. A report that starts with all
/// of the parts reuses that file: it is completed and linked to its path rather than copied.
package struct ReportFile: ~Copyable {
    /// The path as given by the user.
    package let path: String
    /// The path with symbolic links resolved, to which the report is written.
    private let target: String
    /// Whether the path is not a regular file, such as a pipe.
    ///
    /// It is then written to instead of replaced.
    package let isStream: Bool
    private let temporaryPath: String
    /// The directory of the report with a trailing `/`, or an empty string for the working directory.
    private let directory: String
    /// The closest ancestor directory that existed at the start, in which parts are spilled.
    private let spillDirectory: String
    private var spill: SpillFile
    /// The parts spilled separately from the rest, or `nil` if there are none yet.
    private var aside: SpillFile?

    /// The byte range of a spilled part.
    package typealias Part = Range<Int>

    /// Creates a report file and checks that its path is writable.
    ///
    /// Missing directories are created only when the report is written. A run that does not start leaves none behind.
    package init(path: String) throws(ReportError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if path.hasSuffix("/") || exists && status.st_mode & S_IFMT == S_IFDIR { throw Self.error(path, EISDIR) }
        if let standard = FileHandle.standardDescriptor(of: path) {
            // An already open pipe or socket may be one that this user could not open by its path.
            let flags = fcntl(standard, F_GETFL)
            if flags < 0 || flags & O_ACCMODE == O_RDONLY { throw Self.error(path, EBADF) }
        } else if exists, access(path, W_OK) != 0 {
            throw Self.error(path, errno)
        }
        let isStream =
            FileHandle.standardDescriptor(of: path) != nil
            || exists && (status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/dev/"))
        let target = exists && !isStream ? Path.real(path) ?? path : path
        let directory = Self.directory(of: target)
        let name = target.dropFirst(directory.count)
        let temporaryPath = "\(directory).\(name).\(getpid()).tmp"
        let spillDirectory = Self.existingDirectory(of: directory)
        let spillPath = spillDirectory + temporaryPath.dropFirst(directory.count)
        let spill = isStream ? SpillFile() : try Self.makeSpill(at: spillPath, in: spillDirectory, for: path)
        self.init(
            path: path, target: target, isStream: isStream, temporaryPath: temporaryPath, directory: directory,
            spillDirectory: spillDirectory, spill: spill)
    }

    private init(
        path: String, target: String, isStream: Bool, temporaryPath: String, directory: String, spillDirectory: String,
        spill: consuming SpillFile
    ) {
        self.path = path
        self.target = target
        self.isStream = isStream
        self.temporaryPath = temporaryPath
        self.directory = directory
        self.spillDirectory = spillDirectory
        self.spill = spill
    }

    private static func makeSpill(
        at temporaryPath: String, in directory: String, for path: String
    ) throws(ReportError) -> SpillFile {
        do throws(FileHandle.Failure) {
            return try SpillFile(at: temporaryPath, in: directory)
        } catch {
            throw Self.error(path, error.number)
        }
    }

    /// Spills a part to disk until the report is assembled.
    ///
    /// - Parameter count: The number of bytes to spill from the start of the buffer, or `nil` for all of them.
    package mutating func spill(_ bytes: borrowing ByteBuffer, count: Int? = nil) throws(ReportError) -> Part {
        do {
            return try spill.append(bytes, count: count ?? bytes.count)
        } catch {
            throw Self.error(path, error.number)
        }
    }

    /// The minimum size of a spill, in bytes.
    ///
    /// The spill files grow in multiples of it.
    ///
    /// Writing several whole pages of a file at a time halves the time spent in the kernel.
    static let spillUnit = 1 << 15

    /// Spills as many of the first bytes as fill whole units of the file, and removes them from the buffer.
    ///
    /// - Parameter isAside: Whether the bytes are spilled separately, which keeps the other parts contiguous.
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

    /// Spills a part to disk until the report is assembled.
    package mutating func spill(_ bytes: [UInt8]) throws(ReportError) -> Part {
        do { return try spill.append(bytes) } catch { throw Self.error(path, error.number) }
    }

    /// Spills a part separately from the others, which may then form the start of the report.
    ///
    /// - Parameter count: The number of bytes to spill from the start of the buffer, or `nil` for all of them.
    mutating func spillAside(_ bytes: borrowing ByteBuffer, count: Int? = nil) throws(ReportError) -> Part {
        var file: SpillFile
        switch aside.take() {
        case .some(let aside): file = aside
        case .none:
            let spillPath = spillDirectory + temporaryPath.dropFirst(directory.count)
            file = isStream ? SpillFile() : try Self.makeSpill(at: spillPath, in: spillDirectory, for: path)
        }
        do {
            let part = try file.append(bytes, count: count ?? bytes.count)
            aside = consume file
            return part
        } catch {
            throw Self.error(path, error.number)
        }
    }

    /// Writes the report and moves it to its path.
    ///
    /// - Parameter pieces: The pieces of the report, in order.
    package mutating func publish(_ pieces: [Piece]) throws(ReportError) {
        try publish(pieces, as: path, target: target)
    }

    /// Writes another file of the report from the same parts, and moves it to its path.
    package mutating func publish(_ pieces: [Piece], as path: String) throws(ReportError) {
        try publish(pieces, as: path, target: Path.real(path) ?? path)
    }

    private mutating func publish(_ pieces: [Piece], as path: String, target: String) throws(ReportError) {
        do throws(FileHandle.Failure) {
            if !isStream { try Self.createDirectories(directory) }
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

    /// Turns the spill file into the report if the report starts with all spilled parts and does not repeat them.
    ///
    /// - Returns: Whether the spill file became the report.
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
        // Appends because a stream may be a file that other processes write to.
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

    /// A piece of a report: bytes in memory or a spilled part.
    package enum Piece {
        case bytes([UInt8])
        case part(Part)
        case aside(Part)
    }

    /// Returns the path of one file of a split report: `report.xml` becomes `report-1.xml`, and so on.
    ///
    /// - Parameter number: The number of the file, starting at 1.
    package static func path(_ path: String, number: Int) -> String {
        let name = path.split(separator: "/").last ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }

    /// Removes leftover files of a previous report, from a number up to the first one that does not exist.
    package static func removeAll(from number: Int, path: (Int) -> String) {
        var number = number
        while unlink(path(number)) == 0 { number += 1 }
    }

    /// Returns the directory of a path with a trailing `/`, or an empty string for the working directory.
    package static func directory(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    /// Returns the closest existing ancestor of a directory path, or an empty string for the working directory.
    ///
    /// - Parameter directory: The path of a directory with a trailing `/`. It is returned itself if it exists.
    static func existingDirectory(of directory: String) -> String {
        var status = stat()
        var directory = directory[...]
        // A dangling symbolic link also counts as existing because no directory can be created at its path.
        while !directory.isEmpty, stat(String(directory), &status) != 0,
            lstat(String(directory.dropLast()), &status) != 0
        {
            directory = directory.dropLast()
            directory =
                directory[..<(directory.lastIndex(of: "/").map(directory.index(after:)) ?? directory.startIndex)]
        }
        return String(directory)
    }

    /// Creates a directory, whose path ends with `/`, and its missing ancestors.
    package static func createDirectories(_ directory: String) throws(FileHandle.Failure) {
        var status = stat()
        guard !directory.isEmpty, stat(directory, &status) != 0 else { return }
        var path = directory.hasPrefix("/") ? "/" : ""
        for part in directory.split(separator: "/") {
            path += part + "/"
            if mkdir(path, 0o777) != 0, errno != EEXIST, errno != EISDIR {
                throw FileHandle.Failure(number: errno)
            }
        }
    }

    /// Returns the error for a path that cannot be written.
    package static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(
            path: path, message: "cannot write the report \"\(path)\": \(SystemInfo.message(of: number))",
            systemError: number)
    }
}

/// A report that is streamed to a destination that is not a regular file: a pipe, a terminal, or a device.
package struct ReportStream: ~Copyable {
    /// The path as given by the user.
    package let path: String
    private var output: FileHandle?

    /// Creates a stream, which is opened on the first write because opening a pipe without a reader blocks.
    package init(path: String) {
        self.path = path
    }

    /// Writes all bytes without buffering.
    package mutating func write(_ bytes: borrowing ByteBuffer) throws(ReportError) {
        do throws(FileHandle.Failure) {
            // Appends because a stream may be a file that other processes write to.
            if output == nil { output = try FileHandle(path: path, flags: O_WRONLY | O_APPEND) }
            switch output {
            case .none: break
            case .some(let file): try file.write(bytes)
            }
        } catch {
            throw ReportError(
                path: path, message: "cannot write the report \"\(path)\": \(SystemInfo.message(of: error.number))")
        }
    }
}

/// An error that prevents a report from being created or written.
public struct ReportError: Error, Sendable, Hashable {
    /// The kind of the error.
    public var id: ProblemID
    /// The path of the report, if it has one.
    public var path: String?
    /// A one-sentence description that names the path and has no final period.
    public var message: String
    /// The number of the system error that caused it, as in `errno`, if there is one.
    public var systemError: Int32?

    /// Creates an error.
    public init(
        id: ProblemID = .unwritableFile, path: String? = nil, message: String, systemError: Int32? = nil
    ) {
        self.id = id
        self.path = path
        self.message = message
        self.systemError = systemError
    }
}
