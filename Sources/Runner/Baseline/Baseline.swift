import Basics
public import Expectations
import Glibc
public import RunModel
public import SuiteModel
import Synchronization

/// The known findings of a run: those read from a baseline file and those collected for writing one.
public final class Baseline: Sendable {
    /// A file whose tests have findings.
    private struct Origin: Sendable {
        /// The absolute path of the file.
        let path: String
        /// The index of the document in the file, from 0.
        let document: Int
        /// Returns whether the file may have a test with this name.
        let mayHave: @Sendable (_ test: String) -> Bool

        init(path: String, document: Int = 0, mayHave: @escaping @Sendable (String) -> Bool) {
            self.path = path
            self.document = document
            self.mayHave = mayHave
        }

        init(_ suite: Suite) {
            // The rows of a test have their own names, which are known only during the run.
            self.init(path: BaselinePaths.path(of: suite), document: suite.documentIndex) { name in
                suite.tests.contains { $0.name == name || $0.data != nil }
            }
        }
    }

    private struct State: Sendable {
        /// The indices of the file's entries that were found again.
        var found: Set<Int> = []
        /// The findings of all tests.
        var gathered: Set<FindingKey> = []
        /// The tests that ran to completion: for each suite, their names.
        var tests: [String: Set<String>] = [:]
    }

    /// The maximum number of lines in a notice.
    private static let maximumLines = 20

    private let known: BaselineFile
    private let entries: [FindingKey: Int]
    /// The path of the baseline file as displayed; nil without one.
    private let path: String?
    private let origins: [Origin]
    private let today: String
    private let state = Mutex(State())

    /// Creates the known findings of a run.
    ///
    /// - Parameters:
    ///   - known: The baseline file, with absolute paths; nil for none.
    ///   - path: The path of the file as displayed; nil for none.
    ///   - suites: The suites of the run's plan.
    ///   - time: The start time of the run, in seconds since 1970-01-01T00:00:00Z.
    public convenience init(known: BaselineFile?, path: String?, suites: [Suite], time: Double) {
        self.init(known: known, path: path, origins: suites.map { Origin($0) }, time: time)
    }

    /// Creates the known findings of tests that are not written in a suite, such as those of a fuzz run.
    ///
    /// - Parameters:
    ///   - known: The baseline file, with absolute paths; nil for none.
    ///   - path: The path of the file as displayed; nil for none.
    ///   - file: The absolute path of the file that the tests are derived from.
    ///   - time: The start time of the run, in seconds since 1970-01-01T00:00:00Z.
    ///   - mayHave: Returns whether the file may still have a test.
    public convenience init(
        known: BaselineFile?, path: String?, file: String, time: Double,
        mayHave: @escaping @Sendable (_ test: String) -> Bool
    ) {
        self.init(known: known, path: path, origins: [Origin(path: file, mayHave: mayHave)], time: time)
    }

    private init(known: BaselineFile?, path: String?, origins: [Origin], time: Double) {
        self.known = known ?? BaselineFile()
        self.path = path
        self.origins = origins
        entries = Dictionary(self.known.entries.enumerated().map { ($1.key, $0) }) { first, _ in first }
        today = Self.day(of: time)
    }

    // MARK: Tests

    /// Marks the known findings of a test. A test whose findings are all known does not count as failed.
    ///
    /// - Parameter mask: Returns the mask for the secrets registered so far.
    func apply(
        to result: inout TestResult, of entry: TestPlan.Entry, mask: @Sendable () -> SnapshotMask?
    ) {
        switch result.outcome {
        case .skipped, .blocked: return
        case .passed, .flaky, .failed, .errored, .known: break
        }
        let mask = result.outcome.isFailure ? mask() : nil
        let masked = { (text: String) in mask?(text) ?? text }
        let origin = origins[entry.suite]
        apply(to: &result, test: entry.nameInAllRounds, in: origin.path) { step, finding in
            FindingKey(
                suite: origin.path, document: origin.document, test: masked(entry.nameInAllRounds),
                step: entry.reference.hasSteps ? masked(step) : nil,
                subject: finding.subject.masked(with: masked).description, type: finding.type.rawValue,
                message: StableMessage.text(masked(finding.message), subject: finding.subject))
        }
    }

    /// Marks the known findings of a test that is not written in a suite.
    ///
    /// - Parameters:
    ///   - key: The identity of the test's findings.
    public func apply(to result: inout TestResult, key: FindingKey) {
        apply(to: &result, test: key.test, in: key.suite) { _, _ in key }
    }

    /// Records that a test that is not written in a suite has run without findings.
    ///
    /// - Parameter file: The absolute path of the file that the test is derived from.
    public func note(test: String, of file: String) {
        state.withLock { _ = $0.tests[file, default: []].insert(test) }
    }

