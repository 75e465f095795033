import Basics
import Diagnostics
import FileSystem
import SuiteModel

/// Validates a CSV file and indexes its rows, in one pass and with little memory.
struct CSVFileScan {
    private let parser: CSVRecordParser
    private let delimiter: UInt8
    /// The columns; empty until the header is read.
    private(set) var columns: [DataColumn]
    /// The rows.
    private(set) var rows = RowIndex()
    /// The problems.
    private(set) var problems = DataProblems()
    private var hasHeader: Bool
    private var line = 1
    private var headerLine = 0
    private var isOver = false

    /// Creates a scan.
    ///
    /// - Parameters:
    ///   - delimiter: The byte between fields.
    ///   - columns: The columns of a file without a header; nil for a file with a header.
    init(delimiter: UInt8, columns: [DataColumn]?) {
        parser = CSVRecordParser(delimiter: delimiter)
        self.delimiter = delimiter
        self.columns = columns ?? []
        hasHeader = columns != nil
    }

    /// Scans the whole file.
    ///
    /// - Throws: A failure if the file cannot be read.
    mutating func scan(_ window: inout FileWindow) throws(File.Failure) {
        try window.move(to: 0)
        var index = DataEncoding.start(of: window.bytes, problems: &problems)
        if problems.count > 0 { return }
        var fields: [CSVRecordParser.Field] = []
        while !isOver {
            index = window.bytes.withUnsafeBufferPointer { bytes in
                records(bytes, from: index, base: window.base, isComplete: window.isAtEnd, fields: &fields)
            }
            if window.isAtEnd { break }
            try window.move(to: index)
            index = 0
        }
        if !hasHeader, problems.count == 0 {
            problems.add(
                "no-rows", "the file has no header", 0..<0, line: 1,
                suggestion: "write the column names on the first line")
        }
    }

    /// Scans the records that end within the bytes, and returns the offset after them.
    private mutating func records(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, base: Int, isComplete: Bool,
        fields: inout [CSVRecordParser.Field]
    ) -> Int {
        var index = start
        while index < bytes.count, !isOver {
            let next: Int?
            do {
                next = try parser.parse(bytes, from: index, isComplete: isComplete, into: &fields)
            } catch {
                report(error, bytes, from: index, base: base)
                return index
            }
            guard let next else { return index }
            if !fields.isEmpty { record(bytes, index..<next, fields, base: base) }
            line += Self.lineBreaks(bytes, index..<next)
            index = next
            if problems.isFull || rows.count > TestData.maximumCount { isOver = true }
        }
        return index
    }

    /// Validates a record, and indexes it unless it is the header.
    private mutating func record(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ fields: [CSVRecordParser.Field], base: Int
    ) {
        guard hasHeader else {
            hasHeader = true
            headerLine = line
            readHeader(bytes, fields, base: base)
            return
        }
        let last = fields.last?.bytes.upperBound ?? range.upperBound
        guard fields.count == columns.count else {
            let header = headerLine > 0 ? "the header (line \(headerLine))" : "\"columns\""
            problems.add(
                "ragged-row",
                "the row has \(Self.count(fields.count)), but \(header) has \(columns.count)",
                base + range.lowerBound..<base + last, line: line,
                suggestion: fields.count > columns.count
                    ? "quote a field that contains a \(Self.name(of: delimiter))"
                    : "add the missing fields; they can be empty")
            return
        }
        let isASCII = Self.isASCII(bytes, range)
        for (column, field) in zip(columns, fields) where !isASCII || column.type != .text {
            let location = base + field.bytes.lowerBound..<base + field.bytes.upperBound
            guard let text = CSVRecordParser.text(of: field, in: bytes) else {
                problems.add(
                    "invalid-encoding", "the field is not valid UTF-8", location, line: line,
                    suggestion: "save the file as UTF-8"
                )
                continue
            }
            if column.value(of: text, isQuoted: field.isQuoted) == nil {
                if column.type == .json, let member = ColumnType.duplicateMember(in: text) {
                    problems.add(
                        "duplicate-key", "duplicate \(member) in \"\(column.name)\"", location, line: line,
                        suggestion: "remove one of the two")
                    continue
                }
                let word = column.type == .boolean ? "bool" : column.type == .integer ? "int" : column.type.rawValue
                problems.add(
                    "invalid-field", "\"\(column.name)\" must be \(column.type.phrase), got \"\(text)\"", location,
                    line: line,
                    suggestion: text.isEmpty
                        ? "write \"\(column.name):\(word)?\" in the header to read an empty field as null"
                        : "correct the value, or remove \":\(word)\" from the header")
            }
        }
        rows.append(
            RowIndex.Row(
                offset: Int64(base + range.lowerBound), length: Int32(clamping: range.count),
                line: Int32(clamping: line)))
    }

    private mutating func readHeader(
        _ bytes: UnsafeBufferPointer<UInt8>, _ fields: [CSVRecordParser.Field], base: Int
    ) {
        for field in fields {
            let location = base + field.bytes.lowerBound..<base + field.bytes.upperBound
            guard let text = CSVRecordParser.text(of: field, in: bytes) else {
                problems.add(
                    "invalid-encoding", "the field is not valid UTF-8", location, line: line,
                    suggestion: "save the file as UTF-8"
                )
                continue
            }
            do {
                let column = try ColumnHeader.column(text)
                if columns.contains(where: { $0.name == column.name }) {
                    problems.add(
                        "duplicate-column", "duplicate column \"\(column.name)\"", location, line: line,
                        suggestion: "rename one of them")
                }
                columns.append(column)
            } catch {
                problems.add(error.id, error.message, location, line: line, suggestion: error.suggestion)
            }
        }
        // Rows cannot be validated against an invalid header.
        if problems.count > 0 { isOver = true }
    }

    private mutating func report(
        _ problem: CSVRecordParser.Problem, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, base: Int
    ) {
        let line = self.line + Self.lineBreaks(bytes, start..<problem.offset)
        let location = base + problem.offset..<base + problem.offset + 1
        switch problem.kind {
        case .quoteInField:
            problems.add(
                "invalid-quoting", "quotation mark in an unquoted field", location, line: line,
                suggestion: "quote the whole field, and double the quotation mark: \"a \"\"b\"\" c\"")
        case .textAfterQuote:
            problems.add(
                "invalid-quoting", "text after the closing quotation mark of a field", location, line: line,
                suggestion: "double a quotation mark that is part of the field")
        case .unclosedQuote:
            problems.add(
                "invalid-quoting", "missing closing quotation mark of a field", location, line: line,
                suggestion: "add it; double a quotation mark that is part of the field")
        }
        isOver = true
    }

    private static func count(_ fields: Int) -> String {
        fields == 1 ? "1 field" : "\(fields) fields"
    }

    private static func name(of delimiter: UInt8) -> String {
        switch delimiter {
        case UInt8(ascii: ","): "comma"
        case UInt8(ascii: "\t"): "tab"
        default: "\"\(Character(Unicode.Scalar(delimiter)))\""
        }
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var all: UInt8 = 0
        for index in range { all |= bytes[index] }
        return all < 0x80
    }

    /// Returns the number of line breaks: LF, CR LF, or CR.
    private static func lineBreaks(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        var count = 0
        for index in range {
            if bytes[index] == UInt8(ascii: "\n") {
                count += 1
            } else if bytes[index] == UInt8(ascii: "\r"),
                index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
            {
                count += 1
            }
        }
        return count
    }
}
