import Basics
import Diagnostics
import JSON
import Output
import Redaction
import RunModel

/// An excerpt of a body for reports: formatted JSON, lines of text, or the size and first bytes of binary data.
///
/// Control characters are shown as escapes, so that no response can control the terminal.
struct BodyExcerpt {
    /// The kind of content of a body.
    enum Kind {
        case empty, json, text, binary
    }

    /// The kind of content of the body.
    let kind: Kind
    /// The examined part of the body.
    private let bytes: ArraySlice<UInt8>
    /// Whether the body is longer than the examined part.
    private let isCut: Bool
    private let size: Int

    /// The maximum number of bytes of a body to examine.
    private static let reach = 65_536
    /// The maximum number of bytes of a binary body to show.
    private static let shownBytes = 16

    /// Creates an excerpt.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body.
    ///   - contentType: The value of `Content-Type`.
    ///   - size: The size of the body before masking in bytes, or `nil` if it was not masked.
    init(_ body: [UInt8], contentType: String?, size: Int? = nil) {
        self.size = size ?? body.count
        bytes = body.prefix(Self.reach)
        isCut = body.count > Self.reach
        let kind = Self.kind(of: bytes, isCut: isCut, contentType: contentType)
        // Invalid JSON is shown verbatim, because its whitespace and line breaks may be the problem.
        self.kind = kind == .json && !isCut && !Self.isJSON(bytes) ? .text : kind
    }

    /// Returns the whole body as one line, or `nil` if it has several lines or exceeds `width` columns.
    func oneLine(width: Int) -> String? {
        guard width > 0 else { return nil }
        let line: String
        switch kind {
        case .empty: return nil
        case .binary: line = binaryText
        case .json:
            guard !isCut, let compact = JSONLayout(bytes: bytes).compact(limit: width * 4) else { return nil }
            line = DisplayWidth.printable(String(decoding: compact, as: UTF8.self))
        case .text:
            let text = trimmed
            guard !isCut, text.count <= width * 4, !text.contains(0x0A) else { return nil }
            line = Self.shown(text)
        }
        return DisplayWidth.of(line) <= width ? line : nil
    }

    /// Returns the lines of the body.
    ///
    /// If there are more than `limit` lines, a line with the total size replaces the rest.
    ///
    /// - Parameters:
    ///   - width: The width in columns for the layout of JSON.
    ///   - maximumLength: The column at which each line is truncated, or `nil` for `width`.
    func lines(width: Int, maximumLength: Int? = nil, limit: Int) -> [String] {
        let maximumLength = maximumLength ?? width
        var lines: [String]
        var isWhole = true
        switch kind {
        case .empty: return []
        case .binary: return [TextFitting.cut(binaryText, to: maximumLength)]
        case .json:
            let layout = JSONLayout(bytes: bytes).lines(width: width, limit: limit + 1)
            lines = layout.lines.map { DisplayWidth.printable(String(decoding: $0, as: UTF8.self)) }
            isWhole = layout.isWhole && !isCut
        case .text:
            lines = []
            var rest = trimmed
            while lines.count <= limit, !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                lines.append(Self.shown(rest[rest.startIndex..<end].prefix(maximumLength * 4)))
                rest = rest[min(end + 1, rest.endIndex)...]
            }
            isWhole = rest.isEmpty && !isCut
        }
        if !isWhole { lines = Array(lines.prefix(limit)) }
        lines = lines.map { TextFitting.cut($0, to: maximumLength) }
        if !isWhole { lines.append("… \(NumberText.size(size)) total") }
        return lines
    }

    /// The bytes without trailing line breaks and whitespace.
    private var trimmed: ArraySlice<UInt8> {
        guard let last = bytes.lastIndex(where: { !ASCII.isWhitespace($0) }) else {
            return bytes.prefix(0)
        }
        return bytes[...last]
    }

    private var binaryText: String { Self.binaryText(bytes[...], size: size) }

    /// Returns a description of binary data with its size and first bytes.
    ///
    /// - Parameter size: The total number of bytes.
    static func binaryText(_ bytes: ArraySlice<UInt8>, size: Int) -> String {
        let text = "\(NumberText.size(size)) of binary data"
        if bytes.isEmpty { return text }
        let shown = bytes.prefix(shownBytes).map { DisplayWidth.hexadecimal($0) }.joined(separator: " ")
        return text + ": " + shown + (size > shownBytes ? " …" : "")
    }

    /// Returns a line of text with tabs replaced by spaces and without the CR of its line break.
    private static func shown(_ line: ArraySlice<UInt8>) -> String {
        let line = line.last == 0x0D ? line.dropLast() : line
        let parts = line.split(separator: 0x09, omittingEmptySubsequences: false)
        return parts.map { DisplayWidth.printable(String(decoding: $0, as: UTF8.self)) }.joined(separator: "    ")
    }

    // MARK: Content detection

    private static func kind(of bytes: ArraySlice<UInt8>, isCut: Bool, contentType: String?) -> Kind {
        guard let first = bytes.first(where: { !ASCII.isWhitespace($0) }) else {
            return bytes.isEmpty ? .empty : .text
        }
        let type = mediaType(contentType ?? "").lowercased()
        let isNamedText =
            type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml") || type.hasSuffix("javascript")
            || type == "application/x-www-form-urlencoded" || type == "application/graphql"
        // A body declared as text is shown as text, unless it contains bytes that text never contains.
        let looked = bytes.prefix(4_096)
        if looked.contains(0) { return .binary }
        if !isNamedText, !isText(looked, isCut: isCut || looked.count < bytes.count) { return .binary }
        let isContainer = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        if type.hasSuffix("json") || (isContainer && (type.isEmpty || !isNamedText)) { return .json }
        return .text
    }

    /// Returns whether bytes are JSON (RFC 8259), disregarding masks.
    private static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
        var text = Array(bytes)
        if (try? JSONValue(parsing: text)) != nil { return true }
        // A masked number leaves an invalid token. Digits in place of the mask are valid in a string as well.
        let mask = Array(SecretRedactor.mask.utf8)
        var isMasked = false
        var position = 0
        while position + mask.count <= text.count {
            if text[position..<position + mask.count].elementsEqual(mask) {
                for index in position..<position + mask.count { text[index] = UInt8(ascii: "1") }
                isMasked = true
                position += mask.count
            } else {
                position += 1
            }
        }
        return isMasked && (try? JSONValue(parsing: text)) != nil
    }

    /// Returns whether bytes are mostly free of control characters and valid UTF-8, except for a truncated character.
    private static func isText(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> Bool {
        var whole = bytes
        if isCut {
            // A UTF-8 character has at most four bytes.
            for _ in 0..<3 {
                guard let last = whole.last, last & 0x80 != 0 else { break }
                whole = whole.dropLast()
                if last & 0xC0 == 0xC0 { break }
            }
        }
        let controls = whole.count { $0 < 0x20 && !ASCII.isWhitespace($0) && $0 != 0x1B }
        return controls * 10 <= whole.count && String(validating: whole, as: UTF8.self) != nil
    }

    /// Returns a media type without its parameters.
    static func mediaType(_ contentType: String) -> String {
        var type = contentType.prefix { $0 != ";" }
        while type.last == " " || type.last == "\t" { type.removeLast() }
        return String(type)
    }
}

