import Basics
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

struct SnapshotComparisonTests {
    private func snapshot(_ body: JSONValue, status: Int = 200) -> Snapshot {
        Snapshot(status: status, contentType: "application/json", content: .json(body))
    }

    private func compared(_ actual: Snapshot, with stored: Snapshot) -> Finding? {
        SnapshotComparison(actual, with: stored).finding(
            name: "books", file: SnapshotComparison.File(path: "books.snap", bytes: stored.serialized()),
            SnapshotExpectation(range: Fixture.range()))
    }

    @Test(
        arguments: [
            // The number of a value has no meaning.
            (["<uuid 1>", "<uuid 2>"], ["<uuid 2>", "<uuid 7>"], true),
            (["<uuid 1>", "<uuid 2>"], ["<uuid 2>", "<uuid 1>"], true),
            // The equality of values does.
            (["<uuid 1>", "<uuid 1>"], ["<uuid 1>", "<uuid 2>"], false),
            (["<uuid 1>", "<uuid 2>"], ["<uuid 1>", "<uuid 1>"], false),
            (["<uuid 1>"], ["<dateTime 1>"], false), (["<uuid 1>"], ["x"], false), (["x"], ["<uuid 1>"], false),
            (["/a/<uuid 1>/<uuid 2>"], ["/a/<uuid 4>/<uuid 3>"], true),
            (["/a/<uuid 1>/<uuid 1>"], ["/a/<uuid 4>/<uuid 3>"], false),
            ([["a": "<uuid 1>", "b": "<uuid 2>"]], [["b": "<uuid 1>", "a": "<uuid 2>"]], true),
            ([1.0], [1], true), (["1"], [1], false),
        ] as [(JSONValue, JSONValue, Bool)])
    func numbersOfPlaceholders(_ stored: JSONValue, _ actual: JSONValue, _ isEqual: Bool) {
        #expect(SnapshotComparison(snapshot(actual), with: snapshot(stored)).isEqual == isEqual)
        #expect((compared(snapshot(actual), with: snapshot(stored)) == nil) == isEqual)
    }

