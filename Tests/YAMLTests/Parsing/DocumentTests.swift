import Diagnostics
import JSON
import Testing
import YAML

@Suite struct DocumentTests {
    @Test(
        arguments: [
            ("", []), ("\n\n", []), ("# only\n# comments\n", []), ("\u{FEFF}", []), ("  \n", []),
            ("a\n", ["\"a\""]), ("a: 1\n---\nb: 2\n", ["{\"a\":1}", "{\"b\":2}"]),
            ("--- 1\n--- 2\n...\n# c\n", ["1", "2"]), ("---\n", ["null"]), ("---\n---\na\n", ["null", "\"a\""]),
            ("%YAML 1.2\n---\na: 1\n", ["{\"a\":1}"]),
            ("%TAG ! tag:yaml.org,2002:\n---\na: !str 1\n", ["{\"a\":\"1\"}"]),
            ("{\"a\":1,\"b\":[true,null]}", ["{\"a\":1,\"b\":[true,null]}"]),
            ("\u{FEFF}a: 1\r\nb: 2\r\n", ["{\"a\":1,\"b\":2}"]),
            ("? a\n: b\n", ["{\"a\":\"b\"}"]), ("[a: 1]", ["[{\"a\":1}]"]), ("- - 1\n  - 2\n- 3", ["[[1,2],3]"]),
            ("a: [\n  1,\n]\n", ["{\"a\":[1]}"]), ("{a, b: }", ["{\"a\":null,\"b\":null}"]),
        ] as [(String, [String])])
    func documentsAreRead(text: String, documents: [String]) {
        let reading = Reading(text)
        #expect(reading.rendered == "")
        #expect(reading.documents.map { $0.json.serialized() } == documents)
    }

    @Test func documentsBeforeAnErrorAreKept() {
        let reading = Reading("a: 1\n---\nb: 2\n---\nc: [\n")
        #expect(reading.documents.map { $0.json.serialized() } == ["{\"a\":1}", "{\"b\":2}"])
        #expect(reading.problems == ["unclosed-bracket 5:4-5:5"])
    }

    @Test func anchorsBelongToTheirDocument() {
        #expect(Reading("a: &x 1\n---\nb: *x\n").problems == ["undefined-alias 3:4-3:6"])
    }

    @Test(
        arguments: [
            ("a: &x 1\nb: *x\n", "{\"a\":1,\"b\":1}"),
            ("a: &x [1, {b: 2}]\nc: [*x, *x]\n", "{\"a\":[1,{\"b\":2}],\"c\":[[1,{\"b\":2}],[1,{\"b\":2}]]}"),
            ("a: &x 1\nb: &x 2\nc: *x\n", "{\"a\":1,\"b\":2,\"c\":2}"),
            ("a: &x [&x 1, *x]\nb: *x\n", "{\"a\":[1,1],\"b\":1}"),
            ("a: &x k\n*x : 1\n", "{\"a\":\"k\",\"k\":1}"),
            ("a: &x\nb: *x\n", "{\"a\":null,\"b\":null}"),
            ("- &x\n  a: 1\n- *x\n", "[{\"a\":1},{\"a\":1}]"),
        ] as [(String, String)])
    func aliasesAreResolved(text: String, json: String) throws {
        let reading = Reading(text)
        #expect(reading.rendered == "")
        #expect(try reading.root.json.serialized() == json)
    }

    /// The value of `m`, where `a` and `b` are anchored mappings.
    @Test(
        arguments: [
            ("{<<: *a}", "{\"x\":1,\"y\":2}"),
            ("{<<: *a, z: 9}", "{\"x\":1,\"y\":2,\"z\":9}"),
            ("{z: 9, <<: *a}", "{\"z\":9,\"x\":1,\"y\":2}"),
            ("{<<: *a, x: 9}", "{\"y\":2,\"x\":9}"),
            ("{x: 9, <<: *a}", "{\"x\":9,\"y\":2}"),
            ("{<<: [*a, *b]}", "{\"x\":1,\"y\":2,\"z\":4}"),
            ("{<<: [*b, *a]}", "{\"y\":3,\"z\":4,\"x\":1}"),
            ("{<<: [*b, *a], y: 0}", "{\"z\":4,\"x\":1,\"y\":0}"),
            ("{<<: {q: 1}}", "{\"q\":1}"),
            ("{<<: {<<: *a, q: 1}}", "{\"x\":1,\"y\":2,\"q\":1}"),
            ("{<<: []}", "{}"),
            ("{<<: [*a, {x: 5, w: 6}]}", "{\"x\":1,\"y\":2,\"w\":6}"),
            ("{'<<': 1}", "{\"<<\":1}"),
            ("{!!str <<: 1}", "{\"<<\":1}"),
            ("{k: <<}", "{\"k\":\"<<\"}"),
        ] as [(String, String)])
    func mergeKeysAreApplied(text: String, json: String) throws {
        let reading = Reading("a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nm: \(text)\n")
        #expect(reading.rendered == "")
        #expect(try reading.root["m"]?.json.serialized() == json)
    }

    @Test func mergedMapsOfEverySizeFindTheirKeys() throws {
        let base = (0..<40).map { "  key\($0): \($0)\n" }.joined()
        let root = try Reading("a: &a\n\(base)m:\n  <<: *a\n  key7: x\n").root
        let map = try #require(root["m"])
        #expect(map.mapping?.count == 40)
        #expect(map["key7"]?.scalar?.text == "x")
        #expect(map["key39"]?.scalar?.text == "39")
        #expect(map["<<"] == nil)
    }
}
