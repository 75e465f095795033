import Basics
import JSON
import Testing

@testable import Expectations

struct ShapeInferenceTests {
    private static func schema(_ texts: [String]) throws -> String {
        var observation = ShapeObservation()
        for text in texts { observation.add(try JSONValue(parsing: Array(text.utf8))) }
        return observation.shape.schema.serialized()
    }

    @Test(arguments: [
        (["1"], #"{"type":"integer"}"#),
        (["1", "2.5"], #"{"type":"number"}"#),
        (["10.0"], #"{"type":"number"}"#),
        (["12345678901234567890"], #"{"type":"integer"}"#),
        (["true", "null"], #"{"type":["boolean","null"]}"#),
        ([#""a""#, "1"], #"{"type":["string","integer"]}"#),
        (["{}"], #"{"type":"object"}"#),
        (["[]"], #"{"type":"array"}"#),
        (["[]", "[1]"], #"{"type":"array","items":{"type":"integer"}}"#),
        (["[1,null]"], #"{"type":"array","items":{"type":["integer","null"]}}"#),
        (
            [#"{"id":1,"name":"a"}"#, #"{"id":2}"#],
            #"{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"name":{"type":"string"}}}"#
        ),
        (
            [#"{"b":1}"#, #"{"a":1}"#],
            #"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}"#
        ),
    ])
    func infersTypes(texts: [String], expected: String) throws {
        #expect(try Self.schema(texts) == expected)
    }

    @Test(
        arguments: [
            ("2026-11-22", "date"), ("2026-11-22T03:04:05Z", "date-time"),
            ("2026-11-22T03:04:05.123+01:00", "date-time"),
            ("0f0f2f5c-6a0e-4a58-9f0e-3f1d8f2f5c6a", "uuid"), ("ada@example.org", "email"),
            ("https://example.org/books?page=2", "uri"), ("10.0.0.1", "ipv4"), ("fe80::1", "ipv6"), ("::1", "ipv6"),
            ("2026-02-30", nil), ("2026-11-22 03:04:05", nil), ("2026-11-22T03:04:05", nil), ("ada@home", nil),
            ("urn:isbn:1", nil), ("12:30", nil), ("1.2.3", nil), ("", nil), ("a b@example.org", nil),
            ("é@example.org", nil),
            ("10.0.0.256", nil), ("2026-11-22T03:04:05+0100", nil),
        ] as [(String, String?)])
    func recognizesFormats(text: String, format: String?) {
        #expect(ShapeFormat(of: text)?.rawValue == format)
    }

    @Test func aFormatIsOneThatAllHave() throws {
        #expect(try Self.schema([#""2026-11-22""#, #""2026-11-23""#]) == #"{"type":"string","format":"date"}"#)
        #expect(try Self.schema([#""2026-11-22""#, #""today""#]) == #"{"type":"string"}"#)
        #expect(try Self.schema([#""2026-11-22""#, #""""#, #""2026-11-22""#]) == #"{"type":"string"}"#)
        #expect(try Self.schema([#""2026-11-22""#, "null"]) == #"{"type":["string","null"],"format":"date"}"#)
    }

    @Test(arguments: [
        (["open", "closed"], 20, true), (["open", "closed"], 19, false), (["EUR", "USD", "GBP"], 30, true),
        (["in-progress", "done", "v1"], 30, true), (["EUR"], 100, false), (["Ada", "Bob"], 100, false),
        (["a b", "c d"], 100, false), (["id-1001", "id-1002"], 100, false), (["7", "8"], 100, false),
        (["one", "two", "three", "four", "five"], 24, false), (["one", "two", "three", "four", "five"], 25, true),
        (["a", "b", "c", "d", "e", "f", "g", "h"], 100, true),
        (["a", "b", "c", "d", "e", "f", "g", "h", "i"], 100, false),
        (["", "open"], 100, false),
    ])
    func recognizesEnumerations(values: [String], samples: Int, isEnumeration: Bool) {
        var observation = ShapeObservation()
        for index in 0..<samples { observation.add(.string(values[index % values.count])) }
        #expect(observation.shape.text == (isEnumeration ? .values(Set(values)) : .free))
    }

    @Test func anEnumerationMayBeNullButNothingElse() throws {
        var texts = (0..<20).map { $0 % 2 == 0 ? #""open""# : #""closed""# }
        texts.append("null")
        #expect(try Self.schema(texts) == #"{"type":["string","null"],"enum":["closed","open",null]}"#)
        texts.append("1")
        #expect(try Self.schema(texts) == #"{"type":["string","integer","null"]}"#)
    }

    @Test(arguments: [
        (#"{"0f0f2f5c-6a0e-4a58-9f0e-3f1d8f2f5c6a":1}"#, true), (#"{"2026-11-22":1,"2026-11-23":2}"#, true),
        (#"{"1":1,"2":2,"3":3}"#, true), (#"{"1":1,"2":2}"#, false), (#"{"ord_10":1,"ord_11":1,"ord_12":1}"#, true),
        (#"{"line1":1,"line2":2,"line3":3}"#, false), (#"{"1":1,"2":2,"name":3}"#, false),
        (#"{"1":1,"2":"two","3":3}"#, false), (#"{"1":1,"2":null,"3":3}"#, true), ("{}", false),
        (#"{"01ARZ3NDEKTSV4RRFFQ69G5FAV":{"a":1}}"#, true), (#"{"internationalization":1}"#, false),
    ])
    func recognizesMaps(text: String, isMap: Bool) throws {
        let shape = Shape(of: try JSONValue(parsing: Array(text.utf8)))
        if case .map = shape.members { #expect(isMap) } else { #expect(!isMap) }
    }

    @Test(arguments: [
        (
            #"{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"n":{"type":"null"}}}"#,
            "object { id, n? }"
        ),
        (#"{"type":["array","null"],"items":{"type":"string","format":"uuid"}}"#, "array of string (uuid) or null"),
        (#"{"type":"string","enum":["a","b"]}"#, #"one of "a", "b""#),
        (#"{"type":"object","additionalProperties":{"type":"number"}}"#, "object with values of number"),
        ("{}", "anything"),
    ])
    func isReported(schema: String, phrase: String) throws {
        #expect(try Shape(schema: try JSONValue(parsing: Array(schema.utf8))).phrase.text == phrase)
    }

    @Test(arguments: [
        ("true", "", "expected a schema, which is a mapping"),
        (#"{"typ":"string"}"#, "typ", "unknown keyword \"typ\""),
        (#"{"format":"date"}"#, "", "missing key \"type\" in the schema"),
        (#"{"type":"text"}"#, "type", "unknown type; expected object, array, string, number, integer, boolean or null"),
        (#"{"type":[]}"#, "type", "the sequence of types is empty"),
        (#"{"type":"integer","format":"date"}"#, "format", #""format" is allowed only with the type string"#),
        (
            #"{"type":"string","format":"time"}"#, "format",
            "unknown format; expected date-time, date, uuid, email, uri, ipv4 or ipv6"
        ),
        (
            #"{"type":["string","integer"],"enum":["a"]}"#, "enum",
            "\"enum\" is allowed only with the type string, or string and null"
        ),
        (#"{"type":"string","enum":[1]}"#, "enum/0", "expected a string"),
        (#"{"type":"object","required":["a"]}"#, "required/0", "expected a name from \"properties\""),
        (
            #"{"type":"object","properties":{"a":{"type":"array","items":1}}}"#, "properties/a/items",
            "expected a schema, which is a mapping"
        ),
        (
            #"{"type":"object","properties":{},"additionalProperties":{}}"#, "additionalProperties",
            "\"additionalProperties\" cannot be combined with \"properties\" or \"required\""
        ),
    ])
    func saysWhatIsNoShape(schema: String, path: String, message: String) throws {
        let value = try JSONValue(parsing: Array(schema.utf8))
        let error = #expect(throws: ShapeSchemaError.self) { try Shape(schema: value) }
        #expect(error?.path.joined(separator: "/") == path)
        #expect(error?.message.text == message)
    }
}
