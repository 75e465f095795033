import JSONPath
import Testing

struct PathParserTests {
    @Test(arguments: [
        ("", 0, 0, "expected \"$\" at the start of the JSONPath, found the end of the JSONPath"),
        ("a.b", 0, 1, "expected \"$\" at the start of the JSONPath, found \"a\""),
        (" $", 0, 1, "a JSONPath must not start with whitespace"),
        ("$.a ", 3, 1, "a JSONPath must not end with whitespace"),
        ("$.", 2, 0, "expected a name or \"*\" after \".\", found the end of the JSONPath"),
        ("$..", 3, 0, "expected a name, \"*\" or \"[\" after \"..\", found the end of the JSONPath"),
        ("$.[0]", 2, 1, "expected a name or \"*\" after \".\", found \"[\""),
        ("$. a", 2, 1, "whitespace is not allowed after \".\""),
        (
            "$.0", 2, 1,
            "a name after \".\" must start with a letter or \"_\"; write an index as [0], and other names as ['0']"
        ),
        ("$.'a'", 2, 1, "a quoted name must be in brackets: ['name']"),
        ("$.foo-bar", 5, 1, "expected \".\" or \"[\", found \"-\"; write the name as ['foo-bar']"),
        ("$a", 1, 1, "expected \".\" or \"[\", found \"a\"; write .a"),
        ("$[]", 2, 1, "expected a name in quotation marks, an index, a slice, \"*\" or a filter \"?\", found \"]\""),
        ("$[ab]", 2, 2, "enclose a name in quotation marks: ['ab']"),
        ("$[(@.a)]", 2, 1, "a filter must start with \"?\": [?@.price < 10]"),
        ("$[0", 3, 0, "expected \",\" or \"]\" after the selector, found the end of the JSONPath"),
        ("$[01]", 2, 2, "an integer must not have leading zeros"),
        ("$[-0]", 2, 2, "\"-0\" is not allowed here"),
        ("$[9007199254740992]", 2, 16, "the integer must be between -9007199254740991 and 9007199254740991"),
        ("$[1:99999999999999999999]", 4, 20, "the integer must be between -9007199254740991 and 9007199254740991"),
        ("$['a]", 2, 1, "unterminated string: expected a closing quotation mark"),
        (
            "$['\u{E9}\\x']", 4, 2,
            "unknown escape sequence; expected \\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX or the escaped quotation mark"
        ),
        ("$['\\ud800']", 3, 6, "unpaired surrogate"),
        ("$['\\u00zz']", 7, 1, "expected four hexadecimal digits after \"\\u\", found \"z\""),
        ("$['\n']", 3, 1, "a control character in a string must be escaped"),
        ("$[?@.a == ]", 10, 1, "expected a path starting with \"@\" or \"$\", a literal or a function, found \"]\""),
        ("$[?'a']", 3, 3, "a literal is not a condition; write a comparison"),
        ("$[?length(@)]", 3, 9, "the result of the function is a value, not a condition; write a comparison"),
        ("$[?match(@.a, 'b') == true]", 3, 15, "the result of the function is true or false and cannot be compared"),
        (
            "$[?@.* == 1]", 3, 3,
            "a path that can select several values cannot be compared; use only names and single indexes"
        ),
        ("$[?@.a == 1 == 2]", 12, 2, "comparisons cannot be chained"),
        ("$[?!@.a == 1]", 8, 2, "\"!\" cannot precede a comparison; write !(…)"),
        ("$[?(@.a) == 1]", 9, 2, "an expression in parentheses cannot be compared"),
        ("$[?(@.a]", 3, 1, "\"(\" has no matching \")\""),
        ("$[?@.a = 1]", 7, 1, "\"=\" is not an operator; for equality, write =="),
        ("$[?sum(@) == 1]", 3, 3, "unknown function \"sum\"; the functions are length, count, match, search, value"),
        ("$[?count (@) == 1]", 3, 5, "expected \"(\" directly after the function name"),
        (
            "$[?@.a == abc]", 10, 3,
            "unknown word \"abc\"; enclose a string in quotation marks, or write a member as @.abc"
        ),
        ("$[?length(@, 1) == 1]", 3, 12, "length() takes 1 argument, got 2"),
        ("$[?match(@)]", 3, 8, "match() takes 2 arguments, got 1"),
        ("$[?count() == 1]", 3, 7, "count() takes 1 argument, got 0"),
        ("$[?count(1) == 1]", 9, 1, "count() requires a path that starts with \"@\" or \"$\""),
        (
            "$[?length(@.*) == 1]", 10, 3,
            "length() requires a single value, but this path can select several; to count them, write count()"
        ),
        ("$[?length(match(@, 'a')) == 1]", 10, 13, "length() requires a value, not a condition"),
        ("$[?count(@.a == 1) == 1]", 9, 1, "a condition cannot be an argument; pass a value or a path"),
        ("$[?@.a == 01]", 10, 2, "not a JSON number"),
        ("$[?@.a == 1.]", 10, 2, "not a JSON number"),
    ])
    func problems(_ source: String, _ offset: Int, _ length: Int, _ message: String) throws {
        let error = try #require(throws: JSONPathError.self) { try JSONPath(source) }
        #expect(error.message == message)
        #expect(error.offset == offset)
        #expect(error.length == length)
    }

    @Test func nestingAndLengthAreBounded() throws {
        let parentheses = { (depth: Int) in
            "$[?" + String(repeating: "(", count: depth) + "@" + String(repeating: ")", count: depth) + "]"
        }
        _ = try JSONPath(parentheses(60))
        let calls = "$[?" + String(repeating: "length(", count: 100_000)
        let filters = String(repeating: "$[?", count: 100_000)
        for source in [parentheses(100), parentheses(100_000), calls, filters] {
            let error = try #require(throws: JSONPathError.self) { try JSONPath(source) }
            #expect(error.message == "filters, parentheses and calls exceed the maximum depth of 64 levels")
        }
        _ = try JSONPath("$" + String(repeating: ".a", count: 512))
        let error = try #require(throws: JSONPathError.self) { try JSONPath("$" + String(repeating: ".a", count: 513)) }
        #expect(error.message == "the JSONPath exceeds the maximum of 512 segments")
        #expect(error.offset == 1025)
    }
}
