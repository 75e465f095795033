import Diagnostics
import FileSystem
import JSON
import SuiteModel
import Synchronization
import YAML

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A CSV or JSON file whose rows are found by their places, and read when they are needed.
final class DataFile: RowFile {
    /// How rows are written.
    enum Format: Sendable, Hashable {
        /// Comma-separated values (RFC 4180).
        case csv(delimiter: UInt8)
        /// JSON objects.
        case json
    }

    /// Where a row is.
    struct Row: Sendable, Hashable {
        /// The offset of its first byte.
        var offset: Int64
        /// Its bytes.
        var length: Int32
        /// The line on which it begins, from 1.
        var line: Int32
    }

    let path: String
    let columns: [String]
    private let absolutePath: String
    private let format: Format
    private let types: [DataColumn]
    private let rows: RowIndex
    /// The state of the file when it was checked.
    private let stamp: FileStamp
    private let window = Mutex(Window())

    /// How many bytes are read at a time.
    private static let windowSize = 64 << 10

    /// The open file and what was read of it last, as most rows are asked for one after another.
    private struct Window {
        /// The file; -1 before its first use.
        var descriptor: Int32 = -1
        /// Where in the file the bytes stand.
        var offset: Int64 = 0
        var bytes: [UInt8] = []

        var end: Int64 { offset + Int64(bytes.count) }

        func holds(_ row: Row) -> Bool {
            row.offset >= offset && row.offset + Int64(row.length) <= end
        }
    }

    /// Creates a file from what was found in it.
    init(path: String, absolutePath: String, format: Format, columns: [DataColumn], rows: RowIndex, stamp: FileStamp) {
        self.path = path
        self.absolutePath = absolutePath
        self.format = format
        self.columns = columns.map(\.name)
        types = columns
        self.rows = rows
        self.stamp = stamp
    }

    deinit {
        let file = window.withLock { $0.descriptor }
        if file >= 0 { close(file) }
    }

    var count: Int { rows.count }

    func line(ofRow row: Int) -> Int {
        rows[row].map { Int($0.line) } ?? 0
    }

    func values(ofRow row: Int) throws(RowError) -> [JSONValue] {
        guard let place = rows[row] else { throw changed }
        return try window.withLock { window throws(RowError) in
            try prepare(&window)
            if !window.holds(place) { try read(place, into: &window) }
            let start = Int(place.offset - window.offset)
            let values = window.bytes.withUnsafeBufferPointer { bytes in
                self.values(UnsafeBufferPointer(rebasing: bytes[start..<start + Int(place.length)]))
            }
            guard let values else { throw changed }
            return values
        }
    }

    private var changed: RowError {
        RowError(message: "the file \(path) has changed since its rows were counted")
    }

    /// Opens the file, unless it is open, and makes sure that it is as it was when it was checked.
    private func prepare(_ window: inout Window) throws(RowError) {
        if window.descriptor < 0 {
            window.descriptor = open(absolutePath, O_RDONLY | O_CLOEXEC)
            guard window.descriptor >= 0 else {
                throw RowError(
                    message: "the file \(path) cannot be read: \(String(cString: strerror(errno)).lowercased())")
            }
        }
        guard FileStamp(of: window.descriptor) == stamp else { throw changed }
    }

