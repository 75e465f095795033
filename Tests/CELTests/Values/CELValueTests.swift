import JSON
import Testing

@testable import CEL

@Suite struct CELValueTests {
    @Test func textKeepsDigits() throws {
        let json = try JSONValue(parsing: #"{"v": 1.10, "n": 12345678901234567890, "e": 1e2, "i": 7, "l": [1.0, "a"]}"#)
        let variables = CELVariables(["x": CELValue(json)])
        func text(_ source: String) throws -> String { try CELExpression(source).evaluate(variables).text }
        #expect(try text("x.v") == "1.10")
        #expect(try text("string(x.v)") == "1.10")
        #expect(try text("x.n") == "12345678901234567890")
        #expect(try text("x.e") == "1e2")
        #expect(try text("x.i + 1") == "8")
        #expect(try text("x.v + 1") == "2.1")
        #expect(try text("x.l") == #"[1.0,"a"]"#)
        #expect(try text("now()").hasSuffix("Z"))
        #expect(try text("[1, 2.5, b'a', duration('1500ms')]") == #"[1,2.5,"YQ==","1.5s"]"#)
        #expect(try text("{1: true, 'b': null}") == #"{"1":true,"b":null}"#)
        #expect(try text("b'abc'") == "abc")
    }

    @Test func jsonNumbersCompareExactlyAndCalculateAsDoubles() throws {
        let variables = scope(["a": 0.1, "big": .number(try #require(JSONNumber(literal: "12345678901234567890")))])
        #expect(shown("a == 0.1 && a < 1 && a * 10 == 1", variables) == "true")
        #expect(shown("big == 12345678901234567890u", variables) == "true")
        #expect(shown("big == 12345678901234567891u", variables) == "false")
        #expect(shown("type(a) == double", variables) == "true")
        #expect(shown("10 * 1.5 == 15", variables) == "true")
    }

    @Test func whatJSONCannotSay() {
        #expect(CELValue.double(.nan).json == nil)
        #expect(CELValue.type(.int).json == nil)
        #expect(CELValue.optional(.none).json == nil)
        #expect(CELValue.list(CELList([CELValue.double(.infinity)])).json == nil)
    }

    @Test func jsonIsGivenBackAsItWas() throws {
        let json = try JSONValue(parsing: #"{"b":[1,2.50,{"a":null}],"a":"x"}"#)
        #expect(CELValue(json).json?.serialized() == json.serialized())
    }

    @Test func stringsCompareByScalars() {
        #expect(shown(#""\u00e9" == "e\u0301""#) == "false")
        #expect(shown(#"{"\u00e9": 1, "e\u0301": 2}["e\u0301"]"#) == "2")
        #expect(shown(#""Z" < "a" && "a" < "\u00e9" && "\uFFFF" < "\U00010000""#) == "true")
    }

    @Test(arguments: [
        (1.0, "1"), (-0.5, "-0.5"), (0.1, "0.1"), (1e21, "1e+21"), (1e20, "100000000000000000000"),
        (1e-7, "1e-7"), (0.000001, "0.000001"), (1.5e300, "1.5e+300"), (.leastNonzeroMagnitude, "5e-324"), (-0.0, "-0"),
        (1_234_567.25, "1234567.25"),
    ])
    func doubles(_ value: Double, _ expected: String) {
        #expect(NumberNotation.text(of: value) == expected)
    }

    @Test func mapsFindKeysOfEqualNumbers() {
        let entries = (0..<40).map { "\($0): \"v\($0)\"" }.joined(separator: ", ")
        #expect(shown("{\(entries)}[39u]") == #""v39""#)
        #expect(shown("{\(entries)}[39.0]") == #""v39""#)
        #expect(shown("39.5 in {\(entries)}") == "false")
        #expect(shown("{\(entries), 7u: 1}").contains("duplicate map key 7u"))
    }
}
