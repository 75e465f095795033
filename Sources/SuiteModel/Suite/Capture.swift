public import Diagnostics
public import JSONPath
public import RegularExpressions

/// A value taken from a response and kept under a name.
public struct Capture: Sendable {
    /// Where a captured value comes from.
    public enum Source: Sendable {
        /// The first match of a JSONPath (the list of matches when the path is not singular and gives several).
        case json(JSONPath)
        /// An expression over the response.
        case expression(EmbeddedExpression)
        /// The value of a header (the first, when it was sent several times).
        case header(String)
        /// The value of a cookie.
        case cookie(String)
        /// The first group (or the whole match) of a regular expression in the body's text.
        case regex(RegularExpression)
        /// What an XPath gives, in a body that is HTML by its content type, otherwise XML.
        case xpath(XPathQuery)
        /// The status code.
        case status
        /// The whole body: parsed when it is JSON, else text.
        case body
    }

    /// What a captured value is turned into.
    public enum Conversion: String, Sendable, CaseIterable {
        /// A whole number.
        case integer
        /// Any number.
        case number
        /// Text.
        case string
        /// True or false.
        case boolean
    }

    /// The variable's name.
    public var name: String
    /// Where the value comes from.
    public var source: Source
    /// The value when nothing is found; without one, finding nothing fails the step.
    public var defaultValue: ValueTemplate?
    /// True when the value is masked in every output.
    public var isSecret: Bool
    /// What the value is turned into.
    public var conversion: Conversion?
    /// The place of the capture's name.
    public var range: SourceRange
    /// The place of the source.
    public var sourceRange: SourceRange

    /// Creates a capture.
    public init(
        name: String, source: Source, defaultValue: ValueTemplate? = nil, isSecret: Bool = false,
        conversion: Conversion? = nil, range: SourceRange, sourceRange: SourceRange
    ) {
        self.name = name
        self.source = source
        self.defaultValue = defaultValue
        self.isSecret = isSecret
        self.conversion = conversion
        self.range = range
        self.sourceRange = sourceRange
    }
}
