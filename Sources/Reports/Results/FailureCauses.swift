import Basics
import Diagnostics
import RunModel

/// Failures grouped by cause, as shared by the console, Markdown, GitHub annotations, and HTML.
struct FailureCauses {
    /// The position of a failure among the failures with the same cause.
    struct Membership {
        /// The index of the cause in order of appearance, or `nil` if there are too many causes to distinguish.
        let index: Int?
        /// The number of earlier failures with the same cause.
        let rank: Int
        /// The cause of the failure.
        let cause: FailureCause

        /// Whether the failure is among the first ones of its cause, which are shown in full.
        var isShownWhole: Bool { rank < (cause.isOutage ? FailureCauses.wholeOutages : FailureCauses.wholeFailures) }
    }

    /// The maximum number of failures of one cause to show in full.
    static let wholeFailures = 3
    /// The maximum number of failures of one outage to show in full.
    private static let wholeOutages = 1
    /// The maximum number of causes to distinguish.
    private static let maximumCauses = 1_000

    /// The number of failures of each cause.
    private(set) var counts: [Int] = []
    private var indices: [Int: Int] = [:]

    /// Counts a failure and returns its position within its cause, or `nil` for a test that did not fail.
    mutating func add(_ result: TestResult) -> Membership? {
        guard let cause = FailureCause(of: result) else { return nil }
        let known = cause.rowKey.flatMap { indices[$0] } ?? indices[cause.key]
        guard let index = known ?? newIndex(of: cause) else { return Membership(index: nil, rank: 0, cause: cause) }
        defer { counts[index] += 1 }
        return Membership(index: index, rank: counts[index], cause: cause)
    }

    /// Registers a new cause.
    ///
    /// Only the first failure defines the keys of the cause. Otherwise, two causes could be merged through a third one.
    private mutating func newIndex(of cause: FailureCause) -> Int? {
        guard counts.count < Self.maximumCauses else { return nil }
        indices[cause.key] = counts.count
        if let rowKey = cause.rowKey { indices[rowKey] = counts.count }
        counts.append(0)
        return counts.count - 1
    }
}

/// The cause of a failure.
///
/// It includes all findings of the test, so that failures for different reasons stay distinct.
struct FailureCause {
    /// A hash of the findings' content, which is the same for failures of different tests.
    let key: Int
    /// A hash of the failed expectations, which is the same for all rows of a test regardless of their values.
    ///
    /// The hash is `nil` if the server did not respond.
    let rowKey: Int?
    /// A short description of the findings.
    let text: String

    /// Whether the server under test did not respond, as with a refused connection or a gateway's 503.
    var isOutage: Bool { rowKey == nil }

    /// The status codes with which an intermediary reports that it got no response.
    private static let gatewayStatuses = 502...504
    /// The phases of a request before the server can respond.
    private static let phasesBeforeRequest: Set<Exchange.Failure.Phase> = [.dns, .connect, .tls]
    /// The maximum number of bytes of a message to hash.
    ///
    /// A message may quote a long value.
    private static let maximumMessageLength = 200

    /// Creates the cause of a failure, or returns `nil` for a test that did not fail.
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
            // The location of the row differs, but the location of the request is the same.
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

    /// Returns the most relevant finding, and the number of further ones.
    private static func text(of result: TestResult) -> String {
        let failed = result.steps.filter { $0.outcome.isFailure }
        let count = failed.reduce(0) { $0 + $1.findings.count }
        guard let finding = failed.first(where: { !$0.findings.isEmpty })?.findings.mostTelling else {
            return "the test did not pass"
        }
        var text = "\(finding.subject): \(finding.wording)"
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
            for byte in finding.message.utf8.prefix(maximumMessageLength) { hasher.combine(byte) }
        }
    }

    /// Returns a hash of the expectation, or of the message if the location is unknown.
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

    /// Returns the violated part of a contract, which is the same for rows with different values.
    private static func contractPart(of finding: Finding) -> String? {
        if case .contract(_?) = finding.subject { finding.details.first?.text } else { nil }
    }

    /// Returns the reason why the server under test did not respond.
    ///
    /// The result is `nil` if the server responded or if the reason is specific to this test.
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
            step.findings.allSatisfy({ $0.type == .status || $0.subject == .status })
        else { return nil }
        return DisplayWidth.printable("\(authority) responds with status \(status)")
    }
}

/// The location of the most relevant finding of a failed test.
struct FailureLocation {
    /// The most relevant finding.
    let finding: Finding
    /// The location in the suite file, even if the finding is in the file of a fragment.
    let range: SourceRange?

    /// Finds the location, or returns `nil` for a test without findings.
    init?(of result: TestResult) {
        let failed = result.steps.first { $0.outcome.isFailure && !$0.findings.isEmpty }
        guard let step = failed ?? result.steps.first(where: { !$0.findings.isEmpty }),
            let finding = step.findings.mostTelling
        else { return nil }
        self.finding = finding
        // The call of the fragment is in the suite file.
        range = step.calls.last ?? finding.range
    }

    /// The line number, starting at 1.
    var line: Int? { range.map { Int($0.start.line) } }
}
