import CLibYAML

/// Runs libyaml's scanner over a text.
enum TokenScanner {
    /// The tokens of a text.
    ///
    /// - Throws: ``FormatFailure`` for an error of syntax.
    static func tokens(of source: SourceText) throws(FormatFailure) -> [Token] {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        let token = UnsafeMutablePointer<yaml_token_t>.allocate(capacity: 1)
        defer {
            token.deallocate()
            parser.deallocate()
        }
        guard yaml_parser_initialize(parser) != 0 else { throw FormatFailure("there is not enough memory") }
        defer { yaml_parser_delete(parser) }
        var tokens: [Token] = []
        var failure: FormatFailure?
        // libyaml needs an address also for no bytes at all.
        let bytes = source.bytes.isEmpty ? [UInt8(ascii: "\n")] : source.bytes
        bytes.withUnsafeBufferPointer { buffer in
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
            while true {
                guard yaml_parser_scan(parser, token) != 0 else {
                    failure = FormatFailure("it has an error of syntax, or what JSON allows and YAML does not")
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
