import Basics
import Diagnostics
import JSON
import Output
import RunModel
import RunRecord

/// A reporter of the verdict of a run: one JSON document of at most 64 KiB for programs that act on failures.
///
/// It contains only the data that decides. One failure stands for all tests that failed for the same cause.
typealias VerdictReporter = DocumentReporter<VerdictDocument>

extension VerdictReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameter path: The path of the report. Missing directories are created.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(path: String) throws(ReportError) {
        self.init(VerdictDocument(file: try ReportFile(path: path)))
    }
}

/// The verdict of a run, with the JSON Schema `schemas/verdict.schema.json`.
struct VerdictDocument: ReportDocument, ~Copyable {
    /// The maximum number of failures with details.
    private static let maximumFailures = 20
    /// The maximum size of all failures in bytes. The rest of the document takes a few kilobytes.
    private static let maximumSize = 56 * 1024

    private var file: ReportFile
    private var run = RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    private var names: [Int: String] = [:]
    private var counts = OutcomeCounts()
    private var notices: [RunNotice] = []
    private var summary: RunSummary?
    private var wasInterrupted = false
    private var causes = FailureCauses()
    private var failures: [VerdictFailure] = []
    /// The index of the failure with details for each cause.
    private var indices: [Int: Int] = [:]
    private var size = 0
    private var omitted = 0

    init(file: consuming ReportFile) {
        self.file = file
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .runStarted(let info):
            run = info
            for suite in info.suites { names[suite.index] = suite.name }
        case .suiteStarted(let info): names[info.index] = info.name
        case .testFinished(let result): add(result, sizes: sizes)
        case .notice(let notice): notices.append(notice)
        case .interrupted: wasInterrupted = true
        case .runFinished(let summary): self.summary = summary
        case .testStarted, .testCompleted, .secretRegistered, .load, .suiteFinished: break
        }
    }

    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        add(test.resultForDetails(hidesExchanges: hidesExchanges), sizes: test.sizes)
    }

    private mutating func add(_ result: TestResult, sizes: BodySizes) {
        counts.count(result)
        guard result.outcome.isFailure, let cause = causes.add(result) else { return }
        let name = (names[result.test.suite] ?? "") + StepSeparator.text + result.test.name
        if let index = cause.index.flatMap({ indices[$0] }) {
            failures[index].others.append(name)
        } else {
            let failure = VerdictFailure(result, name: name, sizes: sizes)
            let count = JSONValue.object(failure.value).serializedBytes().count
            guard failures.count < Self.maximumFailures, size + count <= Self.maximumSize else {
                omitted += 1
                return
            }
            size += count
            if let index = cause.index { indices[index] = failures.count }
            failures.append(failure)
        }
    }

    mutating func finish() throws(ReportError) {
        let bytes = Array((JSONValue.object(document).serialized(.pretty) + "\n").utf8)
        try file.publish([.bytes(bytes)])
    }

    private var document: JSONObject {
        let problems = RunProblem.all(summary, notices: notices)
        var document: JSONObject = [
            "version": 1, "verdict": .string(verdict(problems).rawValue),
            "counts": [
                "tests": VerdictText.number(counts.total), "passed": VerdictText.number(counts.passed),
                "flaky": VerdictText.number(counts.flaky), "known": VerdictText.number(counts.known),
                "failed": VerdictText.number(counts.failed), "errored": VerdictText.number(counts.errored),
                "blocked": VerdictText.number(counts.blocked), "skipped": VerdictText.number(counts.skipped),
            ],
        ]
        if let summary {
            document["requests"] = VerdictText.number(summary.exchanges)
            document["milliseconds"] = VerdictText.number(Int(summary.duration / 1_000_000))
        }
        // A string because many readers lose digits of an integer of this size.
        document["seed"] = .string(String(run.seed))
        if !problems.isEmpty {
            document["problems"] = .array(
                problems.prefix(Self.maximumFailures).map { problem in
                    let lines = problem.lines.joined(separator: "\n")
                    return ["id": .string(problem.id), "message": .string(VerdictText.cut(lines, to: 1_000))]
                })
        }
        document["failures"] = .array(failures.map { .object($0.valueWithOthers) })
        if omitted > 0 { document["omittedFailures"] = VerdictText.number(omitted) }
        return document
    }

    private func verdict(_ problems: [RunProblem]) -> Verdict {
        if wasInterrupted || summary?.wasInterrupted == true { return .interrupted }
        guard let summary, summary.missing == nil else { return .incomplete }
        return summary.hasFailed || notices.contains { $0.severity == .error } ? .failed : .passed
    }
}

