import JSONPath
import Testing

struct PathParserTests {
    @Test(arguments: [
        ("", 0, 0, "expected \"$\" at the start of the JSONPath, found the end of the JSONPath"),
        ("a.b", 0, 1, "expected \"$\" at the start of the JSONPath, found \"a\""),
        (" $", 0, 1, "a JSONPath must not start with white space"),
        ("$.a ", 3, 1, "a JSONPath must not end with white space"),
        ("$.", 2, 0, "expected a name or \"*\" after \".\", found the end of the JSONPath"),
        ("$..", 3, 0, "expected a name, \"*\" or \"[\" after \"..\", found the end of the JSONPath"),
        ("$.[0]", 2, 1, "expected a name or \"*\" after \".\", found \"[\""),
        ("$. a", 2, 1, "there must be no white space after \".\""),
        (
            "$.0", 2, 1,
            "a name after \".\" starts with a letter or \"_\"; write an index as [0] and other names as ['0']"
        ),
        ("$.'a'", 2, 1, "a quoted name stands in brackets: ['name']"),
        ("$.foo-bar", 5, 1, "expected \".\" or \"[\", found \"-\"; write the name as ['foo-bar']"),
        ("$a", 1, 1, "expected \".\" or \"[\", found \"a\"; write .a"),
        ("$[]", 2, 1, "expected a name in quotation marks, an index, a slice, \"*\" or a filter \"?\", found \"]\""),
        ("$[ab]", 2, 2, "a name in brackets is written in quotation marks: ['ab']"),
        ("$[(@.a)]", 2, 1, "a filter starts with \"?\": [?@.price < 10]"),
        ("$[0", 3, 0, "expected \",\" or \"]\" after the selector, found the end of the JSONPath"),
        ("$[01]", 2, 2, "an integer must not have leading zeros"),
        ("$[-0]", 2, 2, "\"-0\" is not allowed here"),
        ("$[9007199254740992]", 2, 16, "the integer is outside of ±9007199254740991"),
        ("$[1:99999999999999999999]", 4, 20, "the integer is outside of ±9007199254740991"),
        ("$['a]", 2, 1, "the string that starts here has no closing quotation mark"),
        (
            "$['\u{E9}\\x']", 4, 2,
            "unknown escape sequence; there are \\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX and the enclosing quotation mark"
        ),
        ("$['\\ud800']", 3, 6, "half of a surrogate pair without the other half"),
        ("$['\\u00zz']", 7, 1, "expected four hexadecimal digits after \"\\u\", found \"z\""),
        ("$['\n']", 3, 1, "a control character must be written as an escape sequence in a string"),
        ("$[?@.a == ]", 10, 1, "expected a path starting with \"@\" or \"$\", a literal or a function, found \"]\""),
        ("$[?'a']", 3, 3, "a literal is no condition; compare it with something"),
        ("$[?length(@)]", 3, 9, "the function gives a value, no condition; compare it with something"),
        ("$[?match(@.a, 'b') == true]", 3, 15, "the function gives true or false on its own and cannot be compared"),
        (
            "$[?@.* == 1]", 3, 3,
            "a path that may select several values cannot be compared; only names and single indexes may be used"
        ),
        ("$[?@.a == 1 == 2]", 12, 2, "comparisons cannot be chained"),
        ("$[?!@.a == 1]", 8, 2, "\"!\" cannot stand before a comparison; put the comparison into parentheses: !(…)"),
        ("$[?(@.a) == 1]", 9, 2, "an expression in parentheses cannot be compared"),
        ("$[?(@.a]", 3, 1, "\"(\" has no matching \")\""),
        ("$[?@.a = 1]", 7, 1, "\"=\" is not an operator; for equality, write =="),
        ("$[?sum(@) == 1]", 3, 3, "unknown function \"sum\"; there are length, count, match, search, value"),
        ("$[?count (@) == 1]", 3, 5, "expected \"(\" directly after the function's name"),
        ("$[?@.a == abc]", 10, 3, "unknown word \"abc\"; text is written in quotation marks and a member as @.abc"),
        ("$[?length(@, 1) == 1]", 3, 12, "length() takes 1 argument, got 2"),
        ("$[?match(@)]", 3, 8, "match() takes 2 arguments, got 1"),
        ("$[?count() == 1]", 3, 7, "count() takes 1 argument, got 0"),
        ("$[?count(1) == 1]", 9, 1, "count() takes a path starting with \"@\" or \"$\""),
        (
            "$[?length(@.*) == 1]", 10, 3,
            "length() takes one value here; this path may select several, which count() counts"
        ),
        ("$[?length(match(@, 'a')) == 1]", 10, 13, "length() takes a value here, no condition"),
        ("$[?count(@.a == 1) == 1]", 9, 1, "a condition cannot be an argument; the function takes a value or a path"),
        ("$[?@.a == 01]", 10, 2, "not a number as JSON writes it"),
        ("$[?@.a == 1.]", 10, 2, "not a number as JSON writes it"),
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
            #expect(error.message == "filters, parentheses and calls are nested more than 64 levels deep")
        }
        _ = try JSONPath("$" + String(repeating: ".a", count: 512))
        let error = try #require(throws: JSONPathError.self) { try JSONPath("$" + String(repeating: ".a", count: 513)) }
        #expect(error.message == "a JSONPath may have at most 512 segments")
        #expect(error.offset == 1025)
    }
}
