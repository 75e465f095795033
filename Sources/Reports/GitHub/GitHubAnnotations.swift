import Basics
import Diagnostics
import Output
import RunModel
import RunRecord

/// The most relevant annotations of a GitHub Actions step: at most ten errors, ten warnings, and ten notices.
///
/// GitHub silently drops any further ones, so the last annotation states the number of omitted ones.
struct GitHubAnnotations {
    /// An annotation of a test or of the run.
    struct Entry {
        let title: String
        let message: String
        var file: String?
        var range: SourceRange?
        /// The number of tests that the annotation represents.
        var count = 1
    }

    /// The maximum number of annotations per level that GitHub shows for a step.
    static let limit = 10
    private static let maximumTitleLength = 200
    private static let maximumMessageLength = 4_000

    private let root: String
    private var info: RunInfo?
    private var names: [Int: String] = [:]
    private var runErrors: [Entry] = []
    private var failures = AnnotatedFailures()
    private var warnings: [Entry] = []
    private var notes: [Entry] = []
    private var blocked = NotRunList(maximumGroups: 200)
    /// The first blocked test of each group, by the name of its blocker and its suite.
    private var blockedLocations: [String: Entry] = [:]
    private var errorCount = 0
    private var warningCount = 0
    private var noteCount = 0

    /// Creates an empty set of annotations.
    ///
    /// - Parameter root: The absolute path of the repository, to which the paths of annotations are relative.
    init(root: String) { self.root = root }

    mutating func receive(_ event: RunEvent) {
        switch event {
        case .runStarted(let info):
            self.info = info
            for suite in info.suites { names[suite.index] = suite.name }
        case .suiteStarted, .testStarted, .testCompleted, .secretRegistered, .load, .suiteFinished, .interrupted:
            break
        case .runFinished(let summary):
            for problem in RunProblem.all(summary, notices: []) where problem.kind == .incomplete {
                errorCount += 1
                let message = Self.cut(DisplayWidth.printable(problem.message))
                runErrors.insert(Entry(title: problem.title, message: message), at: 0)
            }
        case .testFinished(let result):
            add(result)
        case .notice(let notice):
            add(notice)
        }
    }

    // MARK: Collection

    private mutating func add(_ result: TestResult) {
        switch result.outcome {
        case .passed, .known, .skipped:
            break
        case .failed, .errored:
            errorCount += 1
            if failures.needsEntry(result) { failures.add(result, failure(result)) } else { failures.count(result) }
        case .flaky:
            warningCount += 1
            guard warnings.count < Self.limit else { return }
            let attempts = AttemptLines.lines(of: result, width: 200)
            warnings.append(
                entry(
                    result, message: ["passed only after a retry"] + attempts, range: result.test.range))
        case .blocked(let blocker):
            errorCount += 1
            let before = blocked.groups.count
            blocked.add(result.test.name, result.outcome, suite: result.test.suite)
            if blocked.groups.count > before, blockedLocations.count < Self.limit {
                blockedLocations["\(result.test.suite) \(blocker)"] = entry(
                    result, message: [], range: result.test.range)
            }
        }
    }

    private func failure(_ result: TestResult) -> Entry {
        let findings = result.steps.filter { $0.outcome.isFailure || !$0.findings.isEmpty }.flatMap(\.findings)
        let first = FailureLocation(of: result)
        var lines = findings.prefix(5).map { "\(FailureText.text(of: $0)) [\($0.type.rawValue)]" }
        if findings.count > 5 { lines.append("… and \(NumberText.count(findings.count - 5, "more finding"))") }
        if lines.isEmpty { lines = ["the test did not pass"] }
        lines += result.test.annotations?.descriptionLines ?? []
        return entry(result, message: lines, range: first?.range ?? result.test.range)
    }

    private func entry(_ result: TestResult, message: [String], range: SourceRange) -> Entry {
        Entry(
            title: MarkdownText.printable(
                "\(names[result.test.suite] ?? "") › \(result.test.name)", limit: Self.maximumTitleLength),
            message: Self.cut(message.joined(separator: "\n")), file: file(range.file.name), range: range)
    }

    private mutating func add(_ notice: RunNotice) {
        let name = notice.suite.flatMap { names[$0] }.map { $0 + ": " } ?? ""
        let lines = [notice.messageWithID] + notice.details.flatMap { $0.text.split(separator: "\n").map(String.init) }
        let text = lines.map { DisplayWidth.printable($0) }.joined(separator: "\n")
        let entry = Entry(
            title: MarkdownText.printable(name + notice.message, limit: Self.maximumTitleLength),
            message: Self.cut(text),
            file: notice.suite.flatMap { index in info?.suites.first { $0.index == index } }.map { file($0.path) })
        switch notice.severity {
        case .error:
            errorCount += 1
            if runErrors.count < Self.limit { runErrors.append(entry) }
        case .warning:
            warningCount += 1
            if warnings.count < Self.limit { warnings.append(entry) }
        case .note:
            noteCount += 1
            if notes.count < Self.limit { notes.append(entry) }
        }
    }

    private func file(_ path: String) -> String {
        ProjectPath.file(path, workingDirectory: info?.workingDirectory ?? "", root: root)
    }

    // MARK: Output

