import Basics
import Diagnostics
import Output
import RunModel
import RunRecord

/// The layout of tests on the console: titles with durations, exchanges, and findings.
struct ConsoleLayout {
    /// The columns reserved for a duration, including the preceding space.
    private static let timeColumns = 10
    /// The minimum number of columns in which a note beside a title is useful.
    private static let shortestNote = 40

    let options: ConsoleOptions
    let painter: Painter
    let width: Int
    /// The column at which names and messages are truncated.
    let maximumLength: Int

    init(_ options: ConsoleOptions) {
        self.options = options
        painter = Painter(color: options.color)
        width = options.columns
        maximumLength = options.maximumLineLength
    }

    private var isVerbose: Bool { options.verbosity > 0 }

    // MARK: Titles

    /// Returns the path of names to a step, outermost first.
    ///
    /// - Parameter names: The path of names to the test.
    private func names(_ names: [String], of step: TestResult.Step, in test: TestReference) -> [String] {
        test.hasSteps && step.name != test.name ? names + [DisplayWidth.printable(step.name)] : names
    }

    /// Returns a title and its width.
    ///
    /// The note leaves the reserved columns of the line free.
    func title(
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
            // Notes are truncated but names are not because readers search for names.
            let room = max(20, width - columns - reserved)
            let note = options.width == nil ? note : TextFitting.cut(note, to: room)
            text += "  " + painter.paint(note, .dim)
            columns += 2 + DisplayWidth.of(note)
        }
        return (text, columns)
    }

    /// Returns the line of a test or step that did not run, with the reason instead of a duration.
    func notRunLine(_ outcome: TestResult.Outcome, _ names: [String]) -> String {
        let reason = DisplayWidth.printable(NotRunList.words(for: outcome))
        return title(outcome, names, note: reason, reserved: 2).text + "\n"
    }

    /// Returns the line of an entry that is not a test, with a note instead of a duration.
    func line(_ outcome: TestResult.Outcome, _ names: [String], note: String) -> String {
        title(outcome, names, note: DisplayWidth.printable(note), reserved: 2).text + "\n"
    }

    private func line(
        _ outcome: TestResult.Outcome, _ names: [String], duration: Int64, note: String = ""
    ) -> String {
        let title = title(outcome, names, note: note)
        return spread(title.text, title.width, duration)
    }

    /// Returns a line with a right-aligned duration.
    func spread(_ text: String, _ columns: Int, _ duration: Int64) -> String {
        let time = DurationText.text(duration)
        return text + TextFitting.spaces(max(2, width - columns - time.utf8.count)) + painter.paint(time, .dim)
    }

    /// Returns text wrapped to the width of the terminal, or as one line without a terminal.
    func wrapped(_ text: String) -> [String] {
        options.width == nil ? [text] : TextFitting.wrap(text, to: width - 2)
    }

    // MARK: Tests

    /// Returns a test that passed, with its exchanges.
    func exchanges(of result: TestResult, _ names: [String], sizes: BodySizes) -> FoldableText {
        var text = FoldableText()
        if !result.test.hasSteps || result.steps.isEmpty {
            var body = ""
            for index in result.steps.indices { body += exchange(of: result, at: index, sizes: sizes) }
            text.append(
                section: line(result.outcome, names, duration: result.duration), body: body + attempts(of: result),
                isOpen: false)
        } else {
            for index in result.steps.indices { text.append(step(of: result, at: index, names, sizes: sizes)) }
            text += attempts(of: result)
        }
        return text
    }

    /// Returns a test that passed, with the values that it prints.
    func printed(of result: TestResult, _ names: [String]) -> String {
        line(result.outcome, names, duration: result.duration) + "\n" + printed(of: result)
    }

    /// Returns a line for each value that the steps of a test print.
    private func printed(of result: TestResult) -> String {
        result.steps.map { named($0, of: result) }.joined()
    }

    /// Returns a line for each value that a step of a test prints, with the name of the step.
    private func named(_ step: TestResult.Step, of result: TestResult) -> String {
        printed(step, name: result.test.hasSteps ? DisplayWidth.printable(step.name + " › ") : "")
    }

    /// Returns a line for each value that a step prints.
    private func printed(_ step: TestResult.Step, name: String = "") -> String {
        PrintedLines.lines(of: step, width: maximumLength - 2 - DisplayWidth.of(name)).map { line in
            "  " + painter.paint(name, .dim) + line + "\n"
        }.joined()
    }

    /// Returns a test that passed only after a retry, with the problems of its earlier attempts.
    func flaky(_ result: TestResult, _ names: [String]) -> String {
        line(.flaky, names, duration: result.duration) + "\n" + printed(of: result) + attempts(of: result)
    }

    /// Returns a test with a known failure: the reason and a line for each finding, with one for its entry in a baseline.
    func known(_ result: TestResult, _ names: [String], sizes: BodySizes) -> String {
        var text = line(result.outcome, names, duration: result.duration) + "\n"
        var reason: String?
        for (index, step) in result.steps.enumerated() where !step.findings.isEmpty {
            let name = result.test.hasSteps ? "\(step.name) › " : ""
            let stepReason = step.outcome.expectedFailureText
            if let stepReason, stepReason != reason { text += dim("  " + stepReason) }
            reason = stepReason ?? reason
            for finding in step.findings {
                text += dim("  \(name)\(finding.subject): \(finding.wording)")
                if stepReason == nil { text += dim("    " + (finding.details.last?.text ?? "")) }
            }
            if isVerbose { text += exchange(of: result, at: index, sizes: sizes) }
        }
        return text + (isVerbose ? "" : printed(of: result)) + attempts(of: result)
    }

    /// Returns a line without emphasis.
    private func dim(_ line: String) -> String {
        painter.paint(TextFitting.cut(DisplayWidth.printable(line), to: maximumLength), .dim) + "\n"
    }

    /// Returns a failure with its findings and exchanges, and whether it forms a block that ends with an empty line.
    func failure(
        _ result: TestResult, _ names: [String], sizes: BodySizes
    ) -> (text: FoldableText, isBlock: Bool) {
        var text = FoldableText()
        var hasBlock = false
        let last = result.steps.lastIndex { $0.outcome.isFailure }
        var notRun: [String] = []
        var printed = ""
        // A teardown continues after a failed step, so each skipped step may have a different reason.
        var leftOut = NotRunList(maximumGroups: .max)
        for (index, step) in result.steps.enumerated() {
            guard step.outcome.isFailure || !step.findings.isEmpty else {
                if isVerbose {
                    text.append(self.step(of: result, at: index, names, sizes: sizes))
                } else if step.outcome.isNotRun {
                    if result.test.kind == .teardown {
                        leftOut.add(step.name, step.outcome, suite: result.test.suite)
                    } else {
                        notRun.append(step.name)
                    }
                } else {
                    printed += named(step, of: result)
                }
                continue
            }
            if hasBlock { text += "\n" }
            // The values of variables are those at the end of the test.
            text.append(
                block(
                    of: result, at: index, names, isFirst: !hasBlock, variables: index == last ? result.variables : [],
                    sizes: sizes))
            hasBlock = true
        }
        text += printed
        if hasBlock, !notRun.isEmpty {
            text += painter.paint(NotRunList.line("not run", names: notRun, width: maximumLength), .dim) + "\n"
        }
        if hasBlock { for line in leftOut.lines(width: maximumLength) { text += painter.paint(line, .dim) + "\n" } }
        if !hasBlock { text += line(result.outcome, names, duration: result.duration) + "\n" }
        text += attempts(of: result)
        if hasBlock { text += "\n" }
        return (text, hasBlock)
    }

    /// Returns a failure in one line, with its location and first problem, or in two lines on a narrow terminal.
    func failureLine(_ result: TestResult, _ names: [String]) -> String {
        var note = FailureCause(of: result)?.text ?? ""
        let location = FailureLocation(of: result)?.range ?? result.test.range
        note =
            DisplayWidth.printable("\(location.file.name):\(location.start.line):\(location.start.column)") + "  "
            + note
        let columns = 2 + DisplayWidth.of(names.joined(separator: " › ")) + 2 + Self.timeColumns
        guard options.width != nil, columns + Self.shortestNote > width, columns + DisplayWidth.of(note) > width else {
            return line(result.outcome, names, duration: result.duration, note: note) + "\n"
        }
        note = TextFitting.cut(note, to: width - 2)
        return line(result.outcome, names, duration: result.duration) + "\n  " + painter.paint(note, .dim) + "\n"
    }

    /// Returns a test that did not pass, without its findings.
    func plainLine(_ result: TestResult, _ names: [String]) -> String {
        line(result.outcome, names, duration: result.duration) + "\n"
    }

    /// Returns a line with the first problem of each earlier attempt.
    private func attempts(of result: TestResult) -> String {
        AttemptLines.lines(of: result, width: maximumLength).map { painter.paint($0, .dim) + "\n" }.joined()
    }

    // MARK: Steps

    private func step(of result: TestResult, at index: Int, _ names: [String], sizes: BodySizes) -> FoldableText {
        let step = result.steps[index]
        let names = self.names(names, of: step, in: result.test)
        let body = exchange(of: result, at: index, sizes: sizes)
        if step.outcome.isNotRun { return FoldableText(notRunLine(step.outcome, names) + body) }
        var text = FoldableText()
        text.append(
            section: line(step.outcome, names, duration: duration(of: step, in: result)), body: body, isOpen: false)
        return text
    }

    private func block(
        of result: TestResult, at index: Int, _ names: [String], isFirst: Bool, variables: [UsedVariable],
        sizes: BodySizes
    ) -> FoldableText {
        let step = result.steps[index]
        var findings = isFirst ? description(result.test.annotations) : ""
        FindingsLayout(painter: painter, width: width, wraps: options.width != nil, maximumLength: maximumLength).write(
            step.findings, calls: step.calls, into: &findings)
        VariablesLayout(painter: painter, width: width, maximumLength: maximumLength).write(
            variables, beside: step.findings, into: &findings)
        var text = FoldableText()
        text.append(
            section: line(
                step.outcome, self.names(names, of: step, in: result.test), duration: duration(of: step, in: result)),
            body: findings, isOpen: true)
        text += printed(step)
        guard let exchange = step.exchange else { return text }
        var details = ""
        exchangeLayout.write(exchange, sizes: sizes[index], into: &details)
        details += command(exchange)
        text.append(details: details, title: "  " + exchangeLayout.title(of: exchange, sizes: sizes[index]))
        return text
    }

    /// Returns the description of a suite or test as lines.
    func description(_ annotations: Annotations?) -> String {
        let lines = (annotations?.descriptionLines ?? []).flatMap(wrapped)
        return lines.map { "  " + painter.paint($0, .dim) + "\n" }.joined()
    }

    private func exchange(of result: TestResult, at index: Int, sizes: BodySizes) -> String {
        var text = printed(result.steps[index])
        guard let exchange = result.steps[index].exchange else { return text }
        exchangeLayout.write(exchange, sizes: sizes[index], into: &text)
        return options.showsCurl ? text + command(exchange) : text
    }

    private func command(_ exchange: Exchange) -> String {
        CurlCommand.text(for: exchange).map { "  " + painter.paint($0, .dim) + "\n" } ?? ""
    }

    /// Returns the duration to show beside the title of a step.
    ///
    /// Without `steps`, it is the duration of the test.
    private func duration(of step: TestResult.Step, in result: TestResult) -> Int64 {
        result.test.hasSteps ? step.duration : result.duration
    }

    private var exchangeLayout: ExchangeLayout {
        var layout = ExchangeLayout(painter: painter, width: width, showsHeaders: options.verbosity > 1)
        layout.maximumLength = options.maximumBodyLineLength
        layout.maximumHeadLength = maximumLength
        return layout
    }
}

