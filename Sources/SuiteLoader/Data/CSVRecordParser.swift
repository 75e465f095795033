/// Parses CSV text into records (RFC 4180).
///
/// A record ends with LF, CR LF, or CR. Spaces are part of a field. A field that starts with a quotation mark ends with
/// the next one that is not doubled; other fields must not contain quotation marks.
struct CSVRecordParser: Sendable {
    /// A field of a record.
    struct Field: Sendable {
        /// The bytes of the field, without the enclosing quotation marks.
        var bytes: Range<Int>
        /// Whether the field is quoted.
        var isQuoted: Bool
        /// Whether the field contains doubled quotation marks.
        var hasDoubledQuotes: Bool
    }

    /// An error that reports text that is not valid CSV.
    struct Problem: Error, Sendable, Hashable {
        /// The kinds of problems.
        enum Kind: Sendable, Hashable {
            /// A quotation mark within an unquoted field.
            case quoteInField
            /// Text after the closing quotation mark of a field.
            case textAfterQuote
            /// A quoted field without a closing quotation mark.
            case unclosedQuote
        }

        /// The kind of the problem.
        var kind: Kind
        /// The offset of the invalid byte, or of the opening quotation mark if the closing one is missing.
        var offset: Int
    }

    /// The byte between fields.
    let delimiter: UInt8

    init(delimiter: UInt8 = UInt8(ascii: ",")) {
        self.delimiter = delimiter
    }

    /// Parses one record.
    ///
    /// - Parameters:
    ///   - bytes: The text, or a part of it.
    ///   - start: The offset at which the record starts.
    ///   - isComplete: Whether the text ends with `bytes`.
    ///   - fields: On return, the fields; an empty line has none.
    /// - Returns: The offset after the record and its line break; nil if the record does not end within `bytes`.
    /// - Throws: ``Problem`` if the text is not valid CSV.
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

    /// Returns the text of a field; nil if it is not valid UTF-8.
    static func text(of field: Field, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let part = UnsafeBufferPointer(rebasing: bytes[field.bytes])
        guard field.hasDoubledQuotes else {
            // ASCII text needs no validation, which would cost more than everything else.
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

    /// Parses a quoted field and returns it with the offset after it; nil if it may end in further bytes.
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

    /// Returns the offset after a line break; nil if there is none, or if further bytes may belong to it.
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
