import NIOCore
import RunModel
import Synchronization

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

/// Where the workers of an event loop wait after a test until it is in the record: the tests that end in one turn of the
/// loop are written together, and only then is anything sent that could tell that they are done.
final class CommitGate: Sendable {
    private let eventLoop: any EventLoop
    private let commit: @Sendable () -> Void
    private let waiting = Mutex<[UnsafeContinuation<Void, Never>]>([])

    init(_ eventLoop: any EventLoop, commit: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.commit = commit
    }

    /// Waits until all tests that have ended are written, after whatever the loop has to do before.
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

/// How far groups of rows have come, and what each came to.
struct RowGroupStates {
    private struct State {
        var unfinished: Int
        /// The first row that did not pass, and whether it is worse than skipped.
        var first: (index: Int, outcome: TestResult.Outcome, isBad: Bool)?
        var hasPassed = false
    }

    private let groups: RowGroups
    private var states: [State]

    /// Creates the states of groups of which no row is done.
    init(_ groups: RowGroups) {
        self.groups = groups
        states = groups.ranges.map { State(unfinished: $0.count) }
    }

    /// Takes the outcome of a test.
    ///
    /// - Returns: for the last row of a group what waits for the group, and the row that decides what becomes of that: the
    ///   first that failed or was blocked, otherwise, where none passed, the first that was skipped.
    mutating func finish(
        _ index: Int, outcome: TestResult.Outcome
    ) -> (index: Int, outcome: TestResult.Outcome, dependents: [TestPlan.Dependent])? {
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
