import Diagnostics
import Output
import RunModel
import RunRecord

/// A `testcase` element: a test, or a step of a test if each step is a test case.
struct JUnitCase {
    /// The result of a test case.
    enum Verdict {
        case passed, failure, error, skipped
    }

    var name: String
    let test: TestReference
    var outcome: TestResult.Outcome
    /// The steps that the test case covers: all steps of a test, or a single one.
    var steps: [TestResult.Step]
    /// The original sizes of the steps' bodies that masking changed.
    var sizes = BodySizes()
    /// Whether to name the steps because the test was written with `steps`.
    var namesSteps = false
    /// The earlier attempts.
    var previousAttempts: [PreviousAttempt] = []
    var duration: Int64 = 0
    var line: Int
    /// The variables that the test used, with their values.
    var variables: [UsedVariable] = []

    /// The maximum number of bytes of a name or message.
    static let maximumAttributeLength = CaseName.maximumLength
    /// The maximum number of bytes of a failure's text and of the output of a test case.
    static let maximumTextLength = 65_536
    /// The width of text in columns.
    static let width = 120
    /// The maximum number of steps to list.
    private static let maximumSteps = 500

    /// Returns the result of the test case.
    ///
    /// - Parameter skipsKnown: Whether a failure in a baseline counts as skipped, like one that the suite expects, instead
    ///   of passed.
    func verdict(skipsKnown: Bool = false) -> Verdict {
        switch outcome {
        case .passed, .flaky: .passed
        case .known: skipsKnown || outcome.expectedFailureText != nil ? .skipped : .passed
        case .failed: .failure
        case .errored: .error
        case .skipped, .blocked: .skipped
        }
    }

    /// The summary of a test case that did not pass.
    var summary: FailureSummary { FailureSummary(steps, hasSteps: namesSteps) }

    /// Creates the test case of a test result.
    init(_ result: TestResult, sizes: BodySizes) {
        name = result.test.name
        test = result.test
        outcome = result.outcome
        steps = result.steps
        self.sizes = sizes
        namesSteps = result.test.hasSteps
        previousAttempts = PreviousAttempt.all(of: result)
        duration = result.duration
        line = Int(result.test.range.start.line)
        variables = result.variables
    }

    private init(_ name: String, of result: TestResult, step: TestResult.Step) {
        self.name = name
        test = result.test
        outcome = step.outcome
        steps = [step]
        duration = step.duration
        line = Int((step.calls.last ?? step.range).start.line)
    }

    /// Returns a test case for each step of a test that was written with `steps`, or a single one for any other test.
    static func casesOfSteps(_ result: TestResult, sizes: BodySizes) -> [JUnitCase] {
        let test = result.test
        guard test.hasSteps, !result.steps.isEmpty else { return [JUnitCase(result, sizes: sizes)] }
        var seen: [String: Int] = [:]
        var cases = result.steps.enumerated().map { index, step in
            var name = step.name == test.name ? test.name : test.name + StepSeparator.text + step.name
            let count = (seen[name] ?? 0) + 1
            seen[name] = count
            if count > 1 { name += " [\(count)]" }
            var stepCase = JUnitCase(name, of: result, step: step)
            stepCase.sizes[0] = sizes[index]
            stepCase.previousAttempts = previousAttempts(of: result, step: index)
            return stepCase
        }
        if let last = cases.lastIndex(where: { $0.outcome.isFailure }) { cases[last].variables = result.variables }
        // Adds a test case for a failure that no step has, so that it is not lost.
        if result.outcome.isFailure, !cases.contains(where: { $0.outcome.isFailure }) {
            var whole = JUnitCase(result, sizes: BodySizes())
            (whole.steps, whole.previousAttempts, whole.duration) = ([], [], 0)
            cases.append(whole)
        }
        return cases
    }

