import Testing

@testable import CEL

/// Tests of typical errors of people who know other languages, and their messages.
@Suite struct TypicalMistakeTests {
    @Test(arguments: [
        // Operators of other languages.
        ("a = 1", 2, 1, #""=" is no operator; equality is written =="#),
        ("a === 1", 2, 3, #""===" is no operator; equality is written =="#),
        ("a !== 1", 2, 3, #""!==" is no operator; inequality is written !="#),
        ("a <> 1", 2, 2, #""<>" is no operator; inequality is written !="#),
        ("a =< 1", 2, 2, #""=<" is no operator; it is written <="#),
        ("a => 1", 2, 2, #""=>" is no operator; a macro takes the variable and the expression: x.all(e, e > 0)"#),
        (
            "a.filter(x => x > 1)", 11, 2,
            #""=>" is no operator; a macro takes the variable and the expression: x.all(e, e > 0)"#
        ),
        (
            "a.filter(x -> x > 1)", 11, 2,
            #""->" is no operator; a macro takes the variable and the expression: x.all(e, e > 0)"#
        ),
        (
            "a := 1", 2, 2,
            #""=" is no operator; equality is written == and a name is given by cel.bind(name, value, expression)"#
        ),
        ("a += 1", 2, 2, #"there is no assignment; a name is given by cel.bind(name, value, expression)"#),
        ("a =~ 'x'", 2, 2, #""=~" is no operator; a pattern is tested with text.matches("…")"#),
        ("a & b", 2, 1, #""&" is no operator; "and" is written &&"#),
        ("a | b", 2, 1, #""|" is no operator; "or" is written ||"#),
        ("a ** 2", 2, 2, #""**" is no operator; multiply the value by itself"#),
        ("a ?? b", 2, 2, #""??" is no operator; a default is written x.?field.orValue(default)"#),
        ("null?.x", 4, 2, #""?." is no operator; an optional selection is written a.?field"#),
        ("body?.title == 'x'", 4, 2, #""?." is no operator; an optional selection is written a.?field"#),
        ("a?[0]", 1, 2, #""?[" is no operator; an optional index is written a[?index]"#),
        ("a++", 2, 1, #"expected a value, found "+""#),
        ("~a", 0, 1, #"unexpected character "~""#),
        // Words.
        ("a and b", 2, 3, #"expected an operator or the end of the expression, found "and"; "and" is written &&"#),
        ("not a", 4, 1, #"expected an operator or the end of the expression, found "a"; "not" is written !"#),
        ("a is null", 2, 2, #"expected an operator or the end of the expression, found "is"; equality is written =="#),
        (
            "typeof a", 7, 1,
            #"expected an operator or the end of the expression, found "a"; the type of a value is type(x)"#
        ),
        (
            "new Date()", 4, 4,
            #"expected an operator or the end of the expression, found "Date"; the present time is now()"#
        ),
        (
            "a like 'x%'", 2, 4,
            #"expected an operator or the end of the expression, found "like"; a pattern is tested with text.matches("…")"#
        ),
        (
            "let x = 1", 0, 3,
            #""let" is a reserved word and cannot name a variable; a name is given by cel.bind(name, value, expression)"#
        ),
        (
            "return a", 0, 6,
            #""return" is a reserved word and cannot name a variable; the expression itself is the value"#
        ),
        (
            "function(x)", 0, 8,
            #""function" is a reserved word and cannot name a variable; a macro takes the variable and the expression: x.all(e, e > 0)"#
        ),
        // Characters.
        ("${a}", 0, 2, #""$" is no part of an expression; within ${ } a name stands alone, without ${ }"#),
        ("$.a", 0, 1, #""$" is no part of an expression; a JSONPath is evaluated by jsonpath(value, "$.a")"#),
        ("a; b", 1, 1, #"an expression does not end with ";"; conditions are joined with &&"#),
        ("a # b", 2, 1, ##"unexpected character "#"; a comment begins with //"##),
        ("@a", 0, 1, #"unexpected character "@""#),
        ("“a” == b", 0, 1, #"unexpected character "“"; quotation marks are " and '"#),
        ("a == `b`", 5, 3, #"expected a value, found `b`; text is written in " or '"#),
        ("'it's'", 4, 1, #"expected an operator or the end of the expression, found "s""#),
        ("'it' + s'", 8, 1, #"the string has no end; a ' within a text is written \'"#),
        ("\"a", 0, 2, "the string has no end"),
        ("'a\"", 0, 3, "the string has no end"),
        ("'a\nb'", 0, 2, "the string has no end on its line; a string of several lines is written in triple quotes"),
        // Numbers.
        ("1_000", 0, 5, "malformed number; digits are written without separators"),
        ("250ms", 0, 5, #"malformed number; a duration is written duration("250ms")"#),
        ("10%", 3, 0, "expected a value, found the end of the expression"),
        ("1.", 2, 0, "expected a field name, found the end of the expression"),
        // Brackets and commas.
        ("a)", 1, 1, #"there is no "(" for this ")""#),
        ("a]", 1, 1, #"there is no "[" for this "]""#),
        ("(a", 0, 1, #""(" has no matching ")""#),
        ("f(a b)", 4, 1, #"expected ")", found "b"; arguments are separated by ",""#),
        ("[1 2]", 3, 1, #"expected "]", found a number; elements are separated by ",""#),
        ("x in (1, 2)", 7, 1, #"expected ")", found ","; a list is written [1, 2]"#),
        ("{'a', 1}", 4, 1, #"expected ":", found ","; a map is written {"key": value}"#),
        ("{'a' = 1}", 5, 1, #""=" is no operator; equality is written =="#),
        ("a[]", 2, 1, #"expected a value, found "]""#),
        ("a.", 2, 0, "expected a field name, found the end of the expression"),
        ("a.0", 1, 2, "expected an operator or the end of the expression, found a number; an element is x[0]"),
        ("a.b-", 4, 0, "expected a value, found the end of the expression"),
        ("&& a", 0, 2, #"expected a value, found "&&""#),
        ("a ||", 4, 0, "expected a value, found the end of the expression"),
        ("a ? b", 5, 0, #"expected ":", found the end of the expression; a choice is written condition ? a : b"#),
        // Functions.
        ("a.length() > 1", 2, 6, #"there is no method "length"; write size(x)"#),
        ("a.toUpperCase()", 2, 11, #"there is no method "toUpperCase"; write x.upperAscii()"#),
        ("a.toString()", 2, 8, #"there is no method "toString"; write string(x)"#),
        (
            "a.includes('x')", 2, 8,
            #"there is no method "includes"; write x.contains(…) of a text, element in list of a list"#
        ),
        ("a.some(x, x > 1)", 2, 4, #"there is no method "some"; write x.exists(e, …)"#),
        ("a.every(x, x > 1)", 2, 5, #"there is no method "every"; write x.all(e, …)"#),
        ("a.find(x, x > 1)", 2, 4, #"there is no method "find"; write x.filter(e, …)[0]"#),
        ("a.test('x')", 2, 4, #"there is no method "test"; write x.matches("…")"#),
        ("a.sum()", 2, 3, #"there is no method "sum"; "#),
        ("JSON.parse(a)", 5, 5, #"there is no function "JSON.parse"; did you mean "json.parse"?"#),
        ("parseInt(a)", 0, 8, #"there is no function "parseInt"; write int(x)"#),
        ("Math.abs(a)", 5, 3, #"there is no function "Math.abs"; did you mean "math.abs"?"#),
        ("Date.now()", 5, 3, #"there is no function "Date.now"; the present time is now()"#),
        ("isNaN(a)", 0, 5, #"there is no function "isNaN"; did you mean "math.isNaN"?"#),
        ("exists(a.b)", 0, 6, #"there is no function "exists"; whether a field is there is asked by has(x.field)"#),
        ("defined(a)", 0, 7, #"there is no function "defined"; whether a field is there is asked by has(x.field)"#),
        (
            "now().format('yyyy')", 0, 20,
            "format() formats a text: \"%s\".format([x]); a time is formatted by date.format(time, pattern)"
        ),
        ("a.contains()", 0, 12, "contains() takes 1 argument, not 0"),
        ("size(a, b)", 0, 10, "size() takes 1 argument, not 2"),
        ("has(a)", 4, 1, "has() takes a selection such as has(body.title)"),
        (
            "a.all(x > 1)", 0, 12,
            "all() takes 2 or 3 arguments, not 1: the variable and the expression, as in x.all(e, e > 0)"
        ),
        ("a.map(1, 2)", 6, 1, "a macro's variable is a plain name"),
    ])
    func isLocatedAndSaysWhatToDo(_ source: String, _ offset: Int, _ length: Int, _ message: String) {
        let error = #expect(throws: CELSyntaxError.self) { try CELExpression(source) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(
            message.hasSuffix("; ") ? error?.message.hasPrefix(message.dropLast(2)) == true : error?.message == message)
    }

    /// Errors that no variable can resolve are detected before evaluation.
    @Test(arguments: [
        ("\"a\" + 1", 0, 7, "no such overload: string + int; string(x) makes text of a value"),
        ("1 + 2u", 0, 6, "no such overload: int + uint; int(x) and uint(x) convert"),
        ("a == 1 && size(b)", 10, 7, "&& needs true or false, not int"),
        ("'x' || a", 0, 3, "|| needs true or false, not string"),
        ("size(a) ? 1 : 2", 0, 7, "the condition of ?: needs true or false, not int"),
        ("!size(a)", 0, 8, "no such overload: !int"),
        ("-string(a)", 0, 10, "no such overload: -string"),
        ("size(a) > '3'", 0, 13, "no such overload: int > string"),
        ("1 < a < 5", 0, 9, "no such overload: bool < int; a < b < c is written a < b && b < c"),
        ("a > null", 0, 8, "> is not defined for null"),
        ("a - 'b'", 0, 7, "- is not defined for string"),
        ("'b' in 'abc'", 0, 12, "no such overload: string in string; text.contains(x) finds a part of a text"),
        ("a in 'abc'", 0, 10, "in is not defined for string; text.contains(x) finds a part of a text"),
        ("a.contains(5)", 0, 13, "no such overload: any.contains(int)"),
        ("size(5)", 0, 7, "no such overload: size(int)"),
        ("5.matches('a')", 0, 14, "no such overload: int.matches(string)"),
        ("size(a).b", 0, 9, #"cannot select "b" of int"#),
        ("'abc'.length", 0, 12, #"cannot select "length" of string; size(x) is the length"#),
        (
            "[1, 2].first", 0, 12,
            #"cannot select "first" of list; an element is x[0], and x.map(e, e.first) goes through all"#
        ),
        ("string(a)[0]", 0, 12, "cannot index string; a character is x.charAt(i)"),
        ("'abc'.all(c, true)", 0, 5, "all() goes through a list or a map, not string"),
        ("a.filter(x, size(x))", 12, 7, "a macro's predicate gives true or false, not int"),
        ("a.exists(x, x.b + 'c')", 12, 9, "a macro's predicate gives true or false, not string"),
        ("size(a).orValue(1)", 0, 18, "no such overload: int.orValue()"),
        ("timestamp(a) + 1", 0, 16, "no such overload: timestamp + int; duration(\"1s\") is a length of time"),
        ("duration(a) > 2", 0, 15, "no such overload: duration > int; duration(\"1s\") is a length of time"),
    ])
    func typesAreChecked(_ source: String, _ offset: Int, _ length: Int, _ message: String) {
        let error = #expect(throws: CELSyntaxError.self) { try CELExpression(source) }
        #expect(error?.offset == offset)
        #expect(error?.length == length)
        #expect(error?.message == message)
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
