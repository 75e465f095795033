import Diagnostics

/// Recognizes an unquoted `${…}` between brackets, which YAML takes apart.
enum FlowTemplate {
    /// The problem for the first unquoted `${` between brackets, or nil when there is none.
    ///
    /// - Parameters:
    ///   - start: The bracket from which to look; nil when the error is not between brackets.
    ///   - end: The place of the error; what begins on a later line is not looked at.
    static func find(in file: SourceFile, from start: SourcePosition?, to end: SourcePosition) -> Diagnostic? {
        guard let start, let lastLine = file.byteRange(ofLine: Int(end.line)) else { return nil }
        let text = file.text
        let limit = lastLine.upperBound
        var index = file.byteOffset(of: start)
        guard index < limit, isOpening(text[index]) else { return nil }
        var depth = 0
        /// Where the scalar began that the scan is in.
        var scalarStart: Int?
        while index < limit {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if scalarStart == nil { index = endOfQuoted(text, index, limit) }
            case UInt8(ascii: "#"):
                if scalarStart == nil || SourceScan.isBlank(text[index - 1]) {
                    while index + 1 < limit, !SourceScan.isLineBreak(text[index + 1]) { index += 1 }
                }
            case UInt8(ascii: "{"):
                if index > 0, text[index - 1] == UInt8(ascii: "$") {
                    return problem(file, scalarStart: scalarStart ?? index - 1, brace: index, limit)
                }
                depth += 1
                scalarStart = nil
            case UInt8(ascii: "["):
                depth += 1
                scalarStart = nil
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return nil }
                scalarStart = nil
            case UInt8(ascii: ","):
                scalarStart = nil
            case UInt8(ascii: ":"):
                if index + 1 >= limit || SourceScan.isBlank(text[index + 1]) { scalarStart = nil }
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                break
            default:
                if scalarStart == nil { scalarStart = index }
            }
            index += 1
        }
        return nil
    }

    private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    /// The offset of the quote that closes a string, or of the last byte.
    private static func endOfQuoted(_ text: [UInt8], _ start: Int, _ limit: Int) -> Int {
        var index = start + 1
        while index < limit, text[index] != text[start] {
            if text[index] == UInt8(ascii: "\\"), text[start] == UInt8(ascii: "\"") { index += 1 }
            index += 1
        }
        return min(index, limit - 1)
    }

    private static func problem(_ file: SourceFile, scalarStart: Int, brace: Int, _ limit: Int) -> Diagnostic {
        let text = file.text
        var end = endOfExpression(text, brace, limit)
        // The rest of the scalar belongs between the quotes too.
        while end < limit, !isEndOfScalar(text, end, limit) {
            let isNext = text[end] == UInt8(ascii: "{") && text[end - 1] == UInt8(ascii: "$")
            end = isNext ? endOfExpression(text, end, limit) : end + 1
        }
        while end > brace + 1, SourceScan.isBlank(text[end - 1]) { end -= 1 }
        let value = String(decoding: text[scalarStart..<end], as: UTF8.self)
        return Diagnostic(
            id: "unquoted-template", message: "\"${…}\" must be quoted between brackets, or YAML takes it apart",
            range: SourceRange(file: file, bytes: scalarStart..<end), suggestion: "write " + Quoting.quoted(value))
    }

    private static func isEndOfScalar(_ text: [UInt8], _ index: Int, _ limit: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        case UInt8(ascii: ":"): index + 1 >= limit || SourceScan.isBlank(text[index + 1])
        case UInt8(ascii: "#"): SourceScan.isBlank(text[index - 1])
        default: false
        }
    }

    /// The offset behind the brace that closes an expression, or the end of its line when none does.
    private static func endOfExpression(_ text: [UInt8], _ brace: Int, _ limit: Int) -> Int {
        var depth = 0
        var index = brace
        while index < limit, !SourceScan.isLineBreak(text[index]) {
            switch text[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let close = endOfQuoted(text, index, limit)
                if text[close] == text[index] { index = close }
            default: break
            }
            index += 1
        }
        return index
    }
}
