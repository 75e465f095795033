import Testing

@testable import Reports

struct BodyExcerptTests {
    @Test(
        arguments: [
            (#"{ "id": 7,  "s": "a b" }"#, "application/json", #"{"id":7,"s":"a b"}"#),
            (#"[1.10, 1e400, "\u00e9\/"]"#, "application/problem+json", #"[1.10,1e400,"\u00e9\/"]"#),
            (#"{"a" : "un\"closed"#, nil, #"{"a" : "un\"closed"#),
            (#"{"a" : 1,}"#, "application/json", #"{"a" : 1,}"#),
            (#"{ "id": ***, "token": "***" }"#, "application/json", #"{"id":***,"token":"***"}"#),
            (#"{ "id": 1***2 }"#, "application/json", #"{"id":1***2}"#),
            ("hello\r\n", "text/plain", "hello"),
            ("a\tb", "text/plain", "a    b"),
            ("red \u{1B}[31m\u{7}\u{9B}2J\u{202E}", "text/plain", #"red \x1B[31m\x07\x9B2J\u202E"#),
            (#"{"a":"\#u{1B}[2J"}"#, "application/json", #"{"a":"\x1B[2J"}"#),
            ("a=1&b=2", "application/x-www-form-urlencoded", "a=1&b=2"),
            ("42", "application/json", "42"),
        ] as [(String, String?, String)])
    func oneLine(body: String, type: String?, expected: String) {
        #expect(BodyExcerpt(Array(body.utf8), contentType: type).oneLine(width: 60) == expected)
    }

    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0, 1], "image/png", "6 B of binary data: 89 50 4E 47 00 01"),
            ([0x80, 0x81], nil, "2 B of binary data: 80 81"),
            ([0x61, 0x80], "text/plain; charset=utf-8", "a\u{FFFD}"),
            (
                [UInt8](repeating: 0xFF, count: 20), "text",
                "20 B of binary data: FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF …"
            ),
        ] as [([UInt8], String?, String)])
    func bytes(body: [UInt8], type: String?, expected: String) {
        #expect(BodyExcerpt(body, contentType: type).oneLine(width: 100) == expected)
    }

    @Test func longJSONIsLaidOut() {
        let body = #"{"id":7,"tags":["a","b"],"empty":{},"nested":{"name":"a long name that does not fit","n":1.10}}"#
        let lines = BodyExcerpt(Array(body.utf8), contentType: "application/json").lines(width: 40, limit: 20)
        #expect(
            lines == [
                "{", #"  "id": 7,"#, #"  "tags": ["a","b"],"#, #"  "empty": {},"#, #"  "nested": {"#,
                #"    "name": "a long name that does not …"#, #"    "n": 1.10"#, "  }", "}",
            ])
    }

    @Test func linesAreLimited() {
        let json = "[" + (0..<50_000).map { #"{"id": \#($0), "title": "book"}"# }.joined(separator: ",") + "]"
        let lines = BodyExcerpt(Array(json.utf8), contentType: "application/json").lines(width: 80, limit: 3)
        #expect(lines == ["[", #"  {"id":0,"title":"book"},"#, #"  {"id":1,"title":"book"},"#, "… 1.5 MB total"])
        let text = BodyExcerpt(Array("a\nb\n\nc\n\n".utf8), contentType: nil)
        #expect(text.lines(width: 80, limit: 4) == ["a", "b", "", "c"])
        #expect(text.lines(width: 80, limit: 2) == ["a", "b", "… 8 B total"])
        #expect(text.oneLine(width: 80) == nil)
    }

    @Test(arguments: [
        ("[\n1,\n2\n]", "application/json", 4), ("a\nb\nc\nd", "text/plain", 4),
        ("{\n  \"a\": 1,\n}\n", "application/json", 3),
    ])
    func aLastLineTakesThePlaceOfTheSize(body: String, type: String, count: Int) {
        // JSON is laid out in a column that is too narrow for more than one value per line.
        let width = type == "text/plain" ? 80 : 3
        let all = BodyExcerpt(Array(body.utf8), contentType: type).lines(width: width, limit: 20)
        #expect(all.count == count)
        #expect(BodyExcerpt(Array(body.utf8), contentType: type).lines(width: width, limit: count - 1) == all)
        let cut = BodyExcerpt(Array(body.utf8), contentType: type).lines(width: 20, limit: count - 2)
        if type == "text/plain" { #expect(cut == Array(all.prefix(count - 2)) + ["… 7 B total"]) }
    }

    @Test func whatIsNoJSONIsShownAsItCame() {
        let body = Array("{\n  \"a\":   1,\n}\n".utf8)
        let excerpt = BodyExcerpt(body, contentType: "application/json")
        #expect(excerpt.lines(width: 40, limit: 5) == ["{", "  \"a\":   1,", "}"])
        #expect(excerpt.oneLine(width: 40) == nil)
    }

    @Test func theSizeIsTheOneBeforeMasking() {
        let body = Array("a\nb\nc\nd".utf8)
        #expect(BodyExcerpt(body, contentType: nil, size: 99).lines(width: 80, limit: 1) == ["a", "… 99 B total"])
        #expect(BodyExcerpt([0], contentType: nil, size: 99).oneLine(width: 80) == "99 B of binary data: 00 …")
    }

    @Test func deepAndUnendingJSON() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(BodyExcerpt(deep, contentType: "application/json").lines(width: 80, limit: 5).count == 6)
        let string = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000)
        let lines = BodyExcerpt(string, contentType: "application/json").lines(width: 20, limit: 5)
        #expect(lines == ["\"xxxxxxxxxxxxxxxxxx…", "… 10 MB total"])
        #expect(BodyExcerpt([0x22, 0x5C], contentType: "application/json").oneLine(width: 9) == #""\"#)
    }
}