extension ConsoleLayout {
    /// Returns the line of a suite with its name, counts, and duration, wrapped on a narrow terminal.
    func suiteLine(_ name: String, _ outcome: TestResult.Outcome, _ summary: SuiteSummary) -> String {
        let title = title(outcome, [name])
        let counts = OutcomeText.counts(summary.counts, painter: painter)
        let columns = title.width + 2 + counts.width
        if options.width == nil || columns + 10 <= width {
            return spread(title.text + "  " + counts.text, columns, summary.duration)
        }
        let parts = OutcomeText.parts(summary.counts, painter: painter) + [duration(summary.duration)]
        return title.text + "\n  " + filled(parts, from: 2)
    }

    /// Returns the first line of the summary, wrapped on a narrow terminal.
    func summaryLine(_ summary: RunSummary, _ outcome: TestResult.Outcome, suites: Int) -> String {
        let tests = summary.testCountText + " in " + NumberText.count(suites, "suite")
        var parts = OutcomeText.parts(summary.counts, painter: painter)
        for problem in summary.problems { parts.append((problem, painter.paint(problem, .failure))) }
        if summary.wasInterrupted { parts.append(("interrupted", "interrupted")) }
        let head = painter.paint(OutcomeText.mark(outcome), OutcomeText.style(outcome)) + " "
        return head + painter.paint(tests, .bold) + ": " + filled(parts, from: 4 + DisplayWidth.of(tests))
    }

