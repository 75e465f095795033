import JSONPath
import Testing

/// Tests of typical errors of people who know other languages or JSONPath dialects, and their messages.
struct TypicalMistakeTests {
    static let calls = "there are length, count, match, search, value"

    @Test(arguments: [
        // The start of a path, and the transition between segments.
        ("@.a", 0, 1, #""@" is the current value of a filter; a JSONPath starts with "$""#),
        (".a", 0, 1, #"expected "$" at the start of the JSONPath, found ".""#),
        ("$/a/b", 1, 1, #"the steps of a JSONPath are written with ".": $.a.b"#),
        ("$.a/b", 3, 1, #"the steps of a JSONPath are written with ".": $.a.b"#),
        ("$.a b", 4, 1, #"expected "." or "[", found "b"; write .b"#),
        ("$.a.", 4, 0, #"expected a name or "*" after ".", found the end of the JSONPath"#),
        ("$...a", 3, 1, #"expected a name, "*" or "[" after "..", found ".""#),
        ("$.a..", 5, 0, #"expected a name, "*" or "[" after "..", found the end of the JSONPath"#),
        ("$.a-b", 3, 1, #"expected "." or "[", found "-"; write the name as ['a-b']"#),
        ("$.x:y.z", 3, 1, #"expected "." or "[", found ":"; write the name as ['x:y']"#),
        ("$.a@b", 3, 1, #"expected "." or "[", found "@"; write the name as ['a@b']"#),
        ("$.$ref", 2, 1, #"a name that starts with "$" stands in brackets: ['$name']"#),
        ("$.@type", 2, 1, #"a name that starts with "@" stands in brackets: ['@name']"#),
        (
            "$.-1", 2, 1,
            #"a name after "." starts with a letter or "_"; write an index as [0] and other names as ['0']"#
        ),
        ("$.a.b.length()", 12, 1, "there are functions in filters only, as in $.items[?length(@.name) > 2]"),
        ("$.a^", 3, 1, #"JSONPath has no "^"; it selects members and elements only"#),
        ("$.a~", 3, 1, #"JSONPath has no "~"; it selects members and elements only"#),
        ("$.a == 1", 4, 1, "a comparison stands in a filter: [?@.name == 'x']"),
        ("$.a]", 3, 1, #"unmatched "]""#),
        // Brackets.
        (
            "$.a[", 4, 0,
            #"expected a name in quotation marks, an index, a slice, "*" or a filter "?", found the end of the JSONPath"#
        ),
        ("$.a[]", 4, 1, #"expected a name in quotation marks, an index, a slice, "*" or a filter "?", found "]""#),
        ("$.a['b", 4, 1, "the string that starts here has no closing quotation mark"),
        ("$.a['b\"]", 4, 1, "the string that starts here has no closing quotation mark"),
        ("$.a['b'", 7, 0, #"expected "," or "]" after the selector, found the end of the JSONPath"#),
        ("$['it's']", 6, 1, #"expected "," or "]" after the selector, found "s""#),
        ("$[0,]", 4, 1, #"there is no selector after the last ",""#),
        ("$[0 1]", 4, 1, #"expected "," or "]" after the selector, found "1""#),
        ("$[01]", 2, 2, "an integer must not have leading zeros"),
        ("$[1.5]", 3, 1, "an index is an integer"),
        ("$[-]", 3, 1, #"expected a digit after "-", found "]""#),
        ("$[1:2:3:4]", 7, 1, "a slice has at most three parts, start:end:step"),
        ("$[a:b]", 2, 1, "a name in brackets is written in quotation marks: ['a']"),
        ("$[(@.length-1)]", 2, 1, "the last element is [-1], the one before it [-2]"),
        ("$[(@.a == 1)]", 2, 1, #"a filter starts with "?": [?@.price < 10]"#),
        ("$[@.a == 1]", 2, 1, #"a filter starts with "?": [?@.price < 10]"#),
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
        ("$[?@.a & @.b]", 7, 1, #""&" is no operator; both conditions are asked for with &&"#),
        ("$[?@.a | @.b]", 7, 1, #""|" is no operator; one of two conditions is asked for with ||"#),
        (
            "$[?@.a =~ /x/]", 7, 2,
            #""=~" is no operator; a pattern is tested with match(@.name, 'pattern') or, for a part, search"#
        ),
        ("$[?match(@.a, /x/)]", 14, 1, "a pattern is written as text, in quotation marks, for match and search"),
        ("$[?@.a in ['x']]", 7, 2, #"there is no "in"; write @.name == 'a' || @.name == 'b', or match(@.name, 'a|b')"#),
        ("$[?@.a == ['x']]", 10, 1, "there are no arrays and objects to compare with; compare their members"),
        ("$[?@.a contains 'x']", 7, 8, "write match(@.name, 'pattern') or, for a part of the text, search"),
        ("$[?@.a + 1 > 2]", 7, 1, "JSONPath does not calculate; compare with a value that is known"),
        ("$[?@.a == 'x]", 10, 1, "the string that starts here has no closing quotation mark"),
        ("$[?@.a == x]", 10, 1, #"unknown word "x"; text is written in quotation marks and a member as @.x"#),
        ("$[?@.a == True]", 10, 4, #""True" is written true"#),
        (
            "$[?@.a == None]", 10, 4,
            "write null; whether @.name is there is asked by the path alone, or by !@.name"
        ),
        ("$[?@.a == 1 && ]", 15, 1, #"expected a path starting with "@" or "$", a literal or a function, found "]""#),
        ("$[?(@.a == 1]", 3, 1, #""(" has no matching ")""#),
        ("$[?@.a == 1)]", 11, 1, #"unmatched ")""#),
        ("$[?@.length() > 1]", 11, 1, "functions stand before their argument, as in length(@.name); \(calls)"),
        (
            "$[?length(@.*) > 1]", 10, 3,
            "length() takes one value here; this path may select several, which count() counts"
        ),
        ("$[?size(@) == 1]", 3, 4, #"unknown function "size"; did you mean length?"#),
        (
            "$[?contains(@.a, 'x')]", 3, 8,
            #"unknown function "contains"; search(@.name, 'part') finds a part of a text"#
        ),
        ("$[?max(@.a) > 1]", 3, 3, #"unknown function "max"; \#(calls)"#),
        ("$[?match(@.a, 'x'), 'y')]", 23, 1, #"expected "," or "]" after the selector, found ")""#),
        ("$[?length (@) > 1]", 3, 6, #"expected "(" directly after the function's name"#),
    ])
    func isLocatedAndSaysWhatToDo(_ source: String, _ offset: Int, _ length: Int, _ message: String) throws {
        let error = try #require(throws: JSONPathError.self) { try JSONPath(source) }
        #expect(error.message == message)
        #expect(error.offset == offset)
        #expect(error.length == length)
    }
}
