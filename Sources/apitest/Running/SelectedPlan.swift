import Basics
import Diagnostics
import FileSystem
import Output
import Redaction
import Reports
import RunModel
import RunRecord
import Runner
import SuiteLoader
import SuiteModel

/// A factory of plans with the tests that the options select.
struct SelectedPlan {
    /// The tests to run, with notes about them.
    struct Result {
        /// The selected tests.
        ///
        /// Empty if no test failed in the previous run, or if the shard has no tests.
        var plan: TestPlan
        /// The notes for the user.
        var notes: [String] = []
        /// The number of tests of all shards, if the plan is that of a shard.
        var testCountOfShards: Int?
    }

    /// The identity of a test across two plans of the same suites.
    private struct TestKey: Hashable {
        let range: SourceRange
        let name: String

        init(_ entry: TestPlan.Entry) {
            range = entry.reference.range
            name = entry.reference.name
        }
    }

    let options: SelectionOptions
    /// The shard to run; `nil` to run the tests of all shards.
    let shard: ShardOption.Resolved?
    private let selection: TestSelection
    private let failed: PreviousReport?
    private let durations: PreviousReport?

    /// Parses the options and reads the reports that they name.
    ///
    /// - Throws: ``ExitStatus/invalid`` if an option or a report is invalid; the error is printed. ``UsageError`` if the
    ///   environment does not specify the shard.
    init(_ options: SelectionOptions, color: ColorChoice) throws {
        self.options = options
        let environment = ProcessEnvironment.variables()
        shard = try options.shard.flatMap(ShardOption.init(parsing:))?.resolved(environment: environment)
        selection = try options.selection(color: color)
        failed = try options.failed.map { try PreviousRun.read($0, option: "--failed", color: color) }
        durations = try options.durations.map { try PreviousRun.read($0, option: "--durations", color: color) }
    }

    /// Returns a plan of the selected tests.
    ///
    /// The selection applies tags, names, and locations first, then the failures of the previous run, and finally the
    /// shard.
    ///
    /// - Throws: ``ExitStatus/nothingSelected`` if no test is selected. The error is printed.
    func plan(of loaded: LoadedSuites) throws -> Result {
        let suites = loaded.suites.suites
        var selection = selection
        let found = LocationFinder(loaded.locations, in: suites)
        selection.locations = found.locations
        let empty = EmptySelection(options: options, selection: selection, suites: suites, misses: found.misses)

        var result = Result(plan: TestPlan(suites: suites, selection: selection))
        guard !result.plan.tests.isEmpty else { throw empty.report() }
        for miss in found.misses {
            let hint = EmptySelection.hint(miss).map { "; \($0)" } ?? ""
            StandardError.warn(.noTestAtLine, "no test at \(miss.location.path):\(miss.location.line)\(hint)")
        }
        if let failed {
            let everything = TestPlan(suites: suites)
            let previous = PreviousRun(report: failed, plan: everything, mask: loaded.mask)
            guard previous.hasFailures else {
                return Result(plan: result.plan.keeping { _ in false }, notes: ["nothing failed in \(failed.path)"])
            }
            let selected = Set(result.plan.tests.lazy.filter(\.isSelected).map(TestKey.init))
            result.plan = everything.keeping { index in
                previous.matches.needsAnotherRun(index) && selected.contains(TestKey(everything.tests[index]))
            }
            result.notes += previous.notes(running: result.plan)
            guard !result.plan.tests.isEmpty else {
                throw empty.report(adding: "--failed \(failed.path)", notes: result.notes)
            }
        }
        if let shard { share(shard, of: &result, mask: loaded.mask) }
        return result
    }

