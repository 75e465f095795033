import Diagnostics
import OpenAPI
import SuiteModel

/// What the console report has shown and still has to show.
struct ConsolePage {
    private struct SuiteEntry {
        var name: String
        var notRun = NotRunList()
    }

    /// The columns that a time takes, with the space before it.
    private static let timeColumns = 10

    private let options: ConsoleOptions
    private let painter: Painter
    private let width: Int
    private let output: @Sendable (String) -> Void
    private let notices: @Sendable (String) -> Void
    private var line: ProgressLine?
    private var progress = RunProgress()

    private var info: RunInfo?
    private var suites: [Int: SuiteEntry] = [:]
    private var suitesSeen = 0
    private var problems = RepeatedProblems()
    private var failures = FailureList()
    private var slowest: SlowestTests
    private var isAfterBlock = true
    private var isOver = false
    /// The sizes of the bodies of the event that is being shown.
    private var sizes = BodySizes()

    init(
        options: ConsoleOptions, output: @escaping @Sendable (String) -> Void,
        progress: @escaping @Sendable (String) -> Void, terminalWidth: @escaping @Sendable () -> Int?,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.options = options
        self.output = output
        notices = progress
        painter = Painter(color: options.color)
        width = options.columns
        slowest = SlowestTests(isVerbose: options.verbosity > 0)
        if options.progress != .none {
            line = ProgressLine(
                style: options.progress, width: { terminalWidth() ?? options.width ?? 80 }, sink: progress,
                clock: clock)
        }
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        self.sizes = sizes
        switch event {
        case .runStarted(let info):
            self.info = info
            progress.begin(total: info.testCount)
        case .suiteStarted(let info):
            suites[info.index] = SuiteEntry(name: DisplayWidth.printable(info.name))
            suitesSeen += 1
        case .testStarted(let test):
            guard line != nil else { return }
            progress.started(test)
            updateProgress()
        case .testCompleted(let result):
            guard line != nil else { return }
            progress.completed(result)
            updateProgress()
        case .testFinished(let result):
            finished(result, sizes: sizes)
        case .secretLearned:
            break
        case .notice(let notice):
            show(notice)
        case .suiteFinished(let summary):
            finished(summary)
        case .interrupted:
            notify("interrupted; waiting for what is running\n")
        case .runFinished(let summary):
            isOver = true
            finished(summary)
        }
    }

    mutating func finish() {
        isOver = true
        line?.clear()
    }

    /// Brings the live line up to date when nothing has happened for a while.
    mutating func tick() {
        if info != nil, !isOver { updateProgress() }
    }

    // MARK: Tests

    mutating func finished(_ result: TestResult, sizes: BodySizes) {
        self.sizes = sizes
        if result.outcome.isSuccess, options.verbosity >= 0 {
            if slowest.count(result) { slowest.add(result, title: names(result).joined(separator: " › ")) }
        }
        switch result.outcome {
        case .passed:
            if options.verbosity > 0 { showExchanges(result) }
        case .flaky:
            if options.verbosity > 0 { showExchanges(result) } else if options.verbosity == 0 { showFlaky(result) }
        case .known:
            if options.verbosity >= 0 { showKnown(result) }
        case .failed, .errored:
            showFailure(result)
        case .skipped, .blocked:
            if options.verbosity > 0 {
                write(notRunLine(result.outcome, names(result)))
            } else {
                suites[result.test.suite]?.notRun.add(result.test.name, result.outcome)
            }
        }
    }

    /// Shows a passed test with its exchanges.
    private mutating func showExchanges(_ result: TestResult) {
        var text = ""
        if !result.test.hasSteps || result.steps.isEmpty {
            text = line(result.outcome, names(result), duration: result.duration)
            for index in result.steps.indices { writeExchange(of: result, at: index, into: &text) }
        } else {
            for index in result.steps.indices { writeStep(of: result, at: index, into: &text) }
        }
        text += attempts(of: result)
        write(text)
    }