    /// Returns the failed attempts of a step.
    ///
    /// The ones that belong to attempts of the whole test come first.
    private static func previousAttempts(of result: TestResult, step index: Int) -> [PreviousAttempt] {
        var attempts: [PreviousAttempt] = []
        for attempt in result.previousAttempts where attempt.steps.indices.contains(index) {
            let step = attempt.steps[index]
            // Polling does not count as a retry.
            if step.polls == 0 { attempts += step.previousAttempts.map { .step($0, of: step) } }
            guard step.outcome.isFailure else { continue }
            attempts.append(
                .test(TestResult.Attempt(outcome: step.outcome, steps: [step], duration: step.duration)))
        }
        let step = result.steps[index]
        if step.polls == 0 { attempts += step.previousAttempts.map { .step($0, of: step) } }
        return attempts
    }

    /// Appends the start of the element, with its attributes.
    private func writeStart(location: JUnitLocation, into output: inout [UInt8]) {
        let (classAttribute, fileAttribute) = (location.classAttribute, location.fileAttribute)
        func writeRest(_ text: inout ByteWriter) {
            text.write("\"")
            text.write(classAttribute)
            text.write(" time=\"")
            text.write(seconds: duration)
            text.write("\"")
            text.write(fileAttribute)
            text.write(" line=\"")
            text.write(Int64(line))
            text.write("\"")
        }
        let maximum = classAttribute.count + fileAttribute.count + 96
        let isWritten = name.withBytes { name in
            guard name.count <= Self.maximumAttributeLength, XMLText.isPlain(name) else { return false }
            output.append(upTo: name.count + maximum) { text in
                text.write("    <testcase name=\"")
                text.write(name)
                writeRest(&text)
            }
            return true
        }
        if isWritten { return }
        output.append("    <testcase name=\"")
        XMLText.append(DisplayWidth.printable(name), to: &output, isAttribute: true, limit: Self.maximumAttributeLength)
        output.append(upTo: maximum) { writeRest(&$0) }
    }

    /// Appends the element to the output.
    func write(location: JUnitLocation, options: JUnitOptions, into output: inout [UInt8]) {
        writeStart(location: location, into: &output)
        let verdict = verdict(skipsKnown: options.skipsKnown)
        let text = outputText
        let hasProperties = namesSteps || !JUnitProperties.isEmpty(of: test)
        if verdict == .passed, text.isEmpty, previousAttempts.isEmpty, !hasProperties {
            output.append("/>\n")
            return
        }
        output.append(">\n")
        if hasProperties {
            JUnitProperties.write(test, steps: namesSteps ? steps.prefix(Self.maximumSteps) : [], into: &output)
        }
        write(verdict, location: location.suite, into: &output)
        writePreviousAttempts(verdict, location: location.suite, into: &output)
        if !text.isEmpty {
            output.append(contentsOf: "      <system-out>".utf8)
            XMLText.append(text, to: &output, limit: Self.maximumTextLength)
            output.append("</system-out>\n")
        }
        output.append("    </testcase>\n")
    }

    /// Appends the element as defined by the published schemas.
    ///
    /// It has no file and line, and at most one child: a failure, an error, or the reason for skipping.
    func writeStrict(location: JUnitLocation, options: JUnitOptions, into output: inout [UInt8]) {
        output.append(contentsOf: "    <testcase".utf8)
        XMLText.appendAttribute("name", DisplayWidth.printable(name), to: &output, limit: Self.maximumAttributeLength)
        output.append(contentsOf: location.classAttribute)
        output.append(contentsOf: " time=\"".utf8)
        DecimalText.append(seconds: duration, to: &output)
        output.append(UInt8(ascii: "\""))
        let verdict = verdict(skipsKnown: options.skipsKnown)
        if verdict == .passed {
            output.append(contentsOf: "/>\n".utf8)
            return
        }
        output.append(contentsOf: ">\n".utf8)
        write(verdict, location: location.suite, into: &output)
        output.append(contentsOf: "    </testcase>\n".utf8)
    }

    // MARK: Output

    /// The maximum number of columns of a printed value.
    private static let maximumPrintedLength = 1_000

