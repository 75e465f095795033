import SuiteModel

/// What the tests of a suite are called in a lock: their names as written, the second of a name with ` [2]`.
struct LockLabels: Sendable {
    private let labels: [String]

    init(of suite: Suite) {
        var counts: [String: Int] = [:]
        labels = suite.tests.map { test in
            let count = counts[test.name, default: 0] + 1
            counts[test.name] = count
            return count == 1 ? test.name : "\(test.name) [\(count)]"
        }
    }

    /// What a test is called.
    subscript(test: Int) -> String { labels[test] }

    /// All of them, in the order of the suite.
    var all: [String] { labels }
}
