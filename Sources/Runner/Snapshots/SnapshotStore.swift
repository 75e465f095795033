import Expectations
import RunModel
import SuiteModel
import Synchronization

/// The snapshots of a run: who uses which file, what is written, and what no test uses any more.
///
/// A test reads and writes its files itself; only their names and what became of them come together here, so that suites
/// without snapshots never get to the mutex.
final class SnapshotStore: Sendable {
    /// Whose a snapshot is: the same in all attempts and rounds of a step.
    struct Owner: Hashable {
        /// The test's index in its suite.
        var test: Int
        /// The name of the test or of its row.
        var name: String
        /// What reports call the step; empty for a test that is a single exchange.
        var step: String
        /// The line and column of the step.
        var place: [Int]
    }

    /// What became of a file.
    enum Change {
        case written
        case updated
    }

    private struct SuiteState {
        /// The owners by name, in lower case.
        var owners: [String: Owner] = [:]
        var written: [String] = []
        var updated: [String] = []
        var failures: [String] = []
        /// The tests of which every step got to its checks.
        var wholeTests = 0
    }

    /// What the run does beside comparing.
    let mode: SnapshotMode
    /// What masks secrets, as far as they are known when it is asked for.
    let mask: @Sendable () -> SnapshotMask?
    private let files: FileAccess
    private let folders: [SnapshotFolder]
    /// For each suite, whether it compares anything.
    private let isUsed: [Bool]
    private let plan: TestPlan
    private let state: Mutex<[Int: SuiteState]>

    /// Creates the store of a run.
    ///
    /// - Parameter root: The folder that file access stays in, absolute.
    init(
        plan: TestPlan, mode: SnapshotMode, root: String, files: FileAccess,
        mask: @escaping @Sendable () -> SnapshotMask?
    ) {
        self.plan = plan
        self.mode = mode
        self.files = files
        self.mask = mask
        folders = plan.suites.map { SnapshotFolder(of: $0, root: root) }
        isUsed = plan.suites.map { suite in
            suite.tests.contains { $0.steps.contains { $0.expectations.extras?.snapshot != nil } }
        }
        state = Mutex([:])
    }

    /// The snapshots of a test, or nil when its suite compares none.
    func snapshots(of entry: TestPlan.Entry, in suite: SuiteRun) -> TestSnapshots? {
        guard isUsed[entry.suite] else { return nil }
        return TestSnapshots(
            store: self, suite: suite, suiteIndex: entry.suite, test: suite.suite.tests[entry.test],
            row: entry.nameInAllRounds == suite.suite.tests[entry.test].name ? nil : entry.nameInAllRounds)
    }

    /// Takes a name for a step.
    ///
    /// - Returns: Who has it already, if that is another.
    func claim(_ name: String, for owner: Owner, suite: Int) -> Owner? {
        state.withLock { state in
            let key = name.lowercased()
            if let other = state[suite]?.owners[key] { return other == owner ? nil : other }
            state[suite, default: SuiteState()].owners[key] = owner
            return nil
        }
    }

    /// A file of a suite's folder, or nil when there is none.
    func read(_ file: String, suite: Int) throws(SnapshotFolder.Failure) -> [UInt8]? {
        try folders[suite].bytes(of: file, files: files)
    }

    /// The path of a file that people are shown.
    func shownPath(of file: String, suite: Int) -> String { folders[suite].shownPath(of: file) }

