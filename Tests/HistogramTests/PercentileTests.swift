import Basics
import Glibc
import Histogram
import Testing

@Suite("Percentiles of histograms") struct PercentileTests {
    enum Distribution: CaseIterable {
        case uniform, exponential, bimodalWithOutliers, constant

        /// Returns random durations in nanoseconds.
        func samples(_ count: Int, using random: inout SplitMix64) -> [Int64] {
            let constant = Int64.random(in: 0...10_000_000_000, using: &random)
            return (0..<count).map { _ in
                switch self {
                case .uniform: return .random(in: 0...300_000_000, using: &random)
                case .exponential:
                    return Int64(-20_000_000 * log(Double.random(in: 1e-9...1, using: &random)))
                case .bimodalWithOutliers:
                    switch Int.random(in: 0..<1_000, using: &random) {
                    case 0: return .random(in: 10_000_000_000...100_000_000_000, using: &random)
                    case 1..<300: return .random(in: 80_000_000...90_000_000, using: &random)
                    default: return .random(in: 900_000...1_100_000, using: &random)
                    }
                case .constant: return constant
                }
            }
        }
    }

    /// The percentiles to test, in hundredths of a percent.
    private static let percentiles = [
        0, 1, 10, 100, 500, 2_500, 5_000, 7_500, 9_000, 9_500, 9_900, 9_990, 9_999, 10_000,
    ]

    @Test(
        "Percentiles exceed those of the sorted samples by at most 0.1 %", arguments: Distribution.allCases,
        [1, 2, 3, 10, 99, 1_000, 12_345])
    func accuracy(_ distribution: Distribution, _ count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let samples = distribution.samples(count, using: &random).sorted()
        var plain = Histogram(lowestDiscernibleValue: 1)
        var scaled = Histogram()
        for sample in samples.shuffled(using: &random) {
            plain.record(sample)
            scaled.record(sample)
        }
        for percentile in Self.percentiles {
            let rank = max((percentile * count + 9_999) / 10_000, 1)
            let exact = samples[rank - 1]
            let error = try #require(plain.value(atPercentile: Double(percentile) / 100)) - exact
            #expect(error >= 0 && error * 1_000 <= exact, "\(percentile) of \(exact)")
            // The resolution is 512 if it is 1,000, rounded down to a power of two.
            let scaledError = try #require(scaled.value(atPercentile: Double(percentile) / 100)) - exact
            #expect(scaledError >= 0 && scaledError <= max(511, exact / 1_000), "\(percentile) of \(exact)")
        }
        #expect(plain.value(atPercentile: 0) == samples.first)
        #expect(plain.value(atPercentile: 100) == samples.last)
    }

    @Test("Rounding errors do not increase the rank", arguments: [1_000, 10_000, 100_000, 1_000_000])
    func rounding(_ count: Int) {
        for thousandths in [100, 1_000, 7_000, 29_000, 57_000, 58_000, 99_000, 99_900] {
            let last = thousandths * count / 100_000
            var histogram = Histogram(lowestDiscernibleValue: 1)
            histogram.record(1, count: last)
            histogram.record(2, count: count - last)
            #expect(histogram.value(atPercentile: Double(thousandths) / 1_000) == 1, "\(thousandths)")
            #expect(histogram.value(atPercentile: (Double(thousandths) / 1_000) + 0.000_05) == 2, "\(thousandths)")
        }
    }

    @Test("Several percentiles are returned in the order of the request, and percentages out of range are clamped")
    func several() {
        var histogram = Histogram(lowestDiscernibleValue: 1)
        for value in 1...1_000 as ClosedRange<Int64> { histogram.record(value) }
        let percentiles = [99.9, -1, 50, 200, 50, 0, 100, .nan, .infinity, 0.1, 25]
        let values: [Int64] = [999, 1, 500, 1_000, 500, 1, 1_000, 1, 1_000, 1, 250]
        #expect(histogram.values(atPercentiles: percentiles) == values)
        #expect(percentiles.map(histogram.value(atPercentile:)) == values)
        #expect(histogram.values(atPercentiles: []) == [])
    }
}
