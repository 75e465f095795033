import Output
public import RunModel

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

/// Finds the tests that a case of an earlier report speaks of.
struct EarlierCaseFinder {
    private let tests: [TestReference]
    private let suiteNames: [String]
    private let places: [SuitePlace]
    private let files: Set<String>
    /// The files of suites by their paths relative to a folder above the working folder, as a report may have them.
    private var filesOfRoots: [String: String] = [:]
    private let workingFolder: String
    /// The tests of a name, as reports write it.
    private var testsOfName: [String: [Int]] = [:]

    init(tests: [TestReference], suites: [SuiteInfo], workingFolder: String, masking mask: (String) -> String) {
        self.tests = tests
        self.workingFolder = workingFolder
        suiteNames = suites.map { CaseName.shown(mask($0.name)) }
        places = suites.map {
            SuitePlace(path: $0.path, documentIndex: $0.documentIndex, workingFolder: workingFolder)
        }
        files = Set(places.map(\.file))
        var root = workingFolder[...]
        while let slash = root.lastIndex(of: "/"), slash > root.startIndex {
            root = root[..<slash]
            for (suite, place) in zip(suites, places) {
                let path = SuitePlace(
                    path: suite.path, documentIndex: 0, workingFolder: workingFolder, root: String(root)
                ).file
                if filesOfRoots[path] == nil { filesOfRoots[path] = place.file }
            }
        }
        for (index, test) in tests.enumerated() {
            testsOfName[CaseName.shown(mask(test.name)), default: []].append(index)
        }
    }

    /// The tests of a case: one, unless tests of one name cannot be told apart; none when there is none any more.
    func tests(of earlier: EarlierCase) -> [Int] {
        for (position, name) in StepSeparator.prefixes(of: earlier.name).enumerated() {
            for name in [name, RoundName.removed(from: name)] {
                guard let name, var candidates = testsOfName[String(name)] else { continue }
                if position > 0 { candidates = candidates.filter { tests[$0].hasSteps } }
                let found = located(candidates, earlier)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// Those of the candidates that are in the case's suite.
    private func located(_ candidates: [Int], _ earlier: EarlierCase) -> [Int] {
        var found: [Int] = []
        var isFileKnown = false
        if let file = earlier.file {
            var path = SuitePlace(path: file, documentIndex: 0, workingFolder: workingFolder).file
            if !files.contains(path), let below = filesOfRoots[path] { path = below }
            isFileKnown = files.contains(path)
            found = candidates.filter { places[tests[$0].suite].file == path }
        }
        if found.isEmpty, !isFileKnown {
            found = candidates.filter { suiteNames[tests[$0].suite] == earlier.suiteName }
            if found.isEmpty, earlier.file == nil {
                found = candidates.filter { places[tests[$0].suite].className == earlier.className }
            }
        }
        guard found.count > 1 else { return found }
        // Documents of one file: the class tells them apart, the suite's name where that was changed.
        let ofClass = found.filter { places[tests[$0].suite].className == earlier.className }
        if !ofClass.isEmpty { return ofClass }
        let ofName = found.filter { suiteNames[tests[$0].suite] == earlier.suiteName }
        return ofName.isEmpty ? found : ofName
    }
}
