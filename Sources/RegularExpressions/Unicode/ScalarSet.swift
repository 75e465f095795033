/// A set of code points as sorted, disjoint, nonadjacent ranges.
struct ScalarSet: Sendable, Hashable {
    static let maximum: UInt32 = 0x10FFFF

    /// The ranges in ascending order; there is at least one code point between any two.
    private(set) var ranges: [ClosedRange<UInt32>] = []

    static let empty = ScalarSet()
    static let all = ScalarSet([0...maximum])

    init() {}

    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = ranges
        normalize()
    }

    init(scalar: UInt32) {
        ranges = [scalar...scalar]
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// The single member, if there is exactly one.
    var single: UInt32? {
        guard ranges.count == 1, let range = ranges.first, range.lowerBound == range.upperBound else { return nil }
        return range.lowerBound
    }

    func contains(_ scalar: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }

    /// Appends a range that starts after all others, for building a table in order.
    mutating func append(ascending range: ClosedRange<UInt32>) {
        if let last = ranges.last, last.upperBound &+ 1 >= range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
            ranges.append(range)
        }
    }

    mutating func insert(_ range: ClosedRange<UInt32>) {
        ranges.append(range)
        normalize()
    }

    mutating func formUnion(_ other: ScalarSet) {
        if other.isEmpty { return }
        ranges += other.ranges
        normalize()
    }

    func union(_ other: ScalarSet) -> ScalarSet {
        var result = self
        result.formUnion(other)
        return result
    }

    /// The complement: all code points that are not in the set.
    var complement: ScalarSet {
        var result = ScalarSet()
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { result.ranges.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= Self.maximum { result.ranges.append(next...Self.maximum) }
        return result
    }

    func intersection(_ other: ScalarSet) -> ScalarSet {
        var result = ScalarSet()
        var left = 0
        var right = 0
        while left < ranges.count, right < other.ranges.count {
            let low = max(ranges[left].lowerBound, other.ranges[right].lowerBound)
            let high = min(ranges[left].upperBound, other.ranges[right].upperBound)
            if low <= high { result.ranges.append(low...high) }
            if ranges[left].upperBound < other.ranges[right].upperBound { left += 1 } else { right += 1 }
        }
        return result
    }

    private mutating func normalize() {
        if ranges.count < 2 { return }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var result = ScalarSet()
        result.ranges.reserveCapacity(ranges.count)
        for range in ranges { result.append(ascending: range) }
        ranges = result.ranges
    }
}
