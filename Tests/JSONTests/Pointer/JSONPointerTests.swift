import Basics
import JSON
import Testing

struct JSONPointerTests {
    /// The document of RFC 6901, section 5.
    static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        arguments: [
            ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2),
            ("/e^f", 3),
            ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8), ("/foo/2", nil), ("/foo/-", nil),
            ("/foo/00", nil),
            ("/foo/-1", nil), ("/foo/99999999999999999999", nil), ("/foo/bar", nil), ("/none", nil), ("/a~1b/x", nil),
            ("/foo/", nil),
        ] as [(String, JSONValue?)])
    func evaluation(_ text: String, _ expected: JSONValue?) throws {
        let pointer = try JSONPointer(text)
        #expect(pointer.evaluate(in: JSONPointerTests.document) == expected)
        #expect(pointer.description == text)
    }

    @Test(arguments: [
        ("foo", 0, "a non-empty JSON Pointer must start with \"/\""),
        ("/a~", 2, "\"~\" must be followed by \"0\" (for \"~\") or \"1\" (for \"/\")"),
        ("/\u{E9}~2", 2, "\"~\" must be followed by \"0\" (for \"~\") or \"1\" (for \"/\")"),
    ])
    func problems(_ text: String, _ offset: Int, _ message: MessageText) throws {
        let error = try #require(throws: JSONPointerError.self) { try JSONPointer(text) }
        #expect(error == JSONPointerError(message: message, offset: offset))
    }

    @Test(arguments: [
        ("", []), ("/foo/0", ["foo", "0"]), ("/a~1b", ["a/b"]), ("/c%25d", ["c%d"]), ("/k%22l", ["k\"l"]),
        ("/%20", [" "]),
        ("/%C3%A9", ["\u{E9}"]), ("/%7E01", ["~1"]),
    ])
    func uriFragments(_ text: String, _ tokens: [String]) throws {
        #expect(try JSONPointer(uriFragment: text).tokens == tokens)
    }

    @Test(arguments: ["/%", "/%2", "/%zz", "/%FF", "a"])
    func badFragments(_ text: String) {
        #expect(throws: JSONPointerError.self) { try JSONPointer(uriFragment: text) }
    }

    @Test func locationOfABadEscape() throws {
        let error = try #require(throws: JSONPointerError.self) { try JSONPointer(uriFragment: "/%C3%A9\u{E9}%4") }
        #expect(error.offset == 8)
        #expect(error.message == "\"%\" must be followed by two hexadecimal digits")
    }

    @Test func appendingEscapes() {
        #expect(JSONPointer().appending("a/b~").appending(3).description == "/a~1b~0/3")
    }
}