/// A formatter of JSON text that does not parse its values, so that every number and escape stays as it was sent.
///
/// It examines only as much of the text as is shown. Malformed text is formatted as far as possible.
struct JSONLayout {
    /// The text as it was sent.
    let bytes: ArraySlice<UInt8>

    /// The maximum indentation, in columns.
    private static let deepestIndentation = 24

    /// Returns the text without whitespace between tokens, or `nil` if that exceeds `limit` bytes.
    func compact(limit: Int) -> [UInt8]? {
        var output: [UInt8] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let end = tokenEnd(position)
            if !Self.isSpace(bytes[position]) {
                guard output.count + (end - position) <= limit else { return nil }
                output += bytes[position..<end]
            }
            position = end
        }
        return output
    }

    /// Returns the text with one member or element per line.
    ///
    /// Arrays and objects that fit on a line are kept together.
    ///
    /// - Parameters:
    ///   - width: The length in bytes at which no more tokens are added to a line.
    ///   - limit: The maximum number of lines.
    /// - Returns: The lines, and whether they contain the whole text.
    func lines(width: Int, limit: Int) -> (lines: [[UInt8]], isWhole: Bool) {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var depth = 0
        var position = bytes.startIndex

        func breakLine() {
            lines.append(line)
            line = [UInt8](repeating: 0x20, count: min(depth * 2, Self.deepestIndentation))
        }
        while position < bytes.endIndex, lines.count < limit {
            let byte = bytes[position]
            if Self.isSpace(byte) {
                position += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if let whole = shortContainer(at: position, limit: width - line.count - 1) {
                    line += whole.text
                    position = whole.end
                    continue
                }
                line.append(byte)
                depth += 1
                breakLine()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                breakLine()
                line.append(byte)
            case UInt8(ascii: ","):
                line.append(byte)
                breakLine()
            case UInt8(ascii: ":"):
                line += [byte, 0x20]
            default:
                let end = tokenEnd(position)
                // Four bytes per column suffice for any character. The line is truncated to its width when it is shown.
                if line.count < width * 4 { line += bytes[position..<min(end, position + width * 4)] }
                position = end
                continue
            }
            position += 1
        }
        if lines.count < limit {
            lines.append(line)
            return (lines, true)
        }
        let isWhole = bytes[position...].allSatisfy(Self.isSpace) && line.allSatisfy { $0 == 0x20 }
        return (lines, isWhole)
    }

    /// Returns the array or object at a position without whitespace, or `nil` if it exceeds `limit` bytes.
    private func shortContainer(at start: Int, limit: Int) -> (text: [UInt8], end: Int)? {
        var output: [UInt8] = []
        var depth = 0
        var position = start
        // Whitespace counts too, which limits the lookahead to about a line.
        while position < bytes.endIndex, position - start < limit * 4 {
            let byte = bytes[position]
            let end = tokenEnd(position)
            if !Self.isSpace(byte) {
                output += bytes[position..<end]
                guard output.count <= limit else { return nil }
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            position = end
            if depth == 0 { return (output, position) }
        }
        return nil
    }

    /// Returns the end of the token at a position: of a whole string, or of a single byte of any other token.
    private func tokenEnd(_ start: Int) -> Int {
        guard bytes[start] == UInt8(ascii: "\"") else { return start + 1 }
        var position = start + 1
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return bytes.endIndex
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
