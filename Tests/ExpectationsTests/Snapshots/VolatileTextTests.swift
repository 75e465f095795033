import JSON
import Testing

@testable import Expectations

struct VolatileTextTests {
    private static let uuid = "5f0c9a2b-0c5e-4b1f-9a39-1d2a3c4b5d6e"
    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

    @Test(arguments: [
        (uuid, "<uuid 1>"),
        (uuid.uppercased(), "<uuid 1>"),
        ("/orders/\(uuid)/lines", "/orders/<uuid 1>/lines"),
        ("\(uuid), \(uuid.uppercased())", "<uuid 1>, <uuid 1>"),
        ("urn:uuid:\(uuid)", "urn:uuid:<uuid 1>"),
        ("order-\(uuid)", "order-<uuid 1>"),
        ("2026-11-21T19:51:15Z", "<dateTime 1>"),
        ("2026-11-21t19:51:15z", "<dateTime 1>"),
        ("2026-11-21T19:51:15.123456789+01:00", "<dateTime 1>"),
        ("2026-11-21T19:51:15,5-0330", "<dateTime 1>"),
        ("2026-11-21T19:51:15+01", "<dateTime 1>"),
        ("2026-11-21T19:51:15", "<dateTime 1>"),
        ("2026-11-21 19:51:15", "<dateTime 1>"),
        ("2026-11-21T19:51:15[Europe/Paris]", "<dateTime 1>[Europe/Paris]"),
        ("2026-11-21T19:51:15Z/2026-11-22T19:51:15Z", "<dateTime 1>/<dateTime 2>"),
        ("at 2026-11-21T19:51:15Z.", "at <dateTime 1>."),
        ("Sat, 21 Nov 2026 19:51:15 GMT", "<httpDate 1>"),
        ("expires=Sat, 21-Nov-2026 19:51:15 GMT; path=/", "expires=<httpDate 1>; path=/"),
        (token, "<jwt 1>"),
        ("Bearer \(token)", "Bearer <jwt 1>"),
        ("http://127.0.0.1:8080/books?page=2", "<baseURL>/books?page=2"),
        ("see http://127.0.0.1:8080", "see <baseURL>"),
    ])
    func replaces(_ text: String, _ expected: String) {
        var numbering = PlaceholderNumbering()
        let volatile = VolatileText(baseURL: "http://127.0.0.1:8080/")
        #expect(volatile.replaced(in: text, &numbering) == expected)
    }

    @Test(arguments: [
        "", "Dune", "2026-11-21", "19:51:15", "2026-13-21T19:51:15Z", "2026-11-32T19:51:15Z", "2026-11-21T25:51:15Z",
        "2026-11-21T19:60:15Z", "2026-11-21T19:51:15Zulu", "12026-11-21T19:51:15Z", "2026-11-21T19:51",
        "5f0c9a2b0c5e4b1f9a391d2a3c4b5d6e", "5f0c9a2b-0c5e-4b1f-9a39-1d2a3c4b5d6",
        "5f0c9a2b-0c5e-4b1f-9a39-1d2a3c4b5d6ef",
        "x5f0c9a2b-0c5e-4b1f-9a39-1d2a3c4b5d6e", "5f0c9a2g-0c5e-4b1f-9a39-1d2a3c4b5d6e", "eyJhbGciOiJIUzI1NiJ9",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", "Sat, 21 Nov 2026 19:51:15 CET", "http://127.0.0.1:80801/books",
        "http://127.0.0.1:808/books", "a text that is long enough and has nothing of the kind",
    ])
    func leavesAlone(_ text: String) {
        var numbering = PlaceholderNumbering()
        #expect(VolatileText(baseURL: "http://127.0.0.1:8080").replaced(in: text, &numbering) == nil)
        #expect(numbering.isEmpty)
    }

    @Test func equalValuesHaveEqualNumbers() {
        var numbering = PlaceholderNumbering()
        let volatile = VolatileText(baseURL: nil)
        let other = "0b2d5a1c-7e7f-4c0b-8a55-6d1f2e3c4b5a"
        #expect(volatile.replaced(in: other, &numbering) == "<uuid 1>")
        #expect(volatile.replaced(in: "\(Self.uuid) \(other)", &numbering) == "<uuid 2> <uuid 1>")
        // Each kind has its own numbers, and dates are compared as text.
        #expect(volatile.replaced(in: "2026-11-21T19:51:15Z", &numbering) == "<dateTime 1>")
        #expect(volatile.replaced(in: "2026-11-21T19:51:15.0Z", &numbering) == "<dateTime 2>")
    }

    @Test(arguments: [
        ("createdAt", "1795000000", true), ("created_at", "1795000000123", true), ("expires", "1795000000.5", true),
        ("exp", "1795000000", true), ("Created-At", "1795000000", true), ("lastTimestamp", "1795000000", true),
        ("startTIME", "1795000000", true), ("format", "1795000000", false), ("total", "1795000000", false),
        ("createdAt", "12", false), ("createdAt", "-1795000000", false), ("createdAt", "1e9", true),
        ("createdAt", "99999999999999", false), ("", "1795000000", false), ("at2", "1795000000", false),
    ])
    func timesInMembers(_ name: String, _ literal: String, _ isTime: Bool) throws {
        let number = try #require(JSONNumber(literal: literal))
        #expect(DateMember.isTime(number, in: name) == isTime)
    }
}
