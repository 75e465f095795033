import JSON
import JSONPath
import Testing

/// Tests of the number of evaluation steps, and of the error at the limit.
struct LimitTests {
    /// Returns nested objects with the given depth, each with an additional number.
    static func chain(_ depth: Int) throws -> JSONValue {
        try JSONValue(
            parsing: String(repeating: #"{"b": 1, "a": "#, count: depth) + "0" + String(repeating: "}", count: depth))
    }

    /// Returns an array of small objects.
    static func wide(_ count: Int) -> JSONValue {
        .array((0..<count).map { ["a": ["b": .number(JSONNumber($0))], "c": [1, 2]] })
    }

    static func steps(_ source: String, _ document: JSONValue) throws -> (steps: Int, count: Int) {
        var steps = JSONPath.maximumSteps
        let count = try JSONPath(source).values(in: document, steps: &steps).count
        return (JSONPath.maximumSteps - steps, count)
    }

    @Test(arguments: ["$..a..b", "$..a..none", "$..[?@.b]..b", "$..*..none", "$..a[?@.b == 1]..none"])
    func repeatedDescentIsNotQuadratic(source: String) throws {
        let small = try Self.steps(source, Self.chain(100))
        let large = try Self.steps(source, Self.chain(400))
        // Four times the document, plus the steps for listing the selection.
        #expect(large.steps - large.count <= 5 * small.steps, "\(small) \(large)")
        let narrow = try Self.steps(source, Self.wide(1_000))
        let wide = try Self.steps(source, Self.wide(4_000))
        #expect(wide.steps <= 5 * narrow.steps, "\(narrow) \(wide)")
    }

    /// Twice the document quadruples the selection, because RFC 9535 retains duplicates.
    @Test func whatIsSelectedTwiceIsThereTwice() throws {
        let count = try Self.steps("$..*..*", Self.chain(200)).count
        #expect(count == 200 * 199)
        let values = try JSONPath("$..a..b").values(in: Self.chain(3))
        #expect(values == [1, 1, 1])
    }

    /// Queries with several descendant segments use a different algorithm, which must yield the same result.
    @Test(arguments: [
        ("$..[?@.a]", "..*"), ("$..['a', 'c']", "..[0, -1]"), ("$..*", "..[::2]"), ("$..a", "..*"),
        ("$..*", "..['b','b']"), ("$..[*, 0]", "..[?@ == 1]"), ("$..a.b", "..*"), ("$..[?@..b]", "..b"),
    ])
    func descentsTakenTogetherOrOneByOne(first: String, second: String) throws {
        let document = try JSONValue(
            parsing:
                #"{"a": [{"b": 1, "a": {"b": [1, 2, {"é": 3, "e\u0301": 4}]}}, [[], {}]], "c": [[1], {"a": {"b": null}}]}"#
        )
        let together = try JSONPath(first + second).nodes(in: document)
        let head = try JSONPath(first)
        let tail = try JSONPath("$" + second)
        var separate: [JSONPathNode] = []
        for node in try head.nodes(in: document) {
            for inner in try tail.nodes(in: node.value) {
                separate.append(
                    JSONPathNode(path: NormalizedPath(node.path.steps + inner.path.steps), value: inner.value))
            }
        }
        #expect(together == separate)
        #expect(try JSONPath(first + second).values(in: document) == separate.map(\.value))
    }

    @Test(arguments: [
        ("$..*..*..*", 400), ("$..[?count(@..*) > 0]", 400), ("$..[?@..x]", 400),
        ("$[?count(@..[?count(@..*) > 5]) > 5]", 200),
    ])
    func manyStepsEndInAnError(source: String, depth: Int) throws {
        var steps = 20_000
        let document = try Self.chain(depth)
        let error = try #require(throws: JSONPathLimitError.self) {
            try JSONPath(source).values(in: document, steps: &steps)
        }
        #expect(
            error.message
                == "\(source) takes more than 20000 steps on this document; use fewer \"..\" segments or nested filters"
        )
    }

    @Test func largeSelectionsEndInAnError() throws {
        let document = JSONValue.array((0..<2_000).map { .number(JSONNumber($0)) })
        let source = "$" + "[\(Array(repeating: "*", count: 1_001).joined(separator: ","))]"
        let error = try #require(throws: JSONPathLimitError.self) { try JSONPath(source).values(in: document) }
        #expect(error.message.hasSuffix(" selects more than 2 million values; narrow the selection"))
        #expect(throws: JSONPathLimitError.self) { try JSONPath("$..*..*..*").nodes(in: try Self.chain(300)) }
        #expect(try JSONPath(source).firstValue(in: document) == 0)
    }

    @Test(arguments: [
        "$[?@.a == $[0].a]", "$[?match(@.t, 'a*b')]", "$[?match(@.t, @.p)]", "$[?length(@.t) == 1]",
        "$[?@.t == $[0].t]",
    ])
    func longTextsAndLargeValuesCount(source: String) throws {
        let large = JSONValue.array(Array(repeating: 1, count: 100_000))
        let text = JSONValue.string(String(repeating: "a", count: 1_000_000))
        let document: JSONValue = [["a": large, "t": text, "p": "a*b"], ["a": large, "t": text, "p": "a*b"]]
        #expect(try Self.steps(source, document).steps > 10_000)
    }

    @Test func filtersWithAHeavyPatternAreBounded() throws {
        let text = String(repeating: "ab", count: 5_000)
        let path = try JSONPath("$[?match(@, '(([a-c]{1,100}){1,40}[ab]{1,50}){1,9}c')]")
        var steps = 50_000
        #expect(throws: JSONPathLimitError.self) { try path.values(in: [.string(text)], steps: &steps) }
    }
}
