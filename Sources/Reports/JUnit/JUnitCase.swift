import Diagnostics
import SuiteModel

/// A `testcase` element: a test with one exchange, a step, or a test that did not run.
struct JUnitCase {
    /// How the case counts.
    enum Verdict {
        case passed, failure, error, skipped
    }

    var name: String
    var outcome: TestResult.Outcome
    var findings: [Finding] = []
    var exchange: Exchange?
    /// The attempts before the one that counts.
    var earlierAttempts: [TestResult.StepAttempt] = []
    /// The sizes of the exchange's bodies before they were masked.
    var sizes = BodySizes.Pair()
    var duration: Int64 = 0
    var line: Int
    /// The places of the calls that led to the step, the innermost first.
    var calls: [SourceRange] = []
    /// What the names stood for that the test used.
    var variables: [UsedVariable] = []

    /// The most bytes of a name or message.
    static let longestAttribute = 4_096
    /// The most bytes of a failure's text and of a case's output.
    static let longestText = 65_536
    /// The columns of the text's lines.
    private static let width = 120

    /// How the case counts.
    var verdict: Verdict {
        switch outcome {
        case .passed, .flaky, .known: .passed
        case .failed: .failure
        case .errored: .error
        case .skipped, .blocked: .skipped
        }
    }

    /// The cases of a test's result: one, or one for each step of a test that was written with steps.
    static func cases(of result: TestResult, sizes: BodySizes) -> [JUnitCase] {
        let test = result.test
        let line = Int(test.range.start.line)
        guard test.hasSteps, !result.steps.isEmpty else {
            return [
                JUnitCase(
                    name: test.name, outcome: result.outcome, findings: result.steps.flatMap { $0.findings },
                    exchange: result.steps.last?.exchange, earlierAttempts: earlierAttempts(of: result, step: 0),
                    sizes: sizes[result.steps.count - 1], duration: result.duration, line: line,
                    variables: result.variables)
            ]
        }
        var seen: [String: Int] = [:]
        var cases = result.steps.enumerated().map { index, step in
            var name = step.name == test.name ? test.name : test.name + StepSeparator.text + step.name
            let count = (seen[name] ?? 0) + 1
            seen[name] = count
            if count > 1 { name += " [\(count)]" }
            return JUnitCase(
                name: name, outcome: step.outcome, findings: step.findings, exchange: step.exchange,
                earlierAttempts: earlierAttempts(of: result, step: index), sizes: sizes[index], duration: step.duration,
                line: Int((step.calls.last ?? step.range).start.line), calls: step.calls)
        }
        if let last = cases.lastIndex(where: { $0.outcome.isFailure }) { cases[last].variables = result.variables }
        // Whatever made the test fail must not be lost when no step tells it.
        if result.outcome.isFailure, !cases.contains(where: { $0.outcome.isFailure }) {
            cases.append(JUnitCase(name: test.name, outcome: result.outcome, line: line))
        }
        return cases
    }

    /// The attempts of a step that did not pass, those of the test's attempts first.
    private static func earlierAttempts(of result: TestResult, step index: Int) -> [TestResult.StepAttempt] {
        var attempts: [TestResult.StepAttempt] = []
        for attempt in result.earlierAttempts where attempt.steps.indices.contains(index) {
            let step = attempt.steps[index]
            // To poll is not to try again what did not pass.
            if step.polls == 0 { attempts += step.earlierAttempts }
            guard step.outcome.isFailure else { continue }
            attempts.append(
                TestResult.StepAttempt(
                    outcome: step.outcome, findings: step.findings, exchange: step.exchange, duration: step.duration))
        }
        if result.steps.indices.contains(index), result.steps[index].polls == 0 {
            attempts += result.steps[index].earlierAttempts
        }
        return attempts
    }

    /// Whether a test's case is one element without anything in it, as most are, unless the exchange stands in it.
    static func isBrief(_ result: TestResult) -> Bool {
        guard result.outcome == .passed, !result.test.hasSteps, result.earlierAttempts.isEmpty else { return false }
        return result.steps.isEmpty || result.steps[0].earlierAttempts.isEmpty
    }

    /// Appends the element of a test that is brief.
    ///
    /// - Returns: How many bytes it has.
    static func writeBrief(_ result: TestResult, place: JUnitPlace, into output: inout [UInt8]) -> Int {
        let before = output.count
        writeStart(
            name: result.test.name, duration: result.duration, line: Int(result.test.range.start.line), place: place,
            into: &output)
        output.append("/>\n")
        return output.count - before
    }

    private static func writeStart(
        name: String, duration: Int64, line: Int, place: JUnitPlace, into output: inout [UInt8]
    ) {
        let (classAttribute, fileAttribute) = (place.classAttribute, place.fileAttribute)
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
        let most = classAttribute.count + fileAttribute.count + 96
        let isWritten = name.withBytes { name in
            guard name.count <= longestAttribute, XMLText.isPlain(name) else { return false }
            output.append(upTo: name.count + most) { text in
                text.write("    <testcase name=\"")
                text.write(name)
                writeRest(&text)
            }
            return true
        }
        if isWritten { return }
        output.append("    <testcase name=\"")
        XMLText.append(name, to: &output, isAttribute: true, limit: longestAttribute)
        output.append(upTo: most) { writeRest(&$0) }
    }

