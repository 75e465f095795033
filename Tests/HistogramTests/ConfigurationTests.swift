import Testing

@testable import Histogram

@Suite("Configurations of histograms") struct ConfigurationTests {
    @Test(
        "Buckets cover the range without gaps, and each contains exactly the values with its index",
        arguments: [
            (1, 2, 0), (1, 1_000, 1), (1, 3_600_000_000, 3), (1_000, 3_600_000_000_000, 3), (1_024, 1 << 40, 2),
            (3, .max, 1), (1 << 40, .max, 4), (1, 100_000, 5), (1 << 61, .max, 0),
        ] as [(Int64, Int64, Int)])
    func partition(_ lowest: Int64, _ highest: Int64, _ digits: Int) throws {
        let configuration = try #require(makeConfiguration(lowest, highest, digits))
        var next: Int64 = 0
        for index in 0..<configuration.bucketCount {
            let bounds = configuration.bounds(at: index)
            let isExact =
                bounds.lowerBound == next && configuration.index(of: bounds.lowerBound) == index
                && configuration.index(of: bounds.upperBound) == index
            try #require(isExact, "bucket \(index)")
            next = bounds.upperBound &+ 1
        }
        // After the highest integer, the next one is the lowest.
        #expect(next > highest || next == .min)
    }

    @Test(
        "The bounds of buckets are those that the tests of HdrHistogram state",
        arguments: [
            (1, 1...1), (2_500, 2_500...2_501), (8_191, 8_188...8_191), (8_180, 8_180...8_183), (8_193, 8_192...8_199),
            (9_995, 9_992...9_999), (10_007, 10_000...10_007), (10_008, 10_008...10_015),
        ] as [(Int64, ClosedRange<Int64>)])
    func reference(_ value: Int64, _ expected: ClosedRange<Int64>) throws {
        let plain = try #require(makeConfiguration(1, 3_600_000_000, 3))
        #expect(plain.bounds(at: plain.index(of: value)) == expected)
        let scaled = try #require(makeConfiguration(1_024, 3_600_000_000, 3))
        let scaledBounds = scaled.bounds(at: scaled.index(of: value * 1_024))
        #expect(scaledBounds == expected.lowerBound * 1_024...expected.upperBound * 1_024 + 1_023)
    }

    @Test(
        "Configurations that HdrHistogram does not support are rejected",
        arguments: [
            (0, 1_000, 3), (-1, 1_000, 3), (1, 1, 3), (1_000, 1_999, 3), (.max, .max, 3), (1, .min, 3), (1, 1_000, -1),
            (1, 1_000, 6), (1 << 52, .max, 3),
        ] as [(Int64, Int64, Int)])
    func invalid(_ lowest: Int64, _ highest: Int64, _ digits: Int) {
        #expect(makeConfiguration(lowest, highest, digits) == nil)
    }

    private func makeConfiguration(_ lowest: Int64, _ highest: Int64, _ digits: Int) -> Histogram.Configuration? {
        Histogram.Configuration(
            lowestDiscernibleValue: lowest, highestTrackableValue: highest, significantDigits: digits)
    }
}
