import Basics
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

/// A CSV or JSON file whose rows are indexed by position and read on demand.
final class DataFile: RowFile {
    /// The format of the rows.
    enum Format: Sendable, Hashable {
        /// Comma-separated values (RFC 4180).
        case csv(delimiter: UInt8)
        /// JSON objects.
        case json
    }

    let path: String
    let columns: [String]
    private let absolutePath: String
    private let format: Format
    private let types: [DataColumn]
    private let rows: RowIndex
    /// The state of the file when it was validated.
    private let stamp: FileStamp
    private let window = Mutex(Window())

    /// The number of bytes to read at a time.
    private static let windowSize = 64 << 10

    /// The open file and the most recently read part. Most rows are requested in order.
    private struct Window {
        /// The file descriptor; -1 before the first use.
        var descriptor: Int32 = -1
        /// The offset of the bytes in the file.
        var offset: Int64 = 0
        var bytes: [UInt8] = []

        var end: Int64 { offset + Int64(bytes.count) }

        func holds(_ row: RowIndex.Row) -> Bool {
            row.offset >= offset && row.offset + Int64(row.length) <= end
        }
    }

    /// Creates a data file from the results of a scan.
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
        guard let location = rows[row] else { throw changed }
        return try window.withLock { window throws(RowError) in
            try prepare(&window)
            if !window.holds(location) { try read(location, into: &window) }
            let start = Int(location.offset - window.offset)
            let values = window.bytes.withUnsafeBufferPointer { bytes in
                self.values(UnsafeBufferPointer(rebasing: bytes[start..<start + Int(location.length)]))
            }
            guard let values else { throw changed }
            return values
        }
    }

    private var changed: RowError {
        RowError(message: "the file \(path) has changed since its rows were counted")
    }

    /// Opens the file if necessary, and verifies that it has not changed since it was validated.
    private func prepare(_ window: inout Window) throws(RowError) {
        if window.descriptor < 0 {
            window.descriptor = open(absolutePath, O_RDONLY | O_CLOEXEC)
            guard window.descriptor >= 0 else {
                throw RowError(
                    message:
                        "the file \(path) cannot be read: \(MessageText(words: String(cString: strerror(errno)).lowercased()))"
                )
            }
        }
        guard FileStamp(of: window.descriptor) == stamp else { throw changed }
    }

    /// Reads a row and, if rows are requested in order, the rows after it.
    private func read(_ row: RowIndex.Row, into window: inout Window) throws(RowError) {
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
