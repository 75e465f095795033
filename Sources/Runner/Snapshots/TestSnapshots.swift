import Basics
import CEL
import Diagnostics
import Expectations
import RunModel
import SuiteModel

/// The snapshots of a running test. Each file is read once, and written after the last attempt.
final class TestSnapshots {
    /// The stored snapshot of a name.
    private enum Stored {
        case nothing
        case snapshot(Snapshot, file: String, bytes: [UInt8])
        case unreadable(file: String, MessageText)
    }

    /// A snapshot to write.
    private struct Pending {
        var snapshot: Snapshot
        var file: String
        /// The file that it replaces, if that file has a different name.
        var former: String?
        var change: SnapshotStore.Change
    }

    private let store: SnapshotStore
    private let suite: SuiteRun
    private let suiteIndex: Int
    private let test: SuiteTest
    /// The name of the test's row; nil if the test runs only once.
    private let row: String?
    private var stored: [String: Stored] = [:]
    private var pending: [String: Pending] = [:]

    init(store: SnapshotStore, suite: SuiteRun, suiteIndex: Int, test: SuiteTest, row: String?) {
        self.store = store
        self.suite = suite
        self.suiteIndex = suiteIndex
        self.test = test
        self.row = row
    }

    /// Discards the pending snapshots of the previous attempt.
    func beginAttempt() {
        pending = [:]
    }

    /// Writes the pending snapshots of the last attempt.
    func commit() {
        for (_, item) in pending.sorted(by: { $0.key < $1.key }) {
            store.write(item.snapshot, to: item.file, instead: item.former, suite: suiteIndex, item.change)
        }
        pending = [:]
    }

    /// Checks a response against its snapshot.
    ///
    /// - Parameters:
    ///   - step: The step that compares the response.
    ///   - stepName: The name of the step in reports; nil for a test that is a single exchange.
    ///   - isGood: Whether the response meets all other expectations. Otherwise, it is never written.
    func check(
        _ expectation: SnapshotExpectation, of step: SuiteStep, stepName: String?, content: ResponseContent,
        scope: any CELScope, context: CELContext, isGood: Bool
    ) -> [Finding] {
        let mask = store.mask()
        // The names of rows and steps may contain values, and the name of a file must not contain a secret.
        let name = SnapshotName.stem(
            given: expectation.name, test: test.name, row: row.map { mask?($0) ?? $0 },
            step: stepName.map { mask?($0) ?? $0 }, isRepeated: step.flow?.isLoop == true)
        pending[name] = nil
        let start = step.range.start
        let owner = SnapshotStore.Owner(
            test: test.index, name: row ?? test.name, step: stepName ?? "",
            location: [Int(start.line), Int(start.column)])
        if let other = store.claim(name, for: owner, suite: suiteIndex) {
            let location = other.step.isEmpty ? other.name : "\(other.name) › \(other.step)"
            return [
                finding(
                    name, "\"\(location)\" uses the same snapshot file; give each snapshot a unique name", expectation,
                    .error)
            ]
        }
        let rendering = ExpectationChecker().snapshot(
            expectation, content: content, scope: scope, context: context, baseURL: suite.baseURL, mask: mask)
        let actual = rendering.snapshot
        let file = "\(name).\(actual.fileExtension)"
        let mayWrite = isGood && rendering.findings.isEmpty
        switch storedSnapshot(name, first: actual.fileExtension) {
        case .nothing:
            if store.mode == .readOnly {
                let path = store.shownPath(of: file, suite: suiteIndex)
                var missing = finding(name, "missing snapshot \(path)", expectation)
                missing.details = ["to write it, run with --update-snapshots, or without CI in the environment"]
                return rendering.findings + [missing]
            }
            if mayWrite { pending[name] = Pending(snapshot: actual, file: file, change: .written) }
            return rendering.findings
        case .unreadable(let former, let message):
            guard store.mode == .update else {
                return rendering.findings + [finding(name, message, expectation, .error)]
            }
            if mayWrite { set(name, actual, file, former: former) }
            return rendering.findings
        case .snapshot(let snapshot, let former, let bytes):
            let comparison = SnapshotComparison(actual, with: snapshot)
            if comparison.isEqual { return rendering.findings }
            if store.mode == .update {
                if mayWrite { set(name, comparison.actual, file, former: former) }
                return rendering.findings
            }
            let path = store.shownPath(of: former, suite: suiteIndex)
            let difference = comparison.finding(
                name: name, file: SnapshotComparison.File(path: path, bytes: bytes), expectation)
            return rendering.findings + (difference.map { [$0] } ?? [])
        }
    }

    private func set(_ name: String, _ snapshot: Snapshot, _ file: String, former: String) {
        pending[name] = Pending(
            snapshot: snapshot, file: file, former: former == file ? nil : former, change: .updated)
    }

    private func storedSnapshot(_ name: String, first: String) -> Stored {
        if let known = stored[name] { return known }
        let found = read(name, first: first)
        stored[name] = found
        return found
    }

    /// Reads the file for a name, trying the more likely extension first.
    private func read(_ name: String, first: String) -> Stored {
        for ending in [first] + Snapshot.fileExtensions.filter({ $0 != first }) {
            let file = "\(name).\(ending)"
            let bytes: [UInt8]
            do throws(SnapshotDirectory.Failure) {
                guard let found = try store.read(file, suite: suiteIndex) else { continue }
                bytes = found
            } catch {
                return .unreadable(file: file, error.message)
            }
            do throws(SnapshotFormatError) {
                return .snapshot(try Snapshot(parsing: bytes, fileExtension: ending), file: file, bytes: bytes)
            } catch {
                let path = store.shownPath(of: file, suite: suiteIndex)
                return .unreadable(
                    file: file,
                    "\(path):\(error.line) is not a valid snapshot: \(error.wording); "
                        + "rewrite it with --update-snapshots")
            }
        }
        return .nothing
    }

    private func finding(
        _ name: String, _ message: MessageText, _ expectation: SnapshotExpectation, _ kind: Finding.Kind = .failure
    ) -> Finding {
        Finding(
            kind: kind, subject: "snapshot \(name)", type: .snapshot, message: message,
            range: expectation.range)
    }
}
