import Diagnostics

/// Maps each character of a scalar's text to its bytes in the file.
struct ScalarAlignment {
    private let bytes: [UInt8]
    private let text: [Unicode.Scalar]
    private var index: Int
    private let limit: Int
    /// The byte ranges of the aligned characters so far.
    private var sources: [Range<Int>] = []

    /// Returns the byte ranges of the Unicode scalars of a node's text; nil if the text and the source do not match.
    ///
    /// - Parameters:
    ///   - scalar: The scalar.
    ///   - file: The file that contains the scalar.
    ///   - source: The byte range of the node, with its quotation marks or block header.
    static func sources(of scalar: YAMLScalar, in file: SourceFile, source: Range<Int>) -> [Range<Int>]? {
        var alignment = ScalarAlignment(text: scalar.text, in: file, source: source)
        switch scalar.style {
        case .plain: alignment.alignFlow(quote: nil)
        case .singleQuoted: alignment.alignFlow(quote: UInt8(ascii: "'"))
        case .doubleQuoted: alignment.alignFlow(quote: UInt8(ascii: "\""))
        case .literal, .folded: alignment.alignBlock()
        }
        return alignment.sources.count == alignment.text.count ? alignment.sources : nil
    }

    private init(text: String, in file: SourceFile, source: Range<Int>) {
        bytes = file.text
        self.text = Array(text.unicodeScalars)
        index = source.lowerBound
        limit = source.upperBound
    }

    private var next: Unicode.Scalar? { sources.count < text.count ? text[sources.count] : nil }

    /// Consumes bytes as the source of the next character.
    private mutating func take(_ count: Int) {
        let end = min(limit, index + max(1, count))
        if next != nil { sources.append(index..<end) }
        index = end
    }

    private func lengthOfScalar(at index: Int) -> Int {
        var end = index + 1
        while end < limit, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end - index
    }

    private static func isSpace(_ byte: UInt8) -> Bool { SourceScan.isBlank(byte) || SourceScan.isLineBreak(byte) }

    /// Aligns plain and quoted scalars, which have folded line breaks.
    private mutating func alignFlow(quote: UInt8?) {
        if quote != nil { index += 1 }
        while index < limit, sources.count < text.count {
            let byte = bytes[index]
            if Self.isSpace(byte) {
                alignSpace()
            } else if byte == UInt8(ascii: "'"), quote == byte {
                take(2)
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                alignEscape()
            } else {
                take(lengthOfScalar(at: index))
            }
        }
    }

    /// Aligns white space. Within a line it is kept; with line breaks it becomes one space, or one line break fewer.
    private mutating func alignSpace() {
        let start = index
        var end = index
        var breaks = 0
        while end < limit, Self.isSpace(bytes[end]) {
            if SourceScan.isLineBreak(bytes[end]) {
                breaks += 1
                if bytes[end] == UInt8(ascii: "\r"), end + 1 < limit, bytes[end + 1] == UInt8(ascii: "\n") { end += 1 }
            }
            end += 1
        }
        if breaks == 0 {
            while index < end { take(1) }
            return
        }
        for _ in 0..<max(1, breaks - 1) where next != nil { sources.append(start..<end) }
        index = end
    }

    private mutating func alignEscape() {
        guard index + 1 < limit else { return take(1) }
        switch bytes[index + 1] {
        case UInt8(ascii: "x"): take(4)
        // JSON can represent a character above U+FFFF as a pair of escapes.
        case UInt8(ascii: "u"): take(next.map { $0.value > 0xFFFF } == true ? 12 : 6)
        case UInt8(ascii: "U"): take(10)
        case let byte where SourceScan.isLineBreak(byte):
            // An escaped line break is removed with the indentation of the next line.
            index += 1
            while index < limit, Self.isSpace(bytes[index]) { index += 1 }
        default: take(1 + lengthOfScalar(at: index + 1))
        }
    }

    /// Aligns block scalars: lines without the indentation that the first line with content determines.
    private mutating func alignBlock() {
        skipLine()
        var indentation: Int?
        while index < limit, sources.count < text.count {
            let start = index
            var spaces = 0
            while index < limit, bytes[index] == UInt8(ascii: " "), spaces < indentation ?? .max {
                spaces += 1
                index += 1
            }
            let isBlank = index >= limit || SourceScan.isLineBreak(bytes[index])
            // With an explicit indentation, a line of spaces can be content.
            if isBlank, next != " " {
                if next == "\n" { sources.append(start..<index) }
                skipLine()
                continue
            }
            if indentation == nil {
                // An explicit indentation keeps additional spaces in the text.
                let kept = text.dropFirst(sources.count).prefix { $0 == " " }.count
                index -= min(kept, spaces)
                indentation = max(0, spaces - kept)
            }
            while index < limit, !SourceScan.isLineBreak(bytes[index]) { take(lengthOfScalar(at: index)) }
            let end = index
            skipLine()
            if next == "\n" || next == " " { sources.append(end..<max(end, index)) }
        }
    }

    private mutating func skipLine() {
        while index < limit, !SourceScan.isLineBreak(bytes[index]) { index += 1 }
        if index < limit, bytes[index] == UInt8(ascii: "\r") { index += 1 }
        if index < limit, bytes[index] == UInt8(ascii: "\n") { index += 1 }
    }
}
