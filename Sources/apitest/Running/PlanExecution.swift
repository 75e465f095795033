import APITestKit
import Expectations
import Reports
import RunModel
import Runner
import SuiteModel

/// Runs a plan with reporters, and says how the program ends.
struct PlanExecution {
    let plan: TestPlan
    let options: RunOptions
    let control: RunControl
    /// Whether reports have the exchanges of steps that passed, also where they can do without.
    let showsExchanges: Bool
    /// How much of the suites' contracts is enough.
    var coverage = CoverageGate()
    /// The arguments by which reports say how tests are run again.
    var repeatArguments: @Sendable () -> RepeatArguments = { RepeatArguments() }
    /// What is done after a run, with its status and what masks secrets; it says how the program ends.
    var afterwards: ((ExitStatus, SnapshotMask?) -> ExitStatus)?

    /// Runs the plan; what a report cannot write is printed.
    func run(_ reporters: [any Reporter]) async -> ExitStatus {
        let fanOut = ReportFanOut(reporters, showsExchanges: showsExchanges)
        var options = options
        options.keepsExchanges = showsExchanges || fanOut.needs.contains(.exchanges)
        options.makesDigests = fanOut.needs.contains(.digests)
        options.keepsOutlines = fanOut.needs.contains(.outlines)
        let summary = await Runner(
            plan: plan, options: options, control: control, startMock: MockStarter.start, mask: fanOut.masking,
            commit: fanOut.expectCommits() ? fanOut.commit : nil, prepare: fanOut.prepare, settle: fanOut.advance,
            sink: coverage.guarding(sayingHowToRepeat(fanOut.post))
        ).run()
        StandardOutput.flush()
        maskLogs(with: fanOut.mask)
        let errors = fanOut.finish()
        for error in errors { StandardError.write("apitest: \(error.message)\n") }
        let status = Self.status(of: coverage.judged(summary), reportErrors: errors)
        return afterwards?(status, fanOut.masking()) ?? status
    }

    /// Hands events on, the last one with the arguments that a part of the run is repeated with.
    private func sayingHowToRepeat(_ sink: @escaping @Sendable (RunEvent) -> Void) -> @Sendable (RunEvent) -> Void {
        { [repeatArguments] event in
            guard case .runFinished(var summary) = event, summary.hasFailed else { return sink(event) }
            summary.repeatArguments = repeatArguments()
            sink(.runFinished(summary))
        }
    }

    /// Masks secrets in what the commands of `serve` have written to their logs.
    private func maskLogs(with mask: SecretMask) {
        var seen: Set<String> = []
        for suite in plan.suites {
            guard case .command(let command) = suite.serve, let log = command.log, seen.insert(log).inserted else {
                continue
            }
            LogMasking.mask(log, with: mask)
        }
    }

    /// How the program ends after a run.
    static func status(of summary: RunSummary, reportErrors: [ReportError]) -> ExitStatus {
        if summary.wasInterrupted { return .interrupted }
        if !reportErrors.isEmpty { return .internalError }
        return summary.hasFailed ? .failed : .passed
    }
}