    /// Shows a test that passed only when it was tried again, with what was wrong before.
    private mutating func showFlaky(_ result: TestResult) {
        write(line(.flaky, names(result), duration: result.duration) + attempts(of: result))
    }

    /// Shows a test that fails as is known, with a line for each finding and one for where it is known.
    private mutating func showKnown(_ result: TestResult) {
        var text = line(.known, names(result), duration: result.duration)
        for (index, step) in result.steps.enumerated() where !step.findings.isEmpty {
            let name = result.test.hasSteps ? "\(step.name) › " : ""
            for finding in step.findings {
                for line in ["  \(name)\(finding.subject): \(finding.message)", "    " + (finding.details.last ?? "")] {
                    text += painter.paint(TextFitting.cut(DisplayWidth.printable(line), to: width), .dim) + "\n"
                }
            }
            if options.verbosity > 0 { writeExchange(of: result, at: index, into: &text) }
        }
        write(text + attempts(of: result))
    }

    /// A line for each attempt before the one that counts: what was wrong first.
    private func attempts(of result: TestResult) -> String {
        AttemptLines.lines(of: result, width: width).map { painter.paint($0, .dim) + "\n" }.joined()
    }

    private func writeStep(of result: TestResult, at index: Int, into text: inout String) {
        let step = result.steps[index]
        if step.outcome.isNotRun {
            text += notRunLine(step.outcome, names(result, step))
        } else {
            text += line(step.outcome, names(result, step), duration: duration(of: step, in: result))
        }
        writeExchange(of: result, at: index, into: &text)
    }

    private func writeExchange(of result: TestResult, at index: Int, into text: inout String) {
        guard let exchange = result.steps[index].exchange else { return }
        exchangeLayout.write(exchange, sizes: sizes[index], into: &text)
        if options.showsCurl { writeCommand(exchange, into: &text) }
    }

    private func writeCommand(_ exchange: Exchange, into text: inout String) {
        if let command = CurlCommand.text(for: exchange) { text += "  " + painter.paint(command, .dim) + "\n" }
    }

    private mutating func showFailure(_ result: TestResult) {
        failures.add(result, names: names(result))
        var text = ""
        var hasBlock = false
        var hasFailure = false
        let last = result.steps.lastIndex { $0.outcome.isFailure }
        var notRun: [String] = []
        for (index, step) in result.steps.enumerated() {
            guard step.outcome.isFailure || !step.findings.isEmpty else {
                if options.verbosity > 0 {
                    writeStep(of: result, at: index, into: &text)
                } else if step.outcome.isNotRun {
                    notRun.append(step.name)
                }
                continue
            }
            hasFailure = true
            if problems.isShown(step, of: result.test, names: names(result, step)) {
                if hasBlock || (!isAfterBlock && text.isEmpty) { text += "\n" }
                // What names stood for at the end is told where the test ended.
                writeBlock(of: result, at: index, variables: index == last ? result.variables : [], into: &text)
                hasBlock = true
            } else if options.verbosity > 0 {
                text += line(
                    step.outcome, names(result, step), duration: duration(of: step, in: result),
                    note: RepeatedProblems.words(for: step))
            }
        }
        if hasBlock, !notRun.isEmpty {
            text += painter.paint(NotRunList.line("not run", names: notRun, width: width), .dim) + "\n"
        }
        if !hasFailure { text += line(result.outcome, names(result), duration: result.duration) }
        if hasBlock || !hasFailure || options.verbosity > 0 { text += attempts(of: result) }
        guard !text.isEmpty else { return }
        write(hasBlock ? text + "\n" : text, isBlock: hasBlock)
    }

    private func writeBlock(
        of result: TestResult, at index: Int, variables: [UsedVariable], into text: inout String
    ) {
        let step = result.steps[index]
        text += line(step.outcome, names(result, step), duration: duration(of: step, in: result))
        FindingsLayout(painter: painter, width: width, wraps: options.width != nil).write(
            step.findings, calls: step.calls, into: &text)
        VariablesLayout(painter: painter, width: width).write(variables, beside: step.findings, into: &text)
        guard let exchange = step.exchange else { return }
        exchangeLayout.write(exchange, sizes: sizes[index], into: &text)
        writeCommand(exchange, into: &text)
    }

