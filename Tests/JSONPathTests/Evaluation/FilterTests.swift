import JSON
import JSONPath
import Testing

/// Tests of filters on the elements of an array, by the elements that they select.
struct FilterTests {
    @Test(
        arguments: [
            ("@ == 1", "[1, 1.0, \"1\", true]", [0, 1]), ("@ != 1", "[1, 2, \"1\"]", [1, 2]),
            ("@ < 'b'", "[\"a\", \"b\", 1, null]", [0]),
            // Code points are compared: U+FFFD precedes U+1F600.
            ("@ < '\u{1F600}'", "[\"\u{FFFD}\", \"\u{1F601}\"]", [0]),
            ("@ <= null", "[null, 1, false]", [0]), ("@ >= true", "[true, false]", [0]), ("@ < true", "[false]", []),
            ("@.a == @.b", "[{}, {\"a\": null}, {\"a\": [1], \"b\": [1.0]}]", [0, 2]),
            ("@.a", "[{\"a\": null}, {\"a\": false}, {}]", [0, 1]),
            ("length(@) == 1", "[\"\u{1F600}\", [1], {\"a\": 1}, 1, \"e\u{301}\"]", [0, 1, 2]),
            ("length(@) == length(1)", "[1, \"a\"]", [0]), ("count(@..*) > 2", "[[1, [2]], [1, 2]]", [0]),
            ("match(@, 'a.c')", "[\"abc\", \"xabc\", 1, \"a\\nc\"]", [0]), ("search(@, 'b')", "[\"abc\", \"c\"]", [0]),
            ("match('aa', @)", "[\"a+\", \"[\", \"a\", 1]", [0]), ("search(@, '[')", "[\"[\"]", []),
            ("@ > 0.1 && @ < 1e400 || @ == 'x'", "[0.1, 0.10000000000000001, 1e399, \"x\"]", [1, 2, 3]),
            ("!(@.a || @.b)", "[{\"a\": 1}, {\"b\": 1}, {}]", [2]), ("$[0] == @", "[5, 6, 5]", [0, 2]),
            ("@[?@ > 1]", "[[1], [2]]", [1]),
        ] as [(String, String, [Int])])
    func filters(_ expression: String, _ document: String, _ kept: [Int]) throws {
        let nodes = try JSONPath("$[?\(expression)]").nodes(in: JSONValue(parsing: document))
        #expect(nodes.map(\.path.steps) == kept.map { [.index($0)] })
    }

    /// The results of absolute queries are the same for every element and are computed only once.
    @Test func absoluteQueriesInFiltersAreNotRepeated() throws {
        let document = JSONValue.array((0..<5000).map { ["id": .number(JSONNumber($0))] })
        #expect(try JSONPath("$[?count($..id) == 5000]").values(in: document).count == 5000)
        #expect(try JSONPath("$[?$..none]").values(in: document).isEmpty)
    }
}
