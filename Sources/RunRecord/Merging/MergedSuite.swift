import RunModel

/// A suite of merged records.
struct MergedSuite {
    /// The properties that identify a suite across records.
    struct Key: Hashable {
        var path: String
        var documentIndex: Int
        var name: String
        var environment: String?
        /// The number of identical suites before it in its record.
        var repetition: Int
    }

    var info: SuiteInfo
    /// The start and the end in nanoseconds since the start of the first run, or `nil` while they are unknown.
    var start: Int64?
    var end: Int64?
    var counts = OutcomeCounts()
    /// The maximum number of selected tests per shard, with the key `nil` for records that do not belong to a shard.
    var planned: [String?: Int] = [:]
    /// The number of tests that finished or were skipped on purpose.
    var doneCount = 0
    /// Whether its server exited on its own in any of the runs.
    var hasServerError = false

    init(_ info: SuiteInfo) {
        self.info = info
        self.info.testCount = 0
    }

    /// Merges the data of the suite from another record.
    mutating func join(_ other: SuiteInfo) {
        if info.baseURL == nil { info.baseURL = other.baseURL }
        if info.digest != other.digest { info.digest = nil }
    }

    mutating func spans(from start: Int64, to end: Int64) {
        self.start = min(self.start ?? start, start)
        self.end = max(self.end ?? end, end)
    }

    /// Returns the order of the suites: by path if every record is in that order, and otherwise in the order of the
    /// records.
    ///
    /// - Parameter lists: The suites of each record, as indices into `suites`.
    static func order(of suites: [MergedSuite], in lists: [[Int]]) -> [Int] {
        func isBefore(_ left: Int, _ right: Int) -> Bool {
            let (left, right) = (suites[left].info, suites[right].info)
            if left.path == right.path { return left.documentIndex < right.documentIndex }
            return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
        }
        let areSorted = lists.allSatisfy { list in zip(list, list.dropFirst()).allSatisfy { !isBefore($1, $0) } }
        if areSorted { return suites.indices.sorted { isBefore($0, $1) || (!isBefore($1, $0) && $0 < $1) } }
        var next: [Int: Int] = [:]
        var last: Int?
        var first: Int?
        // A linked list, so that merging takes linear time.
        for list in lists {
            var previous: Int?
            for suite in list {
                defer { previous = suite }
                if suite == last || next[suite] != nil { continue }
                if let previous {
                    next[suite] = next[previous]
                    next[previous] = suite
                    if previous == last { last = suite }
                } else {
                    next[suite] = first
                    if first == nil { last = suite }
                    first = suite
                }
            }
        }
        var order: [Int] = []
        while let suite = first {
            order.append(suite)
            first = suite == last ? nil : next[suite]
        }
        return order
    }
}
