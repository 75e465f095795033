import JSON
import Testing

struct JSONDifferenceTests {
    /// Changes as text: `~ path expected actual`, `- path expected`, `+ path actual`.
    static func summary(_ expected: JSONValue, _ actual: JSONValue) -> [String] {
        JSONDifference(expected: expected, actual: actual).changes.map { change in
            let parts = [change.expected, change.actual].compactMap { $0?.serialized() }
            let sign =
                switch change.kind {
                case .changed: "~"
                case .missing: "-"
                case .unexpected: "+"
                }
            return ([sign, change.path] + parts).joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            ("1", "1.0", []), ("1", "2", ["~ $ 1 2"]), ("{\"a\":1}", "[1]", ["~ $ {\"a\":1} [1]"]),
            ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", []),
            ("{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"b\":1,\"c\":3}}", ["~ $.a.c 2 3"]),
            ("{\"a\":1,\"b\":2}", "{\"a\":1,\"c d\":3}", ["- $.b 2", "+ $['c d'] 3"]),
            ("{\"a\":null}", "{}", ["- $.a null"]),
            // Arrays: what was inserted or removed is one change.
            ("[1,2,3]", "[0,1,2,3]", ["+ $[0] 0"]), ("[1,2,3]", "[1,2]", ["- $[2] 3"]),
            ("[1,2,3,4]", "[1,3,4]", ["- $[1] 2"]),
            ("[1,2,3]", "[1,9,3]", ["~ $[1] 2 9"]), ("[]", "[1,2]", ["+ $[0] 1", "+ $[1] 2"]),
            ("[1,2]", "[]", ["- $[0] 1", "- $[1] 2"]),
            ("[1,2,3,4,5]", "[1,3,9,5,6]", ["- $[1] 2", "~ $[2] 4 9", "+ $[4] 6"]),
            (
                "{\"a\":[0,1,{\"b\":1,\"c\":2}]}", "{\"a\":[0,1,{\"b\":1,\"c\":3}]}",
                ["~ $.a[2].c 2 3"]
            ),
            // An element is paired with the one it is most like.
            (
                "[{\"id\":1,\"n\":\"a\"},{\"id\":2,\"n\":\"b\"}]",
                "[{\"id\":9,\"n\":\"z\"},{\"id\":1,\"n\":\"A\"},{\"id\":2,\"n\":\"B\"}]",
                ["+ $[0] {\"id\":9,\"n\":\"z\"}", "~ $[1].n \"a\" \"A\"", "~ $[2].n \"b\" \"B\""]
            ),
            ("[\"a\",{\"b\":1}]", "[{\"b\":2}]", ["- $[0] \"a\"", "~ $[0].b 1 2"]),
        ] as [(String, String, [String])])
    func changes(_ expected: String, _ actual: String, _ changes: [String]) throws {
        let found = try JSONDifferenceTests.summary(JSONValue(parsing: expected), JSONValue(parsing: actual))
        #expect(found == changes)
    }

    @Test func anInsertionIntoALargeArrayIsOneChange() {
        let expected = (0..<20_000).map { JSONValue.number(JSONNumber($0)) }
        var actual = expected
        actual.insert("new", at: 10_000)
        #expect(JSONDifferenceTests.summary(.array(expected), .array(actual)) == ["+ $[10000] \"new\""])
    }

    /// Too many elements to align are compared index by index, in linear time.
    @Test func largeDifferentArrays() {
        let expected = (0..<20_000).map { JSONValue.number(JSONNumber($0)) }
        let actual = (0..<20_001).map { JSONValue.number(JSONNumber(-$0 - 1)) }
        let difference = JSONDifference(expected: .array(expected), actual: .array(actual))
        #expect(difference.changes.count == 20_001)
        #expect(difference.changes.last?.kind == .unexpected)
    }

    /// Whatever the alignment, equal values have no changes and others have.
    @Test func emptyExactlyForEqualValues() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let expected = JSONValue.array(
                (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                    JSONValue.number(JSONNumber(Int.random(in: 0...3, using: &generator)))
                })
            let actual = JSONValue.array(
                (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                    JSONValue.number(JSONNumber(Int.random(in: 0...3, using: &generator)))
                })
            #expect(JSONDifference(expected: expected, actual: actual).isEmpty == (expected == actual))
        }
    }
}
