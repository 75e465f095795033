/// A syntax error whose place is still in bytes.
struct SourceFault: Error {
    let message: String
    let span: Range<Int>

    init(_ message: String, _ span: Range<Int>) {
        self.message = message
        self.span = span
    }
}
