import Basics
import Expectations
import JSON
import RunModel
import SuiteModel
import Synchronization

/// The responses of a running test. Which of them count is known only after its last attempt.
final class TestResponses: Sendable {
    /// The record of one response.
    struct Note: Sendable {
        /// The part of a response that the lock needs.
        enum Content: Sendable {
            case observation(ResponseObservation)
            case additions([ResponseLocks.Addition])
            case unlocked
        }

        var key: LockKey
        var content: Content
    }

    private let locks: ResponseLocks
    private let suite: Int
    private let test: String
    private let notes = Mutex<[Note]>([])

    init(locks: ResponseLocks, suite: Int, test: String) {
        self.locks = locks
        self.suite = suite
        self.test = test
    }

    /// The number of recorded responses, for a later call of ``rewind(to:)``.
    var mark: Int { notes.withLock { $0.count } }

    /// Discards the responses recorded after a mark, because their attempt does not count.
    func rewind(to mark: Int) {
        notes.withLock { notes in
            if notes.count > mark { notes.removeSubrange(mark...) }
        }
    }

    /// Records a response.
    ///
    /// - Parameters:
    ///   - step: The name of the step in the lock; nil for a test that is a single exchange.
    ///   - isStatusWrong: Whether the response is already known to have an unexpected status.
    ///   - endsTest: Whether the test ends at a step that differs from the lock.
    /// - Returns: The findings about differences that the lock does not allow.
    func note(
        _ content: ResponseContent, step: String?, of suiteStep: SuiteStep, isStatusWrong: Bool,
        endsTest: Bool = false
    ) -> [Finding] {
        let key = locks.key(suite: suite, test: test, step: step)
        guard let lock = locks.lock(of: suite) else {
            var observation = ResponseObservation()
            observation.add(content)
            notes.withLock { $0.append(Note(key: key, content: .observation(observation))) }
            return []
        }
        guard let shapes = lock.shapes(of: key) else {
            notes.withLock { $0.append(Note(key: key, content: .unlocked)) }
            return []
        }
        var findings: [Finding] = []
        var additions: [ResponseLocks.Addition] = []
        for difference in ResponseDifference.differences(of: content, from: shapes) {
            let location = lock.location(of: difference, in: key)
            if difference.isBreaking {
                switch difference {
                // A response with a different status usually has a different content type.
                case .status, .contentType: if isStatusWrong { continue }
                case .lostHeader, .newHeader, .noJSON, .body: break
                }
                findings.append(Self.finding(difference, location: location, step: suiteStep, endsTest: endsTest))
            } else {
                additions.append(
                    ResponseLocks.Addition(
                        key: key, part: difference.part, message: difference.message.text, location: location))
            }
        }
        notes.withLock { $0.append(Note(key: key, content: .additions(additions))) }
        return findings
    }

    private static func finding(
        _ difference: ResponseDifference, location: String, step: SuiteStep, endsTest: Bool
    ) -> Finding {
        var finding = Finding(
            subject: .lock(difference.part), type: .lock, message: difference.message, range: step.range)
        var details: [MessageText] = ["locked in \(location)"]
        switch difference {
        case .status(let status, _): finding.actual = .number(JSONNumber(status))
        case .contentType(let type, _, _): finding.actual = .string(type)
        case .lostHeader, .newHeader, .noJSON: break
        case .body(let difference, _):
            finding.expected = difference.locked.flatMap { ValueDescription.kept($0.schema) }
            finding.actual = difference.found.flatMap { ValueDescription.kept($0.schema) }
            if let locked = difference.locked { details[0] += " as \(Self.text(of: locked))" }
            if let found = difference.found { details.append("the response has \(Self.text(of: found))") }
            if let note = difference.locationsNote { details.append(note) }
        }
        finding.details = details
        finding.endsTest = endsTest
        return finding
    }

    /// Returns a schema on one line, shortened if it is long.
    private static func text(of shape: Shape) -> String {
        ValueDescription.plain(shape.schema, limit: 160)
    }

    /// Passes on the remaining records after the last attempt.
    func finish(_ outcome: TestResult.Outcome, steps: [TestResult.Step]) {
        let left = notes.withLock { $0 }
        let isWhole =
            !steps.isEmpty
            && steps.allSatisfy { step in
                switch step.outcome {
                case .passed, .flaky, .known, .failed: true
                case .errored, .skipped, .blocked: false
                }
            }
        locks.finish(suite: suite, test: test, outcome: outcome, isWhole: isWhole, notes: left)
    }
}
