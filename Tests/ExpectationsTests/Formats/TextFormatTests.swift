import SuiteModel
import Testing

@testable import Expectations

@Suite("String formats") struct TextFormatTests {
    @Test(
        arguments: [
            (.uuid, "5f0c1e7a-9b1d-4c2e-8f3a-0123456789AB"), (.uuid, "00000000-0000-0000-0000-000000000000"),
            (.date, "2024-02-29"), (.date, "0001-01-01"),
            (.dateTime, "2026-01-01T00:00:00Z"), (.dateTime, "2026-01-01t23:59:60.123456789012z"),
            (.dateTime, "1996-12-19T16:39:57-08:00"), (.dateTime, "1990-12-31T15:59:60-08:00"),
            (.email, "ada@example.org"), (.email, "a.b+c@x.co"), (.email, "\"a b\"@example.org"),
            (.email, "a@[127.0.0.1]"),
            (.email, "a@[IPv6:::1]"), (.email, "jörg@exämple.de"), (.email, "root@localhost"),
            (.uri, "http://a/b?c=d#e"), (.uri, "urn:isbn:9780441172719"), (.uri, "mailto:ada@example.org"),
            (.uri, "http://ada:pw@[2001:db8::1]:8080/x"), (.uri, "http://[v1.a:b]/"), (.uri, "file:///a/b"),
            (.uri, "x:"),
            (.uri, "http://a/%41"),
            (.ipv4, "0.0.0.0"), (.ipv4, "255.255.255.255"),
            (.ipv6, "::"), (.ipv6, "::1"), (.ipv6, "1::"), (.ipv6, "1:2:3:4:5:6:7:8"), (.ipv6, "1:2:3:4:5:6:7::"),
            (.ipv6, "::ffff:192.0.2.1"), (.ipv6, "fe80::1:2"), (.ipv6, "1:2:3:4:5:6:1.2.3.4"),
        ] as [(Matcher.ValueType, String)])
    func valid(_ type: Matcher.ValueType, _ text: String) {
        #expect(TextFormat.holds(text, type))
    }

    @Test(
        arguments: [
            (.uuid, "5f0c1e7a9b1d4c2e8f3a0123456789AB"), (.uuid, "5f0c1e7a-9b1d-4c2e-8f3a-0123456789AG"), (.uuid, ""),
            (.uuid, "5f0c1e7a-9b1d-4c2e-8f3a-0123456789ABC"), (.uuid, "5f0c1e7a--b1d-4c2e-8f3a-0123456789AB"),
            (.date, "2023-02-29"), (.date, "2026-13-01"), (.date, "2026-1-1"), (.date, "2026-01-01T00:00:00Z"),
            (.date, "2026-04-31"), (.date, "2026-00-10"), (.date, "1900-02-29"),
            (.dateTime, "2026-01-01 00:00:00Z"), (.dateTime, "2026-01-01T00:00:00"),
            (.dateTime, "2026-01-01T24:00:00Z"),
            (.dateTime, "2026-01-01T12:00:60Z"), (.dateTime, "2026-01-01T23:59:60+01:00"),
            (.dateTime, "2026-01-01T00:00:00.Z"), (.dateTime, "2026-01-01T00:60:00Z"),
            (.dateTime, "2026-01-01T00:00:00+24:00"),
            (.dateTime, "2026-01-01"), (.dateTime, "2026-01-01T00:00:00Zx"),
            (.email, "ada"), (.email, "@example.org"), (.email, "ada@"), (.email, "a..b@example.org"),
            (.email, ".a@b.c"), (.email, "a\u{200B}@b.c"), (.email, "\u{FEFF}a@b.c"), (.email, "a\u{A0}b@b.c"),
            (.email, "a@b\u{AD}.c"), (.email, "a@b.c\u{85}"),
            (.email, "a b@example.org"), (.email, "a@-b.org"), (.email, "a@b..org"), (.email, "a@[300.0.0.1]"),
            (.email, "\"a\"b\"@example.org"), (.email, "a@b@c"),
            (.uri, "/books/7"), (.uri, "books"), (.uri, "1http://a"), (.uri, "http://a b"), (.uri, "http://a/%4"),
            (.uri, "http://a:x/"), (.uri, "http://[::1"), (.uri, "http://[x]/"), (.uri, "http://a/ü"),
            (.uri, "http://a#b#c"),
            (.uri, "http://a/<b>"), (.uri, ""), (.uri, "http://[v1.%41]/"),
            (.ipv4, "256.0.0.1"), (.ipv4, "1.2.3"), (.ipv4, "01.2.3.4"), (.ipv4, "1.2.3.4.5"), (.ipv4, "1.2.3.+4"),
            (.ipv4, "1.2.3."),
            (.ipv6, ""), (.ipv6, ":"), (.ipv6, ":::"), (.ipv6, "1:2:3:4:5:6:7"), (.ipv6, "1:2:3:4:5:6:7:8:9"),
            (.ipv6, "1::2::3"), (.ipv6, "12345::"), (.ipv6, "g::"), (.ipv6, "1:2:3:4:5:6:7:8::"), (.ipv6, "::1.2.3"),
            (.ipv6, "1:"), (.ipv6, "1:2:"), (.ipv6, "1.2.3.4::"), (.ipv6, "fe80::1%eth0"), (.ipv6, ":1::"),
        ] as [(Matcher.ValueType, String)])
    func invalid(_ type: Matcher.ValueType, _ text: String) {
        #expect(!TextFormat.holds(text, type))
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01", 0), ("2000-03-01T00:00:00Z", 951_868_800),
            ("2026-01-01T01:00:00+01:00", 1_767_225_600), ("1969-12-31T23:59:59Z", -1),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ] as [(String, Int64)])
    func instants(_ text: String, _ seconds: Int64) {
        #expect(Instant(text)?.seconds == seconds)
    }

    @Test func distancesAreExactAndBounded() throws {
        let early = try #require(Instant("2026-01-01T00:00:00.9Z"))
        let late = try #require(Instant("2026-01-01T00:00:02.1Z"))
        #expect(early.distance(to: late) == 1_200_000_000)
        #expect(late.distance(to: early) == 1_200_000_000)
        let first = try #require(Instant("0000-01-01"))
        let last = try #require(Instant("9999-12-31"))
        #expect(first.distance(to: last) == .max)
    }
}
