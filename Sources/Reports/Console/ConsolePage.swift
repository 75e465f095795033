import Basics
import Diagnostics
import Output
import RunModel
import RunRecord

/// The state of the console report: the content that has been shown and the content that is still pending.
struct ConsolePage {
    private struct SuiteEntry {
        var name: String
        var annotations: Annotations?
        var notRun = NotRunList(maximumGroups: 50)

        init(_ info: SuiteInfo) {
            name = DisplayWidth.printable(info.name)
            annotations = info.annotations
        }
    }

    private let options: ConsoleOptions
    private let layout: ConsoleLayout
    private let output: @Sendable (String) -> Void
    private let notices: @Sendable (String) -> Void
    private let terminalWidth: @Sendable () -> Int?
    private var line: ProgressLine?
    private var progress = RunProgress()

    private var info: RunInfo?
    private var suites: [Int: SuiteEntry] = [:]
    private var suitesSeen = 0
    private var immediate: FailureForms
    private var final: FinalFailures
    private var failures = FailureList()
    private var slowest: SlowestTests
    private var isAfterBlock = true
    private var isOver = false
    /// The number of folded sections so far.
    private var sections = 0

    init(
        options: ConsoleOptions, output: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (String) -> Void, terminalWidth: @escaping @Sendable () -> Int?,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.options = options
        self.output = output
        self.terminalWidth = terminalWidth
        notices = progress
        layout = ConsoleLayout(options)
        immediate = FailureForms(isVerbose: options.verbosity > 0)
        final = FinalFailures(isVerbose: options.verbosity > 0)
        slowest = SlowestTests(isVerbose: options.verbosity > 0)
        if options.progress != .none {
            line = ProgressLine(
                style: options.progress, width: { terminalWidth() ?? options.width ?? 80 }, sink: progress,
                clock: clock)
        }
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            self.info = info
            for suite in info.suites { suites[suite.index] = SuiteEntry(suite) }
            progress.begin(total: info.testCount)
        case .suiteStarted(let info):
            suites[info.index] = SuiteEntry(info)
            suitesSeen += 1
        case .testStarted(let test):
            guard line != nil else { return }
            progress.started(test)
            updateProgress()
        case .testCompleted(let result):
            completed(result, sizes: sizes)
        case .testFinished(let result):
            finished(result, sizes: sizes)
        case .secretRegistered, .load(.progress):
            break
        case .load(.second(let second)):
            progress.passed(second)
            updateProgress()
        case .load(.finished(let summary)):
            guard options.verbosity >= 0 else { return }
            write(LoadText(painter: layout.painter, shard: info?.shard).text(summary) + "\n", isBlock: true)
        case .notice(let notice):
            show(notice)
        case .suiteFinished(let summary):
            finished(summary)
        case .interrupted(let interruption):
            notify(wrappedNotice(interruption?.notice ?? "interrupted").map { $0 + "\n" }.joined())
        case .runFinished(let summary):
            isOver = true
            finished(summary)
        }
    }

    mutating func finish() {
        isOver = true
        line?.clear()
    }

    /// Redraws the live line if no event has arrived for a while.
    mutating func tick() {
        if info != nil, !isOver { updateProgress() }
    }

    // MARK: Tests

    /// Shows a failure as soon as it happens.
    private mutating func completed(_ result: TestResult, sizes: BodySizes) {
        if line != nil { progress.completed(result) }
        if result.outcome.isFailure {
            let names = names(of: result)
            failures.add(result, names: names)
            if options.failureOutput.isImmediate {
                switch immediate.form(of: result, names: names) {
                case .whole:
                    let failure = layout.failure(result, names, sizes: sizes)
                    var text = FoldableText(failure.isBlock && !isAfterBlock ? "\n" : "")
                    text.append(failure.text)
                    write(text, isBlock: failure.isBlock)
                case .line: write(layout.failureLine(result, names))
                case .counted: break
                }
            }
        }
        if line != nil { updateProgress() }
    }

    /// Shows a result in file order.
    mutating func finished(_ result: TestResult, sizes: BodySizes) {
        let isVerbose = options.verbosity > 0 || (result.test.isVerbose && options.verbosity == 0)
        if result.outcome.isSuccess, options.verbosity >= 0 {
            if slowest.count(result) { slowest.add(result, title: names(of: result).joined(separator: " › ")) }
            if !isVerbose, result.test.kind == .teardown { noteSkippedSteps(of: result) }
        }
        switch result.outcome {
        case .passed:
            if isVerbose {
                write(layout.exchanges(of: result, names(of: result), sizes: sizes))
            } else if options.verbosity == 0, result.steps.contains(where: { !$0.printed.isEmpty }) {
                write(layout.printed(of: result, names(of: result)))
            }
        case .flaky:
            if isVerbose {
                write(layout.exchanges(of: result, names(of: result), sizes: sizes))
            } else if options.verbosity == 0 {
                write(layout.flaky(result, names(of: result)))
            }
        case .known:
            if options.verbosity >= 0 { write(layout.known(result, names(of: result), sizes: sizes)) }
        case .failed, .errored:
            guard options.failureOutput.isFinal else { return }
            let names = names(of: result)
            if isVerbose, !options.failureOutput.isImmediate { write(layout.plainLine(result, names)) }
            final.add(result, names: names, sizes: sizes, layout: layout)
        case .skipped, .blocked:
            if isVerbose {
                write(layout.notRunLine(result.outcome, names(of: result)))
            } else {
                suites[result.test.suite]?.notRun.add(
                    result.test.name, result.outcome, suite: result.test.suite)
            }
        }
    }

    /// Notes the skipped steps of a teardown because the resources that they remove may still exist.
    private mutating func noteSkippedSteps(of result: TestResult) {
        for step in result.steps where step.outcome.isNotRun {
            suites[result.test.suite]?.notRun.add(
                "\(result.test.name) › \(step.name)", step.outcome, suite: result.test.suite)
        }
    }

    /// Returns the path of names to a test, outermost first.
    private func names(of result: TestResult) -> [String] {
        [suites[result.test.suite]?.name ?? "", DisplayWidth.printable(result.test.name)]
    }

    // MARK: Suites and the run

    private mutating func finished(_ summary: SuiteSummary) {
        guard let suite = suites.removeValue(forKey: summary.suite) else { return }
        guard options.verbosity >= 0, summary.counts.total > 0 || summary.hasServerError else { return }
        let outcome = OutcomeText.overall(summary)
        var text = FoldableText()
        text.append(
            section: layout.suiteLine(suite.name, outcome, summary),
            body: (outcome.isFailure ? layout.description(suite.annotations) : "")
                + suite.notRun.lines(width: layout.maximumLength).map { layout.painter.paint($0, .dim) + "\n" }.joined(),
            isOpen: outcome.isFailure)
        write(text)
    }

    private mutating func finished(_ summary: RunSummary) {
        if !isAfterBlock { write("\n", isBlock: true) }
        let (blocks, lines) = final.takeAll()
        for block in blocks { write(block, isBlock: true) }
        if !lines.isEmpty { write(lines + "\n", isBlock: true) }
        var text = ""
        let groups = options.failureOutput.isFinal ? final.repeated : immediate.repeated
        for group in groups { text += layout.group(group, namesSuites: suitesSeen > 1) }
        text += failures.text(layout, recordPath: options.recordPath, repeated: summary.repeatArguments)
        if options.verbosity >= 0 { text += slowest.text(painter: layout.painter, width: layout.maximumLength) }
        if let missing = summary.missing {
            let incomplete = RunProblem(kind: .incomplete, message: missing.message)
            text += layout.line(incomplete.outcome, [RunProblem.suiteName, incomplete.name], note: incomplete.message)
        }
        if !text.isEmpty { write(text, isBlock: true) }
        let outcome = OutcomeText.overall(summary)
        var end = FoldableText()
        var facts = layout.facts(summary, seed: options.verbosity > 0 || summary.hasFailed ? info?.seed : nil)
        for coverage in summary.coverages {
            facts += layout.coverage(coverage, showsAll: options.showsCoverage)
        }
        end.append(section: layout.summaryLine(summary, outcome, suites: suitesSeen), body: facts, isOpen: true)
        write(end)
    }

    private mutating func show(_ notice: RunNotice) {
        let style: Painter.Style =
            switch notice.severity {
            case .error: .failure
            case .warning: .warning
            case .note: .bold
            }
        var text = layout.painter.paint("\(notice.severity.rawValue):", style) + " "
        if let index = notice.suite, let info, info.suites.indices.contains(index) {
            text += DisplayWidth.printable(info.suites[index].name) + ": "
        }
        let message = wrappedNotice(
            DisplayWidth.printable(notice.messageWithID), after: DisplayWidth.of(Painter.unpainted(text)))
        text += message.joined(separator: "\n  ") + "\n"
        for detail in notice.details {
            for line in detail.text.split(separator: "\n", omittingEmptySubsequences: false) {
                text += "  " + DisplayWidth.printable(String(line)) + "\n"
            }
        }
        notify(text)
    }

    // MARK: Writing

    private mutating func updateProgress() {
        line?.update(progress)
    }

    /// Returns lines for standard error, wrapped to the width of its terminal if it has one.
    ///
    /// - Parameter columns: The columns before the text.
    private func wrappedNotice(_ text: String, after columns: Int = 0) -> [String] {
        guard let width = terminalWidth() ?? options.width, columns + DisplayWidth.of(text) > width else {
            return [text]
        }
        return TextFitting.wrap(text, to: max(20, width - columns))
    }

    private mutating func notify(_ text: String) {
        notices(line?.around(text, isOver ? nil : progress) ?? text)
    }

    private mutating func write(_ text: String, isBlock: Bool = false) {
        write(FoldableText(text), isBlock: isBlock)
    }

    private mutating func write(_ text: FoldableText, isBlock: Bool = false) {
        let lines = options.folding?.rendered(text, count: &sections) ?? text.plain
        failures.note(lines)
        isAfterBlock = isBlock
        // Output that goes elsewhere does not overwrite the live line.
        let isAround = options.sharesTerminal || options.progress != .live
        output(isAround ? line?.around(lines, isOver ? nil : progress) ?? lines : lines)
    }
}

extension RunInterruption {
    /// The notice of an interrupted run, such as `stopping 3 tests, then teardown; press Ctrl-C again to quit immediately`.
    fileprivate var notice: String {
        var steps = runningTests > 0 ? ["stopping \(NumberText.count(runningTests, "test"))"] : []
        if hasTeardown { steps.append(steps.isEmpty ? "running teardown" : "then teardown") }
        if steps.isEmpty { steps.append("stopping") }
        return steps.joined(separator: ", ") + "; press Ctrl-C again to quit immediately"
    }
}