    /// Reads a row and, where rows are asked for as they follow one another, those behind it.
    private func read(_ row: Row, into window: inout Window) throws(RowError) {
        let file = window.descriptor
        let needed = Int(row.length)
        let isNext = row.offset >= window.offset && row.offset - window.end <= Int64(Self.windowSize)
        let wanted = isNext ? max(needed, Self.windowSize) : needed
        window.offset = row.offset
        window.bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < needed {
                let result = pread(
                    file, buffer.baseAddress.map { $0 + count }, wanted - count, off_t(row.offset) + off_t(count))
                if result > 0 {
                    count += result
                } else if result == 0 || errno != EINTR {
                    return
                }
            }
        }
        guard window.bytes.count >= needed else { throw changed }
    }

    private func values(_ bytes: UnsafeBufferPointer<UInt8>) -> [JSONValue]? {
        switch format {
        case .csv(let delimiter): return csvValues(bytes, delimiter: delimiter)
        case .json:
            guard let value = try? JSONValue(parsing: Array(bytes)), case .object(let object) = value else {
                return nil
            }
            return columns.map { object[$0] ?? .null }
        }
    }

    private func csvValues(_ bytes: UnsafeBufferPointer<UInt8>, delimiter: UInt8) -> [JSONValue]? {
        var fields: [CSVRecordParser.Field] = []
        fields.reserveCapacity(types.count)
        let parser = CSVRecordParser(delimiter: delimiter)
        guard (try? parser.parse(bytes, from: 0, isComplete: true, into: &fields)) != nil,
            fields.count == types.count
        else { return nil }
        var values: [JSONValue] = []
        values.reserveCapacity(fields.count)
        for index in fields.indices {
            let field = fields[index]
            guard let text = CSVRecordParser.text(of: field, in: bytes),
                let value = types[index].value(of: text, isQuoted: field.isQuoted)
            else { return nil }
            values.append(value)
        }
        return values
    }
}

/// How a file of rows is written.
enum DataFormat: String, CaseIterable, Sendable {
    /// Comma-separated values with a header (RFC 4180).
    case csv
    /// A list of objects.
    case json
    /// An object on each line.
    case ndjson
    /// A list of maps.
    case yaml

    /// The format and the delimiter that the name of a file stands for, or nil when it says neither.
    static func format(ofFile path: String) -> (format: DataFormat, delimiter: UInt8)? {
        let name = Path.lastComponent(of: path).lowercased()
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        switch name[name.index(after: dot)...] {
        case "csv": return (.csv, UInt8(ascii: ","))
        case "tsv", "tab": return (.csv, UInt8(ascii: "\t"))
        case "json": return (.json, 0)
        case "ndjson", "jsonl": return (.ndjson, 0)
        case "yaml", "yml": return (.yaml, 0)
        default: return nil
        }
    }
}

/// Byte order marks of files of rows.
enum DataEncoding {
    /// Where the text begins: behind a byte order mark of UTF-8. Other encodings are a problem.
    static func start(of bytes: [UInt8], problems: inout DataProblems) -> Int {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            problems.add(
                "invalid-encoding", "the file is written in UTF-16", 0..<0, line: 1, suggestion: "save it as UTF-8")
        }
        return 0
    }
}

/// What tells one state of a file from another.
struct FileStamp: Sendable, Hashable {
    /// The bytes of the file.
    var size: Int64
    /// When it was last written: nanoseconds since 1970-01-01T00:00:00Z.
    var modified: Int64

    /// The present state of an open file.
    init(of descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            (size, modified) = (-1, 0)
            return
        }
        #if canImport(Darwin)
        let time = information.st_mtimespec
        #else
        let time = information.st_mtim
        #endif
        size = Int64(information.st_size)
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// A file of rows that a suite names.
struct FileRequest {
    /// The path as written.
    var path: String
    /// The scalar that holds it.
    var node: YAMLNode
    /// How the file is written, when that is said.
    var format: DataFormat?
    /// The byte between the fields of a CSV file, when that is said.
    var delimiter: UInt8?
    /// The columns of a CSV file without a header.
    var columns: [(text: String, node: YAMLNode)]?

    /// Names a file.
    init(path: String, node: YAMLNode) {
        self.path = path
        self.node = node
    }

    /// The path as it is shown: from where the suite's own is shown.
    var shownPath: String {
        let suite = node.file.name
        let isBare = path.hasPrefix("/") || !suite.utf8.contains(UInt8(ascii: "/"))
        return isBare ? path : Path.parent(of: suite) + "/" + path
    }
}
