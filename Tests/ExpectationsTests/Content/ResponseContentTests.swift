import Basics
import CEL
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("Response content") struct ResponseContentTests {
    @Test(
        arguments: [
            ("text/plain", [0x47, 0xC3, 0xBC], "Gü"), ("text/plain", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("text/plain; charset=ISO-8859-1", [0xFC, 0x80], "ü€"),
            ("text/plain; Charset=\"windows-1252\"", [0x93], "“"),
            ("text/plain;charset=us-ascii", [0x61, 0xFC], "a\u{FFFD}"),
            ("text/plain;charset=utf-8", [0x61, 0xFF], "a\u{FFFD}"),
            ("text/plain;charset=utf-16", [0xFF, 0xFE, 0x61, 0x00], "a"),
            ("text/plain;charset=utf-16", [0x00, 0x61], "a"), ("text/plain;charset=utf-16le", [0x61, 0x00], "a"),
            ("text/plain;charset=utf-16be", [0xFE, 0xFF, 0xD8, 0x3D, 0xDC, 0x4D], "👍"),
            ("text/plain;charset=utf-16be", [0x00, 0x61, 0x00], "a\u{FFFD}"),
            ("text/plain;charset=Shift_JIS", [0x93, 0xFA, 0x96, 0x7B, 0x21, 0x93], "日本!\u{FFFD}"),
            ("text/plain;charset=gb2312", [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
            ("text/plain;charset=windows-1251", [0xCF, 0xF0], "Пр"), ("text/plain;charset=latin2", [0xB1], "ą"),
            ("text/plain;charset=x-other", [0x61], "a"),
        ] as [(String, [UInt8], String)])
    func text(_ type: String, _ bytes: [UInt8], _ text: String) {
        #expect(ResponseContent(Fixture.exchange(bytes: bytes, contentType: type)).text == text)
    }

    @Test(
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/problem+json", true),
            ("text/json", true), ("text/plain", false), ("application/jsonp", false), (nil, false),
        ] as [(String?, Bool)])
    func declaredJSON(_ type: String?, _ isJSON: Bool) {
        let content = ResponseContent(Fixture.exchange(body: "[1]", contentType: type))
        #expect(content.isDeclaredJSON == isJSON)
        #expect(content.value == (isJSON ? [1] : "[1]"))
    }

    @Test func jsonInOtherCharsets() throws {
        let marked = ResponseContent(
            Fixture.exchange(bytes: [0xEF, 0xBB, 0xBF, 0x31], contentType: "application/json"))
        #expect(try marked.json() == 1)
        let wide = Fixture.exchange(bytes: [0x00, 0x31], contentType: "application/json;charset=utf-16be")
        #expect(try ResponseContent(wide).json() == 1)
    }

    @Test func membersThatAreThereTwice() throws {
        let content = ResponseContent(
            Fixture.jsonExchange("{\"a\": {\"b\": 1, \"b\": 2}, \"c\": 0, \"c\": 1, \"c\": 2}"))
        #expect(content.duplicateMembers.isEmpty, "nothing has been parsed yet")
        #expect(try content.json() == ["a": ["b": 2], "c": 2])
        #expect(content.duplicateMembers.map(\.location.shorthand) == ["$.a.b", "$.c", "$.c"])
        let note: MessageText =
            "the body repeats the member $.a.b at line 1, column 16 (and 2 more); "
            + "the last value is used"
        #expect(DuplicateMembersText.sentence(content.duplicateMembers) == note)
        let set = ExpectationSet(json: [
            try Fixture.json("$.c", .equals(.constant(0))), try Fixture.json("$.d", .exists(true)),
        ])
        let findings = Fixture.check(set, content.exchange)
        #expect(findings.map { $0.details.filter { $0 == note }.count } == [1, 0])
    }

    @Test func bodyThatIsDeclaredJSONAndIsNotIsText() {
        #expect(ResponseContent(Fixture.jsonExchange("ok")).value == "ok")
    }

    @Test(arguments: [
        ("status", "201"), ("headers[\"content-type\"]", "application/json"), ("headers.accept", "a, b"),
        ("body.id", "7"), ("text", #"{"id":7}"#), ("cookies.sid", "2"), ("duration", "2.5s"),
        ("duration < duration(\"3s\")", "true"), ("response.status", "201"),
        ("response.url", "http://127.0.0.1/books?page=2"),
        ("response.reason", "OK"), ("response.version", "1.1"), ("response.size", "8"), ("response.body.id", "7"),
        ("response.cookies.sid", "2"), ("response.headers.accept", "a, b"), ("outer", "kept"),
    ])
    func namesInScope(_ source: String, _ text: String) throws {
        let exchange = Fixture.exchange(
            status: 201, headers: [("Accept", "a"), ("accept", "b")], body: #"{"id":7}"#,
            contentType: "application/json",
            cookies: [("sid", "1"), ("sid", "2")], total: 2_500_000_000)
        let scope = ExchangeScope(
            ResponseContent(exchange), parent: CELVariables(["outer": "kept", "status": "hidden"]))
        #expect(try CELExpression(source).evaluate(scope, context: CELContext()).text == text)
    }

    @Test func theParentMayComeFirst() throws {
        let content = ResponseContent(Fixture.exchange(status: 204))
        let scope = ExchangeScope(content, parent: CELVariables(["text": "mine"]), precedence: .parent)
        #expect(try CELExpression("text").evaluate(scope, context: CELContext()).text == "mine")
        #expect(try CELExpression("status").evaluate(scope, context: CELContext()).text == "204")
    }

    @Test func anExchangeAsAValue() throws {
        let value = ResponseContent(Fixture.jsonExchange(#"{"id":7}"#)).exchangeValue
        let scope = CELVariables(["steps": .map(CELMap([("login", value)]))])
        for (source, text) in [
            ("steps.login.status", "200"), ("steps.login.body.id", "7"), ("steps.login.response.body.id", "7"),
            ("steps.login.request.method", "GET"),
        ] {
            #expect(try CELExpression(source).evaluate(scope, context: CELContext()).text == text)
        }
    }
}
