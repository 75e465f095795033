import Testing

@testable import SuiteLoader

@Suite("Durations and sizes")
struct QuantityReaderTests {
    @Test(arguments: [
        ("250ms", 250_000_000), ("2s", 2_000_000_000), ("1m30s", 90_000_000_000), ("1.5s", 1_500_000_000),
        ("0s", 0), ("1h", 3_600_000_000_000), ("14d", 1_209_600_000_000_000), ("10us", 10_000), ("3ns", 3),
        ("0.0000000001s", 0), ("1h0m1s", 3_601_000_000_000),
    ])
    func durations(text: String, nanoseconds: Int64) throws {
        #expect(try QuantityReader.duration(text) == nanoseconds)
    }

    @Test(arguments: [
        ("0B", 0), ("64KB", 64_000), ("5MB", 5_000_000), ("1KiB", 1024), ("1.5KiB", 1536), ("2GB", 2_000_000_000),
        ("1TiB", 1 << 40),
    ])
    func sizes(text: String, bytes: Int64) throws {
        #expect(try QuantityReader.size(text) == bytes)
    }

    @Test(arguments: [
        "", "s", "2", "-1s", "1.s", ".5s", "1..5s", "2 s", "2S", "2sec", "1m30", "99999999999999999999s", "300000d",
        "9223372036854775807h", "1s1", "１s",
    ])
    func notDurations(text: String) {
        #expect(throws: QuantityReader.Problem.self) { try QuantityReader.duration(text) }
    }

    @Test(arguments: ["", "64", "64kb", "64K", "1KB1KB", "KB", "9999999999999999TB"])
    func notSizes(text: String) {
        #expect(throws: QuantityReader.Problem.self) { try QuantityReader.size(text) }
    }
}