    private func apply(
        to result: inout TestResult, test: String, in file: String, key: (_ step: String, Finding) -> FindingKey
    ) {
        var found: Set<Int> = []
        var gathered: Set<FindingKey> = []
        for index in result.steps.indices where result.steps[index].outcome.isFailure {
            mark(&result.steps[index], key: key, found: &found, gathered: &gathered)
        }
        if result.outcome.isFailure, !found.isEmpty {
            let failed = result.steps.filter(\.outcome.isFailure)
            result.outcome =
                failed.isEmpty ? .known(reason: "") : failed.contains { $0.outcome == .errored } ? .errored : .failed
        }
        state.withLock { state in
            state.found.formUnion(found)
            state.gathered.formUnion(gathered)
            state.tests[file, default: []].insert(test)
        }
    }

    private func mark(
        _ step: inout TestResult.Step, key: (_ step: String, Finding) -> FindingKey, found: inout Set<Int>,
        gathered: inout Set<FindingKey>
    ) {
        for index in step.findings.indices {
            let key = key(step.name, step.findings[index])
            gathered.insert(key)
            guard let position = entries[key] else { continue }
            found.insert(position)
            let entry = known.entries[position]
            let location = known.location(ofEntry: position)
            if let until = entry.until, until < today {
                step.findings[index].details.append("known in \(location) until \(until), which has passed")
                continue
            }
            step.findings[index].isKnown = true
            var line: MessageText = "known in \(location)"
            if let until = entry.until { line += ", until \(until)" }
            if let reason = entry.reason { line += ": \(reason)" }
            step.findings[index].details.append(line)
        }
        let new = step.findings.filter { !$0.isKnown }
        guard new.count < step.findings.count else { return }
        step.outcome = new.isEmpty ? .known(reason: "") : new.contains { $0.kind == .error } ? .errored : .failed
    }

    // MARK: Completion

    /// Returns a notice that lists the known findings that no longer occur.
    public func notices() -> [RunNotice] {
        guard let path else { return [] }
        let state = state.withLock { $0 }
        let gone = known.entries.indices.filter { isGone($0, state) }
        guard !gone.isEmpty else { return [] }
        let things: MessageText =
            gone.count == 1 ? "1 known finding no longer occurs" : "\(gone.count) known findings no longer occur"
        var details: [MessageText] = gone.prefix(Self.maximumLines).map {
            "\(known.entries[$0].key.title) (\(known.location(ofEntry: $0)))"
        }
        if gone.count > Self.maximumLines { details.append("and \(gone.count - Self.maximumLines) more") }
        return [
            RunNotice(
                .outdatedBaseline, severity: .warning,
                message:
                    "\(things): remove \(gone.count == 1 ? "it" : "them") from \(path), or run with --write-baseline",
                details: details)
        ]
    }

    /// Returns whether an entry was not found although its test ran, or its test no longer exists.
    private func isGone(_ index: Int, _ state: State) -> Bool {
        guard !state.found.contains(index) else { return false }
        let key = known.entries[index].key
        if state.tests[key.suite]?.contains(key.test) == true { return true }
        guard let origin = origins.first(where: { $0.path == key.suite && $0.document == key.document }) else {
            return false
        }
        return !origin.mayHave(key.test)
    }

    /// Returns the contents of the file to write after the run.
    ///
    /// Keeps reasons and expiration dates, and the entries of tests that did not run.
    ///
    /// - Parameters:
    ///   - existing: The current contents of the file to write, with absolute paths; nil if it does not exist.
    ///   - mask: The mask for secrets.
    public func written(existing: BaselineFile?, mask: SnapshotMask?) -> BaselineFile {
        let state = state.withLock { $0 }
        var entries: [FindingKey: BaselineFile.Entry] = [:]
        for file in [known, existing ?? BaselineFile()] {
            for entry in file.entries {
                let hasRun = state.tests[entry.key.suite]?.contains(entry.key.test) == true
                if state.gathered.contains(entry.key) || !hasRun { entries[entry.key] = entry }
            }
        }
        for (index, entry) in known.entries.enumerated() where isGone(index, state) { entries[entry.key] = nil }
        for key in state.gathered where entries[key] == nil { entries[key] = BaselineFile.Entry(key: key) }
        guard let mask else { return BaselineFile(entries: Array(entries.values)) }
        // A secret may have been registered after the finding.
        var masked: [FindingKey: BaselineFile.Entry] = [:]
        for var entry in entries.values {
            entry.key.test = mask(entry.key.test)
            entry.key.step = entry.key.step.map(mask)
            entry.key.subject = Finding.Subject(entry.key.subject).masked(with: mask).description
            entry.key.message = mask(entry.key.message)
            masked[entry.key] = entry
        }
        return BaselineFile(entries: Array(masked.values))
    }

    // MARK: Dates

    /// Returns the date of a time, in UTC.
    static func day(of time: Double) -> String {
        guard time.isFinite, time >= 0, time < 1e11 else { return "1970-01-01" }
        var seconds = time_t(time)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "1970-01-01" }
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
    }
}
