import Diagnostics

/// The problems of a description as they are found: each once, and no more of them than can be read.
struct ProblemList {
    /// How many problems of one severity are kept, so that notes never take the place of errors.
    static let most = 500

    private var bag = DiagnosticBag()
    private var seen: Set<Diagnostic> = []
    private var left = 0
    private var leftErrors = 0

    /// The problems that are kept, as they were found.
    var all: [Diagnostic] { bag.diagnostics }

    private var kept: [Severity: Int] = [:]

    /// Whether no further problem of a severity is kept.
    private func isFull(_ severity: Severity) -> Bool { kept[severity, default: 0] >= Self.most }

    /// Adds a problem.
    mutating func add(_ problem: Diagnostic) {
        if isFull(problem.severity) {
            count(problem.severity)
        } else if seen.insert(problem).inserted {
            kept[problem.severity, default: 0] += 1
            bag.add(problem)
        }
    }

    /// Adds a problem at a node, whose place is only looked for when the problem is kept.
    mutating func add(
        _ id: String, _ message: String, at node: DescriptionNode, atKey: Bool = false, suggestion: String? = nil,
        severity: Severity = .error, related: (String, DescriptionNode)? = nil
    ) {
        if isFull(severity) { return count(severity) }
        let other = related.flatMap { text, node in
            node.range.map { Diagnostic.Related(message: text, range: $0) }
        }
        add(
            Diagnostic(
                id: id, severity: severity, message: message, range: atKey ? node.keyRange : node.range,
                related: other.map { [$0] } ?? [], suggestion: suggestion))
    }

    private mutating func count(_ severity: Severity) {
        left += 1
        if severity == .error { leftErrors += 1 }
    }

    /// The problems by file and place; the last one says how many there are more.
    var sorted: [Diagnostic] {
        guard left > 0 else { return bag.sorted }
        return bag.sorted + [
            Diagnostic(
                id: "too-many-problems", severity: leftErrors > 0 ? .error : .warning,
                message: "\(left) more \(left == 1 ? "problem is" : "problems are") not shown",
                suggestion: "mend those that are shown first")
        ]
    }
}
