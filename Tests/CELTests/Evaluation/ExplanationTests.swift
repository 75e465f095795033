import JSON
import Testing

@testable import CEL

@Suite struct ExplanationTests {
    static let variables = scope([
        "status": 200,
        "body": ["count": 2, "items": [["id": 1, "name": "a"], ["id": -5, "name": "b"], ["id": -6, "name": "c"]]],
    ])

    static func parts(_ source: String) throws -> [String] {
        try CELExpression(source).explain(variables).parts.map { "\($0.source) = \($0.value)" }
    }

    @Test(arguments: [
        ("body.count == 3", ["body.count = 2"]),
        (
            "status == 201 || body.count + 1 == size(body.items) + 5",
            [
                "status == 201 = false", "status = 200", "body.count + 1 == size(body.items) + 5 = false",
                "body.count + 1 = 3", "body.count = 2", "size(body.items) + 5 = 8", "size(body.items) = 3",
                #"body.items = [{"id": 1, "name": "a"}, {"id": -5, "name": "b"}, {"id": -6, "name": "c"}]"#,
            ]
        ),
        ("false && status == 1", []),
        ("!has(body.count)", ["has(body.count) = true", #"body = {"#]),
        ("type(status) == int && false", ["type(status) == int = true", "type(status) = int", "status = 200"]),
    ])
    func values(_ source: String, _ expected: [String]) throws {
        let parts = try Self.parts(source)
        #expect(parts.count == expected.count)
        for (part, wanted) in zip(parts, expected) { #expect(part.hasPrefix(wanted)) }
    }

    @Test func theDecidingElementOfAll() throws {
        let explanation = try CELExpression("body.items.all(i, i.id > 0)").explain(Self.variables)
        #expect(explanation.elements.count == 1)
        let element = try #require(explanation.elements.first)
        #expect(element.macro == "all")
        #expect(element.variable == "i")
        #expect(element.key.shown == "1")
        #expect(element.value.shown == #"{"id": -5, "name": "b"}"#)
        #expect(element.offset == 0)
        #expect(element.length == 27)
        #expect(explanation.parts.map(\.source) == ["body.items", "i.id > 0", "i.id"])
        #expect(explanation.parts.last?.value.shown == "-5")
    }

    @Test func theDecidingElementOfExists() throws {
        let explanation = try CELExpression("!body.exists(k, v, v == 2)").explain(Self.variables)
        #expect(explanation.elements.first?.key.shown == #""count""#)
        #expect(explanation.elements.first?.value.shown == "2")
        #expect(explanation.elements.first?.variable == "v")
    }

    @Test func nothingDecided() throws {
        let explanation = try CELExpression("body.items.exists(i, i.id > 5)").explain(Self.variables)
        #expect(explanation.elements.isEmpty)
        #expect(explanation.parts.map(\.source) == ["body.items"])
    }

    @Test func nestedMacrosKeepTheDecidingElementsOnly() throws {
        let explanation = try CELExpression("[1, 2].all(a, [3, 1].all(b, a != b + 1 || a == 1))")
            .explain(Self.variables)
        #expect(explanation.elements.map { "\($0.variable)=\($0.value)" } == ["b=1", "a=2"])
    }

    @Test func errors() throws {
        let explanation = try CELExpression("status == 200 && body.cont > 1").explain(Self.variables)
        guard case .failure(let error) = explanation.result else {
            Issue.record("expected an error")
            return
        }
        #expect(error.message == #"no such key: "cont"; did you mean "count"?"#)
        #expect(explanation.parts.map(\.source) == ["status == 200", "status"])
    }

    @Test func offsetsAreInScalars() throws {
        let explanation = try CELExpression("'😀é' == string(status)").explain(Self.variables)
        #expect(explanation.parts.map(\.offset) == [8, 15])
        #expect(explanation.parts.map(\.source) == ["string(status)", "status"])
    }
}