    @Test func whatIsInsertedGetsANewNumber() {
        let stored = snapshot(["b": "<uuid 1>", "c": ["<uuid 2>", "<uuid 1>"]])
        let actual = snapshot(["a": "<uuid 1>", "b": "<uuid 2>", "c": ["<uuid 3>", "<uuid 2>", "<uuid 4>"]])
        let comparison = SnapshotComparison(actual, with: stored)
        #expect(
            comparison.actual
                == snapshot(["a": "<uuid 3>", "b": "<uuid 1>", "c": ["<uuid 2>", "<uuid 1>", "<uuid 4>"]]))
        #expect(compared(actual, with: stored)?.message == "2 differences from the snapshot")
    }

    @Test(
        arguments: [
            (["<uuid 1>": ["n": 1], "<uuid 2>": ["n": 2]], ["<uuid 1>": ["n": 2], "<uuid 2>": ["n": 1]], []),
            (
                ["<uuid 1>": ["n": 1], "<uuid 2>": ["n": 2], "x": 1],
                ["<uuid 1>": ["n": 2], "<uuid 2>": ["n": 1], "x": 2],
                ["$.x: expected 1 (integer), got 2 (integer)"]
            ),
            // The most similar member is the one that changed.
            (
                ["<uuid 1>": ["n": 1, "t": "a"], "<uuid 2>": ["n": 2, "t": "b"], "<uuid 3>": ["n": 3]],
                ["<uuid 1>": ["n": 9, "t": "b"], "<uuid 2>": ["n": 3], "<uuid 3>": ["n": 1, "t": "a"]],
                [#"$['<uuid 2>'].n: expected 2 (integer), got 9 (integer)"#]
            ),
            // The rest of the name matters, and so does the equality of values.
            (["to <uuid 1>": 1], ["<uuid 1>": 1], nil), (["<uuid 1>": "<uuid 1>"], ["<uuid 1>": "<uuid 2>"], nil),
            (["<uuid 1>": 1, "<uuid 2>": 1], ["<uuid 1>": 1], nil),
        ] as [(JSONValue, JSONValue, [String]?)])
    func namesWithPlaceholders(_ stored: JSONValue, _ actual: JSONValue, _ messages: [String]?) {
        let finding = compared(snapshot(actual), with: snapshot(stored))
        if let messages {
            #expect(finding.map { [$0.message] } ?? [] == messages)
        } else {
            #expect(finding != nil)
        }
    }

    @Test func manyNamesWithPlaceholdersTakeLittleTime() {
        func body(_ change: Int) -> JSONValue {
            var object = JSONObject()
            for index in 0..<5_000 { object["<uuid \(index + 1)>"] = ["next": .string("<uuid \(index + 2)>")] }
            object["x"] = .number(JSONNumber(change))
            return .object(object)
        }
        #expect(compared(snapshot(body(1)), with: snapshot(body(2)))?.message.hasPrefix("$.x") == true)
    }

    @Test func oneDifferenceIsTheMessage() throws {
        let finding = try #require(
            compared(snapshot(["title": "Emma", "id": 1]), with: snapshot(["id": 1, "title": "Dune"])))
        #expect(finding.subject == "snapshot books")
        #expect(finding.type == .snapshot)
        #expect(finding.message == #"$.title: expected "Dune" (string), got "Emma" (string)"#)
        #expect(finding.expected == "Dune")
        #expect(finding.actual == "Emma")
        #expect(
            finding.details == [
                "the snapshot is books.snap:6; if the response is correct, update it with --update-snapshots"
            ])
    }

    @Test func severalDifferencesAreListed() throws {
        let finding = try #require(
            compared(snapshot(["a": 1, "c": 3], status: 201), with: snapshot(["a": 2, "b": 2])))
        #expect(finding.message == "4 differences from the snapshot")
        #expect(
            finding.details == [
                "status: expected 200, got 201", "$.a: expected 2 (integer), got 1 (integer)", "- missing $.b: 2",
                "+ unexpected $.c: 3",
                "the snapshot is books.snap:2; if the response is correct, update it with --update-snapshots",
            ])
        #expect(finding.expected == ["a": 2, "b": 2])
        #expect(finding.actual == ["a": 1, "c": 3])
    }

    @Test func manyDifferencesAreCounted() throws {
        let stored = snapshot(.array((0..<100).map { .array([.number(JSONNumber($0))]) }))
        let actual = snapshot(.array((0..<100).map { .array([.number(JSONNumber($0 + 1_000))]) }))
        let finding = try #require(compared(actual, with: stored))
        #expect(finding.message == "100 differences from the snapshot")
        #expect(finding.details.count == 22)
        #expect(finding.details[20] == "… and 80 more differences")
    }

    @Test(
        arguments: [
            ("a\nb\nc", "a\nx\nc", "line 2: expected \"b\" (string), got \"x\" (string)", [], 5),
            ("a\nb\nc", "a\nc", "the text first differs at line 2", ["- b"], 5),
            ("a\nc", "a\nb\nb2\nc", "the text first differs at line 2", ["+ b", "+ b2"], 5),
            ("a", "a\n", "the text first differs at line 2", ["+ "], 5),
            ("", "x", "line 1: expected \"\" (string), got \"x\" (string)", [], 4),
        ] as [(String, String, String, [String], Int)])
    func texts(_ stored: String, _ actual: String, _ message: String, _ details: [String], _ line: Int) throws {
        func text(_ text: String) -> Snapshot { Snapshot(status: 200, contentType: "text/plain", content: .text(text)) }
        let finding = try #require(compared(text(actual), with: text(stored)))
        #expect(finding.message == message)
        #expect(
            finding.details.map(\.text) == details + [
                "the snapshot is books.snap:\(line); if the response is correct, update it with --update-snapshots"
            ])
    }

    @Test func longTextsAreCut() throws {
        let old = (0..<50).map { "old \($0)" }.joined(separator: "\n")
        let new = (0..<50).map { "new \($0)" }.joined(separator: "\n")
        let difference = LineDifference(expected: old, actual: new)
        #expect(difference.details.count == 22)
        #expect(difference.details[10] == "- … and 40 more lines")
        #expect(difference.details[21] == "+ … and 40 more lines")
    }

    @Test func bodiesOfDifferentKinds() throws {
        let stored = snapshot(["a": 1])
        let other = Snapshot(status: 500, contentType: "text/plain", content: .text("oops"))
        let finding = try #require(compared(other, with: stored))
        #expect(
            Array(finding.details.prefix(3)) == [
                "status: expected 200, got 500",
                #"contentType: expected "application/json" (string), got "text/plain" (string)"#,
                #"body: expected JSON, {"a":1}, got text, "oops""#,
            ])
    }
}
