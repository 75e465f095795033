import Basics
public import Expectations
import RunModel
public import SuiteModel
import Synchronization

/// The response shapes of a run, which are either recorded for a response lock or checked against existing locks.
public final class ResponseLocks: Sendable {
    /// The use of the responses of a run.
    private enum Purpose: Sendable {
        case record
        case compare([SuiteLock])
    }

    /// A step of a suite of the run.
    struct Location: Hashable, Sendable {
        var suite: Int
        var key: LockKey
    }

    /// A part of a response that the lock does not contain.
    struct Addition: Hashable, Sendable {
        var key: LockKey
        var part: String
        var message: String
        var location: String
    }

    private struct State: Sendable {
        var observations: [Location: ResponseObservation] = [:]
        /// The tests that did not pass, by suite.
        var failed: [Int: Set<String>] = [:]
        /// The tests that passed, by suite.
        var passed: [Int: Set<String>] = [:]
        var additions: [Int: Set<Addition>] = [:]
        /// The steps without an entry.
        var unlocked: Set<Location> = []
        /// The steps with an entry.
        var seen: Set<Location> = []
        /// The tests with a step whose expectations were not checked, by suite.
        var incomplete: [Int: Set<String>] = [:]
    }

    /// The maximum number of additions that are kept for a suite.
    private static let maximumAdditions = 1_000
    /// The maximum number of lines in a notice.
    private static let maximumLines = 20

    private let suites: [Suite]
    private let labels: [LockLabels]
    private let purpose: Purpose
    private let state = Mutex(State())

    /// Creates response locks that record the responses of tests that pass.
    ///
    /// - Parameter suites: The suites of the run's plan.
    public init(recording suites: [Suite]) {
        self.suites = suites
        labels = suites.map(LockLabels.init(of:))
        purpose = .record
    }

    /// Creates response locks that check the responses of a run.
    ///
    /// - Parameters:
    ///   - suites: The suites of the run's plan.
    ///   - locks: The lock of each suite.
    public init(comparing suites: [Suite], with locks: [SuiteLock]) {
        self.suites = suites
        labels = suites.map(LockLabels.init(of:))
        purpose = .compare(locks)
    }

    // MARK: Tests

    /// Returns the responses of a test that is about to start.
    func responses(of entry: TestPlan.Entry) -> TestResponses {
        TestResponses(locks: self, suite: entry.suite, test: labels[entry.suite][entry.test])
    }

    /// Returns the lock of a suite if responses are checked against locks.
    func lock(of suite: Int) -> SuiteLock? {
        if case .compare(let locks) = purpose, locks.indices.contains(suite) { locks[suite] } else { nil }
    }

    /// Returns the key of a step.
    func key(suite: Int, test: String, step: String?) -> LockKey {
        LockKey(document: suites[suite].documentIndex, test: test, step: step)
    }

    /// Records the result of a test.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the test.
    ///   - isWhole: Whether the expectations of every step were checked.
    func finish(
        suite: Int, test: String, outcome: TestResult.Outcome, isWhole: Bool, notes: [TestResponses.Note]
    ) {
        state.withLock { state in
            if outcome.isFailure { state.failed[suite, default: []].insert(test) }
            if outcome.isSuccess { state.passed[suite, default: []].insert(test) }
            if !isWhole { state.incomplete[suite, default: []].insert(test) }
            for note in notes {
                let location = Location(suite: suite, key: note.key)
                switch note.content {
                case .observation(let observation):
                    guard outcome.isSuccess else { continue }
                    state.observations[location, default: ResponseObservation()].add(observation)
                case .additions(let additions):
                    state.seen.insert(location)
                    for addition in additions where state.additions[suite, default: []].count < Self.maximumAdditions {
                        state.additions[suite, default: []].insert(addition)
                    }
                case .unlocked: state.unlocked.insert(location)
                }
            }
        }
    }

    // MARK: Comparison

    /// Returns the notices about the locks after a run.
    func notices() -> [RunNotice] {
        guard case .compare(let locks) = purpose else { return [] }
        let state = state.withLock { $0 }
        return locks.indices.flatMap { index in
            [
                additions(state, locks[index], suite: index), unlocked(state, locks[index], suite: index),
                gone(state, locks[index], suite: index),
            ].compactMap { $0 }
        }
    }

    private func additions(_ state: State, _ lock: SuiteLock, suite: Int) -> RunNotice? {
        let order = order(of: suite)
        let found = (state.additions[suite] ?? []).sorted {
            if $0.key != $1.key { return order.precedes($0.key, $1.key) }
            return ($0.part, $0.message) < ($1.part, $1.message)
        }
        guard !found.isEmpty else { return nil }
        let things: MessageText =
            found.count == 1
            ? "1 addition is not in \(lock.path)" : "\(found.count) additions are not in \(lock.path)"
        return notice(
            .lockAddition, "\(things); add \(found.count == 1 ? "it" : "them") with \"apitest lock --update\"",
            found.map { "\($0.key.title): \($0.part): \($0.message) (\($0.location))" }, suite: suite)
    }

