public import Basics
public import Diagnostics
public import JSONPath
public import JSONSchema
public import XML

/// The compiled expectations of one exchange.
public struct ExpectationSet: Sendable {
    /// An expected status.
    public struct Status: Sendable {
        /// A pattern that a status must match.
        public enum Pattern: Sendable {
            /// Inclusive ranges that the status may be in: `200` is 200...200, `2xx` is 200...299.
            case ranges([ClosedRange<Int>])
            /// A matcher for the number.
            case matcher(Matcher)
        }

        /// The pattern that the status must match.
        public var pattern: Pattern
        /// The pattern as written, for messages: `200`, `2xx`, `200-204, 301`.
        public var text: String
        /// The source range of the pattern.
        public var range: SourceRange

        /// Creates an expected status.
        public init(pattern: Pattern, text: String, range: SourceRange) {
            self.pattern = pattern
            self.text = text
            self.range = range
        }
    }

    /// An expected field with a name, such as a header, a trailer, a form field, or a query parameter.
    public struct Named: Sendable {
        /// The name of the field.
        public var name: Templated<String>
        /// The matcher for the value.
        public var matcher: Matcher
        /// Whether every field with this name must match; otherwise, one match is enough.
        public var matchesAll: Bool

        /// Creates an expectation.
        public init(name: Templated<String>, matcher: Matcher, matchesAll: Bool = false) {
            self.name = name
            self.matcher = matcher
            self.matchesAll = matchesAll
        }
    }

    /// The expectations of a cookie.
    public struct Cookie: Sendable {
        /// The name of the cookie.
        public var name: Templated<String>
        /// The matcher for the value; nil if only attributes are checked.
        public var value: Matcher?
        /// The matchers for attributes, in order.
        public var attributes: [(attribute: CookieAttribute, matcher: Matcher)]
        /// The source range of the value.
        public var range: SourceRange

        /// Creates an expectation.
        public init(
            name: Templated<String>, value: Matcher? = nil,
            attributes: [(attribute: CookieAttribute, matcher: Matcher)] = [],
            range: SourceRange
        ) {
            self.name = name
            self.value = value
            self.attributes = attributes
            self.range = range
        }
    }

    /// An expectation of the value that a JSONPath selects.
    public struct JSON: Sendable {
        /// The JSONPath.
        public var path: Templated<JSONPath>
        /// The source range of the path.
        public var pathRange: SourceRange
        /// The matcher for the selected value.
        public var matcher: Matcher

        /// Creates an expectation.
        public init(path: Templated<JSONPath>, pathRange: SourceRange, matcher: Matcher) {
            self.path = path
            self.pathRange = pathRange
            self.matcher = matcher
        }
    }

    /// The expected status.
    public var status: Status?
    /// The response headers.
    public var headers: [Named]
    /// The cookies that the response sets.
    public var cookies: [Cookie]
    /// The JSONPath expectations, in order.
    public var json: [JSON]
    /// The whole body: the value of a JSON body, otherwise its text.
    public var body: Matcher?
    /// The duration of the whole exchange; operands are nanoseconds.
    public var duration: Matcher?
    /// The size of the decoded body; operands are bytes.
    public var size: Matcher?
    /// Expectations that few steps have, such as trailers, certificates, and events.
    @Indirect public var extras: ExpectationExtras?
    /// Expressions that must evaluate to true.
    public var assertions: [EmbeddedExpression]
    /// Whether neither the step nor its defaults expect anything. A status of 400 or more fails in that case.
    public var isDefault: Bool

    /// Creates a set of expectations; empty by default.
    public init(
        status: Status? = nil, headers: [Named] = [], cookies: [Cookie] = [], json: [JSON] = [], body: Matcher? = nil,
        duration: Matcher? = nil, size: Matcher? = nil, extras: ExpectationExtras? = nil,
        assertions: [EmbeddedExpression] = [], isDefault: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.cookies = cookies
        self.json = json
        self.body = body
        self.duration = duration
        self.size = size
        self.extras = extras
        self.assertions = assertions
        self.isDefault = isDefault
    }

    /// Whether no part of the exchange is checked. Turning contract validation off does not count as an expectation.
    public var expectsNothing: Bool {
        guard status == nil, headers.isEmpty, cookies.isEmpty, json.isEmpty, body == nil, duration == nil, size == nil,
            assertions.isEmpty
        else { return false }
        guard var extras = extras else { return true }
        if extras.contract?.isOff == true { extras.contract = nil }
        return extras.isEmpty
    }
}

/// Parses status codes, classes, and ranges.
public enum StatusText {
    /// Returns the status codes that a string such as `200`, `2xx`, or `200-204` denotes; nil if it is not valid.
    public static func range(of text: String) -> ClosedRange<Int>? {
        var text = text
        return text.withUTF8 { bytes in
            if bytes.count == 3 {
                if let code = code(bytes[0...2]), code >= 100 { return code...code }
                if bytes[0] >= UInt8(ascii: "1"), bytes[0] <= UInt8(ascii: "9"),
                    bytes[1] | 0x20 == UInt8(ascii: "x"), bytes[2] | 0x20 == UInt8(ascii: "x")
                {
                    let first = Int(bytes[0] - UInt8(ascii: "0")) * 100
                    return first...(first + 99)
                }
            }
            if bytes.count == 7, bytes[3] == UInt8(ascii: "-"), let first = code(bytes[0...2]),
                let last = code(bytes[4...6]), first >= 100, first <= last
            {
                return first...last
            }
            return nil
        }
    }

    private static func code(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var value = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

/// A JSON Schema of a suite, compiled while loading.
public final class CompiledSchema: Sendable {
    /// The compiled schema.
    public let schema: JSONSchema
    /// The name of the schema in messages: `the schema order.schema.json`, `the schema`.
    public let title: String
    private let locate: @Sendable (_ location: String) -> SourceRange?

    /// Creates a compiled schema.
    ///
    /// - Parameters:
    ///   - schema: The compiled schema.
    ///   - title: The name of the schema in messages.
    ///   - locate: A closure that returns the source range of a subschema, given its absolute location
    ///     (`URI#/pointer`).
    public init(
        _ schema: JSONSchema, title: String,
        locate: @escaping @Sendable (_ location: String) -> SourceRange? = { _ in nil }
    ) {
        self.schema = schema
        self.title = title
        self.locate = locate
    }

    /// Returns the source range of a subschema, of this schema or of one that it references; nil if it is not in a
    /// file.
    ///
    /// - Parameter location: The absolute location of the subschema: a URI with a JSON Pointer as its fragment.
    public func location(of location: String) -> SourceRange? { locate(location) }
}

/// An XPath expression with its namespace bindings.
public struct XPathQuery: Sendable {
    /// The compiled expression.
    public var expression: XPathExpression
    /// Namespace names by prefix.
    public var namespaces: [String: String]

    /// Creates a query.
    public init(expression: XPathExpression, namespaces: [String: String] = [:]) {
        self.expression = expression
        self.namespaces = namespaces
    }
}
