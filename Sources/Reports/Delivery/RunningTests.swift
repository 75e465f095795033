import RunModel

/// The tests that have started and not been reported as finished.
struct RunningTests {
    /// The tests of a suite by position: a window of consecutive positions, and the tests far away from it.
    private struct Window {
        /// The position of the first slot, starting at 0.
        private var first = 0
        /// The number of leading slots whose tests were removed.
        private var done = 0
        private var slots: [TestReference?] = []
        private var others: [Int: TestReference] = [:]

        /// The maximum number of empty slots to add before a test that starts.
        private static let widest = 4_096
        /// The maximum number of empty leading slots to keep.
        private static let maximumDone = 1_024

        mutating func start(_ test: TestReference) {
            // Tests start and finish nearly in order.
            if slots.isEmpty { first = max(0, test.position) }
            guard test.position >= first else {
                others[test.position] = test
                return
            }
            let index = test.position - first
            if index >= done, index < slots.count {
                slots[index] = test
            } else if index >= slots.count, index - slots.count <= Self.widest {
                while slots.count < index { slots.append(nil) }
                slots.append(test)
            } else {
                others[test.position] = test
            }
        }

        mutating func finish(_ position: Int) {
            if !others.isEmpty { others[position] = nil }
            guard position >= first, position - first < slots.count else { return }
            slots[position - first] = nil
            while done < slots.count, slots[done] == nil { done += 1 }
            guard done == slots.count || done > Self.maximumDone else { return }
            slots.removeFirst(done)
            first += done
            done = 0
        }

        var tests: [TestReference] { slots.compactMap { $0 } + others.values }
    }

    private var windows: [Window] = []
    /// The indices of windows by suite.
    private var indices: [Int: Int] = [:]
    /// The suite that was looked up last.
    private var last: (suite: Int, index: Int)?

    private mutating func index(of suite: Int) -> Int {
        if let last, last.suite == suite { return last.index }
        let index = indices[suite] ?? windows.count
        if index == windows.count {
            windows.append(Window())
            indices[suite] = index
        }
        last = (suite, index)
        return index
    }

    /// Whether no test has started since the last call of ``takeAll()``.
    var isEmpty: Bool { windows.isEmpty }

    mutating func start(_ test: TestReference) { windows[index(of: test.suite)].start(test) }

    mutating func finish(_ test: TestReference) { finish(test.position, of: test.suite) }

    /// Removes the test at a position of a suite.
    mutating func finish(_ position: Int, of suite: Int) { windows[index(of: suite)].finish(position) }

    /// Removes and returns all tests, in file order.
    mutating func takeAll() -> [TestReference] {
        defer { self = RunningTests() }
        return windows.flatMap(\.tests).sorted { ($0.suite, $0.position) < ($1.suite, $1.position) }
    }
}
