public import Basics
public import Diagnostics
public import RunModel

/// A test, which is the unit of scheduling and selection.
public struct SuiteTest: Sendable {
    /// The reason for a dependency between tests.
    public enum Reason: Sendable, Hashable {
        /// The test uses a variable that the other test captures.
        case capture(name: String)
        /// The test reads the other test's exchange as `tests.ID`.
        case exchange(id: String)
        /// The test lists the other test under `needs`.
        case needs
        /// The other test is the setup of the suite.
        case setup
        /// The order of a serial suite, or of a teardown: the test runs after the other test regardless of its outcome.
        case order
    }

    /// The cookie jar of a test.
    public enum CookieJarMode: String, Sendable, CaseIterable {
        /// A jar that is empty when the test starts.
        case new
        /// The jar of the suite, which the setup, the teardown and all tests with this mode share.
        case keep
        /// No jar.
        case off
    }

    /// An edge of the dependency graph of tests.
    public struct Dependency: Sendable, Hashable {
        /// The index in the suite of the test that must finish first.
        public var test: Int
        /// The reason for the dependency.
        public var reason: Reason

        /// Creates a dependency.
        public init(test: Int, reason: Reason) {
            self.test = test
            self.reason = reason
        }
    }

    /// The index in the suite, from 0.
    public var index: Int
    /// The role of the test in its suite: test, setup, or teardown.
    public var kind = TestKind.test
    /// The name.
    public var name: String
    /// The identifier of the test, if it has one.
    public var id: String?
    /// The description, owner, and properties; nil if the test has none.
    public var annotations: Annotations?
    /// The tags of the test, including those of its suite.
    public var tags: [String]
    /// The reason why the test is skipped: empty if none is stated, nil if the test is not skipped.
    public var skip: String?
    /// The failure that is expected of the test; nil if it is expected to pass.
    @Indirect public var expectedFailure: ExpectedFailure?
    /// The condition; the test is skipped if it is false.
    public var condition: EmbeddedExpression?
    /// Whether the test is marked `only`, which excludes all tests that are not.
    public var isOnly = false
    /// The time limit of the whole test, in nanoseconds.
    public var timeout: Templated<Int64>?
    /// Whether reports show every exchange of the test.
    public var isVerbose = false
    /// The secrets that the test needs and whose values are the output of programs.
    public var neededSecrets: [String] = []
    /// The rows of the test. Each of them is run separately.
    @Indirect public var data: TestData?
    /// The names of the resource locks that the test holds while it runs, without duplicates.
    public var locks: [String]
    /// The cookie jar of the test.
    public var cookieJar = CookieJarMode.new
    /// The retry rule of the test; nil if the suite does not set one.
    @Indirect public var retry: Templated<RetryRule>?
    /// The variables of the test.
    public var variables: [Variable]
    /// The steps, in order; one for a test that is a single exchange.
    ///
    /// The steps of a group follow their group, and those of the cleanup come last.
    public var steps: [SuiteStep]
    /// The number of steps at the end of ``steps`` that always run after the others, written under `finally`.
    public var cleanupCount = 0
    /// Whether the test is written with `steps`.
    public var hasSteps: Bool
    /// The tests that must finish before this one starts.
    public var dependencies: [Dependency]
    /// Whether another test reads this test's exchange as `tests.ID`, so that the exchange is kept.
    public var isReferenced: Bool
    /// The source range of the test's name.
    public var range: SourceRange
    /// The lines of the test in its file, from the first to the last.
    public var lines: ClosedRange<Int32>

    /// The steps without those of the cleanup.
    public var body: ArraySlice<SuiteStep> { steps.dropLast(cleanupCount) }

    /// The steps of the cleanup.
    public var cleanup: ArraySlice<SuiteStep> { steps.suffix(cleanupCount) }

    /// The description of the test.
    public var description: String? { annotations?.description }

