import Basics
public import CEL
import Diagnostics
import JSON
public import RunModel
public import SuiteModel

/// Holds the messages of a WebSocket against what a suite expects of them.
///
/// A message is looked at as if it were the body of a response: text that is a JSON object or array is JSON.
public struct MessageChecker {
    /// A message of the server.
    public struct Message: Sendable {
        /// Text or binary.
        public var kind: WebSocketSpec.Kind
        /// The bytes.
        public var bytes: [UInt8]

        /// Creates a message.
        public init(_ kind: WebSocketSpec.Kind, _ bytes: [UInt8]) {
            self.kind = kind
            self.bytes = bytes
        }

        /// The message in a few words, for findings.
        public var description: String {
            switch kind {
            case .text:
                ValueDescription.plain(MessageBody.value(of: bytes, isText: true))
            case .binary: "a binary message of \(ValueDescription.count(bytes.count, "byte"))"
            }
        }
    }

    /// The exchange that has opened the WebSocket.
    private let handshake: Exchange
    private let scope: any CELScope
    private let context: CELContext

    /// Creates a checker.
    ///
    /// - Parameters:
    ///   - handshake: The exchange that has opened the WebSocket.
    ///   - scope: The variables of the suite; the names of the message are added here.
    public init(handshake: Exchange, scope: any CELScope, context: CELContext) {
        var handshake = handshake
        handshake.details = nil
        handshake.response?.headers.removeAll { $0.isNamed("Content-Type") }
        self.handshake = handshake
        self.scope = scope
        self.context = context
    }

    /// A message as expressions and captures see it: the answer to the handshake with the message as its body.
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

    /// What does not hold of a message, in the order in which it was written.
    ///
    /// - Parameter content: What ``content(of:)`` gave for the message.
    public func findings(
        _ expected: WebSocketSpec.Receiving, message: Message, content: ResponseContent
    ) -> [Finding] {
        var findings: [Finding] = []
        // What is said of text makes no sense for bytes, and the other way round.
        let wanted =
            expected.kind ?? (expected.base64 != nil ? .binary : expected.expectations.body != nil ? .text : nil)
        if let wanted, wanted != message.kind {
            return [
                Finding(
                    subject: "receive", type: .init("type"),
                    message: "expected a \(wanted.rawValue) message, got "
                        + (message.kind == .binary ? message.description : "the text \(message.description)"),
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

    /// Takes values out of a message, as ``ExpectationChecker/capture(_:content:scope:context:)`` does out of a response.
    ///
    /// - Parameter content: What ``content(of:)`` gave for the message.
    public func capture(
        _ captures: [Capture], content: ResponseContent
    ) -> (values: [(name: String, value: CELValue)], findings: [Finding], secrets: [String]) {
        var captured = ExpectationChecker().capture(captures, content: content, scope: scope, context: context)
        captured.findings = captured.findings.map(Self.aboutMessage)
        return captured
    }

    /// A finding in which the body of a response, of which there is none, is the message.
    private static func aboutMessage(_ finding: Finding) -> Finding {
        guard let start = finding.message.ranges(of: "the body").first else { return finding }
        var finding = finding
        // What follows it may quote the message, which stays as it is.
        finding.message.replaceSubrange(start, with: "the message")
        if let note = finding.message.ranges(of: " (Content-Type is ").last {
            finding.message.removeSubrange(note.lowerBound...)
        }
        return finding
    }

    /// What does not hold of a close frame of the server.
    ///
    /// - Parameters:
    ///   - code: The frame's code; 1005 for none, 1006 for an end without such a frame.
    ///   - reason: The frame's reason.
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
