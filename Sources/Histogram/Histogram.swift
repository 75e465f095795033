/// A high dynamic range (HDR) histogram: the distribution of recorded values with a fixed relative precision.
///
/// The buckets are those of [HdrHistogram](http://hdrhistogram.org). Values are whole numbers in any unit, for example
/// nanoseconds. Percentiles and charts have the precision of the buckets. The count, the minimum, the maximum, the sum and
/// the mean are exact, but decoding restores only the count exactly; see ``restore(minimum:maximum:sum:)``.
///
/// Memory is proportional to the number of buckets between the lowest and the highest value recorded.
public struct Histogram: Sendable, Equatable {
    /// The range and the precision.
    public let configuration: Configuration
    /// The number of recorded values.
    public private(set) var count = 0
    /// The exact sum of the recorded values.
    public internal(set) var sum: Int128 = 0
    /// The exact minimum, or the highest integer if it is empty.
    var lowest = Int64.max
    /// The exact maximum, or -1 if it is empty.
    var highest: Int64 = -1
    /// The counts of the buckets from `firstIndex` on.
    ///
    /// They extend from the first page with a value to the last one. Histograms of equal values are therefore equal.
    private(set) var counts: [Int] = []
    /// The index of the first bucket in `counts`, at the start of a page.
    private(set) var firstIndex = 0

    /// Creates a histogram without values. The default parameters are for durations in nanoseconds.
    ///
    /// HdrHistogram must support the parameters; see ``Configuration``.
    ///
    /// - Parameters:
    ///   - lowestDiscernibleValue: The lowest value to distinguish from 0, at least 1 (default: 1 µs).
    ///   - highestTrackableValue: The highest value to track, at least twice the lowest one (default: 1 hour).
    ///   - significantDigits: The number of decimal digits to which values are distinguished, from 0 to 5.
    public init(
        lowestDiscernibleValue: Int64 = 1_000, highestTrackableValue: Int64 = 3_600_000_000_000,
        significantDigits: Int = 3
    ) {
        let configuration = Configuration(
            lowestDiscernibleValue: lowestDiscernibleValue, highestTrackableValue: highestTrackableValue,
            significantDigits: significantDigits)
        guard let configuration else { preconditionFailure("HdrHistogram does not support this configuration") }
        self.configuration = configuration
    }

    /// Creates a histogram without values.
    public init(configuration: Configuration) { self.configuration = configuration }

    // MARK: Recording

    /// Records a value.
    ///
    /// Negative values are recorded as 0. Values above the highest trackable value share its bucket, but the maximum
    /// and the sum remain exact.
    public mutating func record(_ value: Int64) { record(value, count: 1) }

    /// Records a value several times.
    ///
    /// - Parameters:
    ///   - value: The value. Values out of range are recorded as by ``record(_:)``.
    ///   - added: The number of times, at least 0. The total count must fit in an `Int`.
    public mutating func record(_ value: Int64, count added: Int) {
        precondition(added >= 0, "a count must not be negative")
        guard added > 0 else { return }
        let value = max(value, 0)
        add(added, at: configuration.index(of: min(value, configuration.highestTrackableValue)))
        lowest = min(lowest, value)
        highest = max(highest, value)
        sum &+= Int128(value) &* Int128(added)
    }

    /// Records values whose bucket alone is known, with the bounds and the midpoint of the bucket.
    mutating func recordBucket(at index: Int, count added: Int) {
        let bounds = configuration.bounds(at: index)
        add(added, at: index)
        lowest = min(lowest, bounds.lowerBound)
        highest = max(highest, bounds.upperBound)
        sum &+= Int128(bounds.midpoint) &* Int128(added)
    }

    private mutating func add(_ added: Int, at index: Int) {
        count += added
        if index < firstIndex || index >= firstIndex + counts.count { allocate(index...index) }
        counts[index - firstIndex] &+= added
    }

    /// Allocates the pages that contain a range of indices, and those between them and the allocated pages.
    mutating func allocate(_ indices: ClosedRange<Int>) {
        let page = configuration.pageSize
        var start = indices.lowerBound / page * page
        var end = (indices.upperBound / page + 1) * page
        if !counts.isEmpty {
            start = min(start, firstIndex)
            end = max(end, firstIndex + counts.count)
        }
        guard end - start > counts.count else { return }
        // An exact allocation: appending would reserve up to twice the memory.
        var extended = [Int](repeating: 0, count: end - start)
        let offset = counts.isEmpty ? 0 : firstIndex - start
        extended.replaceSubrange(offset..<offset + counts.count, with: counts)
        counts = extended
        firstIndex = start
    }