    /// The output of the test case: known findings, steps, and exchanges.
    ///
    /// Empty if there are none.
    var outputText: String {
        var text = ""
        if outcome.isKnown {
            text += outcome.expectedFailureText.map { DisplayWidth.printable($0) + "\n" } ?? "known to fail:\n"
            let painter = Painter(color: false)
            for step in steps {
                FindingsLayout(painter: painter, width: Self.width).write(step.findings, calls: step.calls, into: &text)
            }
        }
        if namesSteps { writeSteps(into: &text) }
        for index in steps.indices where text.utf8.count < Self.maximumTextLength {
            if !steps[index].printed.isEmpty {
                let lines = PrintedLines.lines(of: steps[index], width: Self.maximumPrintedLength)
                text += lines.joined(separator: "\n") + "\n"
            }
            guard let exchange = steps[index].exchange else { continue }
            if namesSteps { text += "\n== \(DisplayWidth.printable(steps[index].name))\n" }
            text += ExchangeTranscript.text(exchange, sizes: sizes[index])
        }
        return text
    }

    /// Writes a line for each step with its outcome, duration, name, and the reason if it did not run.
    private func writeSteps(into text: inout String) {
        for (index, step) in steps.prefix(Self.maximumSteps).enumerated() {
            text += "\(index + 1). \(OutcomeWord.text(step.outcome)), \(DurationText.text(step.duration)): "
            text += DisplayWidth.printable(step.name)
            if let reason = Self.reason(step.outcome) { text += " (\(DisplayWidth.printable(reason)))" }
            text += "\n"
        }
        let more = steps.count - Self.maximumSteps
        if more > 0 { text += "… \(NumberText.count(more, "more step"))\n" }
    }

    // MARK: Result

    private func write(_ verdict: Verdict, location: SuiteLocation, into output: inout [UInt8]) {
        switch verdict {
        case .passed: break
        case .failure: writeFailure("failure", location: location, into: &output)
        case .error: writeFailure("error", location: location, into: &output)
        case .skipped:
            let reason =
                Self.reason(outcome) ?? (outcome.isKnown ? "known to fail: " + summary.message : "skipped")
            output.append(contentsOf: "      <skipped".utf8)
            XMLText.appendAttribute("message", reason, to: &output, limit: Self.maximumAttributeLength)
            // Some readers use only the text of the element.
            output.append(contentsOf: ">".utf8)
            XMLText.append(reason, to: &output, limit: Self.maximumAttributeLength)
            output.append(contentsOf: "</skipped>\n".utf8)
        }
    }

    /// Returns the reason why a test or step did not run or is expected to fail; `nil` if it has none.
    private static func reason(_ outcome: TestResult.Outcome) -> String? {
        switch outcome {
        case .skipped(let reason): reason.isEmpty ? nil : reason
        case .blocked(let blocker): BlockedReason.text(by: blocker)
        case .known: outcome.expectedFailureText
        case .passed, .flaky, .failed, .errored: nil
        }
    }

    private func writeFailure(_ element: String, location: SuiteLocation, into output: inout [UInt8]) {
        let summary = summary
        writeHead(of: element, message: summary.message, type: summary.finding?.type.rawValue, into: &output)
        output.append(UInt8(ascii: ">"))
        writeText(summary.text(sizes: sizes, variables: variables), location: location, first: summary, into: &output)
        output.append(contentsOf: "</\(element)>\n".utf8)
    }

    /// Writes the earlier attempts.
    ///
    /// The elements are `flakyFailure` or `flakyError` if the test case finally passed, and `rerunFailure` or
    /// `rerunError` otherwise.
    private func writePreviousAttempts(_ verdict: Verdict, location: SuiteLocation, into output: inout [UInt8]) {
        for attempt in previousAttempts {
            let element = (verdict == .passed ? "flaky" : "rerun") + (attempt.outcome == .errored ? "Error" : "Failure")
            let summary = attempt.summary(hasSteps: namesSteps)
            writeHead(of: element, message: summary.message, type: summary.finding?.type.rawValue, into: &output)
            output.append(contentsOf: ">\n        <stackTrace>".utf8)
            writeText(summary.text(sizes: BodySizes()), location: location, first: summary, into: &output)
            output.append(contentsOf: "</stackTrace>\n      </\(element)>\n".utf8)
        }
    }

    private func writeHead(of element: String, message: String, type: String?, into output: inout [UInt8]) {
        output.append(contentsOf: "      <\(element)".utf8)
        XMLText.appendAttribute("message", message, to: &output, limit: Self.maximumAttributeLength)
        XMLText.appendAttribute("type", type ?? element, to: &output)
    }

