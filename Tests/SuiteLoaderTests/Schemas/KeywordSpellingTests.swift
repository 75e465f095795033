import JSON
import Testing

@testable import SuiteLoader

@Suite("Misspelled schema keywords")
struct KeywordSpellingTests {
    @Test(arguments: [
        (#"{ "requird": [] }"#, ["/requird → required"]),
        (#"{ "properties": { "requird": { "minimun": 1 } } }"#, ["/properties/requird/minimun → minimum"]),
        (
            #"{ "anyOf": [{}, { "addtionalProperties": false }] }"#,
            ["/anyOf/1/addtionalProperties → additionalProperties"]
        ),
        (#"{ "items": { "items": [{ "patern": "" }] } }"#, ["/items/items/0/patern → pattern"]),
        (#"{ "const": { "requird": 1 }, "enum": [{ "requird": 1 }], "default": { "requird": 1 } }"#, []),
        (#"{ "x-requird": 1, "owner": "shop", "tsType": "Book", "required": ["requird"] }"#, []),
        (#"{ "nullable": true, "discriminator": {}, "definitions": { "a": true }, "id": "x" }"#, []), ("true", []),
        ("[]", []),
    ])
    func slips(schema: String, expected: [String]) throws {
        let slips = KeywordSpelling.slips(in: try JSONValue(parsing: schema))
        #expect(slips.map { "\(JSONPointer(tokens: $0.tokens)) → \($0.nearest)" } == expected)
    }

    @Test("The number of reported misspellings is limited")
    func bound() {
        let members = (0..<100).map { ("requird\($0)", JSONValue.bool(true)) }
        let schema = JSONValue.object(JSONObject(members.map { ("\($0.0)", JSONValue.object(["properties": [:]])) }))
        #expect(KeywordSpelling.slips(in: schema).count <= 100)
    }
}