    /// The time beside a step's title, which without `steps` is the test's.
    private func duration(of step: TestResult.Step, in result: TestResult) -> Int64 {
        result.test.hasSteps ? step.duration : result.duration
    }

    private var exchangeLayout: ExchangeLayout {
        ExchangeLayout(painter: painter, width: width, showsHeaders: options.verbosity > 1)
    }

    // MARK: Titles

    /// The names that lead to a test or step, outermost first.
    private func names(_ result: TestResult, _ step: TestResult.Step? = nil) -> [String] {
        var names = [suites[result.test.suite]?.name ?? "", DisplayWidth.printable(result.test.name)]
        if let step, result.test.hasSteps, step.name != result.test.name {
            names.append(DisplayWidth.printable(step.name))
        }
        return names
    }

    /// A title with its width; a note leaves some columns of the line free.
    private func title(
        _ outcome: TestResult.Outcome, _ names: [String], note: String = "", reserved: Int = 14
    ) -> (text: String, width: Int) {
        let plain = names.joined(separator: " › ")
        var columns = 2 + DisplayWidth.of(plain)
        var text = painter.paint(OutcomeText.mark(outcome), OutcomeText.style(outcome)) + " "
        var lines = [plain]
        if options.width != nil, columns > width - Self.timeColumns {
            lines = TextFitting.wrap(plain, to: width - 2 - Self.timeColumns)
            columns = 2 + DisplayWidth.of(lines.last ?? "")
        }
        if outcome.isFailure { lines = lines.map { painter.paint($0, .bold) } }
        text += lines.joined(separator: "\n  ")
        if !note.isEmpty {
            // A note is cut where a name is not: names are what people look for.
            let note = TextFitting.cut(note, to: max(20, width - columns - reserved))
            text += "  " + painter.paint(note, .dim)
            columns += 2 + DisplayWidth.of(note)
        }
        return (text, columns)
    }

    /// The line of a test or step that did not run: the reason in place of a time.
    private func notRunLine(_ outcome: TestResult.Outcome, _ names: [String]) -> String {
        let reason = DisplayWidth.printable(NotRunList.words(for: outcome))
        return title(outcome, names, note: reason, reserved: 2).text + "\n"
    }

    /// The line of what is no test, with a note in place of a time.
    private func line(_ outcome: TestResult.Outcome, _ names: [String], note: String) -> String {
        title(outcome, names, note: DisplayWidth.printable(note), reserved: 2).text + "\n"
    }

    private func line(
        _ outcome: TestResult.Outcome, _ names: [String], duration: Int64, note: String = ""
    ) -> String {
        let title = title(outcome, names, note: note)
        return spread(title.text, title.width, duration) + "\n"
    }

    /// A line that ends in a duration.
    private func spread(_ text: String, _ columns: Int, _ duration: Int64) -> String {
        let time = DurationText.text(duration)
        return text + TextFitting.spaces(max(2, width - columns - time.utf8.count)) + painter.paint(time, .dim)
    }

    // MARK: Suites and the run

    private mutating func finished(_ summary: SuiteSummary) {
        guard let suite = suites.removeValue(forKey: summary.suite) else { return }
        guard options.verbosity >= 0, summary.counts.total > 0 || summary.hasServerError else { return }
        let outcome = OutcomeText.overall(summary)
        let counts = OutcomeText.counts(summary.counts, painter: painter)
        let title = title(outcome, [suite.name])
        let line = spread(title.text + "  " + counts.text, title.width + 2 + counts.width, summary.duration)
        write(line + "\n" + suite.notRun.lines(width: width).map { painter.paint($0, .dim) + "\n" }.joined())
    }

