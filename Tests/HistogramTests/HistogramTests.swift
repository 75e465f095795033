import Basics
import Testing

@testable import Histogram

@Suite("Histograms") struct HistogramTests {
    @Test("The count, the minimum, the maximum, the sum and the mean are exact")
    func exactStatistics() {
        var histogram = Histogram()
        histogram.record(123_456_789)
        histogram.record(2_000_001, count: 3)
        histogram.record(7, count: 0)
        #expect(histogram.count == 4)
        #expect(histogram.minimum == 2_000_001)
        #expect(histogram.maximum == 123_456_789)
        #expect(histogram.sum == 129_456_792)
        #expect(histogram.mean == 32_364_198)
    }

    @Test("A histogram without values has no statistics")
    func empty() {
        let histogram = Histogram()
        #expect(histogram.count == 0 && histogram.sum == 0 && histogram.count(above: 0) == 0)
        #expect(histogram.minimum == nil && histogram.maximum == nil && histogram.mean == nil)
        #expect(histogram.standardDeviation == nil && histogram.value(atPercentile: 50) == nil)
        #expect(Array(histogram.buckets).isEmpty)
    }

    @Test("Values out of range are counted at the ends of the range, with an exact maximum and sum")
    func outOfRange() {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 1_000, significantDigits: 3)
        histogram.record(-5)
        histogram.record(.min)
        histogram.record(1_000)
        histogram.record(5_000)
        histogram.record(.max)
        #expect(histogram.buckets.map(\.bounds) == [0...0, 1_000...1_000])
        #expect(histogram.buckets.map(\.count) == [2, 3])
        #expect(histogram.minimum == 0)
        #expect(histogram.maximum == .max)
        #expect(histogram.sum == Int128(Int64.max) + 6_000)
        #expect(histogram.values(atPercentiles: [80, 100]) == [1_000, .max])
    }

    @Test("The sum of the highest values does not overflow")
    func largeSum() {
        var histogram = Histogram()
        histogram.record(.max, count: .max)
        #expect(histogram.sum == Int128(Int64.max) * Int128(Int64.max))
        #expect(histogram.mean == Double(Int64.max))
        #expect(histogram.value(atPercentile: 99.999)! >= 3_600_000_000_000)
    }

    @Test("The standard deviation is that of the population, in the precision of the buckets")
    func standardDeviation() throws {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 1_000, significantDigits: 3)
        for value: Int64 in [2, 4, 4, 4, 5, 5, 7, 9] { histogram.record(value) }
        #expect(histogram.standardDeviation == 2)
    }

    @Test("The number of values above a limit counts the buckets above that of the limit")
    func countAbove() {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 100_000, significantDigits: 3)
        for value: Int64 in [100, 200, 10_000, 10_007, 10_008] { histogram.record(value) }
        let limits: [Int64] = [.min, -1, 0, 99, 100, 199, 200, 9_999, 10_000, 10_007, 10_008, 100_000, .max]
        #expect(limits.map(histogram.count(above:)) == [5, 5, 5, 5, 4, 4, 3, 3, 1, 1, 0, 0, 0])
    }

    @Test("Buckets are in ascending order and contain the recorded values")
    func buckets() {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 100_000, significantDigits: 3)
        for value: Int64 in [10_015, 10_008, 3, 2_048, 10_007] { histogram.record(value) }
        #expect(histogram.buckets.map(\.bounds) == [3...3, 2_048...2_049, 10_000...10_007, 10_008...10_015])
        #expect(histogram.buckets.map(\.count) == [1, 1, 1, 2])
    }

    @Test(
        "Merged histograms equal a histogram that recorded all values, in any order", arguments: 0..<20 as Range<UInt64>
    )
    func merging(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var parts = [Histogram](repeating: Histogram(), count: 5)
        var whole = Histogram()
        for _ in 0..<Int.random(in: 0...2_000, using: &random) {
            let value = Int64.random(in: -10...(.max >> Int64.random(in: 0...60, using: &random)), using: &random)
            let count = Int.random(in: 0...3, using: &random)
            whole.record(value, count: count)
            // Leaves the last histogram empty.
            parts[Int.random(in: 0..<4, using: &random)].record(value, count: count)
        }
        for order in [Array(parts), parts.reversed(), parts.shuffled(using: &random)] {
            var merged = Histogram()
            for part in order { try merged.merge(part) }
            #expect(merged == whole)
        }
    }

    @Test("Histograms of different configurations, or with too many values, are not merged")
    func mergeErrors() {
        var histogram = Histogram()
        histogram.record(5_000, count: .max)
        let original = histogram
        let other = Histogram(significantDigits: 2)
        let error = HistogramMergeError.differentConfigurations(histogram.configuration, other.configuration)
        #expect(throws: error) { try histogram.merge(other) }
        #expect(throws: HistogramMergeError.countOverflow) { try histogram.merge(original) }
        #expect(histogram == original)
        #expect(
            error.description == """
                cannot merge histograms with different configurations: 1000 to 3600000000000 with 3 significant digits \
                and 1000 to 3600000000000 with 2 significant digits
                """)
    }

    @Test("A histogram of one value occupies one page, and of two distant values the pages between them")
    func memory() {
        var histogram = Histogram()
        #expect(histogram.counts.capacity == 0)
        histogram.record(20_000_000)
        #expect(histogram.counts.capacity <= 128 + 8)
        // Two octaves lower.
        histogram.record(5_000_000)
        #expect(histogram.counts.capacity <= 2 * 1_024 + 2 * 128)
        for value: Int64 in [0, .max] { histogram.record(value) }
        #expect(histogram.counts.count == 190 * 128)
    }
}