    /// Reduces a plan to the tests of a shard.
    private func share(_ shard: ShardOption.Resolved, of result: inout Result, mask: SecretMask) {
        let whole = result.plan
        let times = durations.map { PreviousRun(report: $0, plan: whole, mask: mask).durations } ?? []
        let share = whole.share(of: shard.shard, durations: times, workingDirectory: SystemInfo.workingDirectory)
        result.plan = share.plan
        let count = whole.testCount
        result.testCountOfShards = count
        let tests = count == 1 ? "1 test" : "\(count) tests"
        guard share.plan.tests.isEmpty else {
            result.notes.append("\(shard.title): \(share.plan.testCount) of \(tests)")
            return
        }
        switch shard.shard.division.rule {
        case .balanced:
            let groups = share.groups == 1 ? "1 group that cannot" : "\(share.groups) groups that cannot"
            result.notes.append(
                "\(shard.title) is empty: \(tests) \(count == 1 ? "forms" : "form") \(groups) be split")
        case .hash:
            result.notes.append("\(shard.title) is empty: \(tests) \(count == 1 ? "is" : "are") in other shards")
        }
    }
}

/// The message for options that select no test.
struct EmptySelection {
    let options: SelectionOptions
    let selection: TestSelection
    let suites: [Suite]
    let misses: [LocationFinder.Miss]

    /// Prints the message.
    ///
    /// - Parameters:
    ///   - wish: A further criterion for tests.
    ///   - notes: Further lines of the message.
    /// - Returns: ``ExitStatus/nothingSelected``, to be thrown.
    func report(adding wish: String? = nil, notes: [String] = []) -> ExitStatus {
        StandardError.write(message(adding: wish) + notes.map { "  \($0)\n" }.joined())
        return .nothingSelected
    }

    /// Returns the message with the number of tests, the criteria, and suggestions.
    private func message(adding wish: String?) -> String {
        let count = suites.reduce(0) { $0 + $1.tests.count { $0.kind == .test } }
        let id = " [\(ProblemID.nothingSelected.rawValue)]\n"
        guard count > 0 else { return "no test was selected: the suites have no tests\(id)" }
        var wishes: [String] = []
        if !options.tag.isEmpty { wishes.append("--tag " + Self.list(options.tag)) }
        if !options.excludeTag.isEmpty { wishes.append("--exclude-tag " + Self.list(options.excludeTag)) }
        if !options.test.isEmpty { wishes.append("--test " + Self.list(options.test)) }
        if !selection.locations.isEmpty {
            wishes.append(selection.locations.map { "\($0.path):\($0.line)" }.joined(separator: " or "))
        }
        if let wish { wishes.append(wish) }
        if suites.contains(where: { $0.tests.contains(where: \.isOnly) }) {
            wishes.append("the \"only\" of other tests")
        }
        let tests = count == 1 ? "the only test does not match" : "none of the \(count) tests matches"
        return DisplayWidth.printable("no test was selected: \(tests) \(wishes.joined(separator: " and "))")
            + "\(id)\(hints)"
    }

    private static func list(_ texts: [String]) -> String {
        texts.map { "\"\($0)\"" }.joined(separator: " or ")
    }

    /// Suggestions for similar tags, and for tests close to a line.
    private var hints: String {
        var hints: [String] = []
        var known: [String] = []
        for suite in suites {
            for test in suite.tests where test.kind == .test {
                for tag in test.tags where !known.contains(tag) { known.append(tag) }
            }
        }
        for name in selection.tags.flatMap(\.names) where !known.contains(name) {
            if let nearest = Spelling.nearest(to: name, among: known) {
                hints.append("no test has the tag \"\(name)\"; did you mean \"\(nearest)\"?")
            } else if name.contains(",") {
                hints.append("a comma is part of a tag; write \"or\" between tags")
            }
        }
        return (hints + misses.compactMap(Self.hint)).map { "  \(DisplayWidth.printable($0))\n" }.joined()
    }

    /// Returns a hint with the test closest to a line that has none.
    static func hint(_ miss: LocationFinder.Miss) -> String? {
        miss.nearest.map { "the test nearest to line \(miss.location.line) is \"\($0.name)\" at line \($0.line)" }
    }
}
