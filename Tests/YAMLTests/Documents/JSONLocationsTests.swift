import Diagnostics
import JSON
import Testing

@testable import YAML

@Suite("Locations in JSON documents")
struct JSONLocationsTests {
    private static let text = #"""
        { "a" : [ 1, {"b":"x\"}" } , [] ],
          "c\u0064": -1.5e3, "e": { "f": { } , "~/": true}, "": null }
        """#

    @Test(arguments: [
        ("", nil, text), ("/a", #""a""#, #"[ 1, {"b":"x\"}" } , [] ]"#), ("/a/0", nil, "1"),
        ("/a/1", nil, #"{"b":"x\"}" }"#), ("/a/1/b", #""b""#, #""x\"}""#), ("/a/2", nil, "[]"),
        ("/cd", #""c\u0064""#, "-1.5e3"), ("/e/f", #""f""#, "{ }"), ("/e/~0~1", #""~/""#, "true"),
        ("/", #""""#, "null"),
    ])
    func locations(pointer: String, key: String?, value: String) throws {
        let bytes = Array(Self.text.utf8)
        let location = try #require(JSONLocations(bytes).location(of: try JSONPointer(pointer).tokens))
        #expect(location.key.map { String(decoding: bytes[$0], as: UTF8.self) } == key)
        #expect(String(decoding: bytes[location.value], as: UTF8.self) == value)
        let indexed = try #require(JSONLocationIndex(bytes)?.location(of: try JSONPointer(pointer).tokens))
        #expect(indexed.key == location.key && indexed.value == location.value)
    }

    @Test(arguments: ["/b", "/a/3", "/a/x", "/a/0/b", "/e/f/g", "/a/-1"])
    func nothing(pointer: String) throws {
        #expect(JSONLocations(Array(Self.text.utf8)).location(of: try JSONPointer(pointer).tokens) == nil)
        let index = try #require(JSONLocationIndex(Array(Self.text.utf8)))
        #expect(index.location(of: try JSONPointer(pointer).tokens) == nil)
    }

    @Test(arguments: ["", " ", "7", " [", "{", #"{"a"#, #"{"a":"#, #"{"a": "b\"#])
    func brokenTexts(text: String) {
        // Only valid texts are supported, but others must not cause a crash.
        _ = JSONLocations(Array(text.utf8)).location(of: ["a"])
        _ = JSONLocations(Array(text.utf8)).location(of: ["0"])
        _ = JSONLocations(Array(text.utf8)).location(of: [])
        for tokens in [["a"], ["0"], []] { _ = JSONLocationIndex(Array(text.utf8))?.location(of: tokens) }
    }

    @Test("A document finds the same location however many are requested")
    func document() throws {
        let file = SourceFile(name: "a.json", text: Self.text)
        guard case .document(let document) = LocatedDocument.read(file) else {
            Issue.record("expected a document")
            return
        }
        let locations = (0..<10).map { _ in document.location(of: ["a", "1", "b"])?.start }
        #expect(Set(locations).count == 1 && locations[0]?.column == 19)
    }
}
