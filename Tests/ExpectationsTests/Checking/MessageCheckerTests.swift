import CEL
import JSON
import JSONPath
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("WebSocket messages") struct MessageCheckerTests {
    private typealias Receiving = WebSocketSpec.Receiving

    private let checker = MessageChecker(
        handshake: Fixture.exchange(status: 101, headers: [("X-User", "ada")], contentType: "text/html"),
        scope: CELVariables(["outer": 5]), context: CELContext())

    private static func text(_ text: String) -> MessageChecker.Message { .init(.text, Array(text.utf8)) }

    private func messages(_ message: MessageChecker.Message, _ change: (inout Receiving) throws -> Void) rethrows
        -> [String]
    {
        var expected = Receiving()
        try change(&expected)
        return checker.findings(expected, message: message, content: checker.content(of: message))
            .map { "\($0.subject): \($0.message)" }
    }

    @Test func textAndJSON() throws {
        let hello = Fixture.matcher(.equals(.constant("hello")))
        let list = Fixture.matcher(.equals(.constant([1, 2])))
        let number = Fixture.matcher(.equals(.constant(5)))
        #expect(messages(Self.text("hello")) { $0.expectations.body = hello } == [])
        #expect(
            messages(Self.text("hallo")) { $0.expectations.body = hello }
                == [#"receive: expected "hello" (string), got "hallo" (string)"#])
        // Objects and arrays are JSON. Everything else is text and is compared as such.
        #expect(messages(Self.text(" [1, 2]")) { $0.expectations.body = list } == [])
        #expect(messages(Self.text("5")) { $0.expectations.body = number } == [])
        #expect(messages(Self.text("\"hello\"")) { $0.expectations.body = hello }.count == 1)
        #expect(
            messages(Self.text("[1,")) { $0.expectations.body = Fixture.matcher(.startsWith(.constant("[1"))) } == [])
        #expect(
            try messages(Self.text(#"{"a":{"b":7}}"#)) {
                $0.expectations.json = [try Fixture.json("$.a.b", .equals(.constant(8)))]
                $0.expectations.size = Fixture.matcher(.gt(.constant(20)), domain: .size)
                $0.expectations.assertions = [try Fixture.expression("body.a.b > outer && headers['x-user'] == 'bob'")]
            }.map { $0.prefix { $0 != ":" } } == ["receive json $.a.b", "receive size", "receive assert"])
    }

    @Test func whatIsNoJSON() throws {
        let found = try messages(Self.text("the body is text")) {
            $0.expectations.json = [try Fixture.json("$.a", .equals(.constant(8)))]
        }
        #expect(found == [#"receive json: the message is not JSON: expected a value, found "the" at line 1, column 1"#])
        let binary = try messages(.init(.binary, Array(#"{"a":8}"#.utf8))) {
            $0.expectations.json = [try Fixture.json("$.a", .equals(.constant(8)))]
        }
        #expect(binary == [])
    }

    @Test func kinds() {
        let bytes = MessageChecker.Message(.binary, [1, 2, 255])
        let base64 = Fixture.matcher(.equals(.constant("AQL/")))
        #expect(messages(bytes) { _ in } == [])
        #expect(messages(bytes) { $0.base64 = base64 } == [])
        #expect(
            messages(bytes) { $0.kind = .text }
                == ["receive: expected a text message, got a binary message of 3 bytes"])
        #expect(messages(bytes) { $0.expectations.body = base64 }.count == 1)
        #expect(
            messages(Self.text("x")) { $0.base64 = base64 }
                == [#"receive: expected a binary message, got the text message "x""#])
        #expect(
            messages(.init(.binary, [1])) { $0.base64 = base64 }
                == [#"receive base64: expected "AQL/" (string), got "AQ==" (string)"#])
    }

    @Test func closeFrames() {
        let expected = WebSocketSpec.ExpectedClose(
            code: Fixture.matcher(.between(.constant(4_000), .constant(4_999))),
            reason: Fixture.matcher(.contains(.constant("log in"))), range: Fixture.range())
        #expect(checker.findings(expected, code: 4_401, reason: "please log in").isEmpty)
        #expect(checker.findings(expected, code: 1_000, reason: "").map(\.subject) == ["close code", "close reason"])
        let any = WebSocketSpec.ExpectedClose(range: Fixture.range())
        #expect(checker.findings(any, code: 1_006, reason: "").isEmpty)
    }

    @Test func captures() throws {
        let message = Self.text(#"{"id": 7, "token": "t"}"#)
        func capture(_ name: String, _ source: Capture.Source) -> Capture {
            Capture(
                name: name, source: source, isSecret: name == "t", range: Fixture.range(), sourceRange: Fixture.range())
        }
        let captured = checker.capture(
            [
                capture("id", .json(.constant(try JSONPath("$.id")))),
                capture("t", .json(.constant(try JSONPath("$.token")))),
                capture("all", .body), capture("user", .header("X-User")),
                capture("none", .json(.constant(try JSONPath("$.x")))),
            ], content: checker.content(of: message))
        #expect(captured.values.map(\.name) == ["id", "t", "all", "user"])
        #expect(captured.values.first?.value.json == 7)
        #expect(captured.secrets.contains("t"))
        #expect(captured.findings.map(\.subject) == ["capture none"])
    }

    @Test func valuesOfPreviousExchanges() {
        var transcript = WebSocketTranscript()
        transcript.append(.init(.client, .text, Array("sent".utf8)))
        for message in [#"{"a":1}"#, "5"] { transcript.append(.init(.server, .text, Array(message.utf8))) }
        transcript.append(.init(.server, .binary, [0, 255]))
        transcript.append(.init(.server, .close(code: 1_000)))
        var exchange = Fixture.exchange(status: 101)
        var details = ExchangeDetails()
        details.webSocket = transcript
        exchange.details = details
        #expect(ResponseContent(exchange).exchangeValue.json?["messages"] == [["a": 1], "5", "AP8="])
    }
}
