/// A queue of test indices: first in, first out, or by rank where tests have one.
struct ReadyQueue {
    private let ranks: [Int32]
    /// In order of arrival from ``head`` on, or a heap by rank.
    private var items: [Int] = []
    private var head = 0

    /// Creates an empty queue.
    ///
    /// - Parameter ranks: For each test, its place in the order in which tests are to start; empty for the order in which
    ///   they come.
    init(ranks: [Int32] = []) {
        self.ranks = ranks
    }

    /// Whether nothing waits.
    var isEmpty: Bool { head == items.count }

    /// Adds an index.
    mutating func push(_ index: Int) {
        items.append(index)
        if !ranks.isEmpty { rise(items.count - 1) }
    }

    /// Removes the oldest index, or the one with the lowest rank.
    mutating func pop() -> Int? {
        if !ranks.isEmpty { return popLowest() }
        guard head < items.count else { return nil }
        defer {
            head += 1
            if head == items.count {
                items.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return items[head]
    }

    private mutating func popLowest() -> Int? {
        guard let lowest = items.first else { return nil }
        let last = items.removeLast()
        if !items.isEmpty {
            items[0] = last
            sink(0)
        }
        return lowest
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool { ranks[items[left]] < ranks[items[right]] }

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
