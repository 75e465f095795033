import Basics
import Diagnostics
import FileSystem
import Glibc
import Redaction
import Reports
import RunModel
import RunRecord
import Runner
import SuiteModel

/// The results of a previous run, matched to a plan.
struct PreviousRun {
    /// The maximum number of names to list.
    private static let maximumNames = 5

    let report: PreviousReport
    let plan: TestPlan
    /// The mapping from test cases to tests of the plan.
    let matches: PreviousMatches
    private let mask: SecretMask

    /// Matches the test cases of a report to the plan.
    init(report: PreviousReport, plan: TestPlan, mask: SecretMask) {
        self.report = report
        self.plan = plan
        self.mask = mask
        matches = PreviousMatches(
            report, tests: plan.tests.map(\.reference), suites: plan.suites.indices.map(plan.info(of:)),
            masking: mask.masked)
    }

    /// Reads a report.
    ///
    /// - Throws: ``ExitStatus/invalid`` if it cannot be read. The error is printed.
    static func read(_ path: String, option: String, color: ColorChoice) throws -> PreviousReport {
        do {
            return try PreviousReport(path: path)
        } catch {
            var diagnostic = error.diagnostic
            diagnostic.wording = "\(option): \(diagnostic.wording)"
            let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
            StandardError.write(TextRenderer(color: isColored).render([diagnostic]))
            throw ExitStatus.invalid
        }
    }

    /// Whether any test case must be rerun.
    var hasFailures: Bool { report.cases.contains { $0.verdict.needsAnotherRun } }

    /// The duration of each test in the plan, in nanoseconds.
    var durations: [Int64?] { plan.tests.indices.map(matches.duration) }

    /// Returns notes about a rerun of the tests that did not pass.
    func notes(running selected: TestPlan) -> [String] {
        var notes: [String] = []
        // Setup and teardown do not count as tests.
        let chosen = selected.tests.count {
            $0.isSelected && selected.suites[$0.suite].tests[$0.test].kind == .test
        }
        if chosen > 0 {
            let needed = selected.testCount - chosen
            let others = needed == 0 ? "" : ", and \(needed) \(needed == 1 ? "dependency" : "dependencies")"
            notes.append(
                "running \(chosen == 1 ? "1 test" : "\(chosen) tests") that did not pass in \(report.path)\(others)")
        }
        let gone = matches.unknown.filter { $0.verdict.needsAnotherRun }
        if !gone.isEmpty {
            let names = gone.prefix(Self.maximumNames).map { "\"\(mask.masked($0.name))\"" }.joined(separator: ", ")
            let more = gone.count > Self.maximumNames ? " and \(gone.count - Self.maximumNames) more" : ""
            notes.append(
                "\(gone.count == 1 ? "1 test" : "\(gone.count) tests") of the report no longer "
                    + "\(gone.count == 1 ? "exists" : "exist"): \(names)\(more)")
        }
        return notes
    }
}
