public import Basics
public import Diagnostics
public import JSON

/// A problem with one exchange: a failed expectation or an error.
public struct Finding: Sendable {
    /// The kind of a finding.
    public enum Kind: String, Sendable {
        /// An expectation failed.
        case failure
        /// There was no response to check, or an expression failed.
        case error
    }

    /// The kind of the finding.
    public var kind: Kind
    /// The subject: `status`, `json $.title`, `header Location`, `assert`, `capture bookID`, `connect`.
    public var subject: Subject
    /// The operator or kind of error, as a stable identifier for reports: `equals`, `type`, `assert`, `timeout`.
    public var type: Reason
    /// The message, as one sentence: `expected "Dune" (string), got 42 (integer)`.
    public var message: String { wording.text }
    /// The message with the distinction of words and data.
    public var wording: MessageText
    /// The expected value, if any.
    public var expected: JSONValue?
    /// The actual value, if any.
    public var actual: JSONValue?
    /// The source range of the expectation in the suite.
    public var range: SourceRange?
    /// Additional lines, such as a structural difference or the values of subexpressions.
    public var details: [MessageText]
    /// Whether the finding is expected, by the suite or a baseline, so that it does not fail the test.
    public var isKnown = false
    /// Whether the finding ends the test. Otherwise, the remaining steps run and the test fails at its end.
    public var endsTest = true

    /// Creates a finding.
    public init(
        kind: Kind = .failure, subject: Subject, type: Reason, message: MessageText, expected: JSONValue? = nil,
        actual: JSONValue? = nil, range: SourceRange? = nil, details: [MessageText] = []
    ) {
        self.kind = kind
        self.subject = subject
        self.type = type
        wording = message
        self.expected = expected
        self.actual = actual
        self.range = range
        self.details = details
    }
}

extension Finding {
    /// A stable identifier for the operator or kind of error that caused a finding or a failed exchange.
    ///
    /// Reasons that affect the behavior of the program, or that are used in several files, have a static member.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The identifier in reports and records.
        public let rawValue: String

        /// Creates a reason with any identifier, such as one from a record of a later version.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a reason that does not affect the behavior of the program.
        public init(_ word: String) { rawValue = word }

