/// What is wrong with a tag expression, and where.
public struct TagExpressionError: Error, Sendable, Hashable {
    /// One sentence without a final full stop.
    public let message: String
    /// Where the wrong part begins, in Unicode scalars of the text.
    public let offset: Int
    /// How many Unicode scalars the part has; 0 at the end of the text.
    public let length: Int
    /// What to write instead.
    public let suggestion: String?

    init(_ message: String, at range: Range<Int>, suggestion: String? = nil) {
        self.message = message
        offset = range.lowerBound
        length = range.count
        self.suggestion = suggestion
    }
}
