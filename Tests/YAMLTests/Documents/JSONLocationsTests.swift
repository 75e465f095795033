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
        var index = try #require(JSONLocationIndex(bytes))
        let indexed = try #require(index.location(of: try JSONPointer(pointer).tokens))
        #expect(indexed.key == location.key && indexed.value == location.value)
    }

    @Test(arguments: ["/b", "/a/3", "/a/x", "/a/0/b", "/e/f/g", "/a/-1"])
    func nothing(pointer: String) throws {
        #expect(JSONLocations(Array(Self.text.utf8)).location(of: try JSONPointer(pointer).tokens) == nil)
        var index = try #require(JSONLocationIndex(Array(Self.text.utf8)))
        #expect(index.location(of: try JSONPointer(pointer).tokens) == nil)
    }

    @Test(arguments: ["", " ", "7", " [", "{", #"{"a"#, #"{"a":"#, #"{"a": "b\"#])
    func brokenTexts(text: String) {
        // Only valid texts are supported, but others must not cause a crash.
        _ = JSONLocations(Array(text.utf8)).location(of: ["a"])
        _ = JSONLocations(Array(text.utf8)).location(of: ["0"])
        _ = JSONLocations(Array(text.utf8)).location(of: [])
        for tokens in [["a"], ["0"], []] {
            var index = JSONLocationIndex(Array(text.utf8))
            _ = index?.location(of: tokens)
        }
    }

    @Test("Large arrays and objects have the same locations as small ones, and names are equal by their bytes")
    func largeCollections() throws {
        let names = (0..<40).map { "n\($0)" } + [#"\u00e9"#, "e\u{301}", "n7"]
        let members = names.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
        let text = "{\"array\": [\((0..<50).map(String.init).joined(separator: ","))], \"object\": {\(members)}}"
        let bytes = Array(text.utf8)
        var index = try #require(JSONLocationIndex(bytes))
        func value(_ tokens: [String]) -> String? {
            index.location(of: tokens).map { String(decoding: bytes[$0.value], as: UTF8.self) }
        }
        for element in ["0", "15", "16", "17", "49"] { #expect(value(["array", element]) == element) }
        for element in ["-1", "50", "x", "9999999999"] { #expect(value(["array", element]) == nil) }
        for (name, number) in [("n0", "0"), ("n7", "7"), ("n16", "16"), ("n39", "39"), ("é", "40")] {
            #expect(value(["object", name]) == number)
        }
        #expect(value(["object", "e\u{301}"]) == "41")
        #expect(value(["object", "n40"]) == nil)
        let key = index.location(of: ["object", "é"])?.key
        #expect(key.map { String(decoding: bytes[$0], as: UTF8.self) } == #""\u00e9""#)
    }

    @Test("The work of many lookups grows with their number and the size of the text, not with their product")
    func manyLookups() throws {
        let count = 20_000
        let members = (0..<count).map { "\"n\($0)\":{}" }.joined(separator: ",")
        let elements = [String](repeating: #"{"a":1}"#, count: count).joined(separator: ",")
        let text = "{\"array\":[\(elements)],\"o\":{\(members)}}"
        var index = try #require(JSONLocationIndex(Array(text.utf8)))
        for number in 0..<count {
            #expect(index.location(of: ["array", String(number), "a"]) != nil)
            #expect(index.location(of: ["o", "n\(number)"]) != nil)
        }
        #expect(index.visitedCount < 60 * count)
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
