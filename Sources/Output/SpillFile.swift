#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file without a name that keeps parts of a report out of memory, so that nothing is left behind when the process is
/// killed; for a report that is a stream, the memory.
struct SpillFile: ~Copyable {
    /// nil for a stream.
    private var file: FileHandle?
    /// Whether the file may be given a name.
    private var canBeNamed: Bool
    /// The bytes that were appended.
    private(set) var count = 0
    private var inMemory: [UInt8] = []

    /// Keeps the parts in memory.
    init() {
        canBeNamed = false
    }

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - path: The name that the file has for a moment, where the system has no files without a name.
    ///   - folder: The file's folder, with `/` at the end; empty for the working folder.
    init(at path: String, in folder: String) throws(FileHandle.Failure) {
        unlink(path)
        #if os(Linux)
        // O_TMPFILE of open(2), which is a macro that cannot be imported.
        let unnamed = 0o20000000 | O_DIRECTORY
        let opened = try? FileHandle(path: folder.isEmpty ? "." : folder, flags: O_RDWR | unnamed)
        canBeNamed = opened != nil
        #else
        let opened: FileHandle? = nil
        canBeNamed = false
        #endif
        switch consume opened {
        case .some(let opened): file = consume opened
        case .none:
            file = try FileHandle(path: path, flags: O_RDWR | O_CREAT | O_EXCL)
            unlink(path)
        }
    }

    /// Appends a part: some bytes, from the first on.
    mutating func append(
        _ bytes: borrowing ByteBuffer, count: Int
    ) throws(FileHandle.Failure) -> ReportFile.Part {
        switch file {
        case .none: inMemory += bytes.withUnsafeBytes { Array($0.prefix(count)) }
        case .some(let file): try file.write(bytes, count: count)
        }
        return addPart(of: count)
    }

    /// Appends a part.
    mutating func append(_ bytes: [UInt8]) throws(FileHandle.Failure) -> ReportFile.Part {
        switch file {
        case .none: inMemory += bytes
        case .some(let file): try file.write(bytes)
        }
        return addPart(of: bytes.count)
    }

    private mutating func addPart(of count: Int) -> ReportFile.Part {
        defer { self.count += count }
        return self.count..<self.count + count
    }

    /// Copies a part, within the kernel where it can.
    borrowing func copy(_ part: ReportFile.Part, to output: borrowing FileHandle) throws(FileHandle.Failure) {
        switch file {
        case .none: try output.write(Array(inMemory[part]))
        case .some(let file):
            let rest = part.lowerBound + file.copy(part, to: output)..<part.upperBound
            if !rest.isEmpty { try output.write(try file.read(rest)) }
        }
    }

    /// Calls a closure that appends what is missing of a report that begins with all parts, and gives the file a name.
    ///
    /// - Returns: Whether that could be done; what was appended does not count as a part.
    mutating func become(
        _ path: String, _ complete: (borrowing FileHandle) throws(FileHandle.Failure) -> Void
    ) throws(FileHandle.Failure) -> Bool {
        guard canBeNamed, count > 0 else { return false }
        canBeNamed = false
        switch file {
        case .none: return false
        case .some(let file):
            try complete(file)
            return file.link(as: path)
        }
    }
}

/// A part of a report that grows while the run lasts, of which only the end is kept in memory.
package struct SpilledText: ~Copyable {
    /// What was not spilled.
    package var bytes = ByteBuffer()
    private var parts: [ReportFile.Part] = []
    private let isAside: Bool

    /// The most bytes that are kept in memory: few enough to stay in a cache, as those of other reports.
    private static let mostBytes = 2 * ReportFile.spillUnit

    /// - Parameter isAside: Whether it is spilled apart from other texts, so that those follow one another in the file.
    package init(isAside: Bool = false) {
        self.isAside = isAside
    }

    /// True while nothing was appended.
    package var isEmpty: Bool { bytes.isEmpty && parts.isEmpty }

    /// All of the text, in order.
    package var pieces: [ReportFile.Piece] {
        parts.map { isAside ? .aside($0) : .part($0) } + [.bytes(bytes.array)]
    }

    /// Spills the bytes when they are many.
    package mutating func spillIfLong(to file: inout ReportFile) throws(ReportError) {
        guard bytes.count > Self.mostBytes else { return }
        let part = try file.spillUnits(of: &bytes, isAside: isAside)
        if let last = parts.last, last.upperBound == part.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
            parts.append(part)
        }
    }
}
