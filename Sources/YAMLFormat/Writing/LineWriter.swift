/// Writes lines, and comments at their ends.
struct LineWriter {
    let source: SourceText
    private(set) var bytes: [UInt8] = []
    /// The indentation of the current line.
    private(set) var indentation = 0
    /// The column from which a bracket on the current line indents its contents.
    var flowBase = 0
    /// Comments that go to the end of the current line; further ones get lines of their own.
    var pending: [TrailingComment] = []
    /// Comments that go before the next line.
    var carried: [Comment] = []
    /// Whether what was written last ends with a tag or an anchor, which would take what follows for a part of itself.
    var endsWithProperty = false
    /// Whether what was written last is a scalar to which blank lines behind it would belong (`|+`).
    var endsWithKeptLines = false
    private var lineStart = 0
    private var isLineEmpty = true

    init(source: SourceText) {
        self.source = source
        bytes.reserveCapacity(source.bytes.count + source.bytes.count / 16)
    }

    /// Whether comments must be written before anything else.
    var hasComments: Bool { !pending.isEmpty || !carried.isEmpty }

    /// Whether a comma or bracket needs a space before it: libyaml takes a colon together with it for text.
    var needsSpace: Bool { !isLineEmpty && (endsWithProperty || bytes.last == UInt8(ascii: ":")) }

    /// Writes on the current line; on a new one if a comment is to end it.
    mutating func write(_ text: some Sequence<UInt8>) {
        if hasComments {
            writeComments([], indentation: indentation + 2)
            newline(indentation + 2)
        }
        append(text)
    }

    mutating func write(_ text: StaticString) {
        text.withUTF8Buffer { write($0) }
    }

    /// Writes a comma, which comes before a comment that ends the line.
    mutating func writeComma() {
        if needsSpace { append(CollectionOfOne(UInt8(ascii: " "))) }
        append(CollectionOfOne(UInt8(ascii: ",")))
    }

    /// Ends the current line and begins one.
    mutating func newline(_ indentation: Int, isAfterBlank: Bool = false) {
        writePendingComment()
        if bytes.isEmpty {
            // A file begins without blank lines.
        } else {
            bytes.append(UInt8(ascii: "\n"))
            if isAfterBlank, !endsWithKeptLines { bytes.append(UInt8(ascii: "\n")) }
        }
        begin(indentation)
        flowBase = indentation
    }

    /// Writes comments on lines of their own, after those that are due.
    mutating func writeComments(_ comments: [Comment], indentation: Int) {
        writePendingComment()
        let all = carried + comments
        carried = []
        for comment in all {
            newline(indentation, isAfterBlank: comment.isAfterBlank)
            append(source.bytes[comment.text])
        }
    }

    /// Begins a further line of a scalar; one without text stays without indentation.
    mutating func continueScalar(_ text: some Collection<UInt8>, indentation: Int) {
        bytes.append(UInt8(ascii: "\n"))
        begin(indentation)
        if text.isEmpty { isLineEmpty = false } else { append(text) }
    }

    /// Ends the last line.
    mutating func finish() -> [UInt8] {
        writeComments([], indentation: 0)
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    private mutating func begin(_ indentation: Int) {
        lineStart = bytes.count
        self.indentation = indentation
        isLineEmpty = true
    }

    private mutating func append(_ text: some Sequence<UInt8>) {
        endsWithProperty = false
        endsWithKeptLines = false
        if isLineEmpty {
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
            isLineEmpty = false
        }
        bytes.append(contentsOf: text)
    }

    /// Writes the comment that ends the line: one space behind the text, or in the column that the author chose.
    mutating func writePendingComment() {
        guard let first = pending.first else { return }
        let column = bytes.count - lineStart
        let content = SourceText.contentColumn(of: bytes[lineStart...])
        let gap = first.gap <= 1 ? 1 : max(1, content + first.column - column)
        append(repeatElement(UInt8(ascii: " "), count: gap))
        append(source.bytes[first.text])
        carried += pending.dropFirst().map { Comment(text: $0.text, column: 0, isAfterBlank: false) }
        pending = []
    }
}
