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
}
