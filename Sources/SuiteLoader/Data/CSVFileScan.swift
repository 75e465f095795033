import Diagnostics
import FileSystem
import SuiteModel

/// Checks a CSV file and notes where its rows are, in one pass and little memory.
struct CSVFileScan {
    private let parser: CSVRecordParser
    private let delimiter: UInt8
    /// The columns; empty before the header is read.
    private(set) var columns: [DataColumn]
    /// The rows.
    private(set) var rows = RowIndex()
    /// What is wrong.
    private(set) var problems = DataProblems()
    private var hasHeader: Bool
    private var line = 1
    private var headerLine = 0
    private var isOver = false

    /// Creates a scan.
    ///
    /// - Parameter columns: The columns of a file without a header.
    init(delimiter: UInt8, columns: [DataColumn]?) {
        parser = CSVRecordParser(delimiter: delimiter)
        self.delimiter = delimiter
        self.columns = columns ?? []
        hasHeader = columns != nil
    }

    /// Reads the whole file.
    ///
    /// - Throws: Why the file cannot be read.
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
                "no-rows", "the file has no header", 0..<0, line: 1, suggestion: "write the names of the columns first")
        }
    }

    /// Reads the records that end in some bytes, and gives the offset behind them.
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
            let header = headerLine > 0 ? "the header (line \(headerLine))" : "the list of columns"
            problems.add(
                "ragged-row",
                "the row has \(Self.count(fields.count)), where \(header) has \(columns.count)",
                base + range.lowerBound..<base + last, line: line,
                suggestion: fields.count > columns.count
                    ? "put a field with a \(Self.name(of: delimiter)) in quotes"
                    : "add the missing fields; one may be empty")
            return
        }
        let isASCII = Self.isASCII(bytes, range)
        for (column, field) in zip(columns, fields) where !isASCII || column.type != .text {
            let place = base + field.bytes.lowerBound..<base + field.bytes.upperBound
            guard let text = CSVRecordParser.text(of: field, in: bytes) else {
                problems.add(
                    "invalid-encoding", "the field is no UTF-8", place, line: line, suggestion: "save the file as UTF-8"
                )
                continue
            }
            if column.value(of: text, isQuoted: field.isQuoted) == nil {
                if column.type == .json, let member = ColumnType.duplicateMember(in: text) {
                    problems.add(
                        "duplicate-key", "\(member) of \"\(column.name)\" is there a second time", place, line: line,
                        suggestion: "remove one of the two")
                    continue
                }
                let word = column.type == .boolean ? "bool" : column.type == .integer ? "int" : column.type.rawValue
                problems.add(
                    "invalid-field", "\"\(text)\" is not \(column.type.phrase), as \"\(column.name)\" must be", place,
                    line: line,
                    suggestion: text.isEmpty
                        ? "write \"\(column.name):\(word)?\" in the header, so that an empty field is null"
                        : "correct it, or leave \":\(word)\" out of the header")
            }
        }
        rows.append(
            DataFile.Row(
                offset: Int64(base + range.lowerBound), length: Int32(clamping: range.count),
                line: Int32(clamping: line)))
    }

    private mutating func readHeader(
        _ bytes: UnsafeBufferPointer<UInt8>, _ fields: [CSVRecordParser.Field], base: Int
    ) {
        for field in fields {
            let place = base + field.bytes.lowerBound..<base + field.bytes.upperBound
            guard let text = CSVRecordParser.text(of: field, in: bytes) else {
                problems.add(
                    "invalid-encoding", "the field is no UTF-8", place, line: line, suggestion: "save the file as UTF-8"
                )
                continue
            }
            do {
                let column = try ColumnHeader.column(text)
                if columns.contains(where: { $0.name == column.name }) {
                    problems.add(
                        "duplicate-column", "two columns are named \"\(column.name)\"", place, line: line,
                        suggestion: "rename one of them")
                }
                columns.append(column)
            } catch {
                problems.add(error.id, error.message, place, line: line, suggestion: error.suggestion)
            }
        }
        // Rows cannot be held against a header that is wrong.
        if problems.count > 0 { isOver = true }
    }

    private mutating func report(
        _ problem: CSVRecordParser.Problem, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, base: Int
    ) {
        let line = self.line + Self.lineBreaks(bytes, start..<problem.offset)
        let place = base + problem.offset..<base + problem.offset + 1
        switch problem.kind {
        case .quoteInField:
            problems.add(
                "invalid-quoting", "a quotation mark within a field without quotes", place, line: line,
                suggestion: "put the whole field in quotes, and double the mark: \"a \"\"b\"\" c\"")
        case .textAfterQuote:
            problems.add(
                "invalid-quoting", "text behind the closing quotation mark of a field", place, line: line,
                suggestion: "double a quotation mark that belongs to the field")
        case .unclosedQuote:
            problems.add(
                "invalid-quoting", "the field has no closing quotation mark", place, line: line,
                suggestion: "close it; a quotation mark that belongs to the field is doubled")
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

    /// The number of line breaks: LF, CR LF or CR.
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

/// Takes a CSV text apart into records (RFC 4180).
///
/// A record ends with LF, CR LF or CR. Spaces belong to a field. A field that begins with a quotation mark ends with the
/// next one that is not doubled; other fields hold none.
struct CSVRecordParser: Sendable {
    /// A field of a record.
    struct Field: Sendable {
        /// The field's bytes, without the quotes around it.
        var bytes: Range<Int>
        /// Whether the field stands in quotes.
        var isQuoted: Bool
        /// Whether quotation marks in it are doubled.
        var hasDoubledQuotes: Bool
    }

    /// Why a text is no CSV.
    struct Problem: Error, Sendable, Hashable {
        /// The kinds of problems.
        enum Kind: Sendable, Hashable {
            /// A quotation mark within a field that does not begin with one.
            case quoteInField
            /// Text behind the closing quotation mark of a field.
            case textAfterQuote
            /// A field in quotes that does not end.
            case unclosedQuote
        }

        /// What is wrong.
        var kind: Kind
        /// The offset of the byte that is wrong; of the opening quotation mark, where the closing one is missing.
        var offset: Int
    }

    /// The byte between fields.
    let delimiter: UInt8

    /// Creates a parser.
    init(delimiter: UInt8 = UInt8(ascii: ",")) {
        self.delimiter = delimiter
    }

    /// Reads one record.
    ///
    /// - Parameters:
    ///   - bytes: The text, or a part of it.
    ///   - start: Where the record begins.
    ///   - isComplete: Whether the text ends where `bytes` do.
    ///   - fields: Is set to the fields; an empty line has none.
    /// - Returns: The offset behind the record and its line break, or nil when the record does not end in `bytes`.
    /// - Throws: ``Problem`` when the text is no CSV.
    func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isComplete: Bool, into fields: inout [Field]
    ) throws(Problem) -> Int? {
        fields.removeAll(keepingCapacity: true)
        let end = bytes.count
        var index = start
        if index < end, let next = lineBreak(bytes, at: index, isComplete: isComplete) { return next }
        while true {
            let isQuoted = index < end && bytes[index] == Self.quote
            var field: Field
            if isQuoted {
                guard let (quoted, next) = try quotedField(bytes, from: index, isComplete: isComplete) else {
                    return nil
                }
                field = quoted
                index = next
            } else {
                field = Field(bytes: index..<index, isQuoted: false, hasDoubledQuotes: false)
                while index < end {
                    let byte = bytes[index]
                    if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn { break }
                    if byte == Self.quote { throw Problem(kind: .quoteInField, offset: index) }
                    index += 1
                }
                field.bytes = field.bytes.lowerBound..<index
            }
            fields.append(field)
            guard index < end else { return isComplete ? index : nil }
            if bytes[index] == delimiter {
                index += 1
                continue
            }
            if bytes[index] == Self.carriageReturn, index + 1 == end, !isComplete { return nil }
            if let next = lineBreak(bytes, at: index, isComplete: true) { return next }
            throw Problem(kind: .textAfterQuote, offset: index)
        }
    }

    /// The text of a field, or nil when it is no UTF-8.
    static func text(of field: Field, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let part = UnsafeBufferPointer(rebasing: bytes[field.bytes])
        guard field.hasDoubledQuotes else {
            // What is ASCII needs no validation, which costs more than the rest.
            let isASCII = part.reduce(UInt8(0), |) < 0x80
            return isASCII ? String(decoding: part, as: UTF8.self) : String(validating: part, as: UTF8.self)
        }
        var single: [UInt8] = []
        single.reserveCapacity(part.count)
        var index = 0
        while index < part.count {
            single.append(part[index])
            index += part[index] == quote ? 2 : 1
        }
        return String(validating: single, as: UTF8.self)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The field that begins with a quotation mark and the offset behind it, or nil when more bytes may end it.
    private func quotedField(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isComplete: Bool
    ) throws(Problem) -> (Field, Int)? {
        var hasDoubledQuotes = false
        var index = start + 1
        while index < bytes.count {
            guard bytes[index] == Self.quote else {
                index += 1
                continue
            }
            if index + 1 == bytes.count, !isComplete { return nil }
            if index + 1 < bytes.count, bytes[index + 1] == Self.quote {
                hasDoubledQuotes = true
                index += 2
                continue
            }
            let field = Field(bytes: start + 1..<index, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
            return (field, index + 1)
        }
        if isComplete { throw Problem(kind: .unclosedQuote, offset: start) }
        return nil
    }

    /// The offset behind a line break, or nil where there is none or where more bytes may belong to it.
    private func lineBreak(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, isComplete: Bool) -> Int? {
        switch bytes[index] {
        case Self.lineFeed: return index + 1
        case Self.carriageReturn:
            guard index + 1 < bytes.count else { return isComplete ? index + 1 : nil }
            return bytes[index + 1] == Self.lineFeed ? index + 2 : index + 1
        default: return nil
        }
    }
}