    private mutating func finished(_ summary: RunSummary) {
        var text = isAfterBlock ? "" : "\n"
        for group in problems.repeated { write(group, into: &text) }
        text += failures.text(painter: painter, width: width, recordPath: options.recordPath)
        if options.verbosity >= 0 { text += slowest.text(painter: painter, width: width) }
        let counts = summary.counts
        let outcome = OutcomeText.overall(summary)
        if let missing = summary.missing {
            let incomplete = RunTrouble(kind: .incomplete, message: missing.message)
            text += line(incomplete.outcome, [RunTrouble.suiteName, incomplete.name], note: incomplete.message)
        }
        let tests = summary.testCountText + " in " + NumberText.count(suitesSeen, "suite")
        text += painter.paint(OutcomeText.mark(outcome), OutcomeText.style(outcome)) + " "
        text += painter.paint(tests, .bold) + ": " + OutcomeText.counts(counts, painter: painter).text
        for trouble in summary.troubles { text += ", " + painter.paint(trouble, .failure) }
        text += summary.wasInterrupted ? ", interrupted\n" : "\n"
        var facts = NumberText.count(summary.exchanges, "request") + " in " + DurationText.text(summary.duration)
        if let rate = NumberText.rate(summary.exchanges, nanoseconds: summary.duration) { facts += ", \(rate)/s" }
        if let info, options.verbosity > 0 || summary.hasFailed { facts += ", seed \(info.seed)" }
        text += "  " + painter.paint(facts, .dim) + "\n"
        for coverage in summary.coverages { write(coverage, into: &text) }
        write(text)
    }

    /// Writes what of a description the run has exercised.
    private func write(_ coverage: ContractCoverage, into text: inout String) {
        let words = CoverageText(coverage)
        for line in wrapped("contract " + words.line) { text += "  " + painter.paint(line, .dim) + "\n" }
        guard options.showsCoverage else { return }
        let lines =
            CoverageText.section("not covered", words.missed)
            + CoverageText.section("not documented", words.undocumented)
        for line in lines { text += "  \(line)\n" }
    }

    /// Writes which tests did not pass for a reason that was shown before.
    private func write(_ group: RepeatedProblems.Group, into text: inout String) {
        // In a run of one suite its name says nothing.
        let title = { (names: [String]) in (suitesSeen > 1 ? names[...] : names.dropFirst()).joined(separator: " › ") }
        let tests = NumberText.count(group.count, "more test") + " did not pass for the same reason as"
        text += painter.paint("✗", .failure) + " " + painter.paint("\(tests) \"\(title(group.first))\"", .bold) + "\n"
        for cause in wrapped(group.cause) { text += "  " + painter.paint(cause, .wrong) + "\n" }
        let names = group.names.map(title).joined(separator: ", ")
        let more = group.count - group.names.count
        for line in wrapped(names + (more > 0 ? ", … \(more) more" : "")) {
            text += "  " + painter.paint(line, .dim) + "\n"
        }
        text += "\n"
    }

    private func wrapped(_ text: String) -> [String] {
        options.width == nil ? [text] : TextFitting.wrap(text, to: width - 2)
    }

    private mutating func show(_ notice: RunNotice) {
        let style: Painter.Style =
            switch notice.severity {
            case .error: .failure
            case .warning: .warning
            case .note: .bold
            }
        var text = painter.paint("\(notice.severity.rawValue):", style) + " "
        if let index = notice.suite, let info, info.suites.indices.contains(index) {
            text += DisplayWidth.printable(info.suites[index].name) + ": "
        }
        text += DisplayWidth.printable(notice.message) + "\n"
        for detail in notice.details {
            for line in detail.split(separator: "\n", omittingEmptySubsequences: false) {
                text += "  " + DisplayWidth.printable(String(line)) + "\n"
            }
        }
        notify(text)
    }

    // MARK: Writing

    private mutating func updateProgress() {
        line?.update(progress)
    }

    private mutating func notify(_ text: String) {
        notices(line?.around(text, isOver ? nil : progress) ?? text)
    }

    private mutating func write(_ text: String, isBlock: Bool = false) {
        failures.note(text)
        isAfterBlock = isBlock
        // What goes elsewhere does not touch the line.
        let isAround = options.sharesTerminal || options.progress != .live
        output(isAround ? line?.around(text, isOver ? nil : progress) ?? text : text)
    }
}
