import Basics
import Expectations
import FileSystem
import RunModel
import SuiteModel
import Synchronization

/// The snapshots of a run: the users of each file, the files written, and the obsolete files.
///
/// A test reads and writes its own files. Only the names and changes are collected here, so suites without snapshots
/// never lock the mutex.
final class SnapshotStore: Sendable {
    /// The owner of a snapshot, which is the same in all attempts and repetitions of a step.
    struct Owner: Hashable {
        /// The index of the test in its suite.
        var test: Int
        /// The name of the test or of its row.
        var name: String
        /// The name of the step in reports; empty for a test that is a single exchange.
        var step: String
        /// The line and column of the step.
        var location: [Int]
    }

    /// The kind of change to a file.
    enum Change {
        case written
        case updated
    }

    private struct SuiteState {
        /// The owners, by lowercase name.
        var owners: [String: Owner] = [:]
        var written: [String] = []
        var updated: [String] = []
        var failures: [MessageText] = []
        /// The number of tests with checked expectations in every step.
        var wholeTests = 0
    }

    /// The handling of snapshots beyond comparison.
    let mode: SnapshotMode
    /// Returns the mask for the secrets registered so far.
    let mask: @Sendable () -> SnapshotMask?
    private let files: FileAccess
    private let directories: [SnapshotDirectory]
    /// For each suite, whether it compares any snapshots.
    private let isUsed: [Bool]
    private let plan: TestPlan
    private let state: Mutex<[Int: SuiteState]>

    /// Creates the store of a run.
    ///
    /// - Parameter root: The absolute path of the directory that file access is confined to.
    init(
        plan: TestPlan, mode: SnapshotMode, root: String, files: FileAccess,
        mask: @escaping @Sendable () -> SnapshotMask?
    ) {
        self.plan = plan
        self.mode = mode
        self.files = files
        self.mask = mask
        directories = plan.suites.map { SnapshotDirectory(of: $0, root: root) }
        isUsed = plan.suites.map { suite in
            suite.tests.contains { $0.steps.contains { $0.expectations.extras?.snapshot != nil } }
        }
        state = Mutex([:])
    }

    /// Returns whether a suite compares snapshots.
    func isUsed(by suite: Int) -> Bool { isUsed[suite] }

    /// Returns the snapshots of a test, or nil if its suite does not compare any.
    func snapshots(of entry: TestPlan.Entry, in suite: SuiteRun) -> TestSnapshots? {
        guard isUsed[entry.suite] else { return nil }
        return TestSnapshots(
            store: self, suite: suite, suiteIndex: entry.suite, test: suite.suite.tests[entry.test],
            row: entry.nameInAllRounds == suite.suite.tests[entry.test].name ? nil : entry.nameInAllRounds)
    }

    /// Claims a name for a step.
    ///
    /// - Returns: The current owner of the name if it is a different one.
    func claim(_ name: String, for owner: Owner, suite: Int) -> Owner? {
        state.withLock { state in
            let key = name.lowercased()
            if let other = state[suite]?.owners[key] { return other == owner ? nil : other }
            state[suite, default: SuiteState()].owners[key] = owner
            return nil
        }
    }

    /// Returns the bytes of a file in a suite's snapshot directory, or nil if it does not exist.
    func read(_ file: String, suite: Int) throws(SnapshotDirectory.Failure) -> [UInt8]? {
        try directories[suite].bytes(of: file, files: files)
    }

    /// Returns the path of a file as displayed.
    func shownPath(of file: String, suite: Int) -> String { directories[suite].shownPath(of: file) }

    /// Writes a snapshot.
    ///
    /// - Parameter former: The file that it replaces, if that file has a different name.
    func write(_ snapshot: Snapshot, to file: String, instead former: String?, suite: Int, _ change: Change) {
        var failure: MessageText?
        do throws(SnapshotDirectory.Failure) {
            try directories[suite].write(snapshot.serialized(), to: file)
            if let former { try directories[suite].remove(former) }
        } catch {
            failure = error.message
        }
        state.withLock { state in
            if let failure {
                state[suite, default: SuiteState()].failures.append(failure)
                return
            }
            switch change {
            case .written: state[suite, default: SuiteState()].written.append(file)
            case .updated: state[suite, default: SuiteState()].updated.append(file)
            }
        }
    }

    /// Records that a test has finished.
    ///
    /// - Parameter isWhole: Whether the expectations of every step were checked.
    func finished(suite: Int, isWhole: Bool) {
        guard isUsed[suite], isWhole else { return }
        state.withLock { $0[suite, default: SuiteState()].wholeTests += 1 }
    }

