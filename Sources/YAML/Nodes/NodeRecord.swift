import Diagnostics

/// A node as an arena stores it: what it is, where it is, and where its content is found.
struct NodeRecord {
    enum Kind: UInt8 {
        case scalar, sequence, mapping
        /// A reference to an anchored node.
        case alias
    }

    var kind: Kind
    /// The style of a scalar.
    var style: YAMLScalar.Style = .plain
    /// Whether a list or map is written with brackets.
    var isFlow = false
    var tag: CoreTag = .none
    /// What a scalar is by the core schema.
    var form = ScalarForm.string
    /// Where the content begins, behind an anchor and a tag.
    var startLine: Int32
    var startColumn: Int32
    /// The position behind the content; for what ends with a block scalar it may be the beginning of a later line.
    var endLine: Int32
    var endColumn: Int32
    /// Where a scalar's text begins, or the index of a collection's first child, or of the node an alias stands for.
    var first: UInt32 = 0
    /// The number of a text's bytes, or of children; keys and values of a map are counted both.
    var count: UInt32 = 0

    @inline(__always)
    init(kind: Kind, start: SourcePosition, end: SourcePosition) {
        self.kind = kind
        startLine = start.line
        startColumn = start.column
        endLine = end.line
        endColumn = end.column
    }

    /// The bytes of a scalar's text among those of its document, or the run of a collection's children.
    @inline(__always)
    var content: Range<Int> { Int(first)..<Int(first) + Int(count) }

    var start: SourcePosition {
        get { SourcePosition(line: startLine, column: startColumn) }
        set { (startLine, startColumn) = (newValue.line, newValue.column) }
    }

    var end: SourcePosition {
        get { SourcePosition(line: endLine, column: endColumn) }
        set { (endLine, endColumn) = (newValue.line, newValue.column) }
    }
}
