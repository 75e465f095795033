import Basics
public import CEL
import Diagnostics
import JSON
public import RunModel
public import SuiteModel

/// A checker of WebSocket messages against a suite's expectations.
///
/// A message is treated like the body of a response. Text that is a JSON object or array is treated as JSON.
public struct MessageChecker {
    /// A message from the server.
    public struct Message: Sendable {
        /// The kind of the message: text or binary.
        public var kind: WebSocketSpec.Kind
        /// The payload.
        public var bytes: [UInt8]

        /// Creates a message.
        public init(_ kind: WebSocketSpec.Kind, _ bytes: [UInt8]) {
            self.kind = kind
            self.bytes = bytes
        }

        /// A short description of the message, for findings.
        public var description: String {
            switch kind {
            case .text:
                ValueDescription.plain(MessageBody.value(of: bytes, isText: true))
            case .binary: "a binary message of \(ValueDescription.count(bytes.count, "byte"))"
            }
        }
    }

    /// The exchange that opened the WebSocket.
    private let handshake: Exchange
    private let scope: any CELScope
    private let context: CELContext

    /// Creates a checker.
    ///
    /// - Parameters:
    ///   - handshake: The exchange that opened the WebSocket.
    ///   - scope: The variables of the suite, to which the names of the message are added.
    public init(handshake: Exchange, scope: any CELScope, context: CELContext) {
        var handshake = handshake
        handshake.details = nil
        handshake.response?.headers.removeAll { $0.isNamed("Content-Type") }
        self.handshake = handshake
        self.scope = scope
        self.context = context
    }

    /// Returns the content for expressions and captures: the handshake response with the message as its body.
    public func content(of message: Message) -> ResponseContent {
        var exchange = handshake
        exchange.response?.body = message.bytes
        exchange.response?.headers.append(HeaderField(name: "Content-Type", value: Self.contentType(of: message)))
        return ResponseContent(exchange)
    }

    private static func contentType(of message: Message) -> String {
        switch message.kind {
        case .binary: "application/octet-stream"
        case .text: MessageBody.structured(message.bytes) == nil ? "text/plain; charset=utf-8" : "application/json"
        }
    }

    /// Returns the findings for a message, in the order of the expectations.
    ///
    /// - Parameter content: The result of ``content(of:)`` for the message.
    public func findings(
        _ expected: WebSocketSpec.Receiving, message: Message, content: ResponseContent
    ) -> [Finding] {
        var findings: [Finding] = []
        // Expectations of text are meaningless for binary data, and vice versa.
        let wanted =
            expected.kind ?? (expected.base64 != nil ? .binary : expected.expectations.body != nil ? .text : nil)
        if let wanted, wanted != message.kind {
            return [
                Finding(
                    subject: "receive", type: .init("type"),
                    message: message.kind == .binary
                        ? "expected a \(wanted.rawValue) message, got \(message.description)"
                        : "expected a \(wanted.rawValue) message, got the text message \(message.description)",
                    expected: .string(wanted.rawValue), actual: .string(message.kind.rawValue))
            ]
        }
        if let base64 = expected.base64 {
            let evaluator = MatcherEvaluator(
                scope: ExchangeScope(content, parent: scope, precedence: .parent), context: context, subjectKind: .text)
            for mismatch in evaluator.mismatches(.string(Base64.encode(message.bytes)), base64) {
                findings.append(mismatch.finding(subject: "receive base64"))
            }
        }
        for var finding in ExpectationChecker().check(
            expected.expectations, content: content, scope: scope, context: context)
        {
            finding.subject = .other(finding.subject == .body ? "receive" : "receive \(finding.subject)")
            findings.append(Self.aboutMessage(finding))
        }
        return findings
    }

    /// Captures values from a message, like ``ExpectationChecker/capture(_:content:scope:context:)`` for a response.
    ///
    /// - Parameters:
    ///   - content: The result of ``content(of:)`` for the message.
    ///   - bind: A closure that adds each capture to the scope; the value is nil if nothing was found.
    public func capture(
        _ captures: [Capture], content: ResponseContent,
        bind: (_ name: String, _ value: CELValue?) -> Void = { _, _ in }
    ) -> (values: [(name: String, value: CELValue)], findings: [Finding], secrets: [String]) {
        var captured = ExpectationChecker().capture(
            captures, content: content, scope: scope, context: context, bind: bind)
        captured.findings = captured.findings.map(Self.aboutMessage)
        return captured
    }

    /// Returns a finding that refers to the message instead of the body of a response.
    private static func aboutMessage(_ finding: Finding) -> Finding {
        guard let start = finding.message.ranges(of: "the body").first else { return finding }
        var finding = finding
        // The rest may quote the message, so it remains unchanged.
        var wording = finding.wording.replacing([finding.wording.offsets(of: start)], with: "the message")
        if let note = wording.text.ranges(of: " (Content-Type is ").last {
            wording = wording.replacing([wording.offsets(of: note.lowerBound..<wording.text.endIndex)], with: "")
        }
        finding.wording = wording
        return finding
    }

    /// Returns the findings for a close frame from the server.
    ///
    /// - Parameters:
    ///   - code: The status code of the frame: 1005 if the frame has none, 1006 if there was no close frame.
    ///   - reason: The reason in the frame.
    public func findings(
        _ expected: WebSocketSpec.ExpectedClose, code: UInt16, reason: String
    ) -> [Finding] {
        var findings: [Finding] = []
        let evaluator = MatcherEvaluator(scope: scope, context: context)
        let textEvaluator = MatcherEvaluator(scope: scope, context: context, subjectKind: .text)
        if let matcher = expected.code {
            for mismatch in evaluator.mismatches(.number(JSONNumber(Int(code))), matcher) {
                findings.append(mismatch.finding(subject: "close code"))
            }
        }
        if let matcher = expected.reason {
            for mismatch in textEvaluator.mismatches(.string(reason), matcher) {
                findings.append(mismatch.finding(subject: "close reason"))
            }
        }
        return findings
    }
}