    /// The workflow commands of the annotations.
    var lines: String {
        var errors = runErrors
        errors += failures.spread(limit: max(0, Self.limit - errors.count)).map(entry)
        for group in blocked.groups where errors.count < Self.limit {
            guard case .blocked(let blocker) = group.outcome,
                var entry = blockedLocations["\(group.suite) \(blocker)"]
            else { continue }
            let more = group.count > group.names.count ? " and \(group.count - group.names.count) more" : ""
            let names = group.names.map { "\"\($0)\"" }.joined(separator: ", ") + more
            entry = Entry(
                title: group.count == 1 ? entry.title : "\(entry.title) and \(group.count - 1) more",
                message: Self.cut(
                    DisplayWidth.printable("blocked by \"\(blocker)\", which did not pass: \(names)")),
                file: entry.file, range: entry.range, count: group.count)
            errors.append(entry)
        }
        return text("error", errors, total: errorCount, noun: "more failure")
            + text("warning", warnings, total: warningCount, noun: "more warning")
            + text("notice", notes, total: noteCount, noun: "more notice")
    }

    /// Returns the annotation of a location, which names the other tests that failed there.
    private func entry(of location: AnnotatedFailures.Location) -> Entry {
        guard location.count > 1 else { return location.entry }
        let more = location.count - 1 - location.otherNames.count
        let names = location.otherNames.map { "\"\(DisplayWidth.printable($0))\"" }.joined(separator: ", ")
        let others = names + (more > 0 ? " and \(more) more" : "")
        return Entry(
            title: "\(location.entry.title) and \(location.count - 1) more",
            message: Self.cut("\(location.entry.message)\n\nalso here: \(others)"), file: location.entry.file,
            range: location.entry.range, count: location.count)
    }

    /// Returns the annotations of a level.
    ///
    /// If there are more than GitHub shows, the last one states how many.
    private func text(_ level: String, _ entries: [Entry], total: Int, noun: String) -> String {
        var entries = entries
        let isWhole = entries.count <= Self.limit && entries.reduce(0) { $0 + $1.count } >= total
        var counted = 0
        if !isWhole {
            entries = Array(entries.prefix(Self.limit - 1))
            counted = total - entries.reduce(0) { $0 + $1.count }
        }
        var text = ""
        for entry in entries { text += command(level, entry).line }
        if counted > 0 {
            text +=
                WorkflowCommand(
                    name: level, properties: [("title", NumberText.count(counted, noun))],
                    message: "GitHub shows at most \(Self.limit) annotations of each level per step: "
                        + "see the log and the summary for the others"
                ).line
        }
        return text
    }

    private func command(_ level: String, _ entry: Entry) -> WorkflowCommand {
        var properties: [(name: String, value: String?)] = [("file", entry.file.map(DisplayWidth.printable))]
        if let range = entry.range {
            properties.append(("line", String(range.start.line)))
            // Columns are meaningful only within a line. The last column is inclusive.
            if range.isOneLine {
                properties.append(("col", String(range.start.column)))
                properties.append(("endColumn", String(max(range.start.column, range.end.column - 1))))
            }
        }
        properties.append(("title", entry.title))
        return WorkflowCommand(name: level, properties: properties, message: entry.message)
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= maximumMessageLength
            ? text : String(text.prefix(maximumMessageLength - 1)) + "…"
    }
}

/// Failures grouped by the location of their annotation.
///
/// Only a few of them can be shown.
struct AnnotatedFailures {
    /// A location with its failures.
    struct Location {
        /// The annotation of the first failure.
        let entry: GitHubAnnotations.Entry
        /// The names of the other tests that failed there, up to the maximum number to list.
        fileprivate(set) var otherNames: [String] = []
        /// The number of tests that failed there.
        fileprivate(set) var count = 1
        /// The index of the first failure's cause, or `nil` if the failure is not grouped with others.
        fileprivate let cause: Int?
    }

    /// The maximum number of locations to keep, far more than can be shown, so that a diverse selection is possible.
    private static let maximumLocations = 500
    /// The maximum number of names to list for a location.
    private static let maximumNames = 5

    private var causes = FailureCauses()
    private var locations: [Location] = []
    private var indices: [String: Int] = [:]

    /// Returns whether a failure is the first one at its location.
    func needsEntry(_ result: TestResult) -> Bool {
        locations.count < Self.maximumLocations && indices[Self.key(of: result)] == nil
    }

    /// Adds the first failure at a location.
    mutating func add(_ result: TestResult, _ entry: GitHubAnnotations.Entry) {
        indices[Self.key(of: result)] = locations.count
        locations.append(Location(entry: entry, cause: causes.add(result)?.index))
    }

    /// Counts a failure at a location that already has one, or that is not kept.
    mutating func count(_ result: TestResult) {
        guard let index = indices[Self.key(of: result)] else { return }
        locations[index].count += 1
        if locations[index].otherNames.count < Self.maximumNames {
            locations[index].otherNames.append(result.test.name)
        }
    }

    /// Returns the file and line at which a failure is annotated.
    private static func key(of result: TestResult) -> String {
        let range = FailureLocation(of: result)?.range ?? result.test.range
        return "\(range.file.name):\(range.start.line)"
    }

    /// Returns locations with causes and files as diverse as possible, in order of occurrence.
    func spread(limit: Int) -> [Location] {
        var causes: [Int: Int] = [:]
        var files: [String: Int] = [:]
        var left = Array(locations.indices)
        var chosen: [Location] = []
        while chosen.count < limit, !left.isEmpty {
            func weight(_ index: Int) -> (Int, Int, Int) {
                let location = locations[index]
                return (location.cause.flatMap { causes[$0] } ?? 0, files[location.entry.file ?? ""] ?? 0, index)
            }
            guard let next = left.indices.min(by: { weight(left[$0]) < weight(left[$1]) }) else { break }
            let location = locations[left.remove(at: next)]
            if let cause = location.cause { causes[cause, default: 0] += 1 }
            files[location.entry.file ?? "", default: 0] += 1
            chosen.append(location)
        }
        return chosen
    }
}
