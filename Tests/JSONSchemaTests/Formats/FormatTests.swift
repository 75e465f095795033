import JSON
import JSONSchema
import Testing

/// Tests of each format with valid and invalid strings.
struct FormatTests {
    /// Drafts 4 and 6 refer only to RFC 1034, which does not reserve hyphens.
    @Test(arguments: [
        (JSONSchemaDialect.draft4, true), (.draft6, true), (.draft7, false), (.draft201909, false),
        (.draft202012, false),
    ])
    func reservedLabels(dialect: JSONSchemaDialect, isValid: Bool) throws {
        let options = JSONSchemaOptions(dialect: dialect, assertsFormat: true)
        let schema = try JSONSchema(["format": "hostname"], options: options)
        for name in ["ab--cd.example", "xn--x", "a.xn--b"] { #expect(schema.isValid(.string(name)) == isValid) }
        for name in ["-a", "a_b", ""] { #expect(!schema.isValid(.string(name))) }
        let other = try JSONSchema(["format": "hostname of RFC 1034"], options: options)
        #expect(other.isValid("-"))
    }

    struct Table: Sendable, CustomTestStringConvertible {
        let format: String
        let valid: [String]
        let invalid: [String]
        var testDescription: String { format }
    }

    static let tables: [Table] = [
        Table(
            format: "date-time",
            valid: [
                "2026-11-21T16:30:00Z", "2026-11-21t16:30:00.123456789z", "1998-12-31T23:59:60Z",
                "1998-12-31T15:59:60.123-08:00", "1963-06-19T08:30:06+23:59", "2024-02-29T00:00:00-00:00",
            ],
            invalid: [
                "", "2026-11-21", "2026-11-21T16:30:00", "2026-11-21 16:30:00Z", "2026-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T16:60:00Z", "1998-12-31T23:58:60Z",
                "1998-12-31T22:59:60Z", "2026-11-21T16:30:00.Z", "2026-11-21T16:30:00+24:00",
                "2026-11-21T16:30:00+00:60",
                "2026-11-2\u{96B}T16:30:00Z", "2026-11-21T16:30Z", "2026-11-21T16:30:00+0100", "2026-11-21T16:30:00Z ",
            ]),
        Table(
            format: "date", valid: ["2026-11-21", "2024-02-29", "2000-02-29", "0000-01-01"],
            invalid: [
                "1900-02-29", "2026-04-31", "2026-00-10", "2026-1-10", "26-11-21", "2026-11-21Z", "20261121",
                "2026-W01",
                "-2026-11-21", "2026-11-00",
            ]),
        Table(
            format: "time", valid: ["16:30:00Z", "23:59:60Z", "01:29:60+01:30", "23:59:60.5z", "00:00:00.000+00:00"],
            invalid: ["16:30:00", "16:30Z", "24:00:00Z", "23:58:60Z", "16:30:61Z", "16:30:00,5Z", "+01:00", "1:30:00Z"]),
        Table(
            format: "duration",
            valid: ["P4DT12H30M5S", "P4Y", "PT0S", "P0D", "P1M", "PT1M", "PT36H", "P1DT12H", "P2W", "P1Y2M3DT4H5M6S"],
            invalid: [
                "", "P", "PT", "P1", "PT1D", "4DT12H", "P4DT", "P1D2H", "P2S", "P1Y2W", "P1W2D", "P1Y3D", "PT1H6S",
                "P1.5D",
                "P2D1Y", "p1D", "P\u{96B}Y",
            ]),
        Table(
            format: "email",
            valid: [
                "joe@example.com", "te.s+t~1@example.co", "\"joe bloggs\"@example.com", "\"joe\\\"@\"@example.com",
                "joe@[127.0.0.1]", "joe@[IPv6:::1]", "joe@localhost",
            ],
            invalid: [
                "", "joe", "joe@", "@example.com", ".joe@example.com", "joe.@example.com", "jo..e@example.com",
                "joe bloggs@example.com", "joe@-example.com", "joe@exa_mple.com", "joe@[127.0.0.300]",
                "j\u{F6}e@example.com",
                "joe@example..com", "joe@[fe80::1]", "\"joe@example.com", "joe@example.com\n",
            ]),
        Table(
            format: "idn-email",
            valid: ["joe@example.com", "\u{C2E4}\u{B840}@\u{C2E4}\u{B840}.\u{D14C}\u{C2A4}\u{D2B8}"],
            invalid: ["2962", "@\u{C2E4}", "joe@\u{302E}a"]),
        Table(
            format: "hostname",
            valid: ["www.example.com", "a", "1a.2", "xn--4gbwdl.xn--wgbh1c", String(repeating: "a", count: 63), "a-b"],
            invalid: [
                "", ".", "-a", "a-", "a_b", "a..b", "example.", ".example", String(repeating: "a", count: 64), "ab--cd",
                "xn--X", "xn--", "xn--a", "caf\u{E9}.fr", "a b",
                Array(repeating: String(repeating: "a", count: 63), count: 4).joined(separator: "."),
            ]),
        Table(
            format: "idn-hostname",
            valid: [
                "\u{C2E4}\u{B840}.\u{D14C}\u{C2A4}\u{D2B8}", "example.com", "b\u{FC}cher.de", "l\u{B7}l",
                "\u{375}\u{3B2}",
                "\u{5D0}\u{5F3}\u{5D1}", "a\u{30FB}\u{3042}", "\u{915}\u{94D}\u{200D}\u{937}",
                "\u{915}\u{94D}\u{200C}\u{937}",
                "a\u{3002}b", "\u{DF}\u{3C2}\u{F0B}\u{3007}", "\u{628}\u{660}",
            ],
            invalid: [
                "", "\u{302E}a", "a\u{302E}", "-\u{E9}", "\u{E9}-", "ab--\u{E9}", "\u{B7}l", "l\u{B7}", "a\u{B7}l",
                "\u{375}", "\u{375}S", "\u{5F3}\u{5D1}", "def\u{30FB}abc", "\u{30FB}", "\u{628}\u{660}\u{6F0}",
                "\u{915}\u{200D}\u{937}", "\u{200D}\u{937}", "B\u{DC}CHER.de", "\u{300}hello", "a..b", "\u{E9}_",
                String(repeating: "\u{E9}", count: 64), "\u{2615}",
            ]),
        Table(
            format: "ipv4", valid: ["192.0.2.1", "0.0.0.0", "255.255.255.255"],
            invalid: [
                "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1..2.3", "1.2.3.4 ", "0x7f.0.0.1", "1.2.3.4/24",
                "1.2.3.",
                "\u{967}.2.3.4",
            ]),
        Table(
            format: "ipv6",
            valid: [
                "::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1",
                "1::8", "::abCD",
            ],
            invalid: [
                "", ":", ":::", "1", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "1:2:3:4:5:6:7:",
                ":2:3:4:5:6:7:8",
                "fe80::1%eth0", "::g", "1:2:3:4:5:6:7::8", "::1.2.3", "1.2.3.4", "::1.2.3.4:1", "1:2:3:4:5:6:7:1.2.3.4",
                "1:::8",
            ]),
        Table(
            format: "uri",
            valid: [
                "http://foo.bar/?baz=qux#quux", "urn:oasis:names", "mailto:a@b.c", "ldap://[2001:db8::7]/c=GB?one",
                "http://user:pw@host:8080/a%20b", "a:", "http://[v1.a:b]/", "tel:+1-816-555-1212", "file:///etc",
            ],
            invalid: [
                "", "//foo.bar", "/abc", "abc", "http:// a", "http://a/%4", "http://a/<b>", "1http://a", ":a",
                "http://[::1",
                "http://a:b/", "http://\u{E9}.fr", "http://a\\b", "http://a/#b#c", "http://a/{b}",
                "http://[fe80::1%25a]",
            ]),
        Table(
            format: "uri-reference", valid: ["", "/abc", "abc", "//a/b", "#f", "?q", "http://a", "./a:b", "a/b:c"],
            invalid: ["\\\\a", "a:b:c\u{E9}", "1:2", "#\\", "a%zz", " "]),
        Table(
            format: "iri",
            valid: ["http://\u{192}\u{F8}\u{F8}.\u{DF}\u{E5}r/?\u{2202}=\u{3C0}#\u{3C0}", "http://a/?\u{E000}"],
            invalid: ["/abc", "\u{E2}", "http://a/\u{E000}", "http://2001:0db8::7334", "http://a/\u{FFFF}"]),
        Table(
            format: "iri-reference", valid: ["/\u{E2}", "\u{E2}", "#\u{192}"], invalid: ["\\\\\u{E2}", "#\u{192}\\"]),
        Table(
            format: "uuid", valid: ["2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
            invalid: [
                "", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380",
                "2eb8aa08-aa98-11ea-b4aa-73b441d1638g", "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
            ]),
        Table(
            format: "uri-template",
            valid: [
                "", "http://example.com/dictionary/{term:1}/{term}", "{+path,x*}{?q,lang}", "{#a.b}", "a%20b", "{%41}",
                "/Books('{id}')",
            ],
            invalid: [
                "{", "}", "{}", "{a", "http://x/{a:10000}", "{a:0}", "{a:}", "{a b}", "a b", "%2", "{-a}", "{a..b}",
                "<a>",
            ]),
        Table(
            format: "json-pointer", valid: ["", "/", "/a/b~0c~1", "//", "/\u{E9}", "/ "],
            invalid: ["a", "#/a", "/~", "/~2", "/a~", "0"]),
        Table(
            format: "relative-json-pointer", valid: ["0", "1/a", "120#", "0#", "2/", "0-1/a", "0+10#"],
            invalid: ["", "/a", "-1/a", "+1", "01", "0##", "1a", "#", "0+0", "0/~2"]),
        Table(
            format: "regex",
            valid: [
                "", "^a+$", "(?=a)b", "(?<!a)b(?!c)(?<=d)", "(a)\\1", "(?<n>a)\\k<n>", "\\p{Letter}", "(a)(?=\\1)",
                "(a{1000}){1000}",
            ],
            invalid: [
                "(", "[a", "a{2,1}", "\\a", "*", "(?=a", "\\1", "(a)\\2", "\\k<n>", "(?>a)", "(a\\1",
                "(a)\\99999999999",
            ]),
    ]

    @Test(arguments: tables)
    func table(_ table: Table) throws {
        let asserting = try JSONSchema(
            ["format": .string(table.format)], options: JSONSchemaOptions(assertsFormat: true))
        let annotating = try JSONSchema(["format": .string(table.format)])
        for text in table.valid { #expect(asserting.isValid(.string(text)), "\(table.format): \(text)") }
        for text in table.invalid {
            #expect(!asserting.isValid(.string(text)), "\(table.format): \(text)")
            #expect(annotating.isValid(.string(text)))
            let violation = asserting.violations(of: .string(text)).first
            #expect(violation?.keyword == "format")
            #expect(violation?.message.hasPrefix("expected a") == true)
        }
        #expect(asserting.isValid(1), "formats apply only to strings")
    }

    @Test func unknownFormatsAreIgnored() throws {
        let schema = try JSONSchema(["format": "color"], options: JSONSchemaOptions(assertsFormat: true))
        #expect(schema.isValid("x"))
    }

    @Test func longTextsTakeLinearTime() throws {
        let long = String(repeating: "a", count: 50_000)
        for table in FormatTests.tables {
            let schema = try JSONSchema(
                ["format": .string(table.format)], options: JSONSchemaOptions(assertsFormat: true))
            // Each validation takes much less than a second. Otherwise, the test would take minutes.
            _ = schema.isValid(.string(long))
            _ = schema.isValid(.string(long + ":\u{E9}"))
            _ = schema.isValid(.string("xn--" + long))
        }
    }
}
