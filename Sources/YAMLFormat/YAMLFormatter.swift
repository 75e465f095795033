/// Formats YAML texts: indentation, spaces, line ends, and the order of known keys, but neither values nor comments.
///
/// The layout that an author chooses stays where it has a meaning for people: which style a value has, which quotes,
/// where lines break, one blank line where there were any. What is formatted is checked against the text that it was made
/// from, so that a mistake here damages no file.
public struct YAMLFormatter: Sendable {
    private let order: KeyOrder

    /// Creates a formatter.
    ///
    /// - Parameter order: The maps whose keys are known.
    public init(order: KeyOrder = KeyOrder()) {
        self.order = order
    }

    /// Formats a text.
    ///
    /// - Parameters:
    ///   - text: A YAML stream in UTF-8 without an error, in which every key is a scalar.
    ///   - layouts: What each document's root is; documents without one have free keys.
    /// - Returns: The text in its canonical layout: indented by two spaces, lines ended by LF, without byte order mark.
    /// - Throws: ``FormatFailure`` when the text has a form that is not understood, or when what was made of it would not
    ///   have the same meaning.
    public func format(_ text: [UInt8], layouts: [NodeLayout] = []) throws(FormatFailure) -> [UInt8] {
        let source = SourceText(text)
        var parser = TreeParser(source: source, tokens: try TokenScanner.tokens(of: source))
        var stream = try parser.parse()
        EntryOrder(order: order, source: source).sort(&stream, layouts: layouts)
        var writer = StreamWriter(source: source, order: order)
        let result = writer.write(stream, layouts: layouts)
        try Verification(order: order).check(source, result, layouts: layouts)
        return result
    }
}
