import Testing

@testable import CEL

@Suite struct SyntaxErrorTests {
    @Test(arguments: [
        ("", 0, 0, "the expression is empty"),
        ("1 +", 3, 0, "expected a value, found the end of the expression"),
        ("(1", 0, 1, #""(" has no matching ")""#),
        ("[1, 2", 0, 1, #""[" has no matching "]""#),
        ("a = 1", 2, 1, #""=" is no operator; equality is written =="#),
        ("a and b", 2, 3, #"expected an operator or the end of the expression, found "and"; "and" is written &&"#),
        ("(a or b)", 3, 2, #"expected ")", found "or"; "or" is written ||"#),
        ("not (a == 1)", 0, 3, #"there is no function "not"; "not" is written !"#),
        ("and(a, b)", 0, 3, #"there is no function "and"; "and" is written &&"#),
        ("or(a, b)", 0, 2, #"there is no function "or"; "or" is written ||"#),
        ("not a", 4, 1, #"expected an operator or the end of the expression, found "a"; "not" is written !"#),
        ("(not true)", 5, 4, #"expected ")", found "true"; "not" is written !"#),
        (
            "a not in b", 2, 3,
            #"expected an operator or the end of the expression, found "not"; "a not in b" is written !(a in b)"#
        ),
        ("len(a) == 1", 0, 3, #"there is no function "len"; did you mean "size"?"#),
        ("str(a)", 0, 3, #"there is no function "str"; did you mean "string"?"#),
        ("float(a)", 0, 5, #"there is no function "float"; did you mean "double"?"#),
        (
            "if(a, 1, 2)", 0, 2,
            #""if" is a reserved word and cannot name a variable; a choice is written condition ? a : b"#
        ),
        (
            "1 if a else 2", 2, 2,
            #"expected an operator or the end of the expression, found "if"; a choice is written condition ? a : b"#
        ),
        ("\"é\" + 'x", 6, 2, "the string has no end"),
        (#""\q""#, 1, 2, #"unknown escape sequence; a backslash itself is written \\ (or use a raw string r"…")"#),
        (#""\ud800""#, 1, 6, "the escape sequence names no Unicode character"),
        (#""\x1""#, 1, 3, "the escape sequence needs 2 digits"),
        ("9223372036854775808", 0, 19, "the number is out of the range of int (64 bits)"),
        ("18446744073709551616u", 0, 21, "the number is out of the range of uint (64 bits)"),
        ("250ms", 0, 5, #"malformed number; a duration is written duration("250ms")"#),
        (
            "for + 1", 0, 3,
            #""for" is a reserved word and cannot name a variable; lists are gone through by macros: x.all(e, e > 0), x.map(e, e * 2)"#
        ),
        ("a.b{c: 1}", 0, 4, #"message construction is not available; a map is written {"key": value}"#),
        ("siez(x)", 0, 4, #"there is no function "siez"; did you mean "size"?"#),
        ("é(1)", 0, 1, #"unexpected character "é""#),
        ("'é' + x.lowerASCI()", 8, 9, #"there is no method "lowerASCI"; did you mean "lowerAscii"?"#),
        ("json.pars(x)", 5, 4, #"there is no function "json.pars"; did you mean "json.parse"?"#),
        ("x.sha256()", 2, 6, #"there is no method "sha256"; it is a function: sha256(x)"#),
        ("trim(x)", 0, 4, #"there is no function "trim"; it is a method: x.trim(…)"#),
        ("uuid(1)", 0, 7, "uuid() takes no arguments, not 1"),
        ("env()", 0, 5, "env() takes 1 or 2 arguments, not 0"),
        ("x.trim(1)", 0, 9, "trim() takes no arguments, not 1"),
        (
            "x.map(a)", 0, 8,
            "map() takes 2 or 3 arguments, not 1: the variable and the expression, as in x.map(e, e > 0)"
        ),
        ("x.all(a.b, true)", 6, 3, "a macro's variable is a plain name"),
        ("has(x)", 4, 1, "has() takes a selection such as has(body.title)"),
        (#"x.matches("(")"#, 10, 3, "invalid regular expression: "),
        (#"jsonpath(x, "a")"#, 12, 3, "invalid JSONPath: "),
        ("1 ? 2", 5, 0, #"expected ":", found the end of the expression; a choice is written condition ? a : b"#),
        ("a..b", 2, 1, #"expected a field name, found ".""#),
    ])
    func located(_ source: String, _ offset: Int, _ length: Int, _ message: String) {
        let error = #expect(throws: CELSyntaxError.self) { try CELExpression(source) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(message.hasSuffix(": ") ? error?.message.hasPrefix(message) == true : error?.message == message)
    }

    @Test func nestingIsBounded() throws {
        for (open, middle, close) in [
            ("(", "1", ")"), ("[", "1", "]"), ("{1: ", "1", "}"), ("size([", "1", "])"), ("!(", "true", ")"),
            ("-(", "1", ")"),
            ("true ? 1 : ", "1", ""), ("a.filter(x, x || ", "true", ")"), ("1 + (", "1", ")"), ("x[", "1", "]"),
        ] {
            let deep = String(repeating: open, count: 100_000) + middle + String(repeating: close, count: 100_000)
            #expect(throws: CELSyntaxError.self) { try CELExpression(deep) }
            let allowed = String(repeating: open, count: 80) + middle + String(repeating: close, count: 80)
            _ = try? CELExpression(allowed).evaluate(CELVariables())
        }
        for (part, isAllowed) in [(".a", true), ("[0]", true), ("+1", true), (" || a", false), (" && a", false)] {
            let chain = "a" + String(repeating: part, count: 100_000)
            if isAllowed {
                #expect(throws: CELSyntaxError.self) { try CELExpression(chain) }
            } else {
                _ = try CELExpression(chain)
            }
            _ = try CELExpression("a" + String(repeating: part, count: 200))
        }
        #expect(shown(String(repeating: "-", count: 100_001) + "1") == "-1")
        #expect(shown(String(repeating: "!", count: 100_000) + "1").contains("no such overload: !int"))
    }

    @Test func comments() {
        #expect(shown("1 // one\n + // plus\n 2") == "3")
    }
}