/// The verdict of a run.
enum Verdict: String, CaseIterable {
    case passed, failed, incomplete, interrupted
}

/// A failed test in a verdict.
struct VerdictFailure {
    /// The maximum number of findings.
    private static let maximumFindings = 4
    /// The maximum number of other tests to name.
    private static let maximumOthers = 5
    /// The maximum size of a response body in bytes.
    private static let maximumBody = 500

    /// The data of the test.
    let value: JSONObject
    /// The names of further tests that failed for the same cause.
    var others: [String] = []

    init(_ result: TestResult, name: String, sizes: BodySizes) {
        let summary = FailureSummary(result.steps, hasSteps: result.test.hasSteps)
        var value: JSONObject = [
            "test": .string(VerdictText.cut(name, to: 300)),
            "outcome": .string(OutcomeWord.text(result.outcome)),
            "location": .string(VerdictText.cut(result.test.range.description, to: 300)),
        ]
        if let step = summary.step {
            if result.test.hasSteps { value["step"] = .string(VerdictText.cut(step.name, to: 200)) }
            // Errors explain why the rest could not be checked.
            let findings = step.findings.filter { $0.kind == .error } + step.findings.filter { $0.kind == .failure }
            value["findings"] = .array(findings.prefix(Self.maximumFindings).map { .object(Self.finding($0)) })
            if findings.count > Self.maximumFindings {
                value["omittedFindings"] = VerdictText.number(findings.count - Self.maximumFindings)
            }
            if let exchange = step.exchange { Self.write(exchange, to: &value) }
        }
        self.value = value
    }

    /// The data of the test, with the names of other tests.
    var valueWithOthers: JSONObject {
        var value = value
        if !others.isEmpty {
            value["alsoFailed"] = VerdictText.number(others.count)
            value["others"] = .array(
                others.prefix(Self.maximumOthers).map { .string(VerdictText.cut($0, to: 300)) })
        }
        return value
    }

    private static func finding(_ finding: Finding) -> JSONObject {
        var value: JSONObject = ["id": .string(finding.type.rawValue)]
        if let range = finding.range { value["location"] = .string(VerdictText.cut(range.description, to: 300)) }
        value["subject"] = .string(VerdictText.cut(finding.subject.description, to: 200))
        value["message"] = .string(VerdictText.cut(finding.message, to: 400))
        if let expected = finding.expected { value["expected"] = VerdictText.value(expected) }
        if let actual = finding.actual { value["got"] = VerdictText.value(actual) }
        let details = finding.details.map(\.text).joined(separator: "\n")
        if !details.isEmpty { value["details"] = .string(VerdictText.cut(details, to: 600)) }
        return value
    }

    private static func write(_ exchange: Exchange, to value: inout JSONObject) {
        value["request"] = .string(VerdictText.cut("\(exchange.request.method) \(exchange.request.url)", to: 500))
        if let response = exchange.response {
            value["status"] = VerdictText.number(response.status)
            let type = response.headers.first { $0.isNamed("Content-Type") }?.value
            let body = BodyExcerpt(response.body, contentType: type).lines(width: 100, limit: 12)
            if !body.isEmpty {
                value["body"] = .string(VerdictText.cut(body.joined(separator: "\n"), to: maximumBody))
            }
        }
        if let command = CurlCommand.text(for: exchange) {
            value["curl"] = .string(VerdictText.cut(command, to: 1_000))
        }
    }
}

/// The bounded values of a verdict.
enum VerdictText {
    /// The maximum size of an expected or actual value in bytes.
    private static let maximumValue = 300

    /// Returns a text of at most a number of bytes, and an ellipsis if it was longer.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }

    /// Returns a value, or the beginning of its JSON as a string if it is long.
    static func value(_ value: JSONValue) -> JSONValue {
        let bytes = value.serializedBytes()
        guard bytes.count > maximumValue else { return value }
        return .string(cut(String(decoding: bytes, as: UTF8.self), to: maximumValue))
    }

    static func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
}