    /// Creates a test.
    public init(
        index: Int, name: String, id: String? = nil, description: String? = nil, tags: [String] = [],
        skip: String? = nil, locks: [String] = [], retry: Templated<RetryRule>? = nil, variables: [Variable] = [],
        steps: [SuiteStep], hasSteps: Bool, dependencies: [Dependency] = [], isReferenced: Bool = false,
        range: SourceRange,
        lines: ClosedRange<Int32>
    ) {
        self.index = index
        self.name = name
        self.id = id
        annotations = Annotations(description: description)
        self.tags = tags
        self.skip = skip
        self.locks = locks
        self.retry = retry
        self.variables = variables
        self.steps = steps
        self.hasSteps = hasSteps
        self.dependencies = dependencies
        self.isReferenced = isReferenced
        self.range = range
        self.lines = lines
    }
}

/// The rows of a test: the Cartesian product of its sources.
///
/// The first source varies slowest and the last one fastest.
public struct TestData: Sendable {
    /// The maximum number of rows of a test.
    public static let maximumCount = 100_000_000
    /// The maximum number of rows that are kept in memory, as those of a matrix without some of its combinations.
    public static let maximumKeptCount = 1_000_000

    /// The sources of the rows.
    public let sources: [RowSource]
    /// The names of the columns of all sources, in order.
    public let columns: [String]
    /// The number of rows.
    public let count: Int
    /// The names of the rows; empty if all rows have the same name.
    public var names: NameList
    /// The number of rows of each source, and the number of consecutive rows of the product that repeat a row of the
    /// source.
    ///
    /// Both numbers are at least 1.
    private let strides: [(count: Int, stride: Int)]

    /// Creates the Cartesian product of sources.
    public init(sources: [RowSource], names: NameList = NameList()) {
        self.sources = sources
        self.names = names
        columns = sources.flatMap(\.columns)
        let counts = sources.map(\.count)
        count = Self.count(of: counts) ?? 0
        var stride = 1
        var strides: [(count: Int, stride: Int)] = []
        for count in counts.reversed() {
            strides.append((max(1, count), stride))
            let (next, overflow) = stride.multipliedReportingOverflow(by: max(1, count))
            // On overflow there are too many rows, and no row is ever read.
            stride = overflow ? stride : next
        }
        self.strides = strides.reversed()
    }

    /// Returns the product of counts; nil if it exceeds a limit.
    public static func count(of counts: [Int], limit: Int = maximumCount) -> Int? {
        if counts.contains(0) { return 0 }
        var product = 1
        for count in counts {
            let (next, overflow) = product.multipliedReportingOverflow(by: count)
            if overflow || next > limit { return nil }
            product = next
        }
        return product
    }

    /// Whether rows can have source ranges in the suite.
    public var hasLocations: Bool {
        sources.contains { if case .table(let table) = $0 { !table.ranges.isEmpty } else { false } }
    }

    /// Returns the index in a source of a row of the product.
    ///
    /// - Parameters:
    ///   - row: The index of the row in the product, from 0.
    ///   - source: The index of the source.
    public func position(ofRow row: Int, inSource source: Int) -> Int {
        guard strides.indices.contains(source) else { return 0 }
        let (count, stride) = strides[source]
        return row / stride % count
    }

    /// Returns the source range of a row in the suite; nil if the row is not written there.
    ///
    /// - Parameters:
    ///   - row: The index of the row, from 0.
    ///   - file: The file of the suite.
    public func range(ofRow row: Int, in file: SourceFile) -> SourceRange? {
        for (index, source) in sources.enumerated() {
            let position = position(ofRow: row, inSource: index)
            if case .table(let table) = source, table.ranges.indices.contains(position),
                table.ranges[position].file === file
            {
                return table.ranges[position]
            }
        }
        return nil
    }

    /// Returns the path and line of a row that is read from another file; nil if the row is written in the suite.
    ///
    /// - Parameters:
    ///   - row: The index of the row, from 0.
    ///   - file: The file of the suite.
    public func location(ofRow row: Int, outside file: SourceFile) -> (path: String, line: Int)? {
        for (index, source) in sources.enumerated() {
            let position = position(ofRow: row, inSource: index)
            switch source {
            case .file(let data): return (data.path, data.line(ofRow: position))
            case .table(let table) where table.ranges.indices.contains(position):
                let range = table.ranges[position]
                if range.file !== file { return (range.file.name, Int(range.start.line)) }
            case .table, .repetition: continue
            }
        }
        return nil
    }
}
