import Basics
import Testing

@testable import Histogram

@Suite("Encoding and decoding of histograms") struct EncodingTests {
    // MARK: Format

    @Test("The encoding consists of the header and ZigZag LEB128 counts, with the number of zeros between them")
    func format() throws {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 1_000, significantDigits: 1)
        histogram.record(0)
        histogram.record(2)
        histogram.record(5, count: 70)
        let header: [UInt8] = [
            0x1C, 0x84, 0x93, 0x13, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3,
            0xE8,
            0x3F, 0xF0, 0, 0, 0, 0, 0, 0,
        ]
        #expect(histogram.encoded() == header + [2, 0, 2, 3, 0x8C, 1])
        #expect(try Histogram(encoded: histogram.encoded()) == histogram)
    }

    @Test("The highest count is encoded in nine bytes")
    func highestCount() throws {
        var histogram = Histogram(lowestDiscernibleValue: 1)
        histogram.record(0, count: .max)
        #expect(Array(histogram.encoded().dropFirst(40)) == [0xFE] + [UInt8](repeating: 0xFF, count: 8))
        #expect(try Histogram(encoded: histogram.encoded()) == histogram)
    }

    @Test("Histograms that another implementation encoded have its percentiles", arguments: EncodedHistogram.all)
    func interoperability(_ fixture: EncodedHistogram) throws {
        let histogram = try Histogram(base64Encoded: fixture.text)
        #expect(histogram.configuration.lowestDiscernibleValue == fixture.range.lowerBound)
        #expect(histogram.configuration.highestTrackableValue == fixture.range.upperBound)
        #expect(histogram.configuration.significantDigits == fixture.digits)
        #expect(histogram.count == fixture.count)
        #expect(histogram.values(atPercentiles: EncodedHistogram.percentiles) == fixture.values)
        #expect(histogram.minimum == fixture.values.first)
        #expect(histogram.maximum == fixture.values.last)
        #expect(try abs(#require(histogram.mean) / fixture.mean - 1) < 1e-12)
        #expect(try abs(#require(histogram.standardDeviation) / fixture.standardDeviation - 1) < 1e-12)
    }

    @Test(
        "Decoding an encoded histogram restores its counts, and the exact statistics on request",
        arguments: [(1, 1_000, 0), (1_000, 3_600_000_000_000, 3), (1, .max, 2), (1 << 20, 1 << 62, 3), (1, 1 << 20, 5)]
            as [(Int64, Int64, Int)], 0..<4 as Range<UInt64>)
    func roundTrip(_ configuration: (lowest: Int64, highest: Int64, digits: Int), _ seed: UInt64) throws {
        let (first, second) = (
            random(configuration.lowest, configuration.highest, configuration.digits, seed),
            random(configuration.lowest, configuration.highest, configuration.digits, seed + 100)
        )
        var decoded = try Histogram(base64Encoded: first.base64Encoded(), configuration: first.configuration)
        #expect(Array(decoded.buckets) == Array(first.buckets))
        #expect(try Histogram(encoded: first.encoded()) == decoded)
        try decoded.merge(Histogram(encoded: second.compressed()))
        var merged = first
        try merged.merge(second)
        #expect(decoded.counts == merged.counts && decoded.firstIndex == merged.firstIndex)
        #expect(decoded.count == merged.count)
        try decoded.restore(
            minimum: #require(merged.minimum), maximum: #require(merged.maximum), sum: merged.sum)
        #expect(decoded == merged)
    }

    @Test("A histogram without values can be encoded and decoded")
    func empty() throws {
        let empty = Histogram()
        #expect(try Histogram(base64Encoded: empty.base64Encoded()) == empty)
        // Other implementations encode one count of zero.
        #expect(try Histogram(encoded: patched(empty.encoded() + [0], at: 7, with: 1)) == empty)
        var decoded = empty
        #expect(throws: HistogramDecodingError.inconsistentStatistics) {
            try decoded.restore(minimum: 0, maximum: 0, sum: 0)
        }
    }

    @Test("The derived statistics are the bounds and the midpoints of the buckets")
    func derivedStatistics() throws {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 100_000, significantDigits: 3)
        for value: Int64 in [10_003, 10_003, 50] { histogram.record(value) }
        let decoded = try Histogram(encoded: histogram.encoded())
        #expect(decoded.minimum == 50)
        #expect(decoded.maximum == 10_007)
        #expect(decoded.sum == 2 * 10_004 + 50)
    }

    @Test(
        "Statistics that contradict the counts are not restored",
        arguments: [
            (49, 10_003, 20_056), (50, 9_999, 20_056), (50, 10_008, 20_056), (50, 10_003, 20_052), (50, 10_003, 20_057),
            (50, 10_003, .max), (50, 10_003, -1),
        ] as [(Int64, Int64, Int128)])
    func contradiction(_ minimum: Int64, _ maximum: Int64, _ sum: Int128) throws {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 100_000, significantDigits: 3)
        for value: Int64 in [10_003, 10_003, 50] { histogram.record(value) }
        let original = histogram
        #expect(throws: HistogramDecodingError.inconsistentStatistics) {
            try histogram.restore(minimum: minimum, maximum: maximum, sum: sum)
        }
        #expect(histogram == original)
        // The lowest and the highest possible sum.
        try histogram.restore(minimum: 50, maximum: 10_003, sum: 20_053)
        try histogram.restore(minimum: 50, maximum: 10_003, sum: 20_056)
    }

    @Test("A maximum above the range is restored, but only if a value was counted at the end of the range")
    func overflowedMaximum() throws {
        var histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 1_000, significantDigits: 3)
        for value: Int64 in [3, 1_000, 5_000] { histogram.record(value) }
        var decoded = try Histogram(encoded: histogram.encoded())
        #expect(decoded != histogram)
        try decoded.restore(minimum: 3, maximum: 5_000, sum: 6_003)
        #expect(decoded == histogram)
        var single = Histogram(configuration: histogram.configuration)
        single.record(3)
        #expect(throws: HistogramDecodingError.inconsistentStatistics) {
            try single.restore(minimum: 3, maximum: 5_000, sum: 5_000)
        }
    }

    // MARK: Invalid input

    @Test("Truncated histograms are rejected at each length")
    func truncation() throws {
        let histogram = random(1_000, 3_600_000_000_000, 3, 1)
        for bytes in [histogram.encoded(), histogram.compressed()] {
            for count in 0..<bytes.count {
                #expect(throws: HistogramDecodingError.invalidLength) { try Histogram(encoded: Array(bytes[..<count])) }
            }
            #expect(throws: HistogramDecodingError.invalidLength) { try Histogram(encoded: bytes + [0]) }
        }
        // The stated lengths are correct.
        let compressed = histogram.compressed()
        for data in [compressed[8...].dropLast(), [], compressed[8...] + [0]] {
            #expect(throws: HistogramDecodingError.invalidCompressedData) {
                try Histogram(encoded: compressed[..<7] + [UInt8(data.count)] + data)
            }
        }
    }

    @Test("A count that is incomplete or outside the range is rejected")
    func invalidCounts() {
        let header = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 1_000, significantDigits: 0).encoded()
        // The range consists of eleven buckets: ten octaves of one bucket, and one more in the first octave.
        let maximum: [UInt8] = [0xFE] + [UInt8](repeating: 0xFF, count: 8)
        let minimum: [UInt8] = [UInt8](repeating: 0xFF, count: 9)
        let invalid: [[UInt8]] = [
            [0x80], [2, 0xFF], Array(maximum.dropLast()), [23], [19, 2, 2], [UInt8](repeating: 2, count: 12), minimum,
            [2] + minimum, maximum + [2], [2] + maximum,
        ]
        for payload in invalid {
            #expect(throws: HistogramDecodingError.invalidCounts, "\(payload)") {
                try Histogram(encoded: patched(header + payload, at: 7, with: UInt8(payload.count)))
            }
        }
        for payload in [[17, 2, 2], [21], [0, 0, 2]] as [[UInt8]] {
            #expect(throws: Never.self, "\(payload)") {
                try Histogram(encoded: patched(header + payload, at: 7, with: UInt8(payload.count)))
            }
        }
    }

    @Test(
        "Invalid headers are rejected",
        arguments: [
            (0, 0, .unsupportedFormat), (3, 0x14, .invalidLength), (3, 0x12, .unsupportedFormat),
            (7, 99, .invalidLength), (11, 1, .unsupportedFormat), (15, 6, .invalidConfiguration),
            (12, 0xFF, .invalidConfiguration), (16, 0xFF, .invalidConfiguration), (24, 0x80, .invalidConfiguration),
        ] as [(Int, UInt8, HistogramDecodingError)])
    func invalidHeader(_ offset: Int, _ byte: UInt8, _ error: HistogramDecodingError) {
        #expect(throws: error) { try Histogram(encoded: patched(Histogram().encoded(), at: offset, with: byte)) }
    }

    @Test("The bits of the cookie that state the size of a count are ignored")
    func cookie() throws {
        let histogram = Histogram()
        #expect(try Histogram(encoded: patched(histogram.encoded(), at: 3, with: 0x93)) == histogram)
        #expect(try Histogram(encoded: patched(histogram.compressed(), at: 3, with: 0x04)) == histogram)
    }

    @Test("Text that is not Base64 or is empty is rejected")
    func invalidBase64() {
        #expect(throws: HistogramDecodingError.invalidBase64) { try Histogram(base64Encoded: "HISTFAAA!") }
        #expect(throws: HistogramDecodingError.invalidLength) { try Histogram(base64Encoded: "") }
    }

    @Test("Another configuration than the expected one is rejected, before data beyond its size are decompressed")
    func unexpectedConfiguration() throws {
        let expected = Histogram().configuration
        var other = Histogram(significantDigits: 5)
        other.record(5_000)
        let error = HistogramDecodingError.unexpectedConfiguration(expected: expected, actual: other.configuration)
        #expect(
            error.description == """
                cannot decode the histogram: expected 1000 to 3600000000000 with 3 significant digits, \
                got 1000 to 3600000000000 with 5 significant digits
                """)
        #expect(throws: error) {
            try Histogram(encoded: other.compressed(), configuration: expected)
        }
        #expect(throws: error) {
            try Histogram(encoded: other.encoded(), configuration: expected)
        }
        for index in 0..<250_000 as Range<Int64> { other.record(index << 9) }
        let compressed = other.compressed()
        #expect(compressed.count < 10_000)
        #expect(throws: HistogramDecodingError.invalidCompressedData) {
            try Histogram(encoded: compressed, configuration: expected)
        }
        #expect(try Histogram(encoded: compressed).count == 250_001)
    }

    @Test("Any bytes are decoded or rejected, and decoded histograms are consistent", arguments: 0..<8 as Range<UInt64>)
    func randomInput(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let valid = random(1_000, 3_600_000_000_000, 2, seed)
        let inputs = [valid.encoded(), valid.compressed(), Array(valid.encoded()[..<40])]
        var sum = Histogram(configuration: valid.configuration)
        var accepted = 0
        for _ in 0..<500 {
            var bytes = inputs.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if bytes.count == 40 {
                let payload = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                bytes = patched(bytes + payload, at: 7, with: UInt8(payload.count))
            }
            guard let histogram = try? Histogram(encoded: bytes) else { continue }
            accepted += 1
            #expect(histogram.buckets.reduce(0) { $0 + $1.count } == histogram.count)
            #expect(try Histogram(encoded: histogram.encoded()) == histogram)
            #expect(histogram.value(atPercentile: 100) == histogram.maximum)
            try? sum.merge(histogram)
        }
        #expect(accepted > 50 && accepted < 450)
        #expect(sum.count > 0)
    }

    // MARK: Helpers

    private func random(_ lowest: Int64, _ highest: Int64, _ digits: Int, _ seed: UInt64) -> Histogram {
        var generator = SplitMix64(seed: seed)
        var histogram = Histogram(
            lowestDiscernibleValue: lowest, highestTrackableValue: highest, significantDigits: digits)
        for _ in 0..<50 {
            let value = Int64.random(in: 0...highest >> Int64.random(in: 0...12, using: &generator), using: &generator)
            histogram.record(value, count: 1 << Int.random(in: 0...40, using: &generator))
        }
        return histogram
    }

    private func patched(_ bytes: [UInt8], at offset: Int, with byte: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[offset] = byte
        return bytes
    }
}
