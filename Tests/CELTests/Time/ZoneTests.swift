import Testing

@testable import CEL

@Suite struct ZoneTests {
    @Test(arguments: [
        // Around daylight saving time changes, within the file's transitions and beyond them.
        ("2021-03-28T00:59:59Z", "Europe/Vienna", 1),
        ("2021-03-28T01:00:00Z", "Europe/Vienna", 3),
        ("2021-10-31T00:59:59Z", "Europe/Vienna", 2),
        ("2021-10-31T01:00:00Z", "Europe/Vienna", 2),
        ("2093-03-29T00:59:59Z", "Europe/Vienna", 1),
        ("2093-03-29T01:00:00Z", "Europe/Vienna", 3),
        ("2093-10-25T01:00:00Z", "Europe/Vienna", 2),
        ("2093-01-10T12:00:00Z", "Australia/Sydney", 23),
        ("2093-07-10T12:00:00Z", "Australia/Sydney", 22),
        ("2026-07-10T12:00:00Z", "America/New_York", 8),
        ("2026-07-10T12:00:00Z", "Asia/Kolkata", 17),
        ("2026-07-10T12:00:00Z", "+13:45", 1),
        ("2026-07-10T12:00:00Z", "Z", 12),
    ])
    func hours(_ time: String, _ zone: String, _ hour: Int) {
        #expect(shown("timestamp(\"\(time)\").getHours(\"\(zone)\")") == String(hour))
    }

    @Test(arguments: ["Europe/Nowhere", "../etc/passwd", "/etc/passwd", "Europe", "+25:00", "+1:00", "Europe//Vienna"])
    func refuses(_ zone: String) {
        #expect(shown("now().getHours(\"\(zone)\")").contains("unknown time zone"))
    }

    @Test("A long name is truncated with an ellipsis") func longName() {
        let name = String(repeating: "a", count: 101)
        #expect(shown("now().getHours(\"\(name)\")").contains("aaaa…\";"))
    }

    @Test(arguments: [
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18_000),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14_400),
        ("<+0330>-3:30", "2026-03-08T07:00:00Z", 12_600),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3_600),
        ("AAA0BBB,J60,J300", "2024-03-01T01:59:59Z", 0),
        ("AAA0BBB,J60,J300", "2024-03-01T02:00:00Z", 3_600),
        ("AAA0BBB,59,300", "2024-02-29T02:00:00Z", 3_600),
    ])
    func footers(_ rule: String, _ time: String, _ offset: Int64) throws {
        let footer = try #require(ZoneFooter(rule))
        let timestamp = try #require(CELTimestamp(time))
        #expect(footer.offset(at: timestamp.seconds) == offset)
    }

    @Test(arguments: ["", "A", "EST", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "<EST5", "EST5EDT,M3.2.0,M11.1.0x"])
    func malformedFooters(_ rule: String) {
        #expect(ZoneFooter(rule) == nil)
    }

    @Test func filesThatAreNoZones() {
        #expect(ZoneRules(file: []) == nil)
        #expect(ZoneRules(file: Array("TZif2".utf8)) == nil)
        #expect(ZoneRules(file: Array("TZif2".utf8) + [UInt8](repeating: 0xFF, count: 100)) == nil)
        #expect(ZoneRules(file: Array("TZif".utf8) + [UInt8](repeating: 0, count: 100)) == nil)
    }
}
