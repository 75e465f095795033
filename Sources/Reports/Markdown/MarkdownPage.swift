import RunModel
import RunRecord

/// What a report in Markdown keeps of a run: counts, and of what did not pass a bounded number of texts.
struct MarkdownPage {
    /// What is kept of a suite.
    struct Suite {
        var name: String
        var file: String
        var counts = OutcomeCounts()
        var duration: Int64?
        /// Whether its server ended by itself, or something else went wrong beside its tests.
        var hasError = false
        /// Tests that were to run and did not.
        var notRun = 0
        var description: String?
    }

    /// A test that passed only when it was tried again.
    struct Flaky {
        let title: String
        let attempts: [String]
        let duration: Int64
    }

    /// A test that fails as is known.
    struct Known {
        let title: String
        /// What is wrong.
        let message: String
        /// Where it is known, and why it is put up with.
        let place: String
    }

    /// A test by its suite and name.
    struct Named {
        let suite: Int
        let name: String
        let outcome: TestResult.Outcome
    }

    /// Failures whose texts are kept.
    private static let mostFailures = 300
    /// Failures of which only a line is kept.
    private static let mostLines = 1_000
    private static let mostFlaky = 100
    private static let mostNotices = 50

    /// The folder to which paths of suites are relative.
    private let root: String
    private(set) var info: RunInfo?
    private(set) var suites: [Suite] = []
    private(set) var counts = OutcomeCounts()
    private(set) var summary: RunSummary?
    private(set) var isInterrupted = false
    private(set) var notices: [RunNotice] = []
    private(set) var omittedNotices = 0
    private(set) var failures: [MarkdownFailure] = []
    /// Failures of which only a line was kept, in order.
    private(set) var otherFailures: [MarkdownFailureLine] = []
    private(set) var flaky: [Flaky] = []
    private(set) var flakyCount = 0
    /// Tests that fail as is known, as many as are listed.
    private(set) var known: [Known] = []
    private(set) var notRun = NotRunList(mostGroups: 200)
    private(set) var slowest = SlowestList<Named>(limit: 5)
    private var causes = FailureCauses()
    /// The indices of suites, by those that events have.
    private var indices = SuiteTable<Int>()

    /// The trends that the history has found.
    private let board: TrendBoard?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the folder to which paths of suites are relative.
    ///   - board: Where the trends are when the page is put together.
    init(root: String, board: TrendBoard? = nil) {
        self.root = root
        self.board = board
    }

    /// What earlier runs tell of this one.
    var trends: Trends? { board?.trends }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            self.info = info
            for suite in info.suites {
                indices[suite.index] = suites.count
                let folder = info.workingFolder.isEmpty ? root : info.workingFolder
                suites.append(
                    Suite(
                        name: suite.name, file: ProjectPath.file(suite.path, workingFolder: folder, root: root),
                        description: suite.annotations?.descriptionLines.joined(separator: " ")))
            }
        case .suiteStarted, .testStarted, .testCompleted, .secretLearned:
            break
        case .testFinished(let result):
            add(result, sizes: sizes)
        case .notice(let notice):
            if notice.severity == .error, let index = notice.suite.flatMap({ indices[$0] }) {
                suites[index].hasError = true
            }
            if notices.count < Self.mostNotices { notices.append(notice) } else { omittedNotices += 1 }
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

    /// Keeps what the page tells of a result.
    mutating func add(_ result: TestResult, sizes: BodySizes) {
        // A setup or teardown that did not fail is not a test.
        guard result.isCounted else { return }
        counts.count(result.outcome)
        guard let index = indices[result.test.suite] else { return }
        suites[index].counts.count(result.outcome)
        switch result.outcome {
        case .passed:
            break
        case .flaky:
            flakyCount += 1
            if flaky.count < Self.mostFlaky {
                flaky.append(
                    Flaky(
                        title: title(result), attempts: AttemptLines.lines(of: result, width: 110),
                        duration: result.duration))
            }
        case .known:
            if known.count < Self.mostFlaky {
                let summary = FailureSummary(result.steps, hasSteps: result.test.hasSteps)
                known.append(
                    Known(
                        title: title(result), message: summary.message, place: summary.finding?.details.last ?? ""))
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
        guard member?.isShownWhole != false, failures.count < Self.mostFailures else {
            if otherFailures.count < Self.mostLines {
                otherFailures.append(MarkdownFailureLine(result, suiteName: suite.name, place: suite.file))
            }
            return
        }
        failures.append(
            MarkdownFailure(
                result, sizes: sizes, suiteName: suite.name, place: suite.file, rank: member?.rank ?? 0))
    }

    private static func named(_ result: TestResult) -> Named {
        Named(suite: result.test.suite, name: result.test.name, outcome: result.outcome)
    }

    private func title(_ result: TestResult) -> String {
        "\(suiteName(result.test.suite)) › \(result.test.name)"
    }

    /// The name of a suite by its index in the run.
    func suiteName(_ index: Int) -> String { indices[index].map { suites[$0].name } ?? "" }

    /// The title of a test.
    func title(_ test: Named) -> String { "\(suiteName(test.suite)) › \(test.name)" }
}
