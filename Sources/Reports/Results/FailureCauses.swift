import Diagnostics
import RunModel

/// Failures grouped by their cause: the one grouping that the console, Markdown, GitHub annotations and HTML share.
struct FailureCauses {
    /// The place of a failure among those of its cause.
    struct Membership {
        /// The number of the cause, in the order in which causes appear; nil where too many are known to tell it apart.
        let index: Int?
        /// How many failures of the cause came before.
        let rank: Int
        /// The cause.
        let cause: FailureCause

        /// Whether the failure is one of the first of its cause, which are shown whole.
        var isShownWhole: Bool { rank < (cause.isOutage ? FailureCauses.wholeOutages : FailureCauses.wholeFailures) }
    }

    /// Failures of one cause that are shown whole.
    static let wholeFailures = 3
    /// The same where no response came from the server.
    private static let wholeOutages = 1
    /// Causes that are told apart.
    private static let maximumCauses = 1_000

    /// How many failures each cause has.
    private(set) var counts: [Int] = []
    private var indices: [Int: Int] = [:]

    /// Counts a failure; nil for a test that did not fail.
    mutating func add(_ result: TestResult) -> Membership? {
        guard let cause = FailureCause(of: result) else { return nil }
        let known = cause.rowKey.flatMap { indices[$0] } ?? indices[cause.key]
        guard let index = known ?? newIndex(of: cause) else { return Membership(index: nil, rank: 0, cause: cause) }
        defer { counts[index] += 1 }
        return Membership(index: index, rank: counts[index], cause: cause)
    }

    /// Only the first failure of a cause says what belongs to it: otherwise causes would join others by way of a third.
    private mutating func newIndex(of cause: FailureCause) -> Int? {
        guard counts.count < Self.maximumCauses else { return nil }
        indices[cause.key] = counts.count
        if let rowKey = cause.rowKey { indices[rowKey] = counts.count }
        counts.append(0)
        return counts.count - 1
    }
}

/// The cause of a failure: all findings of the test, so that failures with another reason are never taken for the same.
struct FailureCause {
    /// A hash of the findings' words, which failures of different tests have in common.
    let key: Int
    /// A hash of the expectations that do not hold, which the rows of one test have in common whatever their values are; nil
    /// where no response came from the server.
    let rowKey: Int?
    /// The findings in a few words.
    let text: String

    /// Whether no response came from the server under test, as with a refused connection or a gateway's 503.
    var isOutage: Bool { rowKey == nil }

    /// Statuses by which something before the server reports that it got no response.
    private static let gatewayStatuses = 502...504
    /// Phases of a request before the server could say anything about it.
    private static let phasesBeforeRequest: Set<Exchange.Failure.Phase> = [.dns, .connect, .tls]
    /// Bytes of a message that count: a message may quote a long value.
    private static let longestMessage = 200

    /// Finds the cause of a failure; nil for a test that did not fail.
    init?(of result: TestResult) {
        guard result.outcome.isFailure else { return nil }
        let steps = result.steps.filter { $0.outcome.isFailure }
        let outages = steps.compactMap(Self.outage)
        if let first = outages.first, outages.count == steps.count {
            key = Set(outages).sorted().hashValue
            rowKey = nil
            text = first
            return
        }
        var words = Hasher()
        var row = Hasher()
        row.combine("row")
        row.combine(result.test.suite)
        for step in steps {
            // The location of a row differs, that of the request does not.
            Self.hash(step.range, into: &row)
            for call in step.calls { Self.hash(call, into: &row) }
            var expectations: Set<Int> = []
            for finding in step.findings {
                Self.hash(finding, into: &words)
                expectations.insert(Self.expectationKey(of: finding))
            }
            row.combine(expectations)
        }
        key = words.finalize()
        rowKey = row.finalize()
        text = Self.text(of: result)
    }

    /// The first finding, after an error, and how many more there are.
    private static func text(of result: TestResult) -> String {
        let failed = result.steps.filter { $0.outcome.isFailure }
        let count = failed.reduce(0) { $0 + $1.findings.count }
        guard let finding = failed.first(where: { !$0.findings.isEmpty })?.findings.mostTelling else {
            return "the test did not pass"
        }
        var text = "\(finding.subject): \(finding.message)"
        if count > 1 { text += " (and \(count - 1) more)" }
        return DisplayWidth.printable(text.split(separator: "\n").joined(separator: " "))
    }

    private static func hash(_ finding: Finding, into hasher: inout Hasher) {
        hasher.combine(finding.kind)
        hasher.combine(finding.type)
        hasher.combine(finding.subject)
        if let part = contractPart(of: finding) {
            hasher.combine(part)
        } else {
            for byte in finding.message.utf8.prefix(longestMessage) { hasher.combine(byte) }
        }
    }

    /// A hash of what the suite asked for; of the message where the location is not known.
    private static func expectationKey(of finding: Finding) -> Int {
        var hasher = Hasher()
        guard let range = finding.range else {
            hash(finding, into: &hasher)
            return hasher.finalize()
        }
        hasher.combine(finding.kind)
        hasher.combine(finding.type)
        hash(range, into: &hasher)
        hasher.combine(contractPart(of: finding))
        return hasher.finalize()
    }

    private static func hash(_ range: SourceRange, into hasher: inout Hasher) {
        hasher.combine(range.file.name)
        hasher.combine(range.start)
        hasher.combine(range.end)
    }

    /// The part of a contract that an exchange breaks, which rows do with different values.
    private static func contractPart(of finding: Finding) -> String? {
        if case .contract(_?) = finding.subject { finding.details.first } else { nil }
    }

    /// The reason why no response came from the server under test; nil where one came, or where only this test has the reason.
    private static func outage(of step: TestResult.Step) -> String? {
        guard let first = step.findings.first else { return nil }
        let authority = step.exchange.map { String(CurlCommand.authority(of: $0.request.url)) } ?? ""
        if step.outcome == .errored {
            guard step.findings.count == 1, first.kind == .error else { return nil }
            if let exchange = step.exchange {
                guard let failure = exchange.failure, phasesBeforeRequest.contains(failure.phase) else { return nil }
            } else {
                guard first.subject == .serve else { return nil }
            }
            var text = "\(first.subject): \(first.message)"
            if !authority.isEmpty, !text.contains(authority) { text += " (\(authority))" }
            return DisplayWidth.printable(text)
        }
        guard let status = step.exchange?.response?.status, gatewayStatuses.contains(status),
            step.findings.allSatisfy({ $0.type == "status" || $0.subject == .status })
        else { return nil }
        return DisplayWidth.printable("\(authority) responds with status \(status)")
    }
}

/// The place of the finding that says most about a failed test.
struct FailurePlace {
    /// The finding.
    let finding: Finding
    /// The place: in the suite, also where the finding is in a fragment's file.
    let range: SourceRange?

    /// Looks for the place; nil for a test without findings.
    init?(of result: TestResult) {
        let failed = result.steps.first { $0.outcome.isFailure && !$0.findings.isEmpty }
        guard let step = failed ?? result.steps.first(where: { !$0.findings.isEmpty }),
            let finding = step.findings.mostTelling
        else { return nil }
        self.finding = finding
        // What led to a fragment's step is in the suite.
        range = step.calls.last ?? finding.range
    }

    /// The number of the line, from 1.
    var line: Int? { range.map { Int($0.start.line) } }
}
