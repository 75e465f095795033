public import Diagnostics
public import JSON

/// Something that is wrong with one exchange: an expectation that does not hold, or an error.
public struct Finding: Sendable {
    /// Whether an expectation did not hold or something went wrong before it could be checked.
    public enum Kind: String, Sendable {
        /// An expectation does not hold.
        case failure
        /// There is no answer to check, or an expression failed.
        case error
    }

    /// Failure or error.
    public var kind: Kind
    /// What was looked at: `status`, `json $.title`, `header Location`, `assert`, `capture bookID`, `connect`.
    public var subject: Subject
    /// The operator or kind of error, a stable word for reports: `equals`, `type`, `assert`, `timeout`.
    public var type: String
    /// One sentence: `expected "Dune" (string), got 42 (integer)`.
    public var message: String
    /// What was expected, when it is a value.
    public var expected: JSONValue?
    /// What was found, when it is a value.
    public var actual: JSONValue?
    /// The line of the suite that asked for it.
    public var range: SourceRange?
    /// Further lines: a structural difference, the values of sub-expressions.
    public var details: [String]
    /// Whether a baseline has the finding, so that it does not make the test fail.
    public var isKnown = false
    /// Whether the test ends with it; otherwise the steps that follow run, and the test fails at its end.
    public var endsTest = true

    /// Creates a finding.
    public init(
        kind: Kind = .failure, subject: Subject, type: String, message: String, expected: JSONValue? = nil,
        actual: JSONValue? = nil, range: SourceRange? = nil, details: [String] = []
    ) {
        self.kind = kind
        self.subject = subject
        self.type = type
        self.message = message
        self.expected = expected
        self.actual = actual
        self.range = range
        self.details = details
    }
}

extension Finding {
    /// What a finding is about: the cases are those by which something is decided, with what reports add to their word.
    public enum Subject: Sendable, Hashable {
        /// The status of the response.
        case status
        /// The whole body.
        case body
        /// What a JSONPath selects; nil for a body that is to be JSON.
        case json(String?)
        /// A place in a body that a JSON Schema is for; nil for a body that is to be JSON.
        case schema(String?)
        /// An expression that must be true.
        case assert
        /// A capture, by its name.
        case capture(String)
        /// A rule of the suite's contract; nil for the contract itself.
        case contract(String?)
        /// An expression in what was to be sent.
        case expression
        /// What the suite starts for its run.
        case serve
        /// The time that a test may take.
        case timeout
        /// Anything else, as reports print it: `header Location`, `connect`.
        case other(String)

        /// Whether it is about what the body says.
        public var isContent: Bool {
            switch self {
            case .body, .json, .schema, .assert: true
            case .status, .capture, .contract, .expression, .serve, .timeout, .other: false
            }
        }
    }
}

extension Finding.Subject: LosslessStringConvertible {
    /// The text that reports print.
    public var description: String {
        switch self {
        case .status: "status"
        case .body: "body"
        case .json(let path): Self.text("json", path)
        case .schema(let place): Self.text("schema", place)
        case .assert: "assert"
        case .capture(let name): Self.text("capture", name)
        case .contract(let rule): Self.text("contract", rule)
        case .expression: "expression"
        case .serve: "serve"
        case .timeout: "timeout"
        case .other(let text): text
        }
    }

    private static func text(_ word: String, _ rest: String?) -> String { rest.map { "\(word) \($0)" } ?? word }

    /// Creates the subject that a report prints as a text.
    public init(_ text: String) {
        let space = text.utf8.firstIndex(of: UInt8(ascii: " "))
        let rest = space.map { String(text[text.utf8.index(after: $0)...]) }
        switch (text[..<(space ?? text.endIndex)], rest) {
        case ("status", nil): self = .status
        case ("body", nil): self = .body
        case ("json", _): self = .json(rest)
        case ("schema", _): self = .schema(rest)
        case ("assert", nil): self = .assert
        case ("capture", let name?): self = .capture(name)
        case ("contract", _): self = .contract(rest)
        case ("expression", nil): self = .expression
        case ("serve", nil): self = .serve
        case ("timeout", nil): self = .timeout
        default: self = .other(text)
        }
    }
}

extension Finding.Subject: ExpressibleByStringInterpolation {
    /// Creates a subject that is written as reports print it.
    public init(stringLiteral text: String) { self.init(text) }
}
