import CLibXML2

/// An XPath 1.0 expression that has been checked.
public struct XPathExpression: Sendable, Hashable {
    /// The longest expression, in bytes of UTF-8.
    public static let maximumLength = 64 << 10

    /// The expression's text.
    public let text: String

    /// Checks an expression.
    /// - Parameter text: The expression; names of functions and prefixes are only checked when it is evaluated.
    /// - Throws: ``XMLError`` with the column if the expression is not well-formed.
    public init(_ text: String) throws(XMLError) {
        try XMLLibrary.require()
        guard text.utf8.count <= Self.maximumLength else {
            throw XMLError(kind: .xpath, message: "the expression is longer than \(Self.maximumLength) bytes")
        }
        if let zero = text.unicodeScalars.firstIndex(of: "\0") {
            throw XMLError(
                kind: .xpath, message: "there is a character that is not allowed",
                column: text.unicodeScalars.distance(from: text.startIndex, to: zero) + 1)
        }
        var error = clx_error()
        guard clx_xpath_check(text, &error) else { throw ErrorText.xpath(error, text) }
        self.text = text
    }
}