        /// The status is not one of the expected ones.
        public static let status = Reason("status")
        /// The body is not JSON, or a JSONPath selects nothing.
        public static let json = Reason("json")
        /// A JSON Schema is not satisfied.
        public static let schema = Reason("schema")
        /// An expression could not be evaluated.
        public static let expression = Reason("expression")
        /// An expression uses a capture of the same step that has no value.
        public static let missingCapture = Reason("missing-capture")
        /// An XPath could not be evaluated, or selects nothing.
        public static let xpath = Reason("xpath")
        /// A regular expression matches nothing, or exceeds its limits.
        public static let regex = Reason("regex")
        /// A snapshot differs, or cannot be used.
        public static let snapshot = Reason("snapshot")
        /// The figures of a load do not describe the server.
        public static let invalidLoad = Reason("invalid-load")
        /// A response differs from the response lock of its step.
        public static let lock = Reason("lock")
        /// A WebSocket was not closed as expected.
        public static let close = Reason("close")
        /// A check was abandoned because its task was cancelled.
        public static let cutOff = Reason("cutOff")
        /// The exchange was abandoned, for example because the run was interrupted.
        public static let cancelled = Reason("cancelled")
        /// A time limit expired.
        public static let timeout = Reason("timeout")
        /// A request adapter failed.
        public static let adapterFailed = Reason("adapterFailed")
        /// No connection could be established, for a reason other than a refusal.
        public static let connectionFailed = Reason("connectionFailed")
        /// The connection was closed before the response was complete.
        public static let connectionClosed = Reason("connectionClosed")
        /// The server reset the connection.
        public static let connectionReset = Reason("connectionReset")
        /// The server violated the protocol.
        public static let protocolViolation = Reason("protocolViolation")
        /// The maximum number of redirects was exceeded.
        public static let tooManyRedirects = Reason("tooManyRedirects")
        /// A redirect leads to a URL that was already requested.
        public static let redirectCycle = Reason("redirectCycle")
        /// A redirect has a missing or invalid location.
        public static let invalidRedirect = Reason("invalidRedirect")
        /// The program of a step could not be started.
        public static let commandNotStarted = Reason("commandNotStarted")
        /// The program of a step wrote more than can be checked.
        public static let outputTooLarge = Reason("outputTooLarge")
        /// The server command of a suite could not be started.
        public static let serveCommand = Reason("serve-command")
        /// The mock server of a suite could not be started.
        public static let serveMock = Reason("serve-mock")
    }

    /// The subject of a finding.
    ///
    /// Subjects that other code depends on have their own case, with the details that reports add to the name.
    public enum Subject: Sendable, Hashable {
        /// The status of the response.
        case status
        /// The whole body.
        case body
        /// The body as text.
        case text
        /// The value that a JSONPath selects; nil for a body that must be JSON.
        case json(String?)
        /// A location in a body that a JSON Schema applies to; nil for a body that must be JSON.
        case schema(String?)
        /// An expression that must be true.
        case assert
        /// The capture with this name.
        case capture(String)
        /// A rule of the contract of the suite; nil for the contract itself.
        case contract(String?)
        /// The part of a response that differs from its response lock, such as `status`.
        case lock(String)
        /// An expression in the request.
        case expression
        /// The server that the suite starts for its run.
        case serve
        /// The time limit of the test.
        case timeout
        /// Any other subject, as reports print it: `header Location`, `connect`.
        case other(String)

        /// Whether the subject is part of the body's content.
        public var isContent: Bool {
            switch self {
            case .body, .text, .json, .schema, .assert: true
            case .status, .capture, .contract, .lock, .expression, .serve, .timeout, .other: false
            }
        }
    }
}

extension Finding.Subject: LosslessStringConvertible {
    /// The subject as reports print it.
    public var description: String {
        switch self {
        case .status: "status"
        case .body: "body"
        case .text: "text"
        case .json(let path): Self.text("json", path)
        case .schema(let location): Self.text("schema", location)
        case .assert: "assert"
        case .capture(let name): Self.text("capture", name)
        case .contract(let rule): Self.text("contract", rule)
        case .lock(let part): Self.text("lock", part)
        case .expression: "expression"
        case .serve: "serve"
        case .timeout: "timeout"
        case .other(let text): text
        }
    }

    private static func text(_ word: String, _ rest: String?) -> String { rest.map { "\(word) \($0)" } ?? word }

    /// Returns the subject with everything masked that is not a word of the program, which the first word always is.
    public func masked(with mask: (String) -> String) -> Finding.Subject {
        let text = description
        guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { return self }
        let rest = String(text[text.utf8.index(after: space)...])
        let masked = mask(rest)
        return masked == rest ? self : Finding.Subject("\(text[..<space]) \(masked)")
    }

    /// Creates a subject from its representation in reports.
    public init(_ text: String) {
        let space = text.utf8.firstIndex(of: UInt8(ascii: " "))
        let rest = space.map { String(text[text.utf8.index(after: $0)...]) }
        switch (text[..<(space ?? text.endIndex)], rest) {
        case ("status", nil): self = .status
        case ("body", nil): self = .body
        case ("text", nil): self = .text
        case ("json", _): self = .json(rest)
        case ("schema", _): self = .schema(rest)
        case ("assert", nil): self = .assert
        case ("capture", let name?): self = .capture(name)
        case ("contract", _): self = .contract(rest)
        case ("lock", let part?): self = .lock(part)
        case ("expression", nil): self = .expression
        case ("serve", nil): self = .serve
        case ("timeout", nil): self = .timeout
        default: self = .other(text)
        }
    }
}

extension Finding.Subject: ExpressibleByStringInterpolation {
    /// Creates a subject from its representation in reports.
    public init(stringLiteral text: String) { self.init(text) }
}
