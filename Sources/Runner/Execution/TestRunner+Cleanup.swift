import Basics
import RunModel
import SuiteModel

extension TestRunner {
    /// Runs the cleanup of a test after its steps, with their captures and cookies.
    ///
    /// It runs even if the time limit of the test has expired or the run was interrupted, within the grace period that
    /// teardowns have too.
    @inline(never)
    nonisolated(nonsending) func cleanUp(after sequence: StepSequence) async -> StepSequence.Outcome {
        let prefix = "finally › "
        let frame = CallFrame(prefix: prefix, path: prefix, attempt: sequence.frame.attempt, isCleanup: true)
        let lent = StepSequence.Lent(sequence: sequence.inside(frame, deadline: nil))
        let running = sequence.running
        let grace = GracePeriod(clock: options.clock) { [owner] in owner.interruption }
        var outcome = await grace.run(on: running.executor) { await lent.sequence.run(running.test.cleanup) }
        guard Task.isCancelled else { return outcome }
        for index in outcome.steps.indices {
            for finding in outcome.steps[index].findings.indices
            where outcome.steps[index].findings[finding].type == .cancelled {
                outcome.steps[index].findings[finding].wording = Self.cutOff
            }
        }
        return outcome
    }

    /// The message of a step that the end of the grace period has cut off.
    private static let cutOff: MessageText =
        "the cleanup did not finish within \(NanosecondsText.compact(GracePeriod.length))"
}
