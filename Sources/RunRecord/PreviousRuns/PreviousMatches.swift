import FileSystem
import Output
public import RunModel

/// The mapping from test cases of a previous report to tests.
///
/// A test case belongs to the test of that name in the same suite file. The name of the suite decides only if the run
/// does not have that file, because it was renamed or is addressed from another directory. Renamed files of other
/// suites and moved lines therefore cause no mismatches.
public struct PreviousMatches: Sendable {
    /// The indices of test cases for each test.
    private let casesOfTest: [[Int]]
    /// The test cases without a matching test.
    public let unknown: [PreviousCase]
    private let cases: [PreviousCase]

    /// Matches the test cases of a report to tests.
    ///
    /// - Parameters:
    ///   - tests: The tests of a plan.
    ///   - suites: The suites of the plan, in the order of the suite indices in `tests`.
    ///   - workingDirectory: The absolute path of the directory to which suite paths are relative, or `nil` for the
    ///     working directory.
    ///   - mask: Masks the secrets in a string as reports do.
    public init(
        _ report: PreviousReport, tests: [TestReference], suites: [SuiteInfo], workingDirectory: String? = nil,
        masking mask: (String) -> String = { $0 }
    ) {
        let finder = PreviousCaseFinder(
            tests: tests, suites: suites, workingDirectory: workingDirectory ?? SystemInfo.workingDirectory,
            masking: mask)
        var casesOfTest = [[Int]](repeating: [], count: tests.count)
        var unknown: [PreviousCase] = []
        for (index, previous) in report.cases.enumerated() {
            let found = finder.tests(of: previous)
            if found.isEmpty { unknown.append(previous) }
            for test in found { casesOfTest[test].append(index) }
        }
        self.casesOfTest = casesOfTest
        self.unknown = unknown
        cases = report.cases
    }

    /// Returns whether a test case of the test failed, errored, or was blocked.
    public func needsAnotherRun(_ test: Int) -> Bool {
        casesOfTest[test].contains { cases[$0].verdict.needsAnotherRun }
    }

    /// Returns the duration of the test in nanoseconds, or `nil` if it is unknown.
    ///
    /// The duration is the sum of its steps. For several repetitions, it is their average.
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

/// A finder of the tests that a test case of a previous report refers to.
struct PreviousCaseFinder {
    private let tests: [TestReference]
    private let suiteNames: [String]
    private let locations: [SuiteLocation]
    private let files: Set<String>
    /// The suite files by their paths relative to ancestors of the working directory, as a report may state them.
    private var filesOfRoots: [String: String] = [:]
    private let workingDirectory: String
    /// The indices of tests by name, as written in reports.
    private var testsOfName: [String: [Int]] = [:]

    init(tests: [TestReference], suites: [SuiteInfo], workingDirectory: String, masking mask: (String) -> String) {
        self.tests = tests
        self.workingDirectory = workingDirectory
        suiteNames = suites.map { CaseName.shown(mask($0.name)) }
        locations = suites.map {
            SuiteLocation(path: $0.path, documentIndex: $0.documentIndex, workingDirectory: workingDirectory)
        }
        files = Set(locations.map(\.file))
        var root = workingDirectory[...]
        while let slash = root.lastIndex(of: "/"), slash > root.startIndex {
            root = root[..<slash]
            for (suite, location) in zip(suites, locations) {
                let path = SuiteLocation(
                    path: suite.path, documentIndex: 0, workingDirectory: workingDirectory, root: String(root)
                ).file
                if filesOfRoots[path] == nil { filesOfRoots[path] = location.file }
            }
        }
        for (index, test) in tests.enumerated() {
            testsOfName[CaseName.shown(mask(test.name)), default: []].append(index)
        }
    }

    /// Returns the tests of a test case.
    ///
    /// There is one unless tests of the same name are indistinguishable, and none if the test no longer exists.
    func tests(of previous: PreviousCase) -> [Int] {
        for (position, name) in StepSeparator.prefixes(of: previous.name).enumerated() {
            for name in [name, RoundName.removed(from: name)] {
                guard let name, var candidates = testsOfName[String(name)] else { continue }
                if position > 0 { candidates = candidates.filter { tests[$0].hasSteps } }
                let found = located(candidates, previous)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// Returns the candidates that are in the suite of the test case.
    private func located(_ candidates: [Int], _ previous: PreviousCase) -> [Int] {
        var found: [Int] = []
        var isFileKnown = false
        if let file = previous.file {
            var path = SuiteLocation(path: file, documentIndex: 0, workingDirectory: workingDirectory).file
            if !files.contains(path), let below = filesOfRoots[path] { path = below }
            isFileKnown = files.contains(path)
            found = candidates.filter { locations[tests[$0].suite].file == path }
        }
        if found.isEmpty, !isFileKnown {
            found = candidates.filter { suiteNames[tests[$0].suite] == previous.suiteName }
            if found.isEmpty, previous.file == nil {
                found = candidates.filter { locations[tests[$0].suite].className == previous.className }
            }
        }
        guard found.count > 1 else { return found }
        // Several documents in one file: their class names differ, or the suite name if the class name has changed.
        let ofClass = found.filter { locations[tests[$0].suite].className == previous.className }
        if !ofClass.isEmpty { return ofClass }
        let ofName = found.filter { suiteNames[tests[$0].suite] == previous.suiteName }
        return ofName.isEmpty ? found : ofName
    }
}
