#if canImport(Glibc)
import FileSystem
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An unnamed file that keeps parts of a report out of memory and disappears when the process is killed.
///
/// For a report that is a stream, the parts stay in memory.
struct SpillFile: ~Copyable {
    /// The file, or `nil` for a stream.
    private var file: FileHandle?
    /// Whether the file can be linked to a path.
    private var canBeNamed: Bool
    /// The number of bytes appended.
    private(set) var count = 0
    private var inMemory: [UInt8] = []

    /// Creates storage that keeps the parts in memory.
    init() {
        canBeNamed = false
    }

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - path: A temporary name for the file, on systems without unnamed files.
    ///   - directory: The directory of the file with a trailing `/`, or an empty string for the working directory.
    init(at path: String, in directory: String) throws(FileHandle.Failure) {
        unlink(path)
        let opened = try? FileHandle(unnamedIn: directory.isEmpty ? "." : directory)
        canBeNamed = opened != nil
        switch consume opened {
        case .some(let opened): file = consume opened
        case .none:
            file = try FileHandle(path: path, flags: O_RDWR | O_CREAT | O_EXCL)
            unlink(path)
        }
    }

    /// Appends the first bytes of a buffer as a part.
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

    /// Copies a part to another file, within the kernel if possible.
    borrowing func copy(_ part: ReportFile.Part, to output: borrowing FileHandle) throws(FileHandle.Failure) {
        switch file {
        case .none: try output.write(Array(inMemory[part]))
        case .some(let file):
            let rest = part.lowerBound + file.copy(part, to: output)..<part.upperBound
            if !rest.isEmpty { try output.write(try file.read(rest)) }
        }
    }

    /// Completes the report, which starts with all spilled parts, and links the file to a path.
    ///
    /// - Parameters:
    ///   - path: The path of the report.
    ///   - complete: Appends the remaining bytes of the report. They do not count as a part.
    /// - Returns: Whether the file could be completed and linked.
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

/// A part of a report that grows during the run and keeps only its last bytes in memory.
package struct SpilledText: ~Copyable {
    /// The bytes that are not spilled yet.
    package var bytes = ByteBuffer()
    private var parts: [ReportFile.Part] = []
    private let isAside: Bool

    /// The maximum number of bytes kept in memory.
    ///
    /// It is small so that this and other reports' buffers stay in a CPU cache.
    private static let maximumBytes = 2 * ReportFile.spillUnit

    /// Creates an empty text.
    ///
    /// - Parameter isAside: Whether the text is spilled separately from others, which keeps those contiguous in the
    ///   file.
    package init(isAside: Bool = false) {
        self.isAside = isAside
    }

    /// Whether the text is empty.
    package var isEmpty: Bool { bytes.isEmpty && parts.isEmpty }

    /// All pieces of the text, in order.
    package var pieces: [ReportFile.Piece] {
        parts.map { isAside ? .aside($0) : .part($0) } + [.bytes(bytes.array)]
    }

    /// Spills the bytes to disk if they exceed the limit.
    package mutating func spillIfLong(to file: inout ReportFile) throws(ReportError) {
        guard bytes.count > Self.maximumBytes else { return }
        let part = try file.spillUnits(of: &bytes, isAside: isAside)
        if let last = parts.last, last.upperBound == part.lowerBound {
            parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
            parts.append(part)
        }
    }
}
