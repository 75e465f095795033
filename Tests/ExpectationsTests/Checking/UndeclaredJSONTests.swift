import Basics
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

struct UndeclaredJSONTests {
    @Test("JSON sent as another type is a string, and failures say so")
    func undeclaredJSON() throws {
        let note = "body is a string because Content-Type is text/plain; json: and json.parse(text) parse it as JSON"
        func details(_ body: String, _ type: String?, _ source: String) throws -> [String] {
            var set = ExpectationSet(isDefault: false)
            set.assertions = [try Fixture.expression(source)]
            return Fixture.check(set, Fixture.exchange(body: body, contentType: type)).flatMap(\.details).map(\.text)
        }
        #expect(try details(#" {"id": 1}"#, "text/plain", "body.id == 1").contains(note))
        #expect(try details(#"[1]"#, "text/plain", "body[0] == 1").contains(note))
        #expect(try !details("{ no JSON", "text/plain", "body.id == 1").contains { $0.contains("is a string because") })
        #expect(try !details("1", "text/plain", "body.id == 1").contains { $0.contains("is a string because") })
        #expect(try !details(#"{"id": 1}"#, "text/plain", "status == 1").contains(note))
        #expect(
            try !details(#"{"id": 1}"#, "application/json", "body.id == 2").contains {
                $0.contains("is a string because")
            })

        let like = ExpectationSet(
            body: Fixture.matcher(.equals(.constant(.object(["id": 1])))), isDefault: false)
        let text = Fixture.exchange(body: #"{"id": 1}"#, contentType: "text/plain")
        #expect(Fixture.check(like, text).flatMap(\.details).map(\.text).contains(note))
    }

    @Test("A string that is compared with a JSON object says how to check the text")
    func comparedText() {
        let set = ExpectationSet(body: Fixture.matcher(.equals(.constant(.string("Dune")))), isDefault: false)
        func details(_ body: String) -> [String] {
            Fixture.check(set, Fixture.exchange(body: body, contentType: "application/json")).flatMap(\.details).map(
                \.text)
        }
        #expect(details(#"{"title": "Dune"}"#).contains { $0.contains("write \"text\" instead of \"body\"") })
        #expect(!details(#""Emma""#).contains { $0.contains("instead of") })
    }

    @Test(
        "A body that is still encoded is not called invalid",
        arguments: [
            ("compress", true, "the body is encoded with compress, which is not decoded"),
            (
                "br", false,
                "the body is encoded with br, which is not decoded because the request has no Accept-Encoding"
            ),
            ("identity", true, "the body is not JSON: "), ("", true, "the body is not JSON: "),
        ])
    func encodedBody(coding: String, accepts: Bool, message: String) throws {
        var exchange = Fixture.exchange(
            headers: coding.isEmpty ? [] : [("Content-Encoding", coding)], bytes: [0x1F, 0x9D, 0x90, 0x7B, 0x00],
            contentType: "application/json")
        if accepts { exchange.request.headers.append(HeaderField(name: "Accept-Encoding", value: "gzip, deflate")) }
        let set = ExpectationSet(json: [try Fixture.json("$.id", .exists(true))], isDefault: false)
        let findings = Fixture.check(set, exchange)
        #expect(findings.count == 1)
        #expect(findings.first?.message.hasPrefix(message) == true)
        #expect(coding.isEmpty || coding == "identity" || findings.first?.details.isEmpty == true)
    }

    @Test("A body that was decoded and is not JSON is called invalid")
    func decodedBody() throws {
        let exchange = Fixture.exchange(
            headers: [("Content-Encoding", "gzip")], body: "<html>", contentType: "application/json")
        let set = ExpectationSet(json: [try Fixture.json("$.id", .exists(true))], isDefault: false)
        #expect(Fixture.check(set, exchange).first?.message.hasPrefix("the body is not JSON: ") == true)
    }

    @Test(
        "A negated search in a JSON body fails if its text matches",
        arguments: [
            (#"{"title": "Dune"}"#, "Dune", 1), (#"{"Dune": 1}"#, "Dune", 1), (#"{"title": "Emma"}"#, "Dune", 0),
            (#"["Dune Messiah"]"#, "Dune", 1), (#"["Emma"]"#, "Dune", 0), (#""Dune""#, "Dune", 1),
        ])
    func negatedText(body: String, part: String, count: Int) {
        let contains = Fixture.matcher(.contains(.constant(.string(part))))
        let set = ExpectationSet(body: Fixture.matcher(.not(contains)), isDefault: false)
        let findings = Fixture.check(set, Fixture.exchange(body: body, contentType: "application/json"))
        #expect(findings.count == count)
        guard body.contains("title"), count == 1 else { return }
        #expect(findings.first?.message.hasPrefix(#"expected not to contain "Dune""#) == true)
        #expect(findings.first?.details.contains { $0.text.contains("write \"text\" instead of \"body\"") } == true)
    }
}