    /// Appends the element.
    func write(place: JUnitPlace, into output: inout [UInt8]) {
        Self.writeStart(name: name, duration: duration, line: line, place: place, into: &output)
        if verdict == .passed, exchange == nil, earlierAttempts.isEmpty, outcome != .known {
            output.append(contentsOf: "/>\n".utf8)
            return
        }
        output.append(contentsOf: ">\n".utf8)
        writeVerdict(place: place.suite, into: &output)
        writeEarlierAttempts(place: place.suite, into: &output)
        if exchange != nil || outcome == .known {
            output.append(contentsOf: "      <system-out>".utf8)
            let text = knownText + (exchange.map { ExchangeTranscript.text($0, sizes: sizes) } ?? "")
            XMLText.append(text, to: &output, limit: Self.longestText)
            output.append(contentsOf: "</system-out>\n".utf8)
        }
        output.append(contentsOf: "    </testcase>\n".utf8)
    }

    /// What a case that counts as passed says of its findings; empty for any other.
    private var knownText: String {
        guard outcome == .known else { return "" }
        var text = "known to fail:\n"
        FindingsLayout(painter: Painter(color: false), width: Self.width).write(findings, calls: calls, into: &text)
        return text
    }

    /// Appends the element as the published schemas have it: without the file and line, and with nothing but one failure,
    /// error or reason in it.
    func writeStrict(place: JUnitPlace, into output: inout [UInt8]) {
        output.append(contentsOf: "    <testcase".utf8)
        XMLText.appendAttribute("name", name, to: &output, limit: Self.longestAttribute)
        output.append(contentsOf: place.classAttribute)
        output.append(contentsOf: " time=\"".utf8)
        DecimalText.append(seconds: duration, to: &output)
        output.append(UInt8(ascii: "\""))
        if verdict == .passed {
            output.append(contentsOf: "/>\n".utf8)
            return
        }
        output.append(contentsOf: ">\n".utf8)
        writeVerdict(place: place.suite, into: &output)
        output.append(contentsOf: "    </testcase>\n".utf8)
    }

    private func writeVerdict(place: SuitePlace, into output: inout [UInt8]) {
        switch verdict {
        case .passed: break
        case .failure: writeFailure("failure", place: place, into: &output)
        case .error: writeFailure("error", place: place, into: &output)
        case .skipped:
            output.append(contentsOf: "      <skipped".utf8)
            XMLText.appendAttribute("message", reason, to: &output, limit: Self.longestAttribute)
            output.append(contentsOf: "/>\n".utf8)
        }
    }

    private var reason: String {
        switch outcome {
        case .skipped(let reason): reason.isEmpty ? "skipped" : reason
        case .blocked(let blocker): BlockedReason.text(by: blocker)
        case .passed, .flaky, .known, .failed, .errored: ""
        }
    }

    /// What an attempt's element says: its findings, and the exchange.
    private struct Account {
        var findings: [Finding]
        var exchange: Exchange?
        var sizes = BodySizes.Pair()
        var variables: [UsedVariable] = []
    }

    private func writeFailure(_ element: String, place: SuitePlace, into output: inout [UInt8]) {
        let account = Account(findings: findings, exchange: exchange, sizes: sizes, variables: variables)
        writeHead(of: element, findings, into: &output)
        output.append(UInt8(ascii: ">"))
        writeText(account, place: place, into: &output)
        output.append(contentsOf: "</\(element)>\n".utf8)
    }

    /// Writes the attempts before the one that counts: of a case that finally passed as `flakyFailure` or `flakyError`,
    /// otherwise as `rerunFailure` or `rerunError`.
    private func writeEarlierAttempts(place: SuitePlace, into output: inout [UInt8]) {
        for attempt in earlierAttempts {
            let element = (verdict == .passed ? "flaky" : "rerun") + (attempt.outcome == .errored ? "Error" : "Failure")
            writeHead(of: element, attempt.findings, into: &output)
            output.append(contentsOf: ">\n        <stackTrace>".utf8)
            writeText(Account(findings: attempt.findings, exchange: attempt.exchange), place: place, into: &output)
            output.append(contentsOf: "</stackTrace>\n      </\(element)>\n".utf8)
        }
    }

    private func writeHead(of element: String, _ findings: [Finding], into output: inout [UInt8]) {
        output.append(contentsOf: "      <\(element)".utf8)
        XMLText.appendAttribute("message", Self.message(of: findings), to: &output, limit: Self.longestAttribute)
        XMLText.appendAttribute("type", Self.first(of: findings)?.type ?? element, to: &output)
    }

    /// What was wrong first, and how much more there is.
    static func message(of findings: [Finding]) -> String {
        var message = first(of: findings).map { "\($0.subject): \($0.message)" } ?? "the test did not pass"
        if findings.count > 1 { message += " (and \(findings.count - 1) more)" }
        return message
    }

    /// The finding that says most: an error says why the rest could not be checked, so it comes before failures.
    private static func first(of findings: [Finding]) -> Finding? {
        findings.first { $0.kind == .error } ?? findings.first
    }

    private func writeText(_ account: Account, place: SuitePlace, into output: inout [UInt8]) {
        let painter = Painter(color: false)
        var text = ""
        FindingsLayout(painter: painter, width: Self.width).write(account.findings, calls: calls, into: &text)
        VariablesLayout(painter: painter, width: Self.width).write(
            account.variables, beside: account.findings, into: &text)
        if let exchange = account.exchange {
            ExchangeLayout(painter: painter, width: Self.width).write(exchange, sizes: account.sizes, into: &text)
            if let command = CurlCommand.text(for: exchange) { text += "  " + command + "\n" }
        }
        XMLText.append(text, to: &output, limit: Self.longestText)
        output.append(UInt8(ascii: "\n"))
        let first = Self.first(of: account.findings)
        // A finding in a fragment may be in another file; what led to it is in the suite's.
        let ownLine = calls.isEmpty ? first?.range.map { Int($0.start.line) } : nil
        XMLText.append(place.trace(line: ownLine ?? line), to: &output)
        output.append(UInt8(ascii: "\n"))
    }
}
