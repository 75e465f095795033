extension Histogram {
    /// The range and precision of a histogram, which determine its buckets.
    ///
    /// Values are divided into octaves: each one extends to twice the highest value of the previous one and consists of
    /// buckets of the same width. HdrHistogram calls an octave a bucket, and its parts sub-buckets.
    ///
    /// In the first octave, the width is the lowest discernible value, rounded down to a power of two. For 1,000 and three
    /// digits, values up to 1,048,575 have a resolution of 512. Higher values have an error of less than 0.1 %.
    public struct Configuration: Hashable, Sendable, CustomStringConvertible {
        /// The lowest value that is distinguished from 0.
        public let lowestDiscernibleValue: Int64
        /// The highest value that is distinguished from all higher values.
        public let highestTrackableValue: Int64
        /// The number of significant decimal digits to which values are distinguished.
        public let significantDigits: Int

        /// The binary logarithm of the width of the buckets in the first octave.
        private let unitMagnitude: Int
        /// The binary logarithm of the number of buckets in each octave. The first one has twice as many.
        private let octaveMagnitude: Int

        /// Creates a configuration, or returns nil if HdrHistogram does not support it.
        ///
        /// - Parameters:
        ///   - lowestDiscernibleValue: The lowest value to distinguish from 0, at least 1.
        ///   - highestTrackableValue: The highest value to track, at least twice the lowest one.
        ///   - significantDigits: The number of decimal digits to which values are distinguished, from 0 to 5.
        public init?(lowestDiscernibleValue: Int64, highestTrackableValue: Int64, significantDigits: Int) {
            guard lowestDiscernibleValue >= 1, highestTrackableValue / 2 >= lowestDiscernibleValue,
                (0...5).contains(significantDigits)
            else { return nil }
            self.lowestDiscernibleValue = lowestDiscernibleValue
            self.highestTrackableValue = highestTrackableValue
            self.significantDigits = significantDigits
            let precision = (0..<significantDigits).reduce(1) { precision, _ in precision * 10 }
            unitMagnitude = 63 - lowestDiscernibleValue.leadingZeroBitCount
            octaveMagnitude = 63 - (2 * precision - 1).leadingZeroBitCount
            guard unitMagnitude + octaveMagnitude <= 61 else { return nil }
        }

        /// The range and the precision as text.
        public var description: String {
            "\(lowestDiscernibleValue) to \(highestTrackableValue) with \(significantDigits) significant digits"
        }

        /// The number of buckets up to the end of the octave that contains the highest trackable value.
        var bucketCount: Int { (octave(of: highestTrackableValue) + 2) << octaveMagnitude }

        /// The number of counts that are allocated together: an eighth of an octave, but at least 16.
        var pageSize: Int { max((1 << octaveMagnitude) / 8, 16) }

        /// Returns the index of the bucket that contains a value, which must not be negative.
        func index(of value: Int64) -> Int {
            let octave = octave(of: value)
            return octave &<< octaveMagnitude &+ Int(value &>> Int64(octave &+ unitMagnitude))
        }

        private func octave(of value: Int64) -> Int {
            max(63 &- unitMagnitude &- octaveMagnitude &- value.leadingZeroBitCount, 0)
        }

        /// Returns the lowest and the highest value in a bucket.
        func bounds(at index: Int) -> ClosedRange<Int64> {
            let octave = max((index >> octaveMagnitude) - 1, 0)
            let shift = octave + unitMagnitude
            let lowest = Int64(index - octave << octaveMagnitude) << shift
            return lowest...(lowest | ((1 << shift) - 1))
        }
    }
}
