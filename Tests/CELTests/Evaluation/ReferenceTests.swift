import Testing

@testable import CEL

@Suite struct ReferenceTests {
    @Test(arguments: [
        ("bookID", ["bookID@0+6"]),
        ("1 + 2", []),
        ("tests.login.body['a b'][0].c", ["tests.login.body.a b.0.c@0+5"]),
        ("steps[name].x", ["steps@0+5", "name@6+4"]),
        ("list1.all(x, x.id == y && list2.exists(z, z == x))", ["list1@0+5", "y@21+1", "list2@26+5"]),
        ("x.all(x, x > 0)", ["x@0+1"]),
        ("[1].all(x, .x == x)", ["x@11+2"]),
        ("has(tests.a.b) && tests.?c.d.hasValue()", ["tests.a.b@4+5", "tests.c@18+5"]),
        ("type(int) == type", ["int@5+3", "type@13+4"]),
        ("google.protobuf.Timestamp == type(t)", ["t@34+1"]),
        ("json.parse(text).a", ["text@11+4"]),
        ("string(url.size()) + url.encode('a')", ["url@7+3"]),
        ("'é' + b", ["b@6+1"]),
    ])
    func references(_ source: String, _ expected: [String]) throws {
        let references = try CELExpression(source).freeIdentifiers
        #expect(references.map { "\($0.path.joined(separator: "."))@\($0.offset)+\($0.length)" } == expected)
        #expect(references.allSatisfy { $0.isTypeName == ["int", "type"].contains($0.name) })
    }

    @Test func variablesComeBeforeTypes() {
        #expect(shown("type + 1", ["type": 1]) == "2")
        #expect(shown("duration + 1 == 2 && duration('1s') < duration('2s')", ["duration": 1]) == "true")
    }

    @Test func constants() throws {
        #expect(try CELExpression("1 + 2").constantValue?.shown == "3")
        #expect(try CELExpression("uuid()").constantValue == nil)
        #expect(try CELExpression("1 / 0").constantValue == nil)
    }

    @Test(arguments: [
        ("env('B') + env(\"A\" + '')", ["\"B\"", "\"A\""]), ("env('A', '') + env(name)", []),
        ("'env(\"A\")' + env", []), ("[1].map(x, env('A'))", ["\"A\""]),
    ])
    func constantsInCalls(_ source: String, _ expected: [String]) throws {
        #expect(try CELExpression(source).constants(inCallsOf: "env").map(\.shown) == expected)
    }
}
