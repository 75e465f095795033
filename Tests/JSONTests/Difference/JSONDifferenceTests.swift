import Basics
import JSON
import Testing

struct JSONDifferenceTests {
    /// Returns the changes as text: `~ path expected actual`, `- path expected`, `+ path actual`.
    static func summary(_ expected: JSONValue, _ actual: JSONValue) -> [String] {
        JSONDifference(expected: expected, actual: actual).changes.map { change in
            let parts = [change.expected, change.actual].compactMap { $0?.serialized() }
            let sign =
                switch change.kind {
                case .changed: "~"
                case .missing: "-"
                case .unexpected: "+"
                case .moved: ">"
                }
            if let origin = change.origin {
                return "> \(change.path) from \(origin.shorthand) \(change.actual?.serialized() ?? "")"
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
            // Arrays: an insertion or removal is a single change.
            ("[1,2,3]", "[0,1,2,3]", ["+ $[0] 0"]), ("[1,2,3]", "[1,2]", ["- $[2] 3"]),
            ("[1,2,3,4]", "[1,3,4]", ["- $[1] 2"]),
            ("[1,2,3]", "[1,9,3]", ["~ $[1] 2 9"]), ("[]", "[1,2]", ["+ $[0] 1", "+ $[1] 2"]),
            ("[1,2]", "[]", ["- $[0] 1", "- $[1] 2"]),
            ("[1,2,3,4,5]", "[1,3,9,5,6]", ["- $[1] 2", "~ $[2] 4 9", "+ $[4] 6"]),
            (
                "{\"a\":[0,1,{\"b\":1,\"c\":2}]}", "{\"a\":[0,1,{\"b\":1,\"c\":3}]}",
                ["~ $.a[2].c 2 3"]
            ),
            // An element is paired with the most similar one.
            (
                "[{\"id\":1,\"n\":\"a\"},{\"id\":2,\"n\":\"b\"}]",
                "[{\"id\":9,\"n\":\"z\"},{\"id\":1,\"n\":\"A\"},{\"id\":2,\"n\":\"B\"}]",
                ["+ $[0] {\"id\":9,\"n\":\"z\"}", "~ $[1].n \"a\" \"A\"", "~ $[2].n \"b\" \"B\""]
            ),
            ("[\"a\",{\"b\":1}]", "[{\"b\":2}]", ["- $[0] \"a\"", "~ $[0].b 1 2"]),
            // Elements at another index have moved.
            ("[1,2,3]", "[3,1,2]", ["> $[0] from $[2] 3"]), ("[1,2,3]", "[2,3,1]", ["> $[2] from $[0] 1"]),
            ("[1,1,2]", "[2,1,1]", ["> $[0] from $[2] 2"]),
            ("{\"a\":[[1],[2],[3]]}", "{\"a\":[[3],[1],[2],[4]]}", ["+ $.a[3] [4]", "> $.a[0] from $.a[2] [3]"]),
            // The origin of a moved element is its index in the expected value, even if insertions precede it.
            (
                "[{\"id\":1,\"a\":[1,2,3]}]", "[{\"id\":9},{\"id\":1,\"a\":[3,1,2]}]",
                ["+ $[0] {\"id\":9}", "> $[1].a[0] from $[0].a[2] 3"]
            ),
            // A missing member is reported at the element's index in the actual value.
            (
                "[{\"id\":1,\"a\":[1,2]}]", "[{\"id\":9},{\"id\":1}]",
                ["+ $[0] {\"id\":9}", "- $[1].a [1,2]"]
            ),
            // Objects with an identifying member are paired by it.
            (
                "[{\"id\":1,\"n\":1},{\"id\":2,\"n\":2},{\"id\":3,\"n\":3}]",
                "[{\"id\":3,\"n\":3},{\"id\":1,\"n\":9},{\"id\":2,\"n\":2}]",
                ["~ $[1].n 1 9", "> $[0] from $[2] {\"id\":3,\"n\":3}"]
            ),
            (
                "[{\"id\":1,\"n\":1},{\"id\":2,\"n\":2}]", "[{\"id\":2,\"n\":0},{\"id\":1,\"n\":1}]",
                ["> $[1] from $[0] {\"id\":1,\"n\":1}", "~ $[0].n 2 0"]
            ),
            (
                "[{\"key\":\"a\",\"v\":1},{\"key\":\"b\",\"v\":2},{\"key\":\"c\",\"v\":3}]",
                "[{\"key\":\"a\",\"v\":0},{\"key\":\"c\",\"v\":0}]",
                ["~ $[0].v 1 0", "- $[1] {\"key\":\"b\",\"v\":2}", "~ $[1].v 3 0"]
            ),
            // The member must exist in all elements and be unique.
            (
                "[{\"id\":1,\"n\":1},{\"id\":1,\"n\":2}]", "[{\"id\":1,\"n\":1},{\"id\":1,\"n\":3}]",
                ["~ $[1].n 2 3"]
            ),
            ("[{\"id\":1},{\"id\":null}]", "[{\"id\":2},{\"id\":null}]", ["~ $[0].id 1 2"]),
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

    /// Arrays that are too long to align are compared index by index, in linear time.
    @Test func largeDifferentArrays() {
        let expected = (0..<20_000).map { JSONValue.number(JSONNumber($0)) }
        let actual = (0..<20_001).map { JSONValue.number(JSONNumber(-$0 - 1)) }
        let difference = JSONDifference(expected: .array(expected), actual: .array(actual))
        #expect(difference.changes.count == 20_001)
        #expect(difference.changes.last?.kind == .unexpected)
    }

    /// A few changes at both ends and in the middle of many elements, most of them not unique.
    @Test func fewChangesInALongArray() {
        let expected = (0..<10_000).map { JSONValue.number(JSONNumber($0 % 7)) }
        var actual = expected
        actual.insert("first", at: 0)
        actual.remove(at: 5_000)
        actual.append("last")
        #expect(
            JSONDifferenceTests.summary(.array(expected), .array(actual)) == [
                "+ $[0] \"first\"", "- $[4999] 1", "+ $[10000] \"last\"",
            ])
    }

    /// With this number of changes, only unique elements can be paired.
    @Test func manyChangesInALongArray() {
        let expected = (0..<10_000).map { JSONValue.string("\($0)") }
        let actual = expected.enumerated().flatMap { (index, value) -> [JSONValue] in
            index % 4 == 0 ? [value, "new"] : [value]
        }
        let difference = JSONDifference(expected: .array(expected), actual: .array(actual))
        #expect(difference.changes.count == 2_500)
        #expect(difference.changes.allSatisfy { $0.kind == .unexpected && $0.actual == "new" })
    }

    @Test func manyObjectsByTheirIdentity() {
        let expected = (0..<10_000).map { JSONValue.object(["id": .number(JSONNumber($0)), "n": 1]) }
        let actual = (0..<10_000).reversed().map {
            JSONValue.object(["id": .number(JSONNumber($0)), "n": $0 == 7 ? 2 : 1])
        }
        let changes = JSONDifference(expected: .array(expected), actual: .array(actual)).changes
        #expect(changes.count { $0.kind == .moved } == 9_999)
        #expect(changes.count { $0.kind == .changed } == 1)
        #expect(changes.count == 10_000)
    }

    /// Arrays that would take too long to align are compared nevertheless.
    @Test func manyLargeArraysOfFewValues() {
        var generator = SplitMix64(seed: 1)
        let make = { (generator: inout SplitMix64) in
            JSONValue.array(
                (0..<20).map { _ in
                    .array((0..<10_000).map { _ in .bool(Bool.random(using: &generator)) })
                })
        }
        let expected = make(&generator)
        let actual = make(&generator)
        #expect(!JSONDifference(expected: expected, actual: actual).isEmpty)
        #expect(JSONDifference(expected: expected, actual: expected).isEmpty)
    }

    /// In any alignment, equal values have no changes, unequal values have some, and each element occurs exactly once.
    @Test func changesAddUp() {
        var generator = SplitMix64(seed: 2)
        for round in 0..<2_000 {
            let kinds = round % 8 + 1
            let expected = JSONDifferenceTests.elements(kinds, round % 3 == 0, using: &generator)
            let actual = JSONDifferenceTests.elements(kinds, round % 3 == 0, using: &generator)
            let changes = JSONDifference(expected: .array(expected), actual: .array(actual)).changes
            #expect(changes.isEmpty == (expected == actual))
            let balance = changes.count { $0.kind == .unexpected } - changes.count { $0.kind == .missing }
            #expect(balance == actual.count - expected.count)
            for change in changes where change.kind == .moved {
                let (from, to) = (change.origin?.steps.last, change.location.steps.last)
                guard case .index(let origin) = from, case .index(let location) = to else {
                    Issue.record("a moved element must have two locations")
                    continue
                }
                #expect(expected[origin] == change.expected)
                #expect(actual[location] == change.actual)
            }
        }
    }

    private static func elements(
        _ kinds: Int, _ areObjects: Bool, using generator: inout SplitMix64
    ) -> [JSONValue] {
        (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            let number = JSONValue.number(JSONNumber(Int.random(in: 0...kinds, using: &generator)))
            return areObjects ? ["id": number, "v": .bool(Bool.random(using: &generator))] : number
        }
    }
}
