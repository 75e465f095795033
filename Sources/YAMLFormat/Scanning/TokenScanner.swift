import CLibYAML

/// Runs the scanner of libyaml.
enum TokenScanner {
    /// Returns the tokens of a text.
    ///
    /// - Throws: ``FormatFailure`` for a syntax error.
    static func tokens(of source: SourceText) throws(FormatFailure) -> [Token] {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        let token = UnsafeMutablePointer<yaml_token_t>.allocate(capacity: 1)
        defer {
            token.deallocate()
            parser.deallocate()
        }
        guard yaml_parser_initialize(parser) != 0 else { throw FormatFailure("not enough memory") }
        defer { yaml_parser_delete(parser) }
        var tokens: [Token] = []
        var failure: FormatFailure?
        // libyaml requires an address even for empty input.
        let bytes = source.bytes.isEmpty ? [UInt8(ascii: "\n")] : source.scannedBytes
        bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
            while true {
                guard yaml_parser_scan(parser, token) != 0 else {
                    failure = FormatFailure("syntax error, or a construct that is valid in JSON but not in YAML")
                    return
                }
                defer { yaml_token_delete(token) }
                guard let kind = kind(of: token.pointee.type) else { return }
                let start = source.offset(ofCharacter: Int(truncatingIfNeeded: token.pointee.start_mark.index))
                let end = source.offset(ofCharacter: Int(truncatingIfNeeded: token.pointee.end_mark.index))
                var next = Token(kind: kind, start: start, end: max(start, end))
                if kind == .scalar { next.style = style(of: token.pointee.data.scalar.style) }
                tokens.append(next)
                if kind == .streamEnd { return }
            }
        }
        if let failure { throw failure }
        return tokens
    }

    private static func kind(of type: yaml_token_type_t) -> Token.Kind? {
        switch type {
        case YAML_STREAM_START_TOKEN: .streamStart
        case YAML_STREAM_END_TOKEN: .streamEnd
        case YAML_VERSION_DIRECTIVE_TOKEN, YAML_TAG_DIRECTIVE_TOKEN: .directive
        case YAML_DOCUMENT_START_TOKEN: .documentStart
        case YAML_DOCUMENT_END_TOKEN: .documentEnd
        case YAML_BLOCK_SEQUENCE_START_TOKEN: .blockSequenceStart
        case YAML_BLOCK_MAPPING_START_TOKEN: .blockMappingStart
        case YAML_BLOCK_END_TOKEN: .blockEnd
        case YAML_FLOW_SEQUENCE_START_TOKEN: .sequenceStart
        case YAML_FLOW_SEQUENCE_END_TOKEN: .sequenceEnd
        case YAML_FLOW_MAPPING_START_TOKEN: .mappingStart
        case YAML_FLOW_MAPPING_END_TOKEN: .mappingEnd
        case YAML_BLOCK_ENTRY_TOKEN: .entry
        case YAML_FLOW_ENTRY_TOKEN: .comma
        case YAML_KEY_TOKEN: .key
        case YAML_VALUE_TOKEN: .value
        case YAML_ALIAS_TOKEN: .alias
        case YAML_ANCHOR_TOKEN: .anchor
        case YAML_TAG_TOKEN: .tag
        case YAML_SCALAR_TOKEN: .scalar
        default: nil
        }
    }

    private static func style(of style: yaml_scalar_style_t) -> Token.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }
}

/// A token of libyaml's scanner, with its byte range.
struct Token {
    enum Kind: UInt8 {
        case streamStart, streamEnd, directive, documentStart, documentEnd
        case blockSequenceStart, blockMappingStart, blockEnd
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
        case entry, comma, key, value, alias, anchor, tag, scalar
    }

    /// The style of a scalar.
    enum Style: UInt8 {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    var kind: Kind
    var style = Style.plain
    var start: Int
    var end: Int

    var range: Range<Int> { start..<end }

    var isBlockScalar: Bool { kind == .scalar && (style == .literal || style == .folded) }

    /// Whether the token has no characters of its own: the start or end of a block, or a simple key.
    var isVirtual: Bool {
        switch kind {
        case .streamStart, .blockSequenceStart, .blockMappingStart, .blockEnd: true
        case .key: start == end
        default: false
        }
    }
}

/// The lines of a literal or folded scalar.
struct BlockScalar {
    /// The header: the indicators of style, indentation, and chomping.
    var header: Range<Int>
    /// The comment after the header.
    var comment: TrailingComment?
    /// The lines without their indentation. All trailing blank lines are included if ``isKept`` is true, otherwise
    /// none.
    var lines: [Range<Int>] = []
    /// The explicit indentation indicator, if any.
    var explicitIndentation: Int?
    /// Whether trailing blank lines belong to the text (`+`).
    var isKept = false
    /// Whether the text has no final line break (`-`).
    var isStripped = false
    /// Whether the last line has no line break because the file ends there.
    var isUnterminated = false
    /// The end of the scalar itself; lines after it do not belong to the scalar.
    var end: Int

    /// Creates a block scalar by parsing its bytes.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - range: The bytes of the token, up to the start of the line after it.
    ///   - parentColumn: The column of the block that contains the scalar; -1 for the root of a document.
    init(source: SourceText, range: Range<Int>, parentColumn: Int) {
        let bytes = source.bytes
        var index = range.lowerBound + 1
        header: while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "+"): isKept = true
            case UInt8(ascii: "-"): isStripped = true
            case UInt8(ascii: "1")...UInt8(ascii: "9"): explicitIndentation = Int(bytes[index] - UInt8(ascii: "0"))
            default: break header
            }
            index += 1
        }
        header = range.lowerBound..<index
        end = index
        let lines = source.lines(range)
        guard let first = lines.first else { return }
        let headerEnd = index
        while index < first.upperBound, SourceText.isBlank(bytes[index]) { index += 1 }
        if index < first.upperBound, bytes[index] == UInt8(ascii: "#") {
            comment = TrailingComment(
                text: source.trimmed(index..<first.upperBound), gap: index - headerEnd,
                column: source.columnInContent(of: index))
        }
        end = first.upperBound
        var contents = Array(lines.dropFirst())
        let indentation =
            explicitIndentation.map { max(parentColumn, 0) + $0 }
            ?? Self.detectedIndentation(source, contents, parentColumn: parentColumn)
        for index in contents.indices {
            let line = contents[index]
            var start = line.lowerBound
            while start < line.upperBound, start - line.lowerBound < indentation, bytes[start] == UInt8(ascii: " ") {
                start += 1
            }
            contents[index] = start..<line.upperBound
        }
        // The text after the last line break is the start of the next line, unless the file ends without a line break.
        if let last = contents.last {
            if last.isEmpty { contents.removeLast() } else { isUnterminated = true }
        }
        if !isKept { while contents.last?.isEmpty == true { contents.removeLast() } }
        self.lines = contents
        if isKept { end = range.upperBound } else if let last = contents.last { end = last.upperBound }
    }

    /// Returns the indentation that libyaml detects: that of the first line with content, or of a longer blank line
    /// before it.
    private static func detectedIndentation(_ source: SourceText, _ lines: [Range<Int>], parentColumn: Int) -> Int {
        var indentation = max(parentColumn + 1, 1)
        for line in lines {
            let text = source.bytes[line]
            let spaces = text.prefix { $0 == UInt8(ascii: " ") }.count
            indentation = max(indentation, spaces)
            if spaces < text.count { break }
        }
        return indentation
    }
}
