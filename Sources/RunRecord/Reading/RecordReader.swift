import JSON
package import Output
package import RunModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads a record line by line, holding no more of it than a line.
package struct RecordReader: ~Copyable {
    /// A line and where it stands.
    package struct Line {
        package var content: RecordLine
        /// The number of the line, from 1.
        var number: Int
        /// The bytes that the line takes in the file, without its line break.
        var bytes: Range<Int>
    }

    /// The most bytes of a line: a longer one is no line of a record.
    private static let longestLine = 1 << 28

    private let path: String
    private let file: FileHandle
    private var decoder = RecordDecoder()
    private var buffer: [UInt8] = []
    /// Where in ``buffer`` the next line begins.
    private var start = 0
    /// Where in ``buffer`` there is no line break before.
    private var searched = 0
    /// Where in the file ``buffer`` begins.
    private var offset = 0
    private var isAtEnd = false
    package private(set) var number = 0
    /// Whether the last line was cut off.
    package private(set) var isCut = false

    /// Opens a record.
    ///
    /// - Parameter path: The record's path, or `-` for standard input.
    package init(path: String) throws(RecordError) {
        let shown = path == "-" ? "standard input" : path
        self.init(path: shown, file: try Self.open(path == "-" ? FileHandle.standardInput : path, shownAs: shown))
    }

    /// Takes an open file.
    ///
    /// - Parameter beginning: The bytes that were read of it already.
    package init(path: String, file: consuming FileHandle, beginning: [UInt8] = []) {
        self.path = path
        self.file = file
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
            path: path,
            message: "the record \"\(path)\" cannot be read: \(SystemFacts.message(of: failure.number))")
    }

    /// Whether the exchanges of steps that passed are in the record for those reports alone that need them.
    package var hasAllExchanges: Bool { decoder.hasAllExchanges }

    /// The next line of a kind that is known; nil at the end.
    package mutating func next() throws(RecordError) -> Line? {
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
                let content = try decoder.decode(value)
                if case .unknown = content { continue }
                return Line(
                    content: content, number: number, bytes: offset + range.lowerBound..<offset + range.upperBound)
            } catch {
                throw problem(error.message, column: Self.column(of: error.member, in: bytes))
            }
        }
        return nil
    }

    /// Reads the event of a line that was read before.
    mutating func line(at range: Range<Int>, number: Int) throws(RecordError) -> RecordLine {
        let bytes: [UInt8]
        do { bytes = try file.read(range) } catch {
            throw Self.unreadable(path, error)
        }
        guard let value = try? JSONValue(parsing: bytes), let content = try? decoder.decode(value) else {
            throw RecordError(path: path, line: number, column: 1, message: "the record was changed while it was read")
        }
        return content
    }

    /// An error at the line that was read last.
    package func problem(_ message: String, column: Int = 1) -> RecordError {
        RecordError(path: path, line: number, column: column, message: message)
    }

    /// The column at which a member's name stands; 1 when it is not found.
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

    /// Where in the buffer the next line is, without its line break.
    private mutating func nextLine() throws(RecordError) -> Range<Int>? {
        while true {
            let found = buffer.withUnsafeBufferPointer { bytes -> Int? in
                guard let base = bytes.baseAddress, searched < bytes.count,
                    let place = memchr(base + searched, 0x0A, bytes.count - searched)
                else { return nil }
                return place - UnsafeMutableRawPointer(mutating: base)
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
        guard buffer.count <= Self.longestLine else {
            throw RecordError(path: path, line: number + 1, column: 1, message: "the line is too long")
        }
        do {
            let more = try file.readSome()
            isAtEnd = more.isEmpty
            buffer += more
        } catch {
            throw Self.unreadable(path, error)
        }
    }
}

/// A line of a record: an event as it was written.
package enum RecordLine {
    /// An event, with the sizes of its bodies before they were masked or cut, and the time where the line has one.
    case event(RunEvent, sizes: BodySizes, time: Int64?)
    /// A line of a kind that this version does not know.
    case unknown
}

/// Why a record cannot be read, and where.
public struct RecordError: Error, Sendable, Hashable {
    /// The record's path.
    public var path: String
    /// The line, from 1; nil when it is about the whole file.
    public var line: Int?
    /// The column in bytes, from 1.
    public var column: Int?
    /// What is wrong, as one sentence without a final full stop.
    public var message: String

    /// The error as it is printed: with its place before it, when it has one.
    public var text: String {
        guard let line, let column else { return message }
        return "\(path):\(line):\(column): \(message)"
    }

    package init(path: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }
}

/// Why a line of a record cannot be read.
package struct RecordProblem: Error {
    /// One sentence without a final full stop.
    package var message: String
    /// The name of the member that is wrong, when it is one.
    package var member: String?

    package init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }
}
