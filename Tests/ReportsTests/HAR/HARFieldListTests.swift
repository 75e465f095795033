import JSON
import RunModel
import Testing

@testable import Output
@testable import Reports

struct HARFieldListTests {
    private static func fields(_ texts: [(String, String)]) -> [HeaderField] {
        texts.map { HeaderField(name: $0.0, value: $0.1) }
    }

    /// Consecutive messages, each with something in common with the previous one.
    private static let messages: [[HeaderField]] = [
        fields([("Date", "1"), ("ETag", #""a""#), ("Content-Type", "text/plain")]),
        fields([("Date", "2"), ("ETag", #""a""#), ("Content-Type", "text/plain")]),
        fields([("Date", "2"), ("ETag", #""b""#), ("Content-Type", "text/plain")]),
        fields([("Date", "2"), ("ETag", #""b""#), ("Content-Type", "text/plain")]),
        fields([("Date", "22"), ("ETag", "b"), ("Content-Type", "text/html")]),
        fields([("Date", "22"), ("ETag", "b")]),
        fields([("Date", "22"), ("ETag", "b"), ("", ""), ("X", "")]),
        fields([("Date", "22"), ("ETag", "b"), ("", ""), ("X", "")]),
        fields([("Etag", "22"), ("ETag", "b"), ("X", ""), ("", "")]),
        [],
        [],
        fields([("X", "\u{E9}"), ("Y", "plain")]),
        // Visually the same, but not the same bytes.
        fields([("X", "e\u{301}"), ("Y", "plain")]),
        fields([("X", #"","value":""#), ("Y", "plain")]),
        fields([("X", #"\u{1B}"#), ("Y", "plain")]),
        fields([("Set-Cookie", "a=1"), ("Y", "plain"), ("location", "/x")]),
        fields([("Set-Cookie", "a=2"), ("Y", "plain"), ("LOCATION", "/x"), ("Set-Cookie", "b=1")]),
        fields([("Set-Cookip", "a=2"), ("Y", "plain"), ("LOCATION", "/x"), ("set-cookie", "b=1")]),
    ]

    @Test func theTextIsThatOfFieldsWrittenAnew() {
        var list = HARFieldList()
        for fields in Self.messages {
            var expected = JSONText()
            var json = JSONText()
            for field in fields { expected.pair(field.name, field.value) }
            _ = list.read(fields)
            list.write(fields, into: &json)
            #expect(String(decoding: json.bytes, as: UTF8.self) == String(decoding: expected.bytes, as: UTF8.self))
            #expect(json.bytes == expected.bytes)
        }
    }

    @Test func rolesAreThoseOfTheFieldsReadLast() {
        var list = HARFieldList()
        for fields in Self.messages {
            let header = list.read(fields)
            func index(_ name: String) -> Int? { fields.firstIndex { $0.isNamed(name) } }
            #expect(header.contentType == index("Content-Type"))
            #expect(header.location == index("Location"))
            #expect(header.setCookies == fields.indices.filter { fields[$0].isNamed("Set-Cookie") })
            #expect(header.cookies == [])
            let size = fields.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
            #expect(header.size == size)
            var json = JSONText()
            list.write(fields, into: &json)
        }
    }

    static let names: [(String, HARHeader.Role)] = [
        ("cookie", .cookie), ("Cookie", .cookie), ("Location", .location), ("SET-COOKIE", .setCookie),
        ("content-Type", .contentType), ("Content-Length", .contentLength), ("Content-Encoding", .contentEncoding),
        ("Set\u{D}Cookie", .other), ("Cookies", .other), ("", .other), ("Lokation", .other),
    ]

    @Test(arguments: names)
    func role(_ name: String, _ role: HARHeader.Role) {
        var name = name
        name.withUTF8 { #expect(HARHeader.role(of: $0) == role) }
    }
}
