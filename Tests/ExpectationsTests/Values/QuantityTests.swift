import Basics
import JSON
import SuiteModel
import Testing

@testable import Expectations

@Suite("Durations and sizes") struct QuantityTests {
    @Test(
        arguments: [
            (0, "0 ns"), (999, "999 ns"), (1_500, "1.5 µs"), (512_000, "512 µs"), (41_300_000, "41.3 ms"),
            (41_345_678, "41.3 ms"), (2_000_000_000, "2 s"), (2_310_000_000, "2.31 s"), (1_999_999_999, "2 s"),
            (12_340_000_000, "12.3 s"), (90_000_000_000, "1 min 30 s"), (3_600_000_000_000, "1 h"),
            (3_661_000_000_000, "1 h 1 min 1 s"), (-1_500, "-1.5 µs"), (999_499, "999 µs"), (999_500, "1 ms"),
            (999_999_999, "1 s"), (59_949_999_999, "59.9 s"), (59_950_000_000, "1 min"),
        ] as [(Int64, String)])
    func durations(_ nanoseconds: Int64, _ text: String) { #expect(Quantity.duration(nanoseconds) == text) }

    @Test(
        arguments: [
            (0, "0 B"), (61, "61 B"), (1_000, "1 KB"), (1_048_576, "1.05 MB"), (64_000, "64 KB"),
            (2_500_000_000, "2.5 GB"), (.max, "9223372037 GB"), (-1, "-1 B"), (999_499, "999 KB"), (999_500, "1 MB"),
            (999_499_999, "999 MB"), (999_500_000, "1 GB"),
        ] as [(Int64, String)])
    func sizes(_ bytes: Int64, _ text: String) {
        #expect(Quantity.describe(.number(JSONNumber(bytes)), in: .size, against: 0).text == text)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_023, "1.023 KB"), (1_024, "1 KiB"), (1_500, "1.5 KB"), (1_536, "1.5 KiB"),
            (64_000, "64 KB"), (128_000, "128 KB"), (65_536, "64 KiB"), (1_048_576, "1 MiB"), (1_572_864, "1.5 MiB"),
            (1_234_567, "1.234567 MB"), (2_500_000_000, "2.5 GB"), (5_368_709_120, "5 GiB"), (-1, "-1 B"),
            (-2_048, "-2 KiB"), (.max, "9223372036.854775807 GB"), (.min, "-8589934592 GiB"),
        ] as [(Int64, String)])
    func writtenSizes(_ bytes: Int64, _ text: String) {
        #expect(Quantity.describeOperand(.number(JSONNumber(bytes)), in: .size).text == text)
    }

    @Test(
        arguments: [
            (0, "0 ns"), (999, "999 ns"), (1_001, "1.001 µs"), (41_345_678, "41.345678 ms"),
            (1_999_999_999, "1.999999999 s"), (60_000_000_000, "1 min"), (61_500_000_000, "1 min 1.5 s"),
            (3_600_000_000_001, "1 h 0.000000001 s"), (-1_500, "-1.5 µs"),
            (.min, "-106751 d 23 h 47 min 16.854775808 s"), (7_776_000_000_000_000, "90 d"),
        ] as [(Int64, String)])
    func writtenDurations(_ nanoseconds: Int64, _ text: String) {
        #expect(Quantity.describeOperand(.number(JSONNumber(nanoseconds)), in: .duration).text == text)
    }

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
