import Testing

@testable import Reports

struct HTMLAxisTests {
    @Test(arguments: [
        (0, ["0", "1"]), (1, ["0", "1"]), (3, ["0", "1", "2", "3"]), (200, ["0", "50", "100", "150", "200"]),
        (201, ["0", "100", "200", "300"]), (4_321, ["0", "2,000", "4,000", "6,000"]),
    ])
    func counts(_ maximum: Double, _ ticks: [String]) {
        #expect(HTMLAxis(upTo: maximum, .count).ticks.map(\.text) == ticks)
    }

    @Test(arguments: [
        (0, ["0", "0.5 µs"]), (950_000, ["0", "500 µs", "1 ms"]),
        (1_900_000, ["0", "500 µs", "1 ms", "1.5 ms", "2 ms"]),
        (6_000_000_000, ["0", "2 s", "4 s", "6 s"]),
    ])
    func latencies(_ maximum: Double, _ ticks: [String]) {
        #expect(HTMLAxis(upTo: maximum, .latency).ticks.map(\.text) == ticks)
    }

    @Test(arguments: [
        (0, ["0", "1 s"]), (8, ["0", "2 s", "4 s", "6 s", "8 s"]), (90, ["0", "30 s", "1 min", "90 s"]),
        (300, ["0", "2 min", "4 min"]), (3_600, ["0", "15 min", "30 min", "45 min", "1 h"]),
        (1_000_000, ["0", "72 h", "144 h", "216 h"]),
    ])
    func times(_ seconds: Double, _ ticks: [String]) {
        #expect(HTMLAxis(time: seconds * 1e9).ticks.map(\.text) == ticks)
    }

    @Test(arguments: [
        (5e6, 12e6, ["5 ms", "6 ms", "7 ms", "8 ms", "9 ms", "10 ms"]),
        (900e3, 60e6, ["1 ms", "2 ms", "5 ms", "10 ms", "20 ms", "50 ms"]),
        (1e3, 100e9, ["1 µs", "100 µs", "10 ms", "1 s", "100 s"]),
    ])
    func logarithmic(_ low: Double, _ high: Double, _ ticks: [String]) {
        #expect(HTMLAxis(logarithmicFrom: low, to: high).ticks.map(\.text) == ticks)
    }
}
