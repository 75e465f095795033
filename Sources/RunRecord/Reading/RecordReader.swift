public import Diagnostics
package import FileSystem
import JSON
import Output
package import RunModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A reader of records that keeps a single line in memory.
package struct RecordReader: ~Copyable {
    /// A line with its location.
    package struct Line {
        /// The contents of the line.
        package var content: RecordLine
        /// The number of the line, starting at 1.
        var number: Int
        /// The byte range of the line in the file, without its line break.
        var bytes: Range<Int>
    }

    /// The maximum number of bytes of a line.
    ///
    /// A longer line cannot belong to a record.
    private static let maximumLineLength = 1 << 28

    private let path: String
    private let file: SharedFile
    /// Whether the file is read at offsets, so that its lines can also be read out of order.
    private let isRegular: Bool
    private var decoder = RecordDecoder()
    private var buffer: [UInt8] = []
    /// The offset of the next line in ``buffer``.
    private var start = 0
    /// The offset in ``buffer`` up to which there is no line break.
    private var searched = 0
    /// The offset of ``buffer`` in the file.
    private var offset = 0
    private var isAtEnd = false
    /// The number of the last line read, starting at 1.
    package private(set) var number = 0
    /// Whether the last line is truncated.
    package private(set) var isCut = false

    /// Opens a record.
    package init(_ input: RecordInput) throws(RecordError) {
        switch input.source {
        case .path(let path):
            let path = input.isStandardInput ? FileHandle.standardInput : path
            self.init(path: input.name, file: try Self.open(path, shownAs: input.name))
        case .file(let file): self.init(path: input.name, file: file)
        }
    }

    /// Creates a reader of an open file.
    ///
    /// - Parameter beginning: The bytes that have already been read from the file.
    package init(path: String, file: consuming FileHandle, beginning: [UInt8] = []) {
        self.init(path: path, file: SharedFile(file), beginning: beginning)
    }

    private init(path: String, file: SharedFile, beginning: [UInt8] = []) {
        self.path = path
        self.file = file
        isRegular = file.handle.isRegular
        buffer = beginning
    }

    private static func open(_ path: String, shownAs shown: String) throws(RecordError) -> FileHandle {
        do {
            return try FileHandle(path: path, flags: O_RDONLY)
        } catch {
            throw unreadable(shown, error)
        }
    }

    private static func unreadable(_ path: String, _ failure: FileHandle.Failure) -> RecordError {
        RecordError(
            id: .unreadableReport, path: path,
            message: "cannot read the record \"\(path)\": \(SystemInfo.message(of: failure.number))")
    }

    /// Whether the record includes the exchanges of passed steps, which only reports that need them show.
    package var hasAllExchanges: Bool { decoder.hasAllExchanges }

    /// Returns the next line of a known kind, or `nil` at the end.
    ///
    /// - Parameter outlinesLoads: Whether a line of a load becomes a ``RecordLine/load(_:)`` without figures.
    package mutating func next(outlinesLoads: Bool = false) throws(RecordError) -> Line? {
        while let range = try nextLine() {
            number += 1
            let bytes = buffer[range]
            if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
            let isLast = range.upperBound == buffer.count
            let value: JSONValue
            do {
                value = try bytes.withUnsafeBufferPointer { buffer throws(JSONParseError) in
                    try JSONParser().parse(buffer)
                }
            } catch {
                if isLast {
                    isCut = true
                    return nil
                }
                throw problem(error.message, column: error.byteOffset + 1)
            }
            do {
                let content = try decoder.decode(value, outlinesLoads: outlinesLoads)
                if case .unknown = content { continue }
                return Line(
                    content: content, number: number, bytes: offset + range.lowerBound..<offset + range.upperBound)
            } catch {
                throw problem(error.message, column: Self.column(of: error.member, in: bytes))
            }
        }
        return nil
    }

    /// Returns the event of a line that was read before.
    mutating func line(at range: Range<Int>, number: Int) throws(RecordError) -> RecordLine {
        let bytes: [UInt8]
        do { bytes = try file.handle.read(range) } catch {
            throw Self.unreadable(path, error)
        }
        guard let value = try? JSONValue(parsing: bytes) else {
            throw RecordError(
                id: .unreadableReport, path: path, line: number, column: 1,
                message: "the record changed while it was being read")
        }
        do {
            return try decoder.decode(value)
        } catch {
            throw RecordError(
                path: path, line: number, column: Self.column(of: error.member, in: bytes[...]),
                message: error.message)
        }
    }

    /// Removes the lines in memory that have not been read. They are read again for ``next()``.
    mutating func removeBuffer() {
        guard isRegular else { return }
        offset += start
        (start, searched, isAtEnd) = (0, 0, false)
        buffer = []
    }

    /// The number of bytes that ``lastLine()`` reads at first.
    private static let tailLength = 1 << 14

    /// Returns the last line, or `nil` if it is truncated or not a line of a record.
    mutating func lastLine() throws(RecordError) -> RecordLine? {
        do throws(FileHandle.Failure) {
            let size = try file.handle.size()
            var length = Self.tailLength
            while true {
                let start = max(0, size - length)
                let bytes = try file.handle.read(start..<size)
                // The line break at the end belongs to the last line.
                let line = bytes.dropLast(bytes.last == 0x0A ? 1 : 0)
                if let end = line.lastIndex(of: 0x0A) { return decoded(line[(end + 1)...]) }
                if start == 0 || length > Self.maximumLineLength { return decoded(line) }
                length *= 8
            }
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    private mutating func decoded(_ bytes: ArraySlice<UInt8>) -> RecordLine? {
        guard let value = try? JSONValue(parsing: Array(bytes)) else { return nil }
        return try? decoder.decode(value)
    }

    /// Returns an error at the last line read.
    package func problem(_ message: String, column: Int = 1) -> RecordError {
        RecordError(path: path, line: number, column: column, message: message)
    }

    /// Returns the column of a member's name, or 1 if it is not found.
    private static func column(of member: String?, in line: ArraySlice<UInt8>) -> Int {
        guard let member else { return 1 }
        let name = Array("\"\(member)\":".utf8)
        guard line.count >= name.count else { return 1 }
        for index in line.startIndex...line.endIndex - name.count
        where line[index] == name[0] && line[index...].starts(with: name) {
            return index - line.startIndex + 1
        }
        return 1
    }

    // MARK: Lines

    /// Returns the range of the next line in the buffer, without its line break.
    private mutating func nextLine() throws(RecordError) -> Range<Int>? {
        while true {
            let found = buffer.withUnsafeBufferPointer { bytes -> Int? in
                guard let base = bytes.baseAddress, searched < bytes.count,
                    let location = memchr(base + searched, 0x0A, bytes.count - searched)
                else { return nil }
                return location - UnsafeMutableRawPointer(mutating: base)
            }
            if let found {
                defer {
                    start = found + 1
                    searched = start
                }
                return start..<found
            }
            searched = buffer.count
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return start..<buffer.count
            }
            try fill()
        }
    }

    private mutating func fill() throws(RecordError) {
        if start > 0 {
            buffer.removeFirst(start)
            offset += start
            searched -= start
            start = 0
        }
        guard buffer.count <= Self.maximumLineLength else {
            throw RecordError(path: path, line: number + 1, column: 1, message: "the line is too long")
        }
        do {
            let more = try isRegular ? file.handle.readSome(at: offset + buffer.count) : file.handle.readSome()
            isAtEnd = more.isEmpty
            buffer += more
        } catch {
            throw Self.unreadable(path, error)
        }
    }
}

/// A line of a record.
package enum RecordLine {
    /// An event with the original sizes of bodies that were masked or truncated, and its time if the line states it.
    case event(RunEvent, sizes: BodySizes, time: Int64?)
    /// A line of a load whose figures were not decoded.
    case load(LoadOutline)
    /// A line of a kind that is unknown to this version.
    case unknown
}

/// An error that prevents a record from being read, with its location.
public struct RecordError: Error, Sendable, Hashable {
    /// The kind of the error.
    public var id: ProblemID
    /// The path of the record.
    public var path: String
    /// The line, starting at 1, or `nil` if the error concerns the whole file.
    public var line: Int?
    /// The column in bytes, starting at 1.
    public var column: Int?
    /// A one-sentence description without a final period.
    public var message: String

    /// The error as it is printed, preceded by its location if it has one.
    public var text: String {
        guard let line, let column else { return message }
        return "\(path):\(line):\(column): \(message)"
    }

    /// Creates an error.
    package init(
        id: ProblemID = .invalidReport, path: String, line: Int? = nil, column: Int? = nil, message: String
    ) {
        self.id = id
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }
}

/// The reason why a line of a record cannot be read.
package struct RecordProblem: Error {
    /// A sentence without a final period.
    package var message: String
    /// The name of the invalid member, if the problem concerns one.
    package var member: String?

    /// Creates a problem.
    package init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }
}
