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

    var cause: Cause { Cause(operation: test.operation, check: check, place: place) }
}

/// The findings of a run, with one for each cause.
struct FuzzFindings {
    /// A finding and the number of requests that showed the same cause.
    struct Entry {
        var finding: FuzzFinding
        var count = 1
    }

    private(set) var entries: [Entry] = []
    private var positions: [FuzzFinding.Cause: Int] = [:]

    /// Adds a finding. The one with the smallest request represents its cause.
    mutating func add(_ finding: FuzzFinding) {
        guard let position = positions[finding.cause] else {
            positions[finding.cause] = entries.count
            entries.append(Entry(finding: finding))
            return
        }
        entries[position].count += 1
        if finding.weight < entries[position].finding.weight { entries[position].finding = finding }
    }

    /// Replaces the finding with the same cause.
    mutating func replace(_ finding: FuzzFinding) {
        if let position = positions[finding.cause] { entries[position].finding = finding }
    }

    /// Removes the findings that do not satisfy a predicate.
    mutating func keep(_ isWanted: (FuzzFinding) -> Bool) {
        entries.removeAll { !isWanted($0.finding) }
        positions = Dictionary(
            entries.enumerated().map { ($1.finding.cause, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension FuzzFinding {
    /// The complexity of the request: the size of its URL and body. Plain requests are preferred to unusual ones.
    fileprivate var weight: Int {
        let isPlain = if case .valid = test.intent { true } else { false }
        return exchange.request.body.count + exchange.request.url.utf8.count + (isPlain ? 0 : 1_000)
            + (test.isRandom ? 10_000 : 0)
    }
}
