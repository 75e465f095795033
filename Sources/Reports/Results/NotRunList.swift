import Diagnostics
import SuiteModel

/// The tests of a suite that did not run, by reason.
struct NotRunList {
    /// Tests that did not run for the same reason.
    private struct Group {
        var outcome: TestResult.Outcome
        var names: [String] = []
        var count = 0
    }

    /// Names that are listed for a reason.
    private static let mostNames = 5
    /// Reasons that are listed.
    private static let mostGroups = 50

    private var groups: [Group] = []
    private var indices: [TestResult.Outcome: Int] = [:]
    private var rest = 0

    /// Adds a test that did not run.
    mutating func add(_ name: String, _ outcome: TestResult.Outcome) {
        guard let index = indices[outcome] ?? newGroup(outcome) else {
            rest += 1
            return
        }
        groups[index].count += 1
        if groups[index].names.count < Self.mostNames { groups[index].names.append(name) }
    }

    private mutating func newGroup(_ outcome: TestResult.Outcome) -> Int? {
        guard groups.count < Self.mostGroups else { return nil }
        groups.append(Group(outcome: outcome))
        indices[outcome] = groups.count - 1
        return groups.count - 1
    }

    /// The list, a line for each reason.
    func lines(width: Int) -> [String] {
        var lines = groups.map { group in
            Self.line(Self.words(for: group.outcome), names: group.names, count: group.count, width: width)
        }
        if rest > 0 { lines.append("  - not run for other reasons: \(NumberText.count(rest, "test"))") }
        return lines
    }

    /// A line with a reason and the first of the names that it stands for.
    static func line(_ reason: String, names: [String], count: Int? = nil, width: Int) -> String {
        let shown = names.prefix(mostNames)
        let more = (count ?? names.count) - shown.count
        let text = "- \(reason): " + shown.joined(separator: ", ") + (more > 0 ? ", … \(more) more" : "")
        return "  " + TextFitting.cut(DisplayWidth.printable(text), to: width - 2)
    }

    /// Why a test did not run.
    static func words(for outcome: TestResult.Outcome) -> String {
        switch outcome {
        case .skipped(let reason): reason.isEmpty ? "skipped" : "skipped (\(reason))"
        case .blocked(let blocker): "blocked by \"\(blocker)\""
        case .passed, .flaky, .known, .failed, .errored: ""
        }
    }
}

extension TestResult.Outcome {
    /// True for skipped and blocked.
    var isNotRun: Bool {
        switch self {
        case .skipped, .blocked: true
        case .passed, .flaky, .known, .failed, .errored: false
        }
    }
}

/// The tests that did not run, by suite and reason, with the first names of each.
struct NotRunTally {
    /// Tests of one suite that did not run for one reason.
    struct Group {
        let suite: Int
        let outcome: TestResult.Outcome
        var names: [String] = []
        var count = 0
    }

    private struct Key: Hashable {
        let suite: Int
        let outcome: TestResult.Outcome
    }

    private static let mostGroups = 200
    private static let mostNames = 5

    private(set) var groups: [Group] = []
    /// Tests for further reasons.
    private(set) var others = 0
    private var indices: [Key: Int] = [:]

    /// Adds a test that did not run.
    mutating func add(_ result: TestResult) {
        let key = Key(suite: result.test.suite, outcome: result.outcome)
        let index: Int
        if let known = indices[key] {
            index = known
        } else {
            guard groups.count < Self.mostGroups else {
                others += 1
                return
            }
            index = groups.count
            indices[key] = index
            groups.append(Group(suite: result.test.suite, outcome: result.outcome))
        }
        groups[index].count += 1
        if groups[index].names.count < Self.mostNames { groups[index].names.append(result.test.name) }
    }
}
