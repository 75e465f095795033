import Basics
import Testing

@testable import CEL

@Suite struct SyntaxErrorTests {
    @Test(arguments: [
        ("", 0, 0, "the expression is empty"),
        ("1 +", 3, 0, "expected a value, found the end of the expression"),
        ("(1", 0, 1, #""(" has no matching ")""#),
        ("[1, 2", 0, 1, #""[" has no matching "]""#),
        ("a = 1", 2, 1, #""=" is not an operator; for equality, write =="#),
        (
            "a and b", 2, 3,
            #"expected an operator or the end of the expression, found "and"; write && instead of "and""#
        ),
        ("(a or b)", 3, 2, #"expected ")", found "or"; write || instead of "or""#),
        ("not (a == 1)", 0, 3, #"unknown function "not"; write ! instead of "not""#),
        ("and(a, b)", 0, 3, #"unknown function "and"; write && instead of "and""#),
        ("or(a, b)", 0, 2, #"unknown function "or"; write || instead of "or""#),
        ("not a", 4, 1, #"expected an operator or the end of the expression, found "a"; write ! instead of "not""#),
        ("(not true)", 5, 4, #"expected ")", found "true"; write ! instead of "not""#),
        (
            "a not in b", 2, 3,
            #"expected an operator or the end of the expression, found "not"; instead of "a not in b", write !(a in b)"#
        ),
        ("len(a) == 1", 0, 3, #"unknown function "len"; did you mean "size"?"#),
        ("str(a)", 0, 3, #"unknown function "str"; did you mean "string"?"#),
        ("float(a)", 0, 5, #"unknown function "float"; did you mean "double"?"#),
        (
            "if(a, 1, 2)", 0, 2,
            #"the reserved word "if" cannot be a variable name; write a conditional as condition ? a : b"#
        ),
        (
            "1 if a else 2", 2, 2,
            #"expected an operator or the end of the expression, found "if"; write a conditional as condition ? a : b"#
        ),
        ("\"é\" + 'x", 6, 2, "unterminated string"),
        (#""\q""#, 1, 2, #"unknown escape sequence; write a backslash as \\, or use a raw string r"…""#),
        (#""\ud800""#, 1, 6, "the escape sequence is not a Unicode character"),
        (#""\x1""#, 1, 3, "the escape sequence must have 2 digits"),
        ("9223372036854775808", 0, 19, "the number is out of range for int (64 bits)"),
        ("18446744073709551616u", 0, 21, "the number is out of range for uint (64 bits)"),
        ("250ms", 0, 5, #"malformed number; for a duration, write duration("250ms")"#),
        (
            "for + 1", 0, 3,
            #"the reserved word "for" cannot be a variable name; to iterate over a list, use a macro such as x.all(e, e > 0) or x.map(e, e * 2)"#
        ),
        ("a.b{c: 1}", 0, 4, #"message construction is not supported; write a map as {"key": value}"#),
        ("siez(x)", 0, 4, #"unknown function "siez"; did you mean "size"?"#),
        ("é(1)", 0, 1, #"unexpected character "é""#),
        ("'é' + x.lowerASCI()", 8, 9, #"unknown method "lowerASCI"; did you mean "lowerAscii"?"#),
        ("json.pars(x)", 5, 4, #"unknown function "json.pars"; did you mean "json.parse"?"#),
        ("x.sha256()", 2, 6, #"unknown method "sha256"; call it as a function: sha256(x)"#),
        ("trim(x)", 0, 4, #"unknown function "trim"; call it as a method: x.trim(…)"#),
        ("uuid(1)", 0, 7, "uuid() takes no arguments, got 1"),
        ("env()", 0, 5, "env() takes 1 or 2 arguments, got 0"),
        ("x.trim(1)", 0, 9, "trim() takes no arguments, got 1"),
        (
            "x.map(a)", 0, 8,
            "map() takes 2 or 3 arguments, got 1: a variable and an expression, as in x.map(e, e > 0)"
        ),
        ("x.all(a.b, true)", 6, 3, "the variable of a macro must be a simple name"),
        ("has(x)", 4, 1, "the argument of has() must be a field selection, such as has(body.title)"),
        (#"x.matches("(")"#, 10, 3, "invalid regular expression: "),
        (#"jsonpath(x, "a")"#, 12, 3, "invalid JSONPath: "),
        ("1 ? 2", 5, 0, #"expected ":", found the end of the expression; write a conditional as condition ? a : b"#),
        ("a..b", 2, 1, #"expected a field name, found ".""#),
    ])
    func located(_ source: String, _ offset: Int, _ length: Int, _ message: String) {
        let error = #expect(throws: CELSyntaxError.self) { try CELExpression(source) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(
            message.hasSuffix(": ") ? error?.message.text.hasPrefix(message) == true : error?.message.text == message)
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
