public import Diagnostics
public import JSON
public import SuiteModel

/// Why a value does not match: one operator that does not hold, or whose operand could not be evaluated.
public struct Mismatch: Error, Sendable {
    /// A failure when the operator does not hold; an error when an operand could not be evaluated.
    public var kind: Finding.Kind
    /// The operator's key, such as `equals`; `expression` when an operand could not be evaluated.
    public var type: String
    /// One sentence without a final full stop: `expected "Dune" (string), got 42 (integer)`.
    public var message: String
    /// What was expected, when it is a value.
    public var expected: JSONValue?
    /// What was found, when it is a value.
    public var actual: JSONValue?
    /// The place of the operand in the suite.
    public var range: SourceRange
    /// Further lines: a structural difference, the reasons of alternatives.
    public var details: [String]
    /// True when there was no value to match.
    public var isAbsence: Bool

    /// Creates a mismatch.
    public init(
        kind: Finding.Kind = .failure, type: String, message: String, expected: JSONValue? = nil,
        actual: JSONValue? = nil, range: SourceRange, details: [String] = [], isAbsence: Bool = false
    ) {
        self.kind = kind
        self.type = type
        self.message = message
        self.expected = expected
        self.actual = actual
        self.range = range
        self.details = details
        self.isAbsence = isAbsence
    }

    /// The mismatch of an operand that could not be evaluated.
    init(_ error: TemplateError) {
        self.init(kind: .error, type: "expression", message: error.message, range: error.range)
    }

    /// The mismatch as a finding about a subject, such as `json $.title`; large values stay out of it.
    public func finding(subject: String) -> Finding {
        Finding(
            kind: kind, subject: subject, type: type, message: message,
            expected: expected.flatMap(ValueDescription.kept), actual: actual.flatMap(ValueDescription.kept),
            range: range, details: details)
    }
}
