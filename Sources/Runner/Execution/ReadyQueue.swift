import NIOCore
import RunModel
import Synchronization

/// A queue of test indices, ordered by arrival, or by rank if tests have one.
struct ReadyQueue {
    private let ranks: [Int32]
    /// The indices in order of arrival, starting at ``head``; consecutive indices form one range.
    private var ranges: [Range<Int32>] = []
    private var head = 0
    /// A binary heap ordered by rank.
    private var items: [Int32] = []

    /// Creates an empty queue.
    ///
    /// - Parameter ranks: For each test, its rank in the starting order; empty to use the order of arrival.
    init(ranks: [Int32] = []) {
        self.ranks = ranks
    }

    /// Whether the queue is empty.
    var isEmpty: Bool { head == ranges.count && items.isEmpty }

    /// The index that ``pop()`` returns next.
    var first: Int? {
        guard ranks.isEmpty else { return items.first.map(Int.init) }
        return head < ranges.count ? Int(ranges[head].lowerBound) : nil
    }

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

    /// Removes and returns the oldest index, or the one with the lowest rank.
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

/// A gate that suspends the workers of an event loop until the results of their tests are in the record.
///
/// The tests that finish in one tick of the loop are written together. Only then does the loop send anything that could
/// reveal that they have finished.
final class RecordBarrier: Sendable {
    private let eventLoop: any EventLoop
    private let commit: @Sendable () -> Void
    private let waiting = Mutex<[UnsafeContinuation<Void, Never>]>([])

    init(_ eventLoop: any EventLoop, commit: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.commit = commit
    }

    /// Suspends until the results of all finished tests are written, after the work already queued on the loop.
    nonisolated(nonsending) func pass() async {
        await withUnsafeContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == 1
            }
            if isFirst { eventLoop.execute { self.open() } }
        }
    }

    private func open() {
        let passing = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        commit()
        for continuation in passing { continuation.resume() }
    }
}

/// The progress and the outcome of each group of rows.
struct RowGroupStates {
    private struct State {
        var unfinished: Int
        /// The first row that did not pass, and whether its outcome is worse than skipped.
        var first: (index: Int, outcome: TestResult.Outcome, isBad: Bool)?
        var hasPassed = false
    }

    private let groups: RowGroups
    private var states: [State]

    /// Creates the states of groups without finished rows.
    init(_ groups: RowGroups) {
        self.groups = groups
        states = groups.ranges.map { State(unfinished: $0.count) }
    }

    /// Records the outcome of a test.
    ///
    /// - Returns: After the last row of a group, the dependents of the group and the row that determines their outcome.
    ///   This is the first row that failed or was blocked. If no row passed, it is otherwise the first one that was
    ///   skipped.
    mutating func finish(
        _ index: Int, outcome: TestResult.Outcome
    ) -> (index: Int, outcome: TestResult.Outcome, dependents: TestPlan.DependentList)? {
        guard !states.isEmpty, let group = groups.group(of: index) else { return nil }
        states[group].unfinished -= 1
        if outcome.isSuccess {
            states[group].hasPassed = true
        } else {
            var isBad = true
            if case .skipped = outcome { isBad = false }
            let first = states[group].first
            if first.map({ isBad && !$0.isBad || isBad == $0.isBad && index < $0.index }) ?? true {
                states[group].first = (index, outcome, isBad)
            }
        }
        guard states[group].unfinished == 0 else { return nil }
        let dependents = groups.dependents[group]
        if let first = states[group].first, first.isBad || !states[group].hasPassed {
            return (first.index, first.outcome, dependents)
        }
        return (index, .passed, dependents)
    }
}
