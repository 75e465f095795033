import JSON
import SuiteModel
import Synchronization

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
    /// The open file; -1 before its first use.
    private let descriptor = Mutex<Int32>(-1)

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
        let file = descriptor.withLock { $0 }
        if file >= 0 { close(file) }
    }

    var count: Int { rows.count }

    func line(ofRow row: Int) -> Int {
        rows[row].map { Int($0.line) } ?? 0
    }

    func values(ofRow row: Int) throws(RowError) -> [JSONValue] {
        guard let place = rows[row] else { throw changed }
        let bytes = try bytes(of: place)
        switch format {
        case .csv(let delimiter):
            guard let values = csvValues(bytes, delimiter: delimiter) else { throw changed }
            return values
        case .json:
            guard let value = try? JSONValue(parsing: bytes), case .object(let object) = value else { throw changed }
            return columns.map { object[$0] ?? .null }
        }
    }

    private var changed: RowError {
        RowError(message: "the file \(path) has changed since its rows were counted")
    }

    /// The bytes of a row, from the file as it was when it was checked.
    private func bytes(of row: Row) throws(RowError) -> [UInt8] {
        let (file, code): (Int32, Int32) = descriptor.withLock { descriptor in
            if descriptor < 0 { descriptor = open(absolutePath, O_RDONLY | O_CLOEXEC) }
            return (descriptor, errno)
        }
        guard file >= 0 else {
            throw RowError(message: "the file \(path) cannot be read: \(String(cString: strerror(code)).lowercased())")
        }
        guard FileStamp(of: file) == stamp else { throw changed }
        let length = Int(row.length)
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                let result = pread(
                    file, buffer.baseAddress.map { $0 + count }, length - count, off_t(row.offset) + off_t(count))
                if result > 0 {
                    count += result
                } else if result == 0 || errno != EINTR {
                    return
                }
            }
        }
        guard bytes.count == length else { throw changed }
        return bytes
    }

    private func csvValues(_ bytes: [UInt8], delimiter: UInt8) -> [JSONValue]? {
        bytes.withUnsafeBufferPointer { bytes in
            var fields: [CSVRecordParser.Field] = []
            let parser = CSVRecordParser(delimiter: delimiter)
            guard (try? parser.parse(bytes, from: 0, isComplete: true, into: &fields)) != nil,
                fields.count == types.count
            else { return nil }
            var values: [JSONValue] = []
            values.reserveCapacity(fields.count)
            for (column, field) in zip(types, fields) {
                guard let text = CSVRecordParser.text(of: field, in: bytes),
                    let value = column.value(of: text, isQuoted: field.isQuoted)
                else { return nil }
                values.append(value)
            }
            return values
        }
    }
}
