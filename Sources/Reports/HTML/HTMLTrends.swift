/// What earlier runs say about this one, as the overview of the HTML report lists it.
///
/// Whoever keeps the history hands it to ``HTMLReporter/init(path:trends:)`` as a closure, which is called once, when the
/// report is put together. The order is that of the list.
public struct HTMLTrends: Sendable {
    /// What a trend is.
    public enum Kind: String, Sendable, Hashable {
        /// The test failed in this run and passed in the one before.
        case newFailure = "new failure"
        /// The test has failed for more than one run.
        case stillFailing = "still failing"
        /// The test passed in this run and failed in the one before.
        case fixed
        /// The test passed and failed on the same revision and content of its suite.
        case flaky
        /// The test took longer than in earlier runs.
        case slower
    }

    /// A test, and what is to be said of it.
    public struct Entry: Sendable, Hashable {
        /// What the trend is.
        public var kind: Kind
        /// The suite's name.
        public var suite: String
        /// The test's name, by which the page finds it.
        public var test: String
        /// One sentence without a final full stop: `412 ms, the median of 9 runs is 41 ms`.
        public var text: String

        /// Creates an entry.
        public init(kind: Kind, suite: String, test: String, text: String) {
            self.kind = kind
            self.suite = suite
            self.test = test
            self.text = text
        }
    }

    /// The trends, the most telling first.
    public var entries: [Entry]
    /// The last verdicts on each test; nil when they are not known.
    var table: TrendTable?

    /// Creates trends.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }
}
