import JSON
import Testing

@testable import CEL

@Suite struct EvaluationErrorTests {
    static let variables = scope([
        "body": ["title": "Dune", "tags": ["a", "b"], "price": 9.5, "none": .null], "status": 200, "text": "é",
    ])

    @Test(arguments: [
        ("1 + body.titel", "error at 4+10: no such key: \"titel\"; did you mean \"title\"?"),
        ("body.xyzzy", #"error at 0+10: no such key: "xyzzy"; there is "title", "tags", "price", "none""#),
        ("'é' + body.tags[2]", "error at 6+12: index 2 is out of range; the list has 2 elements"),
        ("body.tags[-1]", "error at 0+13: index -1 is out of range; the list has 2 elements"),
        (
            "body.tags.title",
            #"error at 0+15: cannot select "title" of list; an element is x[0], and x.map(e, e.title) goes through all"#
        ),
        ("body.title.length", #"error at 0+17: cannot select "length" of string; size(x) is the length"#),
        ("body.none.x", #"error at 0+11: cannot select "x" of null"#),
        ("bodi.x", #"error at 0+4: there is no variable "bodi"; did you mean "body"?"#),
        ("1 + statsu", #"error at 4+6: there is no variable "statsu"; did you mean "status"?"#),
        ("xyzzy", #"error at 0+5: there is no variable "xyzzy""#),
        ("status == True", #"error at 10+4: there is no variable "True"; did you mean "true"?"#),
        ("body.none == None", #"error at 13+4: there is no variable "None"; no value is written null"#),
        ("undefined == status", #"error at 0+9: there is no variable "undefined"; no value is written null"#),
        ("status + text", "error at 0+13: no such overload: int + string; string(x) makes text of a value"),
        ("status && true", "error at 0+6: && needs true or false, not int"),
        ("1 == 1 && status / 0 == 1", "error at 10+10: division by zero"),
        ("status ? 1 : 2", "error at 0+6: the condition of ?: needs true or false, not int"),
        ("body.tags.all(t, t)", "error at 17+1: a macro's predicate gives true or false, not string"),
        ("status.map(x, x)", "error at 0+6: map() goes through a list or a map, not int"),
        ("body.price % 2", "error at 0+14: no such overload: double % int; int(x) makes an integer of a number"),
        ("body.tags.map(t, int(t))", "error at 17+6: \"a\" is no int"),
        ("text.charAt(2)", "error at 0+14: index 2 is out of range; the text has 1 characters"),
        ("text > 1", "error at 0+8: no such overload: string > int"),
        ("body[text]", #"error at 0+10: no such key: "é"; there is "title", "tags", "price", "none""#),
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
        #expect(error?.message == #"there is no variable "titel""#)
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

    @Test func aScopesErrorGetsThePlaceOfTheVariable() throws {
        struct Failing: CELScope {
            func value(of name: String) throws(CELEvaluationError) -> CELValue? {
                throw CELEvaluationError(message: "\(name) cannot be read")
            }
        }
        let expression = try CELExpression("1 + secret.a")
        let error = #expect(throws: CELEvaluationError.self) { try expression.evaluate(Failing()) }
        #expect(error?.message == "secret cannot be read")
        #expect(error?.offset == 4)
        #expect(error?.length == 6)
    }
}
