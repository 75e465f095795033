public import SuiteModel

/// Which cases of an earlier report belong to which tests.
///
/// A case belongs to the test of its name in its suite's file. Only when the run has no such file, as it was renamed or is
/// named from another folder, the suite's name decides. So neither a renamed file elsewhere nor moved lines confuse.
public struct EarlierMatches: Sendable {
    /// For each test its cases, as indices into the report's cases.
    private let casesOfTest: [[Int]]
    /// The cases that belong to no test.
    public let unknown: [EarlierCase]
    private let cases: [EarlierCase]

    /// Looks for the tests of a report's cases.
    ///
    /// - Parameters:
    ///   - tests: The tests of a plan.
    ///   - suites: The suites of the plan, as the tests' references number them.
    ///   - workingFolder: The absolute path of the folder from which paths of suites go on; nil for the current one.
    ///   - mask: What a report writes for a text that may hold secrets.
    public init(
        _ report: EarlierReport, tests: [TestReference], suites: [SuiteInfo], workingFolder: String? = nil,
        masking mask: (String) -> String = { $0 }
    ) {
        let finder = EarlierCaseFinder(
            tests: tests, suites: suites, workingFolder: workingFolder ?? SystemFacts.workingFolder, masking: mask)
        var casesOfTest = [[Int]](repeating: [], count: tests.count)
        var unknown: [EarlierCase] = []
        for (index, earlier) in report.cases.enumerated() {
            let found = finder.tests(of: earlier)
            if found.isEmpty { unknown.append(earlier) }
            for test in found { casesOfTest[test].append(index) }
        }
        self.casesOfTest = casesOfTest
        self.unknown = unknown
        cases = report.cases
    }

    /// Whether a case of the test failed, errored or was blocked.
    public func needsAnotherRun(_ test: Int) -> Bool {
        casesOfTest[test].contains { cases[$0].verdict.needsAnotherRun }
    }

    /// How long the test took, in nanoseconds: the sum of its steps, and of several rounds the mean; nil when that is
    /// not known.
    public func duration(of test: Int) -> Int64? {
        var sum: Int64 = 0
        var rounds: Set<String> = []
        var isKnown = false
        for index in casesOfTest[test] {
            guard let duration = cases[index].duration else { continue }
            isKnown = true
            let (total, overflow) = sum.addingReportingOverflow(duration)
            sum = overflow ? .max : total
            rounds.insert(RoundName.suffix(in: cases[index].name) ?? "")
        }
        return isKnown ? sum / Int64(max(1, rounds.count)) : nil
    }
}