    // MARK: Completion

    /// Completes the store after all tests: masks newly registered secrets, finds obsolete files, and returns notices.
    func finish() -> [RunNotice] {
        let states = state.withLock { $0 }
        var notices: [RunNotice] = []
        for suite in plan.suites.indices {
            var state = states[suite] ?? SuiteState()
            maskAgain(&state, suite: suite)
            let obsolete = obsolete(state, suite: suite)
            var removed: [String] = []
            if mode == .update {
                for file in obsolete {
                    do throws(SnapshotDirectory.Failure) {
                        try directories[suite].remove(file)
                        removed.append(file)
                    } catch {
                        state.failures.append(error.message)
                    }
                }
            } else if !obsolete.isEmpty {
                notices.append(
                    RunNotice(
                        .unusedSnapshot, severity: .warning, suite: suite,
                        message: "\(Self.count(obsolete.count, "unused snapshot")); "
                            + "remove \(obsolete.count == 1 ? "it" : "them") with --update-snapshots",
                        details: obsolete.map { MessageText(directories[suite].shownPath(of: $0)) }))
            }
            if let notice = changes(state, removed: removed, suite: suite) { notices.append(notice) }
            for failure in state.failures {
                notices.append(RunNotice(.snapshotFile, severity: .error, suite: suite, message: failure))
            }
        }
        return notices
    }

    private func changes(_ state: SuiteState, removed: [String], suite: Int) -> RunNotice? {
        var words: [MessageText] = []
        var details: [MessageText] = []
        for (files, verb) in [(state.written, "written"), (state.updated, "updated"), (removed, "removed")]
            as [([String], MessageText)]
        {
            guard !files.isEmpty else { continue }
            words.append(words.isEmpty ? "\(Self.count(files.count, "snapshot")) \(verb)" : "\(files.count) \(verb)")
            details += files.sorted().map { "\(verb) \(directories[suite].shownPath(of: $0))" }
        }
        guard !words.isEmpty else { return nil }
        return RunNotice(
            .changedSnapshots, severity: .note, suite: suite, message: words.joined(separator: ", "), details: details)
    }

    private static func count(_ count: Int, _ noun: MessageText) -> MessageText {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Masks secrets in the written snapshots that were registered only afterwards.
    private func maskAgain(_ state: inout SuiteState, suite: Int) {
        guard !state.written.isEmpty || !state.updated.isEmpty, let mask = mask() else { return }
        for file in state.written + state.updated {
            do throws(SnapshotDirectory.Failure) {
                guard let bytes = try read(file, suite: suite),
                    let ending = Snapshot.fileExtensions.first(where: file.hasSuffix),
                    let snapshot = try? Snapshot(parsing: bytes, fileExtension: ending)
                else { continue }
                let masked = snapshot.masked(with: mask)
                if masked != snapshot { try directories[suite].write(masked.serialized(), to: file) }
            } catch {
                state.failures.append(error.message)
            }
        }
    }

    /// Returns the files that no test of the suite uses; empty if the suite did not run completely.
    private func obsolete(_ state: SuiteState, suite: Int) -> [String] {
        let entries = plan.testsOfSuite[suite]
        if isUsed[suite] {
            guard !plan.isPartial, state.wholeTests == entries.count,
                Set(entries.map { plan.tests[$0].test }).count == plan.suites[suite].tests.count
            else { return [] }
        }
        return directories[suite].names().filter { file in
            guard let ending = Snapshot.fileExtensions.first(where: { file.hasSuffix(".\($0)") }) else { return false }
            return state.owners[file.dropLast(ending.count + 1).lowercased()] == nil
        }
    }
}

/// The handling of snapshots during a run, beyond comparison.
public enum SnapshotMode: Sendable, Hashable {
    /// Missing snapshots are written. The default on a developer's machine.
    case writeMissing
    /// Nothing is written, and a missing snapshot is a failure. The default in continuous integration.
    case readOnly
    /// Missing and different snapshots are written, and obsolete ones are removed.
    case update

    /// Creates the mode of a run.
    ///
    /// - Parameters:
    ///   - updates: Whether an update of the snapshots was requested.
    ///   - environment: The environment variables. `CI` selects ``readOnly`` unless it is empty, `0` or `false`.
    public init(updates: Bool = false, environment: [String: String]) {
        self =
            updates ? .update : ProcessEnvironment.isContinuousIntegration(environment) ? .readOnly : .writeMissing
    }
}
