/// A queue of test indices: first in, first out, or by rank where tests have one.
struct ReadyQueue {
    private let ranks: [Int32]
    /// In order of arrival from ``head`` on; indices that follow one another are one range.
    private var ranges: [Range<Int32>] = []
    private var head = 0
    /// A heap by rank.
    private var items: [Int32] = []

    /// Creates an empty queue.
    ///
    /// - Parameter ranks: For each test, its place in the order in which tests are to start; empty for the order in which
    ///   they come.
    init(ranks: [Int32] = []) {
        self.ranks = ranks
    }

    /// Whether nothing waits.
    var isEmpty: Bool { head == ranges.count && items.isEmpty }

    /// Adds an index.
    mutating func push(_ index: Int) {
        let index = Int32(index)
        guard ranks.isEmpty else {
            items.append(index)
            rise(items.count - 1)
            return
        }
        let last = ranges.count - 1
        if last >= head, ranges[last].upperBound == index {
            ranges[last] = ranges[last].lowerBound..<index + 1
        } else {
            ranges.append(index..<index + 1)
        }
    }

    /// Removes the oldest index, or the one with the lowest rank.
    mutating func pop() -> Int? {
        if !ranks.isEmpty { return popLowest() }
        guard head < ranges.count else { return nil }
        let range = ranges[head]
        if range.count > 1 {
            ranges[head] = range.lowerBound + 1..<range.upperBound
        } else {
            head += 1
            if head == ranges.count {
                ranges.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return Int(range.lowerBound)
    }

    private mutating func popLowest() -> Int? {
        guard let lowest = items.first else { return nil }
        let last = items.removeLast()
        if !items.isEmpty {
            items[0] = last
            sink(0)
        }
        return Int(lowest)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool { ranks[Int(items[left])] < ranks[Int(items[right])] }

    private mutating func rise(_ index: Int) {
        var index = index
        while index > 0, precedes(index, (index - 1) / 2) {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ index: Int) {
        var index = index
        while true {
            var lowest = index
            for child in [2 * index + 1, 2 * index + 2] where child < items.count && precedes(child, lowest) {
                lowest = child
            }
            if lowest == index { return }
            items.swapAt(lowest, index)
            index = lowest
        }
    }
}
