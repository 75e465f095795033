import SuiteModel

/// The decision how much of each failure the console shows, so that many failures of one cause do not bury the others.
struct FailureForms {
    /// How a failure is shown.
    enum Form {
        /// With all findings and exchanges.
        case whole
        /// As a line with its first finding.
        case line
        /// Counted and named before the summary, with others of its cause.
        case counted
    }

    /// Tests that got no response for a reason that was shown before.
    struct Group {
        /// The reason.
        let cause: String
        /// The test with which it was shown.
        let first: [String]
        /// The names of the first tests that it was not shown with.
        var names: [[String]] = []
        /// The tests that it was not shown with.
        var count = 0
    }

    /// Failures that are shown whole.
    private static let maximumWhole = 50
    /// Names that are kept for each cause.
    private static let maximumNames = 5

    /// Whether all failures but those of an outage are shown whole.
    private let isVerbose: Bool
    private var causes = FailureCauses()
    private var whole = 0
    private var groups: [Int: Group] = [:]

    /// Creates a decision that has seen no failure.
    init(isVerbose: Bool) { self.isVerbose = isVerbose }

    /// Decides how a failure is shown.
    ///
    /// - Parameter names: The names that lead to the test, outermost first.
    mutating func form(of result: TestResult, names: [String]) -> Form {
        guard let member = causes.add(result) else { return .whole }
        if member.isShownWhole || (isVerbose && !member.cause.isOutage) {
            if let index = member.index, member.rank == 0, member.cause.isOutage {
                groups[index] = Group(cause: member.cause.text, first: names)
            }
            guard isVerbose || whole < Self.maximumWhole else { return .line }
            whole += 1
            return .whole
        }
        guard let index = member.index, groups[index] != nil else { return .line }
        groups[index]?.count += 1
        if (groups[index]?.names.count ?? 0) < Self.maximumNames { groups[index]?.names.append(names) }
        return isVerbose ? .line : .counted
    }

    /// The causes that were not shown with every test, in the order in which they appeared.
    var repeated: [Group] {
        groups.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 0 }
    }
}
