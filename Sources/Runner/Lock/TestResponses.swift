import Expectations
import JSON
import RunModel
import SuiteModel
import Synchronization

/// The responses of one test while it runs: what counts is known only when its last attempt is done.
final class TestResponses: Sendable {
    /// What is kept of one response.
    struct Note: Sendable {
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

    /// How many responses were noted, to go back to when they turn out not to count.
    var mark: Int { notes.withLock { $0.count } }

    /// Forgets the responses that were noted after a mark, as they are those of an attempt that does not count.
    func rewind(to mark: Int) {
        notes.withLock { notes in
            if notes.count > mark { notes.removeSubrange(mark...) }
        }
    }

    /// Notes a response.
    ///
    /// - Parameters:
    ///   - step: What the lock calls the step; nil for a test that is a single exchange.
    ///   - isStatusWrong: Whether it was found already that the response has not the status that is expected.
    ///   - endsTest: Whether the test ends with a step that differs.
    /// - Returns: What the lock does not allow.
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
            let place = lock.place(of: difference, in: key)
            if difference.isBreaking {
                switch difference {
                // Another status has another content type, as a rule.
                case .status, .contentType: if isStatusWrong { continue }
                case .lostHeader, .newHeader, .noJSON, .body: break
                }
                findings.append(Self.finding(difference, place: place, step: suiteStep, endsTest: endsTest))
            } else {
                additions.append(
                    ResponseLocks.Addition(
                        key: key, part: difference.part, message: difference.message, place: place))
            }
        }
        notes.withLock { $0.append(Note(key: key, content: .additions(additions))) }
        return findings
    }

    private static func finding(
        _ difference: ResponseDifference, place: String, step: SuiteStep, endsTest: Bool
    ) -> Finding {
        var finding = Finding(
            subject: .lock(difference.part), type: .lock, message: difference.message, range: step.range)
        var details = ["locked in \(place)"]
        switch difference {
        case .status(let status, _): finding.actual = .number(JSONNumber(status))
        case .contentType(let type, _, _): finding.actual = .string(type)
        case .lostHeader, .newHeader, .noJSON: break
        case .body(let difference, _):
            finding.expected = difference.locked.flatMap { ValueDescription.kept($0.schema) }
            finding.actual = difference.found.flatMap { ValueDescription.kept($0.schema) }
            if let locked = difference.locked { details[0] += " as \(Self.text(of: locked))" }
            if let found = difference.found { details.append("the response has \(Self.text(of: found))") }
            if let note = difference.placesNote { details.append(note) }
        }
        finding.details = details
        finding.endsTest = endsTest
        return finding
    }

    /// A schema on one line; long ones are cut.
    private static func text(of shape: Shape) -> String {
        ValueDescription.plain(shape.schema, limit: 160)
    }

    /// Hands over what is left after the last attempt.
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
