import SuiteModel
import Testing

@testable import Expectations

@Suite("Durations and sizes") struct QuantityTests {
    @Test(
        arguments: [
            (0, "0 ns"), (999, "999 ns"), (1_500, "1.5 µs"), (512_000, "512 µs"), (41_300_000, "41.3 ms"),
            (41_345_678, "41.3 ms"), (2_000_000_000, "2 s"), (2_310_000_000, "2.31 s"), (1_999_999_999, "2 s"),
            (12_340_000_000, "12.3 s"), (90_000_000_000, "1 min 30 s"), (3_600_000_000_000, "1 h"),
            (3_661_000_000_000, "1 h 1 min 1 s"), (-1_500, "-1.5 µs"),
        ] as [(Int64, String)])
    func durations(_ nanoseconds: Int64, _ text: String) { #expect(Quantity.duration(nanoseconds) == text) }

    @Test(
        arguments: [
            (0, "0 B"), (61, "61 B"), (1_000, "1 KB"), (1_048_576, "1.05 MB"), (64_000, "64 KB"),
            (2_500_000_000, "2.5 GB"),
        ] as [(Int64, String)])
    func sizes(_ bytes: Int64, _ text: String) { #expect(Quantity.size(bytes) == text) }

    @Test(
        arguments: [
            ("250ms", 250_000_000), ("2s", 2_000_000_000), ("1m30s", 90_000_000_000), ("1.5s", 1_500_000_000),
            ("0.25h", 900_000_000_000), ("7us", 7_000), ("1d", 86_400_000_000_000), ("2", nil), ("", nil), ("s", nil),
            ("1x", nil), ("1.s", nil), ("-1s", nil), ("99999999999999999999s", nil), ("1e3s", nil), ("1.2.3s", nil),
            ("9999999999999h", nil),
        ] as [(String, Int64?)])
    func parseDuration(_ text: String, _ nanoseconds: Int64?) { #expect(Quantity.parseDuration(text) == nanoseconds) }

    @Test(
        arguments: [
            ("64KB", 64_000), ("5MiB", 5_242_880), ("1.5MB", 1_500_000), ("10B", 10), ("10", nil), ("1KB2KB", nil),
            ("KB", nil),
        ] as [(String, Int64?)])
    func parseSize(_ text: String, _ bytes: Int64?) { #expect(Quantity.parseSize(text) == bytes) }
}
