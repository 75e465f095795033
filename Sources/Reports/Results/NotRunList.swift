import Diagnostics
import Output
import RunModel

/// The tests that did not run, grouped by suite and reason, with the first names of each group.
struct NotRunList {
    /// The tests of a suite that did not run for the same reason.
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

    /// The maximum number of names to keep for each reason.
    private static let maximumNames = 5

    private(set) var groups: [Group] = []
    /// The number of tests with further reasons.
    private(set) var others = 0
    private var indices: [Key: Int] = [:]
    private let maximumGroups: Int

    /// Creates a list with a maximum number of groups.
    init(maximumGroups: Int) { self.maximumGroups = maximumGroups }

    /// Adds a test that did not run.
    mutating func add(_ name: String, _ outcome: TestResult.Outcome, suite: Int) {
        let key = Key(suite: suite, outcome: outcome)
        if indices[key] == nil {
            guard groups.count < maximumGroups else {
                others += 1
                return
            }
            indices[key] = groups.count
            groups.append(Group(suite: suite, outcome: outcome))
        }
        guard let index = indices[key] else { return }
        groups[index].count += 1
        if groups[index].names.count < Self.maximumNames { groups[index].names.append(name) }
    }

    /// Returns the list, one line per reason.
    func lines(width: Int) -> [String] {
        var lines = groups.map { group in
            Self.line(Self.words(for: group.outcome), names: group.names, count: group.count, width: width)
        }
        if others > 0 { lines.append("  - not run for other reasons: \(NumberText.count(others, "test"))") }
        return lines
    }

    /// Returns a line with a reason and the first names of its tests.
    static func line(_ reason: String, names: [String], count: Int? = nil, width: Int) -> String {
        let shown = names.prefix(maximumNames)
        let more = (count ?? names.count) - shown.count
        let text = "- \(reason): " + shown.joined(separator: ", ") + (more > 0 ? ", … \(more) more" : "")
        return "  " + TextFitting.cut(DisplayWidth.printable(text), to: width - 2)
    }

    /// Returns the reason why a test did not run.
    static func words(for outcome: TestResult.Outcome) -> String {
        switch outcome {
        case .skipped(let reason): reason.isEmpty ? "skipped" : "skipped (\(reason))"
        case .blocked(let blocker): "blocked by \"\(blocker)\""
        case .passed, .flaky, .known, .failed, .errored: ""
        }
    }
}

extension TestResult.Outcome {
    /// Whether the outcome is skipped or blocked.
    var isNotRun: Bool {
        switch self {
        case .skipped, .blocked: true
        case .passed, .flaky, .known, .failed, .errored: false
        }
    }
}
