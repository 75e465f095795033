import Basics
import OpenAPI
import RunModel

/// A fault of the server that a request showed.
struct FuzzFinding {
    /// The properties that findings with the same cause share.
    struct Cause: Hashable {
        var operation: Int
        var check: FuzzCheck
        /// The place of the fault: a schema of the description, or a part of the message.
        var place: String
    }

    var check: FuzzCheck
    /// The test with the request.
    var test: GeneratedTest
    /// The fault, as one sentence without a period.
    var message: MessageText
    /// Additional lines.
    var details: [MessageText] = []
    /// The place of the fault, to distinguish several causes of one check.
    var place = ""
    var exchange: Exchange
    /// The tests that run before, or `nil` for those that provide the values of the request.
    var before: [GeneratedTest]?

    var cause: Cause { Cause(operation: test.operation, check: check, place: place) }
}

/// The findings of a run, with one for each cause.
struct FuzzFindings {
    /// The number of requests that show a cause without being confirmed, after which it is no longer considered.
    private static let maximumAttempts = 3

    /// A finding and the number of requests that showed the same cause.
    struct Entry {
        var finding: FuzzFinding
        var count = 1
        /// Whether the request has shown the fault again.
        var isConfirmed = false
        /// The time from the start of the search to the confirmation, in nanoseconds.
        var time: Int64 = 0
    }

    private(set) var entries: [Entry] = []
    /// The findings that did not occur again, each with the number of attempts.
    private(set) var rejected: [(finding: FuzzFinding, attempts: Int)] = []
    private var positions: [FuzzFinding.Cause: Int] = [:]

    /// The findings that were not confirmed yet.
    var pending: [FuzzFinding] { entries.filter { !$0.isConfirmed }.map(\.finding) }

    /// Adds a finding. The one with the smallest request represents its cause until it is confirmed.
    mutating func add(_ finding: FuzzFinding) {
        let cause = finding.cause
        if let known = rejected.first(where: { $0.finding.isLike(finding) }), known.attempts >= Self.maximumAttempts {
            return
        }
        guard let position = positions[cause] else {
            positions[cause] = entries.count
            entries.append(Entry(finding: finding))
            return
        }
        entries[position].count += 1
        if !entries[position].isConfirmed, finding.weight < entries[position].finding.weight {
            entries[position].finding = finding
        }
    }

    /// Replaces the finding with the same cause by a confirmed one.
    ///
    /// - Parameter time: The time from the start of the search, in nanoseconds.
    mutating func confirm(_ finding: FuzzFinding, at time: Int64) {
        guard let position = positions[finding.cause] else { return }
        entries[position].finding = finding
        entries[position].isConfirmed = true
        entries[position].time = time
        rejected.removeAll { $0.finding.cause == finding.cause }
    }

    /// Removes a finding that did not occur again.
    mutating func reject(_ finding: FuzzFinding) {
        let cause = finding.cause
        if let position = rejected.firstIndex(where: { $0.finding.isLike(finding) }) {
            rejected[position].attempts += 1
        } else {
            rejected.append((finding, 1))
        }
        remove { $0.cause == cause }
    }

    /// Removes the findings that were not confirmed.
    ///
    /// - Returns: The removed findings.
    mutating func removePending() -> [FuzzFinding] {
        let pending = pending
        let causes = Set(pending.map(\.cause))
        remove { causes.contains($0.cause) }
        return pending
    }

    private mutating func remove(where isUnwanted: (FuzzFinding) -> Bool) {
        entries.removeAll { isUnwanted($0.finding) }
        positions = Dictionary(
            entries.enumerated().map { ($1.finding.cause, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension FuzzFinding {
    /// Returns whether two findings have the same cause, with or without a sequence of requests before.
    fileprivate func isLike(_ other: FuzzFinding) -> Bool {
        cause == other.cause && (before == nil) == (other.before == nil)
    }

    /// The complexity of the request: the size of its URL and body. Plain requests are preferred to unusual ones.
    fileprivate var weight: Int {
        let isPlain = if case .valid = test.intent { true } else { false }
        return exchange.request.body.count + exchange.request.url.utf8.count + (isPlain ? 0 : 1_000)
            + (test.isRandom ? 10_000 : 0)
    }
}
