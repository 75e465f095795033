import JSONPath
import Testing

/// Tests of typical errors of people who know other languages or JSONPath dialects, and their messages.
struct TypicalMistakeTests {
    static let calls = "the functions are length, count, match, search, value"

    @Test(arguments: [
        // The start of a path, and the transition between segments.
        ("@.a", 0, 1, #"a JSONPath must start with "$"; "@" is the current value of a filter"#),
        (".a", 0, 1, #"expected "$" at the start of the JSONPath, found ".""#),
        ("$/a/b", 1, 1, #"separate the segments of a JSONPath with ".": $.a.b"#),
        ("$.a/b", 3, 1, #"separate the segments of a JSONPath with ".": $.a.b"#),
        ("$.a b", 4, 1, #"expected "." or "[", found "b"; write .b"#),
        ("$.a.", 4, 0, #"expected a name or "*" after ".", found the end of the JSONPath"#),
        ("$...a", 3, 1, #"expected a name, "*" or "[" after "..", found ".""#),
        ("$.a..", 5, 0, #"expected a name, "*" or "[" after "..", found the end of the JSONPath"#),
        ("$.a-b", 3, 1, #"expected "." or "[", found "-"; write the name as ['a-b']"#),
        ("$.x:y.z", 3, 1, #"expected "." or "[", found ":"; write the name as ['x:y']"#),
        ("$.a@b", 3, 1, #"expected "." or "[", found "@"; write the name as ['a@b']"#),
        ("$.$ref", 2, 1, #"a name that starts with "$" must be in brackets: ['$name']"#),
        ("$.@type", 2, 1, #"a name that starts with "@" must be in brackets: ['@name']"#),
        (
            "$.-1", 2, 1,
            #"a name after "." must start with a letter or "_"; write an index as [0], and other names as ['0']"#
        ),
        ("$.a.b.length()", 12, 1, "functions are allowed only in filters, as in $.items[?length(@.name) > 2]"),
        ("$.a^", 3, 1, #"JSONPath has no "^"; it can select only members and elements"#),
        ("$.a~", 3, 1, #"JSONPath has no "~"; it can select only members and elements"#),
        ("$.a == 1", 4, 1, "a comparison must be in a filter: [?@.name == 'x']"),
        ("$.a]", 3, 1, #"unmatched "]""#),
        // Brackets.
        (
            "$.a[", 4, 0,
            #"expected a name in quotation marks, an index, a slice, "*" or a filter "?", found the end of the JSONPath"#
        ),
        ("$.a[]", 4, 1, #"expected a name in quotation marks, an index, a slice, "*" or a filter "?", found "]""#),
        ("$.a['b", 4, 1, "unterminated string: expected a closing quotation mark"),
        ("$.a['b\"]", 4, 1, "unterminated string: expected a closing quotation mark"),
        ("$.a['b'", 7, 0, #"expected "," or "]" after the selector, found the end of the JSONPath"#),
        ("$['it's']", 6, 1, #"expected "," or "]" after the selector, found "s""#),
        ("$[0,]", 4, 1, #"expected a selector after ",""#),
        ("$[0 1]", 4, 1, #"expected "," or "]" after the selector, found "1""#),
        ("$[01]", 2, 2, "an integer must not have leading zeros"),
        ("$[1.5]", 3, 1, "an index must be an integer"),
        ("$[-]", 3, 1, #"expected a digit after "-", found "]""#),
        ("$[1:2:3:4]", 7, 1, "a slice must have at most three parts, start:end:step"),
        ("$[a:b]", 2, 1, "enclose a name in quotation marks: ['a']"),
        ("$[(@.length-1)]", 2, 1, "write the last element as [-1], and the second to last as [-2]"),
        ("$[(@.a == 1)]", 2, 1, #"a filter must start with "?": [?@.price < 10]"#),
        ("$[@.a == 1]", 2, 1, #"a filter must start with "?": [?@.price < 10]"#),
        // Filters.
        ("$[?]", 3, 1, #"expected a path starting with "@" or "$", a literal or a function, found "]""#),
        ("$[?@.a==]", 8, 1, #"expected a path starting with "@" or "$", a literal or a function, found "]""#),
        ("$.items[?(@.x = 1)]", 14, 1, #""=" is not an operator; for equality, write =="#),
        ("$[?@.x === 1]", 7, 3, #""===" is not an operator; write =="#),
        ("$[?@.x !== 1]", 7, 3, #""!==" is not an operator; write !="#),
        ("$[?@.x <> 1]", 7, 2, #""<>" is not an operator; write !="#),
        ("$[?@.a and @.b]", 7, 3, #"write && instead of "and""#),
        ("$[?(@.a OR @.b)]", 8, 2, #"write || instead of "or""#),
        ("$[?not @.a]", 3, 3, #"write ! instead of "not""#),
        ("$[?not(@.a)]", 3, 3, #"write ! instead of "not""#),
        ("$[?@.a & @.b]", 7, 1, #""&" is not an operator; write &&"#),
        ("$[?@.a | @.b]", 7, 1, #""|" is not an operator; write ||"#),
        (
            "$[?@.a =~ /x/]", 7, 2,
            #""=~" is not an operator; write match(@.name, 'pattern'), or search(…) for a substring"#
        ),
        ("$[?match(@.a, /x/)]", 14, 1, "write a pattern as a string argument of match or search"),
        (
            "$[?@.a in ['x']]", 7, 2,
            #""in" is not an operator; write @.name == 'a' || @.name == 'b', or match(@.name, 'a|b')"#
        ),
        ("$[?@.a == ['x']]", 10, 1, "cannot compare with an array or object; compare their members"),
        ("$[?@.a contains 'x']", 7, 8, "write match(@.name, 'pattern'), or search(…) for a substring"),
        ("$[?@.a + 1 > 2]", 7, 1, "JSONPath does not support arithmetic; compare with a constant"),
        ("$[?@.a == 'x]", 10, 1, "unterminated string: expected a closing quotation mark"),
        ("$[?@.a == x]", 10, 1, #"unknown word "x"; enclose a string in quotation marks, or write a member as @.x"#),
        ("$[?@.a == True]", 10, 4, #"write true instead of "True""#),
        (
            "$[?@.a == None]", 10, 4,
            "write null; to test whether a member exists, write @.name or !@.name"
        ),
        ("$[?@.a == 1 && ]", 15, 1, #"expected a path starting with "@" or "$", a literal or a function, found "]""#),
        ("$[?(@.a == 1]", 3, 1, #""(" has no matching ")""#),
        ("$[?@.a == 1)]", 11, 1, #"unmatched ")""#),
        ("$[?@.length() > 1]", 11, 1, "expected a function before \"(\", as in length(@.name); \(calls)"),
        (
            "$[?length(@.*) > 1]", 10, 3,
            "length() requires a single value, but this path can select several; to count them, write count()"
        ),
        ("$[?size(@) == 1]", 3, 4, #"unknown function "size"; did you mean "length"?"#),
        (
            "$[?contains(@.a, 'x')]", 3, 8,
            #"unknown function "contains"; to search for a substring, write search(@.name, 'part')"#
        ),
        ("$[?max(@.a) > 1]", 3, 3, #"unknown function "max"; \#(calls)"#),
        ("$[?match(@.a, 'x'), 'y')]", 23, 1, #"expected "," or "]" after the selector, found ")""#),
        ("$[?length (@) > 1]", 3, 6, #"expected "(" directly after the function name"#),
    ])
    func isLocatedAndSaysWhatToDo(_ source: String, _ offset: Int, _ length: Int, _ message: String) throws {
        let error = try #require(throws: JSONPathError.self) { try JSONPath(source) }
        #expect(error.message == message)
        #expect(error.offset == offset)
        #expect(error.length == length)
    }
}
