/// Writes lines, with comments at their ends.
struct LineWriter {
    let source: SourceText
    private(set) var bytes: [UInt8] = []
    /// The indentation of the current line.
    private(set) var indentation = 0
    /// The column relative to which a bracket on the current line indents its contents.
    var flowBase = 0
    /// Comments for the end of the current line. All except the first get separate lines.
    var pending: [TrailingComment] = []
    /// Comments to write before the next line.
    var carried: [Comment] = []
    /// Whether the output ends with a tag or an anchor, which would absorb text that directly follows.
    var endsWithProperty = false
    /// Whether the output ends with a `|+` scalar, to which blank lines after it would belong.
    var endsWithKeptLines = false
    private var lineStart = 0
    private var isLineEmpty = true

    init(source: SourceText) {
        self.source = source
        bytes.reserveCapacity(source.bytes.count + source.bytes.count / 16)
    }

    /// Whether comments must be written before anything else.
    var hasComments: Bool { !pending.isEmpty || !carried.isEmpty }

    /// Whether a comma or bracket needs a space before it, because libyaml would parse it together with a colon as
    /// text.
    var needsSpace: Bool { !isLineEmpty && (endsWithProperty || bytes.last == UInt8(ascii: ":")) }

    /// Writes on the current line, or on a new one if a comment must end the current line.
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

    /// Writes a comma, which precedes a comment at the end of the line.
    mutating func writeComma() {
        if needsSpace { append(CollectionOfOne(UInt8(ascii: " "))) }
        append(CollectionOfOne(UInt8(ascii: ",")))
    }

    /// Ends the current line and starts a new one.
    mutating func newline(_ indentation: Int, isAfterBlank: Bool = false) {
        writePendingComment()
        if bytes.isEmpty {
            // A file does not start with blank lines.
        } else {
            bytes.append(UInt8(ascii: "\n"))
            if isAfterBlank, !endsWithKeptLines { bytes.append(UInt8(ascii: "\n")) }
        }
        begin(indentation)
        flowBase = indentation
    }

    /// Writes comments on separate lines, after those that are pending.
    mutating func writeComments(_ comments: [Comment], indentation: Int) {
        writePendingComment()
        let all = carried + comments
        carried = []
        for comment in all {
            newline(indentation, isAfterBlank: comment.isAfterBlank)
            append(source.bytes[comment.text])
        }
    }

    /// Starts a continuation line of a scalar; an empty line gets no indentation.
    mutating func continueScalar(_ text: some Collection<UInt8>, indentation: Int) {
        bytes.append(UInt8(ascii: "\n"))
        begin(indentation)
        if text.isEmpty { isLineEmpty = false } else { append(text) }
    }

    /// Ends the last line and returns the text.
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

    /// Writes the comment at the end of the line: after one space, or in the column that the author chose.
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
