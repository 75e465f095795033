import Basics
import RunModel
import RunRecord

/// The data of a run for a Markdown report: counts, and a limited number of tests that did not pass.
struct MarkdownPage {
    /// The data of a suite.
    struct Suite {
        var name: String
        var file: String
        var counts = OutcomeCounts()
        var duration: Int64?
        /// Whether its server exited on its own, or another failure occurred outside its tests.
        var hasError = false
        /// The number of tests that were selected but did not run.
        var notRun = 0
        var description: String?
    }

    /// A test that passed only after a retry.
    struct Flaky {
        let title: String
        let attempts: [String]
        let duration: Int64
    }

    /// A test with a known failure.
    struct Known {
        let title: String
        /// The problem.
        let message: String
        /// The location of the known failure in the baseline, and the reason why it is accepted.
        let location: String
    }

    /// A test identified by its suite and name.
    struct Named {
        let suite: Int
        let name: String
        let outcome: TestResult.Outcome
    }

    /// The maximum number of failures to keep in full.
    private static let maximumFailures = 300
    /// The maximum number of failures to keep as a single line.
    private static let maximumLines = 1_000
    private static let maximumFlaky = 100
    private static let maximumNotices = 50

    /// The directory to which paths of suites are relative.
    private let root: String
    private(set) var info: RunInfo?
    private(set) var suites: [Suite] = []
    private(set) var counts = OutcomeCounts()
    private(set) var summary: RunSummary?
    private(set) var isInterrupted = false
    private(set) var notices: [RunNotice] = []
    private(set) var omittedNotices = 0
    private(set) var failures: [MarkdownFailure] = []
    /// The failures that were kept as a single line, in order.
    private(set) var otherFailures: [MarkdownFailureLine] = []
    private(set) var flaky: [Flaky] = []
    private(set) var flakyCount = 0
    /// The known failures to list.
    private(set) var known: [Known] = []
    private(set) var notRun = NotRunList(maximumGroups: 200)
    /// The sections of loads.
    private(set) var loads: [String] = []
    private(set) var slowest = SlowestList<Named>(limit: 5)
    private var causes = FailureCauses()
    /// The indices in `suites` by the suite indices in events.
    private var indices = SuiteTable<Int>()

    /// The trends of previous runs, provided by the history reporter.
    private let board: TrendBoard?

    /// Creates an empty page.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the directory to which paths of suites are relative.
    ///   - board: The board that has the trends at the end of the run.
    init(root: String, board: TrendBoard? = nil) {
        self.root = root
        self.board = board
    }

    /// The trends of this and previous runs.
    var trends: Trends? { board?.trends }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            self.info = info
            for suite in info.suites {
                indices[suite.index] = suites.count
                let directory = info.workingDirectory.isEmpty ? root : info.workingDirectory
                suites.append(
                    Suite(
                        name: suite.name, file: ProjectPath.file(suite.path, workingDirectory: directory, root: root),
                        description: suite.annotations?.descriptionLines.joined(separator: " ")))
            }
        case .load(.finished(let summary)):
            loads.append(MarkdownLoad(summary).text)
        case .suiteStarted, .testStarted, .testCompleted, .secretRegistered, .load(.second), .load(.progress):
            break
        case .testFinished(let result):
            add(result, sizes: sizes)
        case .notice(let notice):
            if notice.severity == .error, let index = notice.suite.flatMap({ indices[$0] }) {
                suites[index].hasError = true
            }
            if notices.count < Self.maximumNotices { notices.append(notice) } else { omittedNotices += 1 }
        case .suiteFinished(let summary):
            guard let index = indices[summary.suite] else { return }
            suites[index].duration = summary.duration
            suites[index].notRun = summary.notRun
            if summary.hasServerError { suites[index].hasError = true }
        case .interrupted:
            isInterrupted = true
        case .runFinished(let summary):
            self.summary = summary
        }
    }

    /// Adds a result to the page.
    mutating func add(_ result: TestResult, sizes: BodySizes) {
        // A setup or teardown does not count as a test unless it failed.
        guard result.isCounted else { return }
        counts.count(result.outcome)
        guard let index = indices[result.test.suite] else { return }
        suites[index].counts.count(result.outcome)
        switch result.outcome {
        case .passed:
            break
        case .flaky:
            flakyCount += 1
            if flaky.count < Self.maximumFlaky {
                flaky.append(
                    Flaky(
                        title: title(result), attempts: AttemptLines.lines(of: result, width: 110),
                        duration: result.duration))
            }
        case .known:
            if known.count < Self.maximumFlaky {
                let summary = FailureSummary(result.steps, hasSteps: result.test.hasSteps)
                known.append(
                    Known(
                        title: title(result), message: summary.message,
                        location: result.outcome.expectedFailureText ?? summary.finding?.details.last?.text ?? ""))
            }
        case .failed, .errored:
            addFailure(result, sizes: sizes, suite: suites[index])
        case .skipped, .blocked:
            notRun.add(result.test.name, result.outcome, suite: result.test.suite)
            return
        }
        slowest.add(result.duration, Self.named(result))
    }

    private mutating func addFailure(_ result: TestResult, sizes: BodySizes, suite: Suite) {
        let member = causes.add(result)
        guard member?.isShownWhole != false, failures.count < Self.maximumFailures else {
            if otherFailures.count < Self.maximumLines {
                otherFailures.append(MarkdownFailureLine(result, suiteName: suite.name, location: suite.file))
            }
            return
        }
        failures.append(
            MarkdownFailure(
                result, sizes: sizes, suiteName: suite.name, location: suite.file, rank: member?.rank ?? 0))
    }

    private static func named(_ result: TestResult) -> Named {
        Named(suite: result.test.suite, name: result.test.name, outcome: result.outcome)
    }

    private func title(_ result: TestResult) -> String {
        "\(suiteName(result.test.suite)) › \(result.test.name)"
    }

    /// Returns the name of a suite by its index in the run.
    func suiteName(_ index: Int) -> String { indices[index].map { suites[$0].name } ?? "" }

    /// Returns the title of a test.
    func title(_ test: Named) -> String { "\(suiteName(test.suite)) › \(test.name)" }
}