    /// Adds the values of another histogram. The result is the same as if all values had been recorded here.
    ///
    /// - Throws: ``HistogramMergeError`` if the configurations differ or the count overflows. This histogram is then
    ///   unchanged.
    public mutating func merge(_ other: Histogram) throws(HistogramMergeError) {
        guard configuration == other.configuration else {
            throw .differentConfigurations(configuration, other.configuration)
        }
        let (total, overflow) = count.addingReportingOverflow(other.count)
        guard !overflow else { throw .countOverflow }
        guard other.count > 0 else { return }
        allocate(other.firstIndex...other.firstIndex + other.counts.count - 1)
        let offset = other.firstIndex - firstIndex
        for index in other.counts.indices { counts[offset + index] &+= other.counts[index] }
        count = total
        lowest = min(lowest, other.lowest)
        highest = max(highest, other.highest)
        sum &+= other.sum
    }

    // MARK: Statistics

    /// The exact minimum, or nil if it is empty.
    public var minimum: Int64? { count > 0 ? lowest : nil }

    /// The exact maximum, or nil if it is empty.
    public var maximum: Int64? { count > 0 ? highest : nil }

    /// The exact mean, or nil if it is empty.
    public var mean: Double? { count > 0 ? Double(sum) / Double(count) : nil }

    /// The population standard deviation in the precision of the buckets, or nil if it is empty.
    ///
    /// - Complexity: O(n) for n allocated buckets.
    public var standardDeviation: Double? {
        guard let mean else { return nil }
        let squares = buckets.reduce(0.0) { sum, bucket in
            let deviation = Double(bucket.bounds.midpoint) - mean
            return sum + deviation * deviation * Double(bucket.count)
        }
        return (squares / Double(count)).squareRoot()
    }

    /// Returns the value at a percentile, or nil if it is empty.
    ///
    /// - Parameter percentile: The percentage of values to include. Numbers outside 0...100 are clamped.
    /// - Returns: The highest value in the bucket of the nearest rank ⌈percentile / 100 × count⌉, but at most the
    ///   maximum. The result is the exact minimum for 0, and the exact maximum for the last rank.
    /// - Complexity: O(n) for n allocated buckets.
    public func value(atPercentile percentile: Double) -> Int64? { values(atPercentiles: [percentile])?.first }

    /// Returns the values at several percentiles in one pass, or nil if it is empty.
    ///
    /// - Parameter percentiles: The percentiles in any order.
    /// - Returns: The values as of ``value(atPercentile:)``, in the order of the percentiles.
    /// - Complexity: O(n) for n allocated buckets.
    public func values(atPercentiles percentiles: [Double]) -> [Int64]? {
        guard count > 0 else { return nil }
        let ranks = percentiles.map(rank)
        var values = [Int64](repeating: lowest, count: ranks.count)
        var index = -1
        var countToIndex = 0
        for position in ranks.indices.sorted(by: { ranks[$0] < ranks[$1] }) where ranks[position] > 0 {
            while countToIndex < ranks[position] {
                index += 1
                countToIndex += counts[index]
            }
            let isLast = ranks[position] == count
            values[position] = isLast ? highest : min(configuration.bounds(at: firstIndex + index).upperBound, highest)
        }
        return values
    }

    /// Returns the nearest rank of a percentile from 1 to the count, or 0 for the minimum.
    private func rank(of percentile: Double) -> Int {
        guard percentile > 0 else { return 0 }
        guard percentile < 100 else { return count }
        // As in HdrHistogram, the next lower number keeps rounding errors from increasing the rank.
        let rank = (percentile.nextDown * Double(count) / 100).rounded(.up)
        return min(max(Int(rank), 1), count)
    }

    /// Returns the number of values in the buckets above that of a value.
    ///
    /// - Complexity: O(n) for n allocated buckets.
    public func count(above value: Int64) -> Int {
        guard value >= 0 else { return count }
        return counts.dropFirst(max(configuration.index(of: value) + 1 - firstIndex, 0)).reduce(0, +)
    }

    /// A range of values that the histogram does not distinguish, and their count.
    public struct Bucket: Hashable, Sendable {
        /// The lowest and the highest value in the bucket.
        public let bounds: ClosedRange<Int64>
        /// The number of values recorded in the bucket, at least 1.
        public let count: Int
    }

    /// The buckets with values, in ascending order.
    public var buckets: some Sequence<Bucket> {
        counts.indices.lazy.filter { counts[$0] > 0 }.map {
            Bucket(bounds: configuration.bounds(at: firstIndex + $0), count: counts[$0])
        }
    }
}

extension ClosedRange<Int64> {
    /// The value in the middle, rounded up, which HdrHistogram calls the median equivalent value.
    var midpoint: Int64 { lowerBound + (upperBound - lowerBound + 1) / 2 }
}

/// An error that occurs when histograms are merged.
public enum HistogramMergeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The histograms have different ranges or precisions.
    case differentConfigurations(Histogram.Configuration, Histogram.Configuration)
    /// The total count exceeds the highest `Int`.
    case countOverflow

    /// The message of the error.
    public var description: String {
        switch self {
        case .differentConfigurations(let first, let second):
            "cannot merge histograms with different configurations: \(first) and \(second)"
        case .countOverflow: "cannot merge histograms: the total count is too high"
        }
    }
}
