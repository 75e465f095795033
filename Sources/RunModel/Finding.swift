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
    public var subject: String
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
        kind: Kind = .failure, subject: String, type: String, message: String, expected: JSONValue? = nil,
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
