import Basics
import JSON
import Testing

@testable import CEL

@Suite struct EvaluationErrorTests {
    static let variables = scope([
        "body": ["title": "Dune", "tags": ["a", "b"], "price": 9.5, "none": .null], "status": 200, "text": "é",
        "response": ["status": 200, "headers": [:], "body": .null],
    ])

    @Test(arguments: [
        ("1 + body.titel", "error at 4+10: no such key: \"titel\"; did you mean \"title\"?"),
        ("body.xyzzy", #"error at 0+10: no such key: "xyzzy"; available keys: "title", "tags", "price", "none""#),
        ("'é' + body.tags[2]", "error at 6+12: index 2 is out of range; the list has 2 elements"),
        ("body.tags[-1]", "error at 0+13: index -1 is out of range; the list has 2 elements"),
        (
            "body.tags.title",
            #"error at 0+15: cannot select "title" of list; select from an element, x[0].title, or from all: x.map(e, e.title)"#
        ),
        ("body.title.length", #"error at 0+17: cannot select "length" of string; for the length, write size(x)"#),
        (
            "body.contains('x')",
            "error at 0+18: no such overload: map.contains(string); for the body as a string, write text.contains(…)"
        ),
        (
            "body.matches('x')",
            "error at 0+17: no such overload: map.matches(string); for the body as a string, write text.matches(…)"
        ),
        ("body.tags.contains('x')", "error at 0+23: no such overload: list.contains(string)"),
        ("response.status_code", #"error at 0+20: no such key: "status_code"; did you mean "status"?"#),
        ("body.none.x", #"error at 0+11: cannot select "x" of null"#),
        ("bodi.x", #"error at 0+4: unknown variable "bodi"; did you mean "body"?"#),
        ("1 + statsu", #"error at 4+6: unknown variable "statsu"; did you mean "status"?"#),
        ("xyzzy", #"error at 0+5: unknown variable "xyzzy""#),
        ("status == True", #"error at 10+4: unknown variable "True"; did you mean "true"?"#),
        ("body.none == None", #"error at 13+4: unknown variable "None"; write null"#),
        ("undefined == status", #"error at 0+9: unknown variable "undefined"; write null"#),
        (
            "status + text",
            "error at 0+13: no such overload: int + string; to convert a value to a string, write string(x)"
        ),
        ("status && true", "error at 0+6: the operands of && must be bool, got int"),
        ("1 == 1 && status / 0 == 1", "error at 10+10: division by zero"),
        ("status ? 1 : 2", "error at 0+6: the condition of ?: must be a bool, got int"),
        ("body.tags.all(t, t)", "error at 17+1: the predicate of a macro must be a bool, got string"),
        ("status.map(x, x)", "error at 0+6: map() must be called on a list or map, got int"),
        (
            "body.price % 2",
            "error at 0+14: no such overload: double % int; to convert a number to an integer, write int(x)"
        ),
        ("body.tags.map(t, int(t))", "error at 17+6: cannot convert \"a\" to int"),
        ("text.charAt(2)", "error at 0+14: index 2 is out of range; the string has 1 characters"),
        ("text > 1", "error at 0+8: no such overload: string > int"),
        ("body[text]", #"error at 0+10: no such key: "é"; available keys: "title", "tags", "price", "none""#),
        ("{}.a", #"error at 0+4: no such key: "a" (the map is empty)"#),
    ])
    func located(_ source: String, _ expected: String) {
        #expect(shown(source, Self.variables) == expected)
    }

    @Test func absorbed() {
        #expect(shown("body.nothing == 1 || status == 200", Self.variables) == "true")
        #expect(shown("status == 404 && body.nothing == 1", Self.variables) == "false")
        #expect(shown("body.tags.exists(t, int(t) == 1 || t == 'b')", Self.variables) == "true")
    }

    @Test func aScopeNeedNotNameItsVariables() {
        struct Silent: CELScope {
            func value(of name: String) throws(CELEvaluationError) -> CELValue? { name == "title" ? "Dune" : nil }
        }
        let error = #expect(throws: CELEvaluationError.self) { try CELExpression("titel").evaluate(Silent()) }
        #expect(error?.message.text == #"unknown variable "titel""#)
    }

    @Test func namesAreAskedForOnlyAfterAnError() throws {
        struct Counting: CELScope {
            var names: [String] {
                Issue.record("the names were requested without an error")
                return []
            }
            func value(of name: String) throws(CELEvaluationError) -> CELValue? { name == "title" ? "Dune" : nil }
        }
        #expect(try CELExpression("title + '!'").evaluate(Counting()).shown == "\"Dune!\"")
    }

    @Test func aScopesErrorGetsTheLocationOfTheVariable() throws {
        struct Failing: CELScope {
            func value(of name: String) throws(CELEvaluationError) -> CELValue? {
                throw CELEvaluationError(message: "\(name) cannot be read")
            }
        }
        let expression = try CELExpression("1 + secret.a")
        let error = #expect(throws: CELEvaluationError.self) { try expression.evaluate(Failing()) }
        #expect(error?.message.text == "secret cannot be read")
        #expect(error?.offset == 4)
        #expect(error?.length == 6)
    }
}