    private func unlocked(_ state: State, _ lock: SuiteLock, suite: Int) -> RunNotice? {
        let order = order(of: suite)
        let found = state.unlocked.filter { $0.suite == suite }.map(\.key).sorted(by: order.precedes)
        guard !found.isEmpty else { return nil }
        let things: MessageText = found.count == 1 ? "1 step has" : "\(found.count) steps have"
        return notice(
            .unlockedStep,
            "\(things) no entry in \(lock.path); add \(found.count == 1 ? "it" : "them") with \"apitest lock --update\"",
            found.map { MessageText($0.title) }, suite: suite)
    }

    private func gone(_ state: State, _ lock: SuiteLock, suite: Int) -> RunNotice? {
        let tests = Set(labels[suite].all)
        let incomplete = state.incomplete[suite] ?? []
        let run = (state.passed[suite] ?? []).union(state.failed[suite] ?? []).subtracting(incomplete)
        let found = lock.file.entries.map(\.key).filter { key in
            guard key.document == suites[suite].documentIndex else { return false }
            if !tests.contains(key.test) { return true }
            return run.contains(key.test) && !state.seen.contains(Location(suite: suite, key: key))
        }
        guard !found.isEmpty else { return nil }
        let things: MessageText =
            found.count == 1
            ? "1 entry of \(lock.path) no longer matches a step"
            : "\(found.count) entries of \(lock.path) no longer match a step"
        return notice(
            .outdatedLock, "\(things); remove \(found.count == 1 ? "it" : "them") with \"apitest lock --update\"",
            found.map { "\($0.title) (\(lock.location(of: $0)))" }, suite: suite)
    }

    private func notice(_ id: NoticeID, _ message: MessageText, _ lines: [MessageText], suite: Int) -> RunNotice {
        var details = Array(lines.prefix(Self.maximumLines))
        if lines.count > Self.maximumLines { details.append("and \(lines.count - Self.maximumLines) more") }
        return RunNotice(id, severity: .warning, suite: suite, message: message, details: details)
    }

    // MARK: Recording

    /// Creates the lock of a suite file from the recorded responses.
    ///
    /// Tests that ran and passed get the recorded entries, merged into the existing ones if `merges` is true. Entries
    /// of tests that did not run or did not pass remain unchanged. Entries of tests that no longer exist are removed.
    ///
    /// - Parameters:
    ///   - indices: The indices of the file's suites in the run.
    ///   - documents: All suites of the file, including those that did not run.
    ///   - existing: The current contents of the file; nil if it does not exist.
    ///   - mask: The mask for secrets.
    public func lockFile(
        ofSuites indices: [Int], documents: [Suite], existing: LockFile?, merges: Bool, mask: SnapshotMask?
    ) -> LockFile {
        let state = state.withLock { $0 }
        var entries: [LockKey: [Int: ResponseShape]] = [:]
        for (location, observation) in state.observations where indices.contains(location.suite) {
            entries[location.key] = observation.shapes.mapValues { $0.masked(with: mask) }
        }
        let orders = Dictionary(documents.map { ($0.documentIndex, LockOrder(of: $0)) }) { first, _ in first }
        for entry in existing?.entries ?? [] {
            guard let order = orders[entry.key.document], order.contains(entry.key) else { continue }
            let suite = indices.first { suites[$0].documentIndex == entry.key.document }
            let hasRun = suite.map { index in
                (state.passed[index] ?? []).contains(entry.key.test)
                    && !(state.failed[index] ?? []).contains(entry.key.test)
                    && !(state.incomplete[index] ?? []).contains(entry.key.test)
            }
            if let found = entries[entry.key] {
                if merges || hasRun != true {
                    entries[entry.key] = found.merging(entry.shapes) { $0.merged(with: $1) }
                }
            } else if hasRun != true {
                entries[entry.key] = entry.shapes
            }
        }
        let sorted = entries.sorted { first, second in
            if first.key.document != second.key.document { return first.key.document < second.key.document }
            return orders[first.key.document]?.precedes(first.key, second.key) ?? false
        }
        return LockFile(entries: sorted.map { LockFile.Entry(key: $0.key, shapes: $0.value) })
    }

    /// Returns the tests of a suite that did not pass and were not recorded, in suite order.
    public func failedTests(ofSuite index: Int) -> [String] {
        let failed = state.withLock { $0.failed[index] ?? [] }
        return labels[index].all.filter(failed.contains)
    }

    private func order(of suite: Int) -> LockOrder { LockOrder(of: suites[suite]) }
}
