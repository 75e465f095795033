import Diagnostics
import SuiteModel

/// Counts problems by their cause, so that a server that is down is not explained once for every test.
struct RepeatedProblems {
    /// Tests that did not pass for a reason that was shown before.
    struct Group {
        /// What went wrong.
        var cause: String
        /// The test with which it was shown.
        var first: [String]
        /// The names of the first tests that it was not shown with.
        var names: [[String]] = []
        /// The tests that it was not shown with.
        var count = 0
        /// How often it was shown.
        fileprivate var shown = 1
        fileprivate var last: TestReference?
    }

    /// Problems of one cause that are shown in full where no answer came from what is tested.
    private static let shownErrors = 1
    /// The same for answers that are all wrong in the same way.
    private static let shownFailures = 3
    /// Names that are kept for each cause.
    private static let mostNames = 5
    /// Causes that are told apart; further ones are always shown in full.
    private static let mostCauses = 200
    /// Statuses by which something before the server says that it got no answer.
    private static let gatewayStatuses = 502...504

    private var groups: [Group] = []
    private var indices: [String: Int] = [:]

    /// Counts the problem of a step, and says whether it is to be shown in full.
    ///
    /// - Parameter names: The names that lead to the test or step, outermost first.
    mutating func isShown(_ step: TestResult.Step, of test: TestReference, names: [String]) -> Bool {
        let cause = Self.cause(of: step)
        let place = Self.placeKey(of: step, in: test)
        guard let key = cause?.key ?? place else { return true }
        let known = place.flatMap { indices[$0] } ?? indices[key]
        guard let index = known else {
            if groups.count < Self.mostCauses {
                indices[key] = groups.count
                if let place { indices[place] = groups.count }
                groups.append(Group(cause: Self.words(for: step), first: names))
            }
            return true
        }
        if groups[index].shown < cause?.shown ?? Self.shownFailures {
            groups[index].shown += 1
            return true
        }
        if let last = groups[index].last, last.suite == test.suite, last.position == test.position { return false }
        groups[index].last = test
        groups[index].count += 1
        if groups[index].names.count < Self.mostNames { groups[index].names.append(names) }
        return false
    }

    /// The causes that were not shown with every test.
    var repeated: [Group] { groups.filter { $0.count > 0 } }

    /// What makes two problems the same one.
    private struct Cause {
        var key: String
        var text: String
        var shown: Int
    }

    /// What went wrong, or nil when it is to be shown in any case.
    private static func cause(of step: TestResult.Step) -> Cause? {
        guard let first = step.findings.first else { return nil }
        let authority = step.exchange.map { String(CurlCommand.authority(of: $0.request.url)) } ?? ""
        if step.outcome == .errored {
            guard step.findings.count == 1, first.kind == .error,
                step.exchange?.failure != nil || step.exchange == nil
            else { return nil }
            var text = "\(first.subject): \(first.message)"
            if !authority.isEmpty, !text.contains(authority) { text += " (\(authority))" }
            return Cause(key: text, text: DisplayWidth.printable(text), shown: shownErrors)
        }
        guard step.outcome == .failed, let exchange = step.exchange, let response = exchange.response else {
            return nil
        }
        if gatewayStatuses.contains(response.status), step.findings.contains(where: { $0.subject == "status" }) {
            let text = "\(authority) answers with status \(response.status)"
            return Cause(key: "\(response.status) \(authority)", text: DisplayWidth.printable(text), shown: shownErrors)
        }
        if let key = contractKey(of: step) {
            return Cause(key: key, text: text(of: step), shown: shownFailures)
        }
        var key = "\(response.status)"
        for finding in step.findings { key += "\u{0}\(finding.subject)\u{0}\(finding.message)" }
        var hasher = Hasher()
        hasher.combine(response.body)
        key += "\u{0}\(response.body.count) \(hasher.finalize())"
        return Cause(key: key, text: text(of: step), shown: shownFailures)
    }

    /// What went wrong first, and how much more.
    private static func text(of step: TestResult.Step) -> String {
        guard let first = step.findings.first else { return "" }
        var text = "\(first.subject): \(first.message)"
        if step.findings.count > 1 { text += " (and \(step.findings.count - 1) more)" }
        return DisplayWidth.printable(text)
    }

    /// Where the suite asks for what does not hold, and what is said of it, which the rows of one test have in common
    /// whatever was answered; nil where a place is not known.
    private static func placeKey(of step: TestResult.Step, in test: TestReference) -> String? {
        guard !step.findings.isEmpty else { return nil }
        func text(_ range: SourceRange) -> String { "\(range.file.name):\(range.start.line):\(range.start.column)" }
        var key = "\(test.suite) \(text(test.range)) \(text(step.range))"
        for finding in step.findings {
            guard let range = finding.range else { return nil }
            key += "\u{0}\(text(range)) \(finding.type) \(finding.subject)\u{0}\(finding.message)"
        }
        return key
    }

    /// The parts of a contract that an exchange breaks, where that is all that is wrong with it: the rows of a table break
    /// the same ones with different values.
    private static func contractKey(of step: TestResult.Step) -> String? {
        var broken: Set<String> = []
        for finding in step.findings {
            guard finding.subject.hasPrefix("contract "), let place = finding.details.first else { return nil }
            broken.insert("\(finding.type) \(place)")
        }
        return broken.isEmpty ? nil : broken.sorted().joined(separator: "\u{0}")
    }

    /// What keeps a server's own answer away from every test, such as a refused connection or a gateway's 503; nil for
    /// what only this test may have.
    static func commonCause(of step: TestResult.Step) -> String? {
        guard let cause = cause(of: step), cause.shown == shownErrors else { return nil }
        return cause.text
    }

    /// What went wrong in a few words, for a step whose problem is not shown in full.
    static func words(for step: TestResult.Step) -> String {
        cause(of: step)?.text ?? text(of: step)
    }
}
