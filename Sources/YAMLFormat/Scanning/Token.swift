/// A token of YAML's scanner, with the bytes that it is written with.
struct Token {
    enum Kind: UInt8 {
        case streamStart, streamEnd, directive, documentStart, documentEnd
        case blockSequenceStart, blockMappingStart, blockEnd
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
        case entry, comma, key, value, alias, anchor, tag, scalar
    }

    /// How a scalar is written.
    enum Style: UInt8 {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    var kind: Kind
    var style = Style.plain
    var start: Int
    var end: Int

    var range: Range<Int> { start..<end }

    var isBlockScalar: Bool { kind == .scalar && (style == .literal || style == .folded) }

    /// Whether the token stands for nothing that is written: the beginning or end of a block, or a simple key.
    var isVirtual: Bool {
        switch kind {
        case .streamStart, .blockSequenceStart, .blockMappingStart, .blockEnd: true
        case .key: start == end
        default: false
        }
    }
}
