import Basics
import Diagnostics

/// Detects an unquoted `${…}` in a flow collection, where YAML parses the braces as a mapping.
enum FlowTemplate {
    /// Returns a diagnostic for the first unquoted `${` in a flow collection; nil if there is none.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The bracket at which to start; nil if the error is not in a flow collection.
    ///   - end: The position of the error. Expressions that start on a later line are ignored.
    static func find(in file: SourceFile, from start: SourcePosition?, to end: SourcePosition) -> Diagnostic? {
        guard let start, let lastLine = file.byteRange(ofLine: Int(end.line)) else { return nil }
        let text = file.text
        let limit = lastLine.upperBound
        var index = file.byteOffset(of: start)
        guard index < limit, isOpening(text[index]) else { return nil }
        var depth = 0
        /// The start of the scalar at the current position.
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

    /// Returns the offset of the closing quote of a string, or of the last byte.
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
        // The quotes must include the rest of the scalar.
        while end < limit, !isEndOfScalar(text, end, limit) {
            let isNext = text[end] == UInt8(ascii: "{") && text[end - 1] == UInt8(ascii: "$")
            end = isNext ? endOfExpression(text, end, limit) : end + 1
        }
        while end > brace + 1, SourceScan.isBlank(text[end - 1]) { end -= 1 }
        let value = String(decoding: text[scalarStart..<end], as: UTF8.self)
        return Diagnostic(
            id: "unquoted-template",
            message: "\"${…}\" must be quoted inside brackets, where braces and commas have a special meaning",
            range: SourceRange(file: file, bytes: scalarStart..<end), suggestion: "write \(Quoting.quoted(value))")
    }

    private static func isEndOfScalar(_ text: [UInt8], _ index: Int, _ limit: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        case UInt8(ascii: ":"): index + 1 >= limit || SourceScan.isBlank(text[index + 1])
        case UInt8(ascii: "#"): SourceScan.isBlank(text[index - 1])
        default: false
        }
    }

    /// Returns the offset after the closing brace of an expression, or the end of its line if there is none.
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
