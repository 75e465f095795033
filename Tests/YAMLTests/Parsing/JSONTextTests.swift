import Diagnostics
import JSON
import Testing
import YAML

@Suite("Parsing JSON files")
struct JSONTextTests {
    private static func value(_ text: String) throws -> JSONValue {
        let reading = Reading(text)
        #expect(reading.rendered == "")
        return try reading.root.json
    }

    @Test(
        "Strings that are valid JSON but rejected by libyaml are parsed",
        arguments: [
            (#"{"a": "\ud83d\udc4d"}"#, "\u{1F44D}"), (#"{"a": "x\uD83D\uDC4Dy"}"#, "x\u{1F44D}y"),
            ("{\"a\": \"\u{7F}\u{81}\u{FFFE}\"}", "\u{7F}\u{81}\u{FFFE}"), (#"{"a": "\/\u0000\b"}"#, "/\u{0}\u{8}"),
            ("\u{FEFF}\n\t{\t\"a\":\t\"b\"\r\n}\n", "b"), (#"{"a":"é"}"#, "é"),
        ])
    func strings(text: String, expected: String) throws {
        #expect(try Self.value(text)["a"] == .string(expected))
    }

    @Test("A key may have any length")
    func longName() throws {
        let name = String(repeating: "k", count: 3_000)
        #expect(try Self.value("{\"\(name)\": [1]}")[name] == [1])
    }

    /// Returns the nodes with their types, texts and ranges.
    private static func outline(_ node: YAMLNode) -> [String] {
        let own = "\(location(node.range)) \(node.typeDescription) \(node.isFlow) \(node.scalar?.text ?? "")"
        let inner = node.sequence?.flatMap { outline($0) } ?? node.mapping?.flatMap { outline($0) + outline($1) } ?? []
        return [own] + inner
    }

    @Test("Nodes have the same values and locations as those of libyaml")
    func sameNodes() throws {
        let text = """
            {"a": [1, -2.50, 1E3, true, false, null, "x\\n\\u00e9", {}, []],
              "é日": {"<<": "b", "": "1",
                "c" : [ [ "👍" ] ] } , "~": "null"
            }
            """
        let json = Reading(text)
        // A comment is valid only in YAML.
        let yaml = Reading(text + " # YAML")
        #expect(json.rendered == "" && yaml.rendered == "")
        #expect(try Self.outline(json.root) == Self.outline(yaml.root))
        #expect(try json.root.json == yaml.root.json)
    }

    @Test("Parts of a string are located across surrogate pair escapes")
    func partsOfStrings() throws {
        let node = try #require(try Reading(##"{"a": "\ud83d\udc4d${x}"}"##).root["a"])
        #expect(location(node.range(ofText: 0..<1)) == "1:8-1:20")
        #expect(location(node.range(ofText: 1..<5)) == "1:20-1:24")
    }

    @Test("Problems have locations")
    func problems() {
        #expect(Reading("{\"\\ud83d\\udc4d\": 1,\n \"a\": 2, \"a\": 3}").problems == ["duplicate-key 2:10-2:13"])
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(Reading(deep).problems == ["too-deep 1:257-1:258"])
        #expect(Reading("[[1]]", limits: YAMLLimits(maximumDepth: 1)).documents.isEmpty)
    }

    @Test(
        "Invalid JSON in a JSON file is reported as such",
        arguments: [
            (#"{"a": "\ud83d"}"#, "invalid-json 1:8-1:9"), (#"{"a": "\x41", b: "\ud83d"}"#, "invalid-json 1:8-1:9"),
            ("{\"a\": \"\u{7}\"}", "invalid-json 1:8-1:9"),
        ])
    func notJSON(text: String, expected: String) {
        let problems = YAMLStream.parse(SourceFile(name: "a.JSON", text: text)).diagnostics
        #expect(problems.map { $0.id + " " + ($0.range.map { location($0) } ?? "") } == [expected], "\(problems)")
    }

    @Test("A surrogate pair escape in YAML is reported with the correct form")
    func pairInYAML() {
        #expect(Reading(#"a: "\ud83d\udc4d""#).diagnostics.map(\.suggestion) == [#"write it as \U0001F44D"#])
    }
}