    /// Writes a snapshot.
    ///
    /// - Parameter former: The file that it takes the place of, when that has another name.
    func write(_ snapshot: Snapshot, to file: String, instead former: String?, suite: Int, _ change: Change) {
        var failure: String?
        do throws(SnapshotFolder.Failure) {
            try folders[suite].write(snapshot.serialized(), to: file)
            if let former { try folders[suite].remove(former) }
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

    /// Notes that a test is done.
    ///
    /// - Parameter isWhole: Whether every step of it got to its checks.
    func finished(suite: Int, isWhole: Bool) {
        guard isUsed[suite], isWhole else { return }
        state.withLock { $0[suite, default: SuiteState()].wholeTests += 1 }
    }

    // MARK: The end

    /// Ends the store after all tests: masks what turned out to be secret, finds what no test uses, and says what was done.
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
                    do throws(SnapshotFolder.Failure) {
                        try folders[suite].remove(file)
                        removed.append(file)
                    } catch {
                        state.failures.append(error.message)
                    }
                }
            } else if !obsolete.isEmpty {
                notices.append(
                    RunNotice(
                        severity: .warning, suite: suite,
                        message: "\(Self.count(obsolete.count, "snapshot")) that no test uses; "
                            + "--update-snapshots removes \(obsolete.count == 1 ? "it" : "them")",
                        details: obsolete.map(folders[suite].shownPath)))
            }
            if let notice = changes(state, removed: removed, suite: suite) { notices.append(notice) }
            for failure in state.failures {
                notices.append(RunNotice(severity: .error, suite: suite, message: failure))
            }
        }
        return notices
    }

    private func changes(_ state: SuiteState, removed: [String], suite: Int) -> RunNotice? {
        var words: [String] = []
        var details: [String] = []
        for (files, verb) in [(state.written, "written"), (state.updated, "updated"), (removed, "removed")] {
            guard !files.isEmpty else { continue }
            words.append(words.isEmpty ? "\(Self.count(files.count, "snapshot")) \(verb)" : "\(files.count) \(verb)")
            details += files.sorted().map { "\(verb) \(folders[suite].shownPath(of: $0))" }
        }
        guard !words.isEmpty else { return nil }
        return RunNotice(severity: .note, suite: suite, message: words.joined(separator: ", "), details: details)
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Masks in what was written what became known as a secret only afterwards.
    private func maskAgain(_ state: inout SuiteState, suite: Int) {
        guard !state.written.isEmpty || !state.updated.isEmpty, let mask = mask() else { return }
        for file in state.written + state.updated {
            do throws(SnapshotFolder.Failure) {
                guard let bytes = try read(file, suite: suite),
                    let ending = Snapshot.fileExtensions.first(where: file.hasSuffix),
                    let snapshot = try? Snapshot(parsing: bytes, fileExtension: ending)
                else { continue }
                let masked = snapshot.masked(with: mask)
                if masked != snapshot { try folders[suite].write(masked.serialized(), to: file) }
            } catch {
                state.failures.append(error.message)
            }
        }
    }

    /// The files that no test of the suite uses; none when the suite did not run as a whole.
    private func obsolete(_ state: SuiteState, suite: Int) -> [String] {
        let entries = plan.testsOfSuite[suite]
        if isUsed[suite] {
            guard !plan.isPartial, state.wholeTests == entries.count,
                Set(entries.map { plan.tests[$0].test }).count == plan.suites[suite].tests.count
            else { return [] }
        }
        return folders[suite].names().filter { file in
            guard let ending = Snapshot.fileExtensions.first(where: { file.hasSuffix(".\($0)") }) else { return false }
            return state.owners[file.dropLast(ending.count + 1).lowercased()] == nil
        }
    }
}

/// What a run does with snapshots beside comparing.
public enum SnapshotMode: Sendable, Hashable {
    /// Snapshots that are missing are written: on a developer's machine.
    case writeMissing
    /// Nothing is written, and a snapshot that is missing is a failure: in continuous integration.
    case readOnly
    /// Those that are missing or differ are written, those that no test uses are removed.
    case update

    /// The mode of a run.
    ///
    /// - Parameters:
    ///   - updates: Whether it was asked for to write snapshots anew.
    ///   - environment: The environment variables; `CI` says that nothing is written, unless it is empty or `false`.
    public init(updates: Bool = false, environment: [String: String]) {
        let isContinuousIntegration = environment["CI"].map { !$0.isEmpty && $0.lowercased() != "false" } ?? false
        self = updates ? .update : isContinuousIntegration ? .readOnly : .writeMissing
    }
}
