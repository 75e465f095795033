import Basics
import Diagnostics
import JSON

/// Parses a JSON file into the nodes that libyaml would produce.
///
/// JSON allows some text that libyaml rejects: surrogate pairs as escapes, U+007F and other control characters in
/// strings, and keys of any length (RFC 8259, section 7).
struct JSONTextParser: ~Copyable {
    private let file: SourceFile
    private let limits: YAMLLimits
    private let bytes: UnsafeBufferPointer<UInt8>
    private var builder: DocumentBuilder
    private var problems: ProblemList
    private var offset: Int
    private var line: Int32 = 1
    private var column: Int32 = 1

    /// Parses a file.
    ///
    /// - Returns: The document and its problems; nil if the text is not JSON.
    static func parse(
        _ file: SourceFile, limits: YAMLLimits
    ) -> (documents: [YAMLNode], diagnostics: [Diagnostic])? {
        file.text.withUnsafeBufferPointer { text in
            let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            guard let first = text[start...].first(where: { !isSpace($0) }),
                first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
                (try? JSONParser().parse(UnsafeBufferPointer(rebasing: text[start...]))) != nil
            else { return nil }
            var parser = JSONTextParser(file, limits, text, start)
            let isWhole = parser.read()
            return (isWhole ? parser.builder.finished().map { [$0] } ?? [] : [], parser.problems.diagnostics)
        }
    }

    /// Returns the reason why a text is not JSON; nil if it is.
    static func problem(of file: SourceFile) -> Diagnostic? {
        do throws(JSONParseError) {
            _ = try JSONParser().parse(file.text)
            return nil
        } catch {
            return .invalidJSON(error, in: file)
        }
    }

    private init(_ file: SourceFile, _ limits: YAMLLimits, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) {
        self.file = file
        self.limits = limits
        self.bytes = bytes
        offset = start
        builder = DocumentBuilder(file: file, limits: limits)
        builder.reserveCapacity(bytes: bytes.count)
        problems = ProblemList(file: file, maximumCount: limits.maximumDiagnostics)
    }

    private var position: SourcePosition { SourcePosition(line: line, column: column) }

    /// Reads the text, which must be valid JSON; returns false if it is nested too deeply.
    private mutating func read() -> Bool {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                let isPair =
                    bytes[offset] == UInt8(ascii: "\r") && offset + 1 < bytes.count
                    && bytes[offset + 1] == UInt8(ascii: "\n")
                offset += isPair ? 2 : 1
                line += 1
                column = 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ":"): advance(to: offset + 1)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let start = position
                let kind: NodeRecord.Kind = bytes[offset] == UInt8(ascii: "{") ? .mapping : .sequence
                advance(to: offset + 1)
                var record = NodeRecord(kind: kind, start: start, end: position)
                record.isFlow = true
                guard builder.beginCollection(record, anchor: nil) else {
                    problems.add(.tooDeep(limits, problems.range(start, position)))
                    return false
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                advance(to: offset + 1)
                builder.endCollection(end: position, problems: &problems)
            case UInt8(ascii: "\""): readString()
            default: readLiteral()
            }
        }
        return true
    }

    private mutating func readString() {
        let start = position
        let first = offset
        var end = first + 1
        var hasEscapes = false
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            let isEscape = bytes[end] == UInt8(ascii: "\\")
            hasEscapes = hasEscapes || isEscape
            end += isEscape ? 2 : 1
        }
        end = min(end + 1, bytes.count)
        advance(to: end)
        var record = NodeRecord(kind: .scalar, start: start, end: position)
        record.style = .doubleQuoted
        let whole = UnsafeBufferPointer(rebasing: bytes[first..<end])
        guard hasEscapes, case .string(var text)? = try? JSONParser().parse(whole) else {
            let inner = UnsafeBufferPointer(rebasing: bytes[(first + 1)..<max(first + 1, end - 1)])
            return builder.addScalar(record, text: inner, anchor: nil)
        }
        text.makeContiguousUTF8()
        text.withUTF8 { builder.addScalar(record, text: $0, anchor: nil) }
    }

    /// Reads a number, `true`, `false`, or `null`.
    private mutating func readLiteral() {
        let start = position
        let first = offset
        var end = first + 1
        while end < bytes.count, !Self.endsLiteral(bytes[end]) { end += 1 }
        advance(to: end)
        let record = NodeRecord(kind: .scalar, start: start, end: position)
        builder.addScalar(record, text: UnsafeBufferPointer(rebasing: bytes[first..<end]), anchor: nil)
    }

    /// Advances within a line.
    private mutating func advance(to end: Int) {
        for byte in bytes[offset..<end] where byte & 0xC0 != 0x80 { column += 1 }
        offset = end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { SourceScan.isBlank(byte) || SourceScan.isLineBreak(byte) }

    private static func endsLiteral(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}
