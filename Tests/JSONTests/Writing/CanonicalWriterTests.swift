import JSON
import Testing

struct CanonicalWriterTests {
    /// The examples of RFC 8785, sections 3.2.2 and 3.2.3, and others.
    @Test(arguments: [
        (
            """
            {"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
             "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
             "literals": [null, true, false]}
            """,
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"\u{20AC}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
        ),
        (
            """
            {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
             "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
             "\\u00f6": "Latin Small Letter O With Diaeresis"}
            """,
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\","
                + "\"\u{F6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20AC}\":\"Euro Sign\","
                + "\"\u{1F600}\":\"Emoji: Grinning Face\",\"\u{FB33}\":\"Hebrew Letter Dalet With Dagesh\"}"
        ),
        ("[1, 1.0, 1e0, 10e-1]", "[1,1,1,1]"), (" { \"b\" : [ ] , \"a\" : { } } ", "{\"a\":{},\"b\":[]}"),
        ("\"\\u0000\\u001f\\u007f\\u2028\"", "\"\\u0000\\u001f\u{7F}\u{2028}\""),
    ])
    func examples(_ text: String, _ canonical: String) throws {
        let bytes = try JSONValue(parsing: text).canonicalBytes()
        #expect(String(decoding: bytes, as: UTF8.self) == canonical)
        #expect(try JSONValue(parsing: bytes).canonicalBytes() == bytes)
    }

    /// RFC 8785, appendix B: doubles by their bits.
    @Test(
        arguments: [
            (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
            (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
            (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
            (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
            (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
            (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
            (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
            (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
            (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
            (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
        ] as [(UInt64, String)])
    func numbers(_ bits: UInt64, _ literal: String) throws {
        let number = try #require(JSONNumber(Double(bitPattern: bits)))
        #expect(String(decoding: try JSONValue.number(number).canonicalBytes(), as: UTF8.self) == literal)
    }

    @Test func aNumberBeyondTheRangeOfDoubles() throws {
        let value = try JSONValue(parsing: "{\"a\": [1, -1e400]}")
        let error = try #require(throws: JSONCanonicalizationError.self) { try value.canonicalBytes() }
        #expect(
            error.description
                == "$.a[1]: -1e400 has no canonical form because it exceeds the range of a double; write it as a string"
        )
    }
}
