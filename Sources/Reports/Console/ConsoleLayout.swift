import Diagnostics
import SuiteModel

/// Tests as the console shows them: titles with times, exchanges, findings.
struct ConsoleLayout {
    /// The columns that a time takes, with the space before it.
    private static let timeColumns = 10
    /// The columns below which a note beside a title says too little.
    private static let shortestNote = 40

    let options: ConsoleOptions
    let painter: Painter
    let width: Int
    /// The columns at which names and messages are cut.
    let longest: Int

    init(_ options: ConsoleOptions) {
        self.options = options
        painter = Painter(color: options.color)
        width = options.columns
        longest = options.longestLine
    }

    private var isVerbose: Bool { options.verbosity > 0 }

    // MARK: Titles

    /// The names that lead to a step, outermost first.
    ///
    /// - Parameter names: Those that lead to the test.
    private func names(_ names: [String], of step: TestResult.Step, in test: TestReference) -> [String] {
        test.hasSteps && step.name != test.name ? names + [DisplayWidth.printable(step.name)] : names
    }

    /// A title with its width; a note leaves some columns of the line free.
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
            // A note is cut where a name is not: names are what people look for.
            let room = max(20, width - columns - reserved)
            let note = options.width == nil ? note : TextFitting.cut(note, to: room)
            text += "  " + painter.paint(note, .dim)
            columns += 2 + DisplayWidth.of(note)
        }
        return (text, columns)
    }

    /// The line of a test or step that did not run: the reason in place of a time.
    func notRunLine(_ outcome: TestResult.Outcome, _ names: [String]) -> String {
        let reason = DisplayWidth.printable(NotRunList.words(for: outcome))
        return title(outcome, names, note: reason, reserved: 2).text + "\n"
    }

    /// The line of what is no test, with a note in place of a time.
    func line(_ outcome: TestResult.Outcome, _ names: [String], note: String) -> String {
        title(outcome, names, note: DisplayWidth.printable(note), reserved: 2).text + "\n"
    }

    private func line(
        _ outcome: TestResult.Outcome, _ names: [String], duration: Int64, note: String = ""
    ) -> String {
        let title = title(outcome, names, note: note)
        return spread(title.text, title.width, duration)
    }

    /// A line that ends in a duration.
    func spread(_ text: String, _ columns: Int, _ duration: Int64) -> String {
        let time = DurationText.text(duration)
        return text + TextFitting.spaces(max(2, width - columns - time.utf8.count)) + painter.paint(time, .dim)
    }

    /// Words in lines of the terminal's width, which without a terminal are one.
    func wrapped(_ text: String) -> [String] {
        options.width == nil ? [text] : TextFitting.wrap(text, to: width - 2)
    }

    // MARK: Tests

    /// A test that passed, with its exchanges.
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

    /// A test that passed only when it was retried, with what was wrong before.
    func flaky(_ result: TestResult, _ names: [String]) -> String {
        line(.flaky, names, duration: result.duration) + "\n" + attempts(of: result)
    }

    /// A test that fails as is known, with a line for each finding and one for where it is known.
    func known(_ result: TestResult, _ names: [String], sizes: BodySizes) -> String {
        var text = line(.known, names, duration: result.duration) + "\n"
        for (index, step) in result.steps.enumerated() where !step.findings.isEmpty {
            let name = result.test.hasSteps ? "\(step.name) › " : ""
            for finding in step.findings {
                for line in ["  \(name)\(finding.subject): \(finding.message)", "    " + (finding.details.last ?? "")] {
                    text += painter.paint(TextFitting.cut(DisplayWidth.printable(line), to: longest), .dim) + "\n"
                }
            }
            if isVerbose { text += exchange(of: result, at: index, sizes: sizes) }
        }
        return text + attempts(of: result)
    }

    /// A failure with its findings and exchanges, and whether these make it a block with an empty line at its end.
    func failure(
        _ result: TestResult, _ names: [String], sizes: BodySizes
    ) -> (text: FoldableText, isBlock: Bool) {
        var text = FoldableText()
        var hasBlock = false
        let last = result.steps.lastIndex { $0.outcome.isFailure }
        var notRun: [String] = []
        for (index, step) in result.steps.enumerated() {
            guard step.outcome.isFailure || !step.findings.isEmpty else {
                if isVerbose {
                    text.append(self.step(of: result, at: index, names, sizes: sizes))
                } else if step.outcome.isNotRun {
                    notRun.append(step.name)
                }
                continue
            }
            if hasBlock { text += "\n" }
            // The values of names are those at the end of the test.
            text.append(
                block(
                    of: result, at: index, names, isFirst: !hasBlock, variables: index == last ? result.variables : [],
                    sizes: sizes))
            hasBlock = true
        }
        if hasBlock, !notRun.isEmpty {
            text += painter.paint(NotRunList.line("not run", names: notRun, width: longest), .dim) + "\n"
        }
        if !hasBlock { text += line(result.outcome, names, duration: result.duration) + "\n" }
        text += attempts(of: result)
        if hasBlock { text += "\n" }
        return (text, hasBlock)
    }

    /// A failure in one line: its location and what is wrong first; in two lines where a terminal is too narrow for one.
    func failureLine(_ result: TestResult, _ names: [String]) -> String {
        var note = FailureCause(of: result)?.text ?? ""
        let place = FailurePlace(of: result)?.range ?? result.test.range
        note = DisplayWidth.printable("\(place.file.name):\(place.start.line):\(place.start.column)") + "  " + note
        let columns = 2 + DisplayWidth.of(names.joined(separator: " › ")) + 2 + Self.timeColumns
        guard options.width != nil, columns + Self.shortestNote > width, columns + DisplayWidth.of(note) > width else {
            return line(result.outcome, names, duration: result.duration, note: note) + "\n"
        }
        note = TextFitting.cut(note, to: width - 2)
        return line(result.outcome, names, duration: result.duration) + "\n  " + painter.paint(note, .dim) + "\n"
    }

    /// A test that did not pass, without anything that is wrong.
    func plainLine(_ result: TestResult, _ names: [String]) -> String {
        line(result.outcome, names, duration: result.duration) + "\n"
    }

    /// A line for each attempt before the one that counts: what was wrong first.
    private func attempts(of result: TestResult) -> String {
        AttemptLines.lines(of: result, width: longest).map { painter.paint($0, .dim) + "\n" }.joined()
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
        var findings = isFirst ? description(of: result.test) : ""
        FindingsLayout(painter: painter, width: width, wraps: options.width != nil, longest: longest).write(
            step.findings, calls: step.calls, into: &findings)
        VariablesLayout(painter: painter, width: width, longest: longest).write(
            variables, beside: step.findings, into: &findings)
        var text = FoldableText()
        text.append(
            section: line(
                step.outcome, self.names(names, of: step, in: result.test), duration: duration(of: step, in: result)),
            body: findings, isOpen: true)
        guard let exchange = step.exchange else { return text }
        var details = ""
        exchangeLayout.write(exchange, sizes: sizes[index], into: &details)
        details += command(exchange)
        text.append(details: details, title: "  " + exchangeLayout.title(of: exchange, sizes: sizes[index]))
        return text
    }

    /// The lines in which the suite says what the test is about.
    private func description(of test: TestReference) -> String {
        let lines = (test.annotations?.descriptionLines ?? []).flatMap(wrapped)
        return lines.map { "  " + painter.paint($0, .dim) + "\n" }.joined()
    }

    private func exchange(of result: TestResult, at index: Int, sizes: BodySizes) -> String {
        guard let exchange = result.steps[index].exchange else { return "" }
        var text = ""
        exchangeLayout.write(exchange, sizes: sizes[index], into: &text)
        return options.showsCurl ? text + command(exchange) : text
    }

    private func command(_ exchange: Exchange) -> String {
        CurlCommand.text(for: exchange).map { "  " + painter.paint($0, .dim) + "\n" } ?? ""
    }

    /// The time beside a step's title, which without `steps` is the test's.
    private func duration(of step: TestResult.Step, in result: TestResult) -> Int64 {
        result.test.hasSteps ? step.duration : result.duration
    }

    private var exchangeLayout: ExchangeLayout {
        var layout = ExchangeLayout(painter: painter, width: width, showsHeaders: options.verbosity > 1)
        layout.longest = options.longestBodyLine
        layout.longestHead = longest
        return layout
    }
}
