import Diagnostics

/// Finds for each character of a scalar's text the bytes of the file that it comes from.
struct ScalarAlignment {
    private let bytes: [UInt8]
    private let text: [Unicode.Scalar]
    private var index: Int
    private let limit: Int
    /// The source of every scalar of the text so far.
    private var sources: [Range<Int>] = []

    /// The sources of the scalars of a node's text, or nil when text and source do not fit together.
    ///
    /// - Parameter source: The byte range of the node, with its quotes or its block header.
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

    /// Takes so many bytes as the source of the next scalar.
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

    /// Plain and quoted scalars, whose line breaks are folded.
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

    /// Space within a line is kept; with line breaks it is one space, or one break fewer than there are.
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
        // In JSON a character above U+FFFF may be written as a pair of escapes.
        case UInt8(ascii: "u"): take(next.map { $0.value > 0xFFFF } == true ? 12 : 6)
        case UInt8(ascii: "U"): take(10)
        case let byte where SourceScan.isLineBreak(byte):
            // An escaped line break is nothing, together with the indentation of the next line.
            index += 1
            while index < limit, Self.isSpace(bytes[index]) { index += 1 }
        default: take(1 + lengthOfScalar(at: index + 1))
        }
    }

    /// Block scalars: every line without its indentation, which the first line with content decides.
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
            // With an explicit indentation a line of spaces can be content.
            if isBlank, next != " " {
                if next == "\n" { sources.append(start..<index) }
                skipLine()
                continue
            }
            if indentation == nil {
                // An explicit indentation leaves spaces in the text.
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
