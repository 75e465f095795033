/// Why there is no document, or no value of an XPath expression.
public struct XMLError: Error, Sendable, Hashable {
    /// A kind of error.
    public enum Kind: String, Sendable, Hashable {
        /// libxml2 is not installed.
        case unavailable
        /// The text is not well-formed.
        case syntax
        /// The text demands more than ``XMLLimits`` or libxml2 allow.
        case limit
        /// The task that wants the document or value was cancelled.
        case cancelled
        /// The XPath expression is invalid, or cannot be evaluated.
        case xpath
    }

    /// What kind of error it is.
    public var kind: Kind
    /// The reason in plain words, one line.
    public var message: String
    /// The line of the document, from 1; nil in an XPath expression and where there is no place.
    public var line: Int?
    /// The column in the line as libxml2 counts it, or the character of the XPath expression, from 1.
    public var column: Int?
    /// The number of characters of the XPath expression that are wrong; nil in a document.
    public var length: Int?
    /// The names that could stand in the place of one that is not known in an XPath expression.
    public var known: [String]

    /// Creates an error.
    public init(
        kind: Kind, message: String, line: Int? = nil, column: Int? = nil, length: Int? = nil, known: [String] = []
    ) {
        self.kind = kind
        self.message = message
        self.line = line
        self.column = column
        self.length = length
        self.known = known
    }
}

extension XMLError: CustomStringConvertible {
    /// The place, if there is one, and the message.
    public var description: String {
        switch (line, column) {
        case (let line?, let column?): "line \(line), column \(column): \(message)"
        case (let line?, nil): "line \(line): \(message)"
        case (nil, let column?): "column \(column): \(message)"
        case (nil, nil): message
        }
    }
}
