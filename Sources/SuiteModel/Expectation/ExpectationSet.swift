public import Basics
public import Diagnostics
public import JSONPath
public import JSONSchema
public import XML

/// Everything that is expected of one exchange, compiled.
public struct ExpectationSet: Sendable {
    /// An expected status.
    public struct Status: Sendable {
        /// What the status may be.
        public enum Pattern: Sendable {
            /// Any of these ranges: `200` is 200…200, `2xx` is 200…299.
            case ranges([ClosedRange<Int>])
            /// A matcher on the number.
            case matcher(Matcher)
        }

        /// What the status may be.
        public var pattern: Pattern
        /// The pattern as written, for messages: `200`, `2xx`, `200-204, 301`.
        public var text: String
        /// The place of the pattern.
        public var range: SourceRange

        /// Creates an expected status.
        public init(pattern: Pattern, text: String, range: SourceRange) {
            self.pattern = pattern
            self.text = text
            self.range = range
        }
    }

    /// An expected header, trailer or field.
    public struct Named: Sendable {
        /// The field's name.
        public var name: String
        /// What its value must be.
        public var matcher: Matcher
        /// True when every field of that name must match; otherwise one that does is enough.
        public var matchesAll: Bool

        /// Creates an expected header or cookie.
        public init(name: String, matcher: Matcher, matchesAll: Bool = false) {
            self.name = name
            self.matcher = matcher
            self.matchesAll = matchesAll
        }
    }

    /// What is expected of a cookie.
    public struct Cookie: Sendable {
        /// The cookie's name.
        public var name: String
        /// What its value must be; nil when only attributes are looked at.
        public var value: Matcher?
        /// What its attributes must be, in order.
        public var attributes: [(attribute: CookieAttribute, matcher: Matcher)]
        /// The place of the whole.
        public var range: SourceRange

        /// Creates an expectation.
        public init(
            name: String, value: Matcher? = nil, attributes: [(attribute: CookieAttribute, matcher: Matcher)] = [],
            range: SourceRange
        ) {
            self.name = name
            self.value = value
            self.attributes = attributes
            self.range = range
        }
    }

    /// An expectation on what a JSONPath selects.
    public struct JSON: Sendable {
        /// The path.
        public var path: JSONPath
        /// The place of the path.
        public var pathRange: SourceRange
        /// What the selected value must be.
        public var matcher: Matcher

        /// Creates an expectation.
        public init(path: JSONPath, pathRange: SourceRange, matcher: Matcher) {
            self.path = path
            self.pathRange = pathRange
            self.matcher = matcher
        }
    }

    /// The status.
    public var status: Status?
    /// Headers.
    public var headers: [Named]
    /// Cookies that the response sets.
    public var cookies: [Cookie]
    /// JSONPath expectations, in order.
    public var json: [JSON]
    /// The whole body: a JSON body's value, otherwise its text.
    public var body: Matcher?
    /// The duration of the whole exchange; operands are nanoseconds.
    public var duration: Matcher?
    /// The size of the body as received, decoded; operands are bytes.
    public var size: Matcher?
    /// What few steps expect: trailers, certificate, events and the like.
    @Indirect public var extras: ExpectationExtras?
    /// Expressions that must be true.
    public var assertions: [EmbeddedExpression]
    /// True when nothing is expected, here or by default, so that a status of 400 or more is a failure.
    public var isDefault: Bool

    /// Creates a set.
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

    /// True when nothing of the exchange is looked at; that no contract is says nothing about the exchange.
    public var expectsNothing: Bool {
        guard status == nil, headers.isEmpty, cookies.isEmpty, json.isEmpty, body == nil, duration == nil, size == nil,
            assertions.isEmpty
        else { return false }
        guard var extras = extras else { return true }
        if extras.contract?.isOff == true { extras.contract = nil }
        return extras.isEmpty
    }
}

/// Statuses as they are written: one, a class or a range.
public enum StatusText {
    /// The statuses that a text such as `200`, `2xx` or `200-204` names; nil for any other text.
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

/// A JSON Schema that a suite names or holds, compiled while the suite is loaded.
public final class CompiledSchema: Sendable {
    /// The schema.
    public let schema: JSONSchema
    /// What messages call it: `the schema order.schema.json`, `the schema`.
    public let title: String
    private let locate: @Sendable (_ location: String) -> SourceRange?

    /// Creates a compiled schema.
    ///
    /// - Parameters:
    ///   - title: What messages call it.
    ///   - locate: Finds the place in a file of a part of the schema, from the part's absolute location (`URI#/pointer`).
    public init(
        _ schema: JSONSchema, title: String,
        locate: @escaping @Sendable (_ location: String) -> SourceRange? = { _ in nil }
    ) {
        self.schema = schema
        self.title = title
        self.locate = locate
    }

    /// The place in a file of a part of the schema, or of one that it refers to; nil when it stands in no file.
    ///
    /// - Parameter location: The part's absolute location: a URI with a JSON Pointer as its fragment.
    public func place(of location: String) -> SourceRange? { locate(location) }
}

/// An XPath expression with the namespaces that its prefixes stand for.
public struct XPathQuery: Sendable {
    /// The expression.
    public var expression: XPathExpression
    /// The names of namespaces by prefix.
    public var namespaces: [String: String]

    /// Creates a query.
    public init(expression: XPathExpression, namespaces: [String: String] = [:]) {
        self.expression = expression
        self.namespaces = namespaces
    }
}