    private func writeText(
        _ text: String, location: SuiteLocation, first: FailureSummary, into output: inout [UInt8]
    ) {
        XMLText.append(text, to: &output, limit: Self.maximumTextLength)
        output.append(UInt8(ascii: "\n"))
        // A finding in a fragment may be in another file, but the call that led to it is in the suite file.
        let step = first.step
        let ownLine = step?.calls.last?.start.line ?? first.finding?.range?.start.line
        XMLText.append(location.trace(line: ownLine.map { Int($0) } ?? line), to: &output)
        output.append(UInt8(ascii: "\n"))
    }
}

/// The `properties` of a test case or suite, which test management tools read.
enum JUnitProperties {
    /// Returns whether a test has no data that is written as properties.
    static func isEmpty(of test: TestReference) -> Bool {
        test.id == nil && test.tags.isEmpty && test.annotations == nil
    }

    /// Writes the properties of a test case: the identifier, the tags, the annotations, and the steps with their
    /// outcomes.
    static func write(_ test: TestReference, steps: ArraySlice<TestResult.Step> = [], into output: inout [UInt8]) {
        output.append("      <properties>\n")
        if let id = test.id { write("id", id, indent: "        ", into: &output) }
        if !test.tags.isEmpty { write("tags", test.tags.joined(separator: ","), indent: "        ", into: &output) }
        if let annotations = test.annotations { write(annotations, indent: "        ", into: &output) }
        for step in steps {
            write("step[\(word(step.outcome))]", DisplayWidth.printable(step.name), indent: "        ", into: &output)
        }
        output.append("      </properties>\n")
    }

    /// Writes the properties of annotations.
    static func write(_ annotations: Annotations, indent: StaticString, into output: inout [UInt8]) {
        if let description = annotations.description {
            write("description", description, indent: indent, into: &output)
        }
        if let owner = annotations.owner { write("owner", owner, indent: indent, into: &output) }
        for property in annotations.properties {
            write(DisplayWidth.printable(property.name), property.value, indent: indent, into: &output)
        }
    }

    /// Writes a property.
    static func write(_ name: String, _ value: String, indent: StaticString, into output: inout [UInt8]) {
        output.append(indent)
        output.append("<property")
        XMLText.appendAttribute("name", name, to: &output, limit: JUnitCase.maximumAttributeLength)
        XMLText.appendAttribute("value", value, to: &output, limit: JUnitCase.maximumAttributeLength)
        output.append("/>\n")
    }

    /// Returns the outcome of a step in the terms of Testmo.
    private static func word(_ outcome: TestResult.Outcome) -> StaticString {
        switch outcome {
        case .known where outcome.expectedFailureText != nil: "skipped"
        case .passed, .flaky, .known: "passed"
        case .failed: "failure"
        case .errored: "error"
        case .skipped, .blocked: "skipped"
        }
    }
}

/// The output of a suite in a strict report: the exchanges and earlier attempts of its test cases.
struct JUnitTranscripts {
    /// The maximum number of bytes to keep.
    private static let maximumLength = 65_536

    private var kept = ""
    private var omitted = 0

    /// Adds the output and the earlier attempts of a test case.
    mutating func add(_ testCase: JUnitCase) {
        let output = testCase.outputText
        guard !output.isEmpty || !testCase.previousAttempts.isEmpty else { return }
        if kept.utf8.count >= Self.maximumLength {
            omitted += 1
            return
        }
        var text = "== \(testCase.name)\n"
        for (index, attempt) in testCase.previousAttempts.enumerated() {
            text += "attempt \(index + 1): \(attempt.message(hasSteps: testCase.namesSteps))\n"
        }
        text += output
        if text.utf8.count > Self.maximumLength {
            text = String(decoding: text.utf8.prefix(Self.maximumLength), as: UTF8.self) + "…\n"
        }
        kept += text + "\n"
    }

    /// The combined text.
    var text: String {
        omitted == 0 ? kept : kept + "… and \(NumberText.count(omitted, "more case"))\n"
    }
}
