import Basics
import Testing

@testable import CEL

/// Tests of typical errors of people who know other languages, and their messages.
@Suite struct TypicalMistakeTests {
    @Test(arguments: [
        // Operators of other languages.
        ("a = 1", 2, 1, #""=" is not an operator; for equality, write =="#),
        ("a === 1", 2, 3, #""===" is not an operator; write =="#),
        ("a !== 1", 2, 3, #""!==" is not an operator; write !="#),
        ("a <> 1", 2, 2, #""<>" is not an operator; write !="#),
        ("a =< 1", 2, 2, #""=<" is not an operator; write <="#),
        ("a => 1", 2, 2, #""=>" is not an operator; pass the variable and the expression to a macro: x.all(e, e > 0)"#),
        (
            "a.filter(x => x > 1)", 11, 2,
            #""=>" is not an operator; pass the variable and the expression to a macro: x.all(e, e > 0)"#
        ),
        (
            "a.filter(x -> x > 1)", 11, 2,
            #""->" is not an operator; pass the variable and the expression to a macro: x.all(e, e > 0)"#
        ),
        (
            "a := 1", 2, 2,
            #"":=" is not an operator; for equality, write ==; to name a value, write cel.bind(name, value, expression)"#
        ),
        ("a += 1", 2, 2, #"assignment is not supported; to name a value, write cel.bind(name, value, expression)"#),
        ("a =~ 'x'", 2, 2, #""=~" is not an operator; to match a pattern, write text.matches("…")"#),
        ("a & b", 2, 1, #""&" is not an operator; write &&"#),
        ("a | b", 2, 1, #""|" is not an operator; write ||"#),
        ("a ** 2", 2, 2, #""**" is not an operator; multiply the value by itself"#),
        ("a ?? b", 2, 2, #""??" is not an operator; for a default, write x.?field.orValue(default)"#),
        ("null?.x", 4, 2, #""?." is not an operator; for an optional selection, write a.?field"#),
        ("body?.title == 'x'", 4, 2, #""?." is not an operator; for an optional selection, write a.?field"#),
        ("a?[0]", 1, 2, #""?[" is not an operator; for an optional index, write a[?index]"#),
        ("a++", 2, 1, #"expected a value, found "+""#),
        ("~a", 0, 1, #"unexpected character "~""#),
        // Words.
        (
            "a and b", 2, 3,
            #"expected an operator or the end of the expression, found "and"; write && instead of "and""#
        ),
        ("not a", 4, 1, #"expected an operator or the end of the expression, found "a"; write ! instead of "not""#),
        ("a is null", 2, 2, #"expected an operator or the end of the expression, found "is"; for equality, write =="#),
        (
            "typeof a", 7, 1,
            #"expected an operator or the end of the expression, found "a"; for the type of a value, write type(x)"#
        ),
        (
            "new Date()", 4, 4,
            #"expected an operator or the end of the expression, found "Date"; for the current time, write now()"#
        ),
        (
            "a like 'x%'", 2, 4,
            #"expected an operator or the end of the expression, found "like"; to match a pattern, write text.matches("…")"#
        ),
        (
            "let x = 1", 0, 3,
            #"the reserved word "let" cannot be a variable name; to name a value, write cel.bind(name, value, expression)"#
        ),
        (
            "return a", 0, 6,
            #"the reserved word "return" cannot be a variable name; write the expression without "return""#
        ),
        (
            "function(x)", 0, 8,
            #"the reserved word "function" cannot be a variable name; pass the variable and the expression to a macro: x.all(e, e > 0)"#
        ),
        // Characters.
        ("${a}", 0, 2, #""$" is not allowed in an expression; inside ${ }, write the plain name"#),
        ("$.a", 0, 1, #""$" is not allowed in an expression; to evaluate a JSONPath, write jsonpath(value, "$.a")"#),
        ("a; b", 1, 1, #"remove ";", and join conditions with &&"#),
        ("a # b", 2, 1, ##"unexpected character "#"; comments start with //"##),
        ("@a", 0, 1, #"unexpected character "@""#),
        ("“a” == b", 0, 1, #"unexpected character "“"; the quotation marks are " and '"#),
        ("a == `b`", 5, 3, #"expected a value, found `b`; enclose a string in " or '"#),
        ("'it's'", 4, 1, #"expected an operator or the end of the expression, found "s""#),
        ("'it' + s'", 8, 1, #"unterminated string; inside the string, write ' as \'"#),
        ("\"a", 0, 2, "unterminated string"),
        ("'a\"", 0, 3, "unterminated string"),
        ("'a\nb'", 0, 2, "unterminated string on this line; write a multiline string in triple quotes"),
        // Numbers.
        ("1_000", 0, 5, "malformed number; remove the digit separators"),
        ("250ms", 0, 5, #"malformed number; for a duration, write duration("250ms")"#),
        ("10%", 3, 0, "expected a value, found the end of the expression"),
        ("1.", 2, 0, "expected a field name, found the end of the expression"),
        // Brackets and commas.
        ("a)", 1, 1, #"unmatched ")""#),
        ("a]", 1, 1, #"unmatched "]""#),
        ("(a", 0, 1, #""(" has no matching ")""#),
        ("f(a b)", 4, 1, #"expected ")", found "b"; separate arguments with ",""#),
        ("[1 2]", 3, 1, #"expected "]", found a number; separate elements with ",""#),
        ("x in (1, 2)", 7, 1, #"expected ")", found ","; write a list as [1, 2]"#),
        ("{'a', 1}", 4, 1, #"expected ":", found ","; write a map as {"key": value}"#),
        ("{'a' = 1}", 5, 1, #""=" is not an operator; for equality, write =="#),
        ("a[]", 2, 1, #"expected a value, found "]""#),
        ("a.", 2, 0, "expected a field name, found the end of the expression"),
        ("a.0", 1, 2, "expected an operator or the end of the expression, found a number; write an element as x[0]"),
        ("a.b-", 4, 0, "expected a value, found the end of the expression"),
        ("&& a", 0, 2, #"expected a value, found "&&""#),
        ("a ||", 4, 0, "expected a value, found the end of the expression"),
        ("a ? b", 5, 0, #"expected ":", found the end of the expression; write a conditional as condition ? a : b"#),
        // Functions.
        ("a.length() > 1", 2, 6, #"unknown method "length"; write size(x)"#),
        ("a.toUpperCase()", 2, 11, #"unknown method "toUpperCase"; write x.upperAscii()"#),
        ("a.toString()", 2, 8, #"unknown method "toString"; write string(x)"#),
        (
            "a.includes('x')", 2, 8,
            #"unknown method "includes"; write x.contains(…) for a string, or x in list for a list"#
        ),
        ("a.some(x, x > 1)", 2, 4, #"unknown method "some"; write x.exists(e, …)"#),
        ("a.every(x, x > 1)", 2, 5, #"unknown method "every"; write x.all(e, …)"#),
        ("a.find(x, x > 1)", 2, 4, #"unknown method "find"; write x.filter(e, …)[0]"#),
        ("a.test('x')", 2, 4, #"unknown method "test"; write x.matches("…")"#),
        ("response.json().a", 9, 4, #"unknown method "json"; for the parsed body, write body"#),
        ("pm.response.text()", 12, 4, #"unknown method "text"; for the body as a string, write text"#),
        (
            #"jsonpath "$.a" == 1"#, 9, 5,
            #"expected an operator or the end of the expression, found a string; write jsonpath(body, "$.a")"#
        ),
        (
            #"header 'A' == "b""#, 7, 3,
            #"expected an operator or the end of the expression, found a string; write headers["A"]"#
        ),
        ("jsonpath('$.a')", 0, 15, #"jsonpath() takes 2 arguments, got 1; write jsonpath(body, "$.a")"#),
        ("a.total()", 2, 5, #"unknown method "total"; "#),
        ("JSON.parse(a)", 5, 5, #"unknown function "JSON.parse"; did you mean "json.parse"?"#),
        ("parseInt(a)", 0, 8, #"unknown function "parseInt"; write int(x)"#),
        ("Math.abs(a)", 5, 3, #"unknown function "Math.abs"; did you mean "math.abs"?"#),
        ("Date.now()", 5, 3, #"unknown function "Date.now"; for the current time, write now()"#),
        ("isNaN(a)", 0, 5, #"unknown function "isNaN"; did you mean "math.isNaN"?"#),
        ("exists(a.b)", 0, 6, #"unknown function "exists"; to test whether a field exists, write has(x.field)"#),
        ("defined(a)", 0, 7, #"unknown function "defined"; to test whether a field exists, write has(x.field)"#),
        (
            "now().format('yyyy')", 0, 20,
            "format() is a method of format strings: \"%s\".format([x]); to format a time, write date.format(time, pattern)"
        ),
        ("a.contains()", 0, 12, "contains() takes 1 argument, got 0"),
        ("size(a, b)", 0, 10, "size() takes 1 argument, got 2"),
        ("has(a)", 4, 1, "the argument of has() must be a field selection, such as has(body.title)"),
        (
            "a.all(x > 1)", 0, 12,
            "all() takes 2 or 3 arguments, got 1: a variable and an expression, as in x.all(e, e > 0)"
        ),
        ("a.map(1, 2)", 6, 1, "the variable of a macro must be a simple name"),
    ])
    func isLocatedAndSaysWhatToDo(_ source: String, _ offset: Int, _ length: Int, _ message: String) {
        let error = #expect(throws: CELSyntaxError.self) { try CELExpression(source) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(
            message.hasSuffix("; ")
                ? error?.message.text.hasPrefix(message.dropLast(2)) == true : error?.message.text == message)
    }

    /// The suggested expressions are valid.
    @Test(arguments: [
        "jsonpath(body, \"$.a\")", "headers[\"A\"]", "cookies[\"a\"]", "text.matches(\"a\")", "text.contains(\"a\")",
    ])
    func suggestionsAreValid(_ source: String) throws {
        _ = try CELExpression(source)
    }

    /// A dotted function with a wrong number of arguments is a call of a method, unless there is no such variable.
    @Test(arguments: [
        ("date.format(now())", "date.format() takes 2 or 3 arguments, got 1"),
        ("1 + size(regex.replace('a', 'b'))", "regex.replace() takes 3 or 4 arguments, got 2"),
        ("date.foo", nil), ("'%s'.format([date])", nil), ("name.format(['a'])", nil),
    ])
    func misreadCalls(_ source: String, _ message: String?) throws {
        let expression = try CELExpression(source)
        #expect(expression.freeIdentifiers.compactMap { expression.misreadCall(of: $0)?.text }.first == message)
    }

    /// Errors that no variable can resolve are detected before evaluation.
    @Test(arguments: [
        ("\"a\" + 1", 0, 7, "no such overload: string + int; to convert a value to a string, write string(x)"),
        ("1 + 2u", 0, 6, "no such overload: int + uint; to convert, write int(x) or uint(x)"),
        ("a == 1 && size(b)", 10, 7, "the operands of && must be bool, got int"),
        ("'x' || a", 0, 3, "the operands of || must be bool, got string"),
        ("size(a) ? 1 : 2", 0, 7, "the condition of ?: must be a bool, got int"),
        ("!size(a)", 0, 8, "no such overload: !int"),
        ("-string(a)", 0, 10, "no such overload: -string"),
        ("size(a) > '3'", 0, 13, "no such overload: int > string"),
        ("1 < a < 5", 0, 9, "no such overload: bool < int; instead of a < b < c, write a < b && b < c"),
        ("a > null", 0, 8, "> is not defined for null"),
        ("a - 'b'", 0, 7, "- is not defined for string"),
        (
            "'b' in 'abc'", 0, 12,
            "no such overload: string in string; to search for a substring, write text.contains(x)"
        ),
        ("a in 'abc'", 0, 10, "in is not defined for string; to search for a substring, write text.contains(x)"),
        ("a.contains(5)", 0, 13, "no such overload: any.contains(int)"),
        ("size(5)", 0, 7, "no such overload: size(int)"),
        ("5.matches('a')", 0, 14, "no such overload: int.matches(string)"),
        ("size(a).b", 0, 9, #"cannot select "b" of int"#),
        ("'abc'.length", 0, 12, #"cannot select "length" of string; for the length, write size(x)"#),
        (
            "[1, 2].first", 0, 12,
            #"cannot select "first" of list; select from an element, x[0].first, or from all: x.map(e, e.first)"#
        ),
        ("string(a)[0]", 0, 12, "cannot index string; for a character, write x.charAt(i)"),
        ("'abc'.all(c, true)", 0, 5, "all() must be called on a list or map, got string"),
        ("a.filter(x, size(x))", 12, 7, "the predicate of a macro must be a bool, got int"),
        ("a.exists(x, x.b + 'c')", 12, 9, "the predicate of a macro must be a bool, got string"),
        ("size(a).orValue(1)", 0, 18, "no such overload: int.orValue()"),
        ("timestamp(a) + 1", 0, 16, "no such overload: timestamp + int; write a duration as duration(\"1s\")"),
        ("duration(a) > 2", 0, 15, "no such overload: duration > int; write a duration as duration(\"1s\")"),
    ])
    func typesAreChecked(_ source: String, _ offset: Int, _ length: Int, _ message: String) {
        let error = #expect(throws: CELSyntaxError.self) { try CELExpression(source) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(error?.message.text == message)
    }

    /// Expressions that may be valid are left to the evaluation.
    @Test(arguments: [
        "a + 1", "a + 'b'", "a == '1' || 1 == a", "1 == '1'", "size(a) == 2.5", "a < 5 && a > 'b'", "a[0].b", "a.b[c]",
        "a.contains(b)", "string(a).size() > 2", "a in b", "1 in a", "a ? b : c", "a ? 1 : 'b'", "(a ? 1 : 2) + 1",
        "-a",
        "!a", "a.map(x, x)[0] + 1", "a.?b.orValue('c').size() == 1", "int(a) + 1 == 2", "[1, a][1].b", "{'a': b}.a.c",
        "duration - duration('1s') > duration('2s')", "type(a) == int", "a.split(',')[0] == 'b'", "int('x') == 1",
        "now() - timestamp(a) < duration('1h')", "json.parse(a).b", "jsonpath(a, '$.b') + 1", "env('A') + 'b'",
        "math.greatest(a, 1) > 2", "random(1, 6) in [1, 2]", "optional.of(a).value() + 1", "a.first().value().b",
        "cel.bind(x, a, x + 1)", "a.exists(k, v, v)", "timestamp(a).getHours() % 2 == 0", "size(b'abc') == 3",
    ])
    func whatMayBeRightCompiles(_ source: String) throws {
        _ = try CELExpression(source)
    }
}