    /// Returns the second line of the summary: requests, duration, and rate.
    func facts(_ summary: RunSummary, seed: UInt64?) -> String {
        var facts = NumberText.count(summary.exchanges, "request") + " in " + DurationText.text(summary.duration)
        if let rate = NumberText.rate(summary.exchanges, nanoseconds: summary.duration) { facts += ", \(rate)/s" }
        if let seed { facts += ", seed \(seed)" }
        return wrapped(facts).map { "  " + painter.paint($0, .dim) + "\n" }.joined()
    }

    /// Returns the part of an API description that the run covered.
    func coverage(_ coverage: ContractCoverage, showsAll: Bool) -> String {
        let words = CoverageText(coverage)
        var text = wrapped("contract " + words.line).map { "  " + painter.paint($0, .dim) + "\n" }.joined()
        guard showsAll else { return text }
        let lines =
            CoverageText.section("not covered", words.missed)
            + CoverageText.section("not documented", words.undocumented)
        for line in lines { text += "  \(line)\n" }
        return text
    }

    /// Returns a summary of the tests that got no response for an already shown reason.
    ///
    /// - Parameter namesSuites: Whether to name the suites, which is pointless in a run of a single suite.
    func group(_ group: FailureForms.Group, namesSuites: Bool) -> String {
        let title = { (names: [String]) in (namesSuites ? names[...] : names.dropFirst()).joined(separator: " › ") }
        let tests = NumberText.count(group.count, "more test") + " did not pass for the same reason as"
        let heading = wrapped("\(tests) \"\(title(group.first))\"")
        var text = painter.paint("✗", .failure) + " "
        text += heading.map { painter.paint($0, .bold) }.joined(separator: "\n  ") + "\n"
        for cause in wrapped(group.cause) { text += "  " + painter.paint(cause, .wrong) + "\n" }
        let names = group.names.map(title).joined(separator: ", ")
        let more = group.count - group.names.count
        for line in wrapped(names + (more > 0 ? ", … \(more) more" : "")) {
            text += "  " + painter.paint(line, .dim) + "\n"
        }
        return text + "\n"
    }

    private func duration(_ nanoseconds: Int64) -> (plain: String, painted: String) {
        let time = DurationText.text(nanoseconds)
        return (time, painter.paint(time, .dim))
    }

    /// Returns comma-separated parts, wrapped to the width of the terminal.
    ///
    /// The first line starts in a given column.
    private func filled(_ parts: [(plain: String, painted: String)], from column: Int) -> String {
        var text = ""
        var columns = column
        for (index, part) in parts.enumerated() {
            let size = DisplayWidth.of(part.plain) + (index < parts.count - 1 ? 1 : 0)
            if index > 0 {
                if options.width != nil, columns + 1 + size > width {
                    text += "\n  "
                    columns = 2
                } else {
                    text += " "
                    columns += 1
                }
            }
            text += part.painted + (index < parts.count - 1 ? "," : "")
            columns += size
        }
        return text
    }
}
