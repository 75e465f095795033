public import Basics
public import Diagnostics
public import RunModel

/// A test: the unit that is scheduled and selected.
public struct SuiteTest: Sendable {
    /// Why a test waits for another.
    public enum Reason: Sendable, Hashable {
        /// It uses a variable that the other captures.
        case capture(name: String)
        /// It reads the other's exchange as `tests.ID`.
        case exchange(id: String)
        /// It names the other in `needs`.
        case needs
        /// The other is the suite's setup.
        case setup
        /// The suite's mode is serial, or it is the teardown: it merely runs after the other, whatever came of it.
        case order
    }

    /// An edge of the test graph.
    public struct Dependency: Sendable, Hashable {
        /// The index, in the suite, of the test that must be done before.
        public var test: Int
        /// Why.
        public var reason: Reason

        /// Creates an edge.
        public init(test: Int, reason: Reason) {
            self.test = test
            self.reason = reason
        }
    }

    /// The index in the suite, from 0.
    public var index: Int
    /// What the test is to its suite.
    public var kind = TestKind.test
    /// The name.
    public var name: String
    /// The identifier, when the test has one.
    public var id: String?
    /// The description, the owner and the properties, when the test has any.
    public var annotations: Annotations?
    /// The test's own tags and its suite's.
    public var tags: [String]
    /// Why the test is skipped; empty when no reason is given, nil when it runs.
    public var skip: String?
    /// What must be true, or the test is skipped.
    public var condition: EmbeddedExpression?
    /// True when only tests that say so are to run.
    public var isOnly = false
    /// How long the whole test may take, in nanoseconds.
    public var timeout: Int64?
    /// The rows for each of which the test is run.
    @Indirect public var data: TestData?
    /// The name of the lock that the test holds while it runs.
    public var lock: String?
    /// How often the test is tried again when it did not pass; nil when the suite does not say.
    @Indirect public var retry: RetryRule?
    /// The test's variables.
    public var variables: [Variable]
    /// The steps in order; one for a test that is a single exchange.
    public var steps: [SuiteStep]
    /// True when the test was written with `steps`.
    public var hasSteps: Bool
    /// What must be done before the test starts.
    public var dependencies: [Dependency]
    /// True when another test reads this one's exchange as `tests.ID`, so that it is kept.
    public var isReferenced: Bool
    /// The place of the test's name.
    public var range: SourceRange
    /// The lines that the test takes in its file, first and last.
    public var lines: ClosedRange<Int32>

    /// The description.
    public var description: String? { annotations?.description }

    /// Creates a test.
    public init(
        index: Int, name: String, id: String? = nil, description: String? = nil, tags: [String] = [],
        skip: String? = nil, lock: String? = nil, retry: RetryRule? = nil, variables: [Variable] = [],
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
        self.lock = lock
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

/// The rows for each of which a test is run: those of its sources, crossed.
///
/// The first source varies slowest and the last one fastest.
public struct TestData: Sendable {
    /// The most rows that a test can have.
    public static let maximumCount = 1_000_000

    /// Where the rows come from.
    public let sources: [RowSource]
    /// The names of the columns of all sources, in order.
    public let columns: [String]
    /// The number of rows.
    public let count: Int
    /// The name of the test for each row; empty when the name is the same for all.
    public var names: NameList
    /// Of each source its number of rows, and how many rows of the whole follow one another with the same one of its; both
    /// are 1 at least.
    private let strides: [(count: Int, stride: Int)]

    /// Creates the rows that some sources give when they are crossed.
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
            // Then there are too many rows, and none is asked for.
            stride = overflow ? stride : next
        }
        self.strides = strides.reversed()
    }

    /// The product of some numbers, or nil when it is more than ``maximumCount``.
    public static func count(of counts: [Int]) -> Int? {
        if counts.contains(0) { return 0 }
        var product = 1
        for count in counts {
            let (next, overflow) = product.multipliedReportingOverflow(by: count)
            if overflow || next > maximumCount { return nil }
            product = next
        }
        return product
    }

    /// Whether rows may have places of their own in the suite.
    public var hasPlaces: Bool {
        sources.contains { if case .table(let table) = $0 { !table.ranges.isEmpty } else { false } }
    }

    /// The index of the row of one of the sources.
    ///
    /// - Parameters:
    ///   - row: The index of the row of the whole, from 0.
    ///   - source: The index of the source.
    public func position(ofRow row: Int, inSource source: Int) -> Int {
        guard strides.indices.contains(source) else { return 0 }
        let (count, stride) = strides[source]
        return row / stride % count
    }

    /// The place of a row in the suite, or nil when it does not stand there.
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

    /// The file and line of a row that stands in a file of its own, or nil for another.
    ///
    /// - Parameters:
    ///   - row: The index of the row, from 0.
    ///   - file: The file of the suite.
    public func place(ofRow row: Int, outside file: SourceFile) -> (path: String, line: Int)? {
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
