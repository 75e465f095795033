/// Formats indentation, spaces, line breaks, and the order of known keys in YAML text, without changing values or
/// comments.
///
/// Meaningful choices of the author are kept: the style of values, quotes, line breaks, and single blank lines. The
/// result is verified against the original, so that an error in the formatter cannot damage a file.
public struct YAMLFormatter: Sendable {
    private let order: KeyOrder

    /// Creates a formatter.
    ///
    /// - Parameter order: The mappings whose keys are known.
    public init(order: KeyOrder = KeyOrder()) {
        self.order = order
    }

    /// Formats YAML text.
    ///
    /// - Parameters:
    ///   - text: A valid YAML stream in UTF-8 in which every key is a scalar.
    ///   - layouts: The structure of each document; the keys of further documents keep their order.
    /// - Returns: The text in canonical layout: indented by two spaces, with LF line endings, and without a byte order
    ///   mark.
    /// - Throws: ``FormatFailure`` if the structure is not supported, or if the result would not have the same meaning.
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
