import Basics
import Diagnostics
import Expectations
import RunModel
import SuiteModel

extension StepRunner {
    /// Runs the program of a step and checks its output.
    ///
    /// - Parameter polling: The polling rule and the maximum duration of the command, in nanoseconds.
    nonisolated(nonsending) func attempt(
        _ command: CommandSpec, of step: SuiteStep, polling: (rule: UntilRule, left: Int64?)?
    ) async -> Outcome {
        let clock = runner.options.clock
        let start = clock.now()
        let process: CommandProcess
        var execution: CommandExecution
        do {
            (process, execution) = try CommandRenderer(options: runner.options, files: runner.files).process(
                command, in: scope.view(.step), context: scope.context,
                directory: sequence.frame.directory ?? suite.suite.directory, limit: polling?.left ?? nil)
        } catch {
            return Outcome(
                step: TestResult.Step(
                    name: name, outcome: .errored, findings: [Self.finding(error)], duration: clock.now() - start,
                    range: step.range),
                exchange: nil, exchanges: 0)
        }
        deadline?.note(.command)
        let sent = clock.now()
        let ended = await process.run()
        var exchange = exchange(of: ended, &execution, process)
        exchange.timings.total = clock.now() - sent
        var (findings, verdict) = await self.verdict(exchange, for: step, until: polling?.rule)
        if ended.output.isCut, !findings.isEmpty {
            findings[0].details.append(
                "only the first \(CommandExecution.maximumOutput) of \(ended.output.size) bytes of the output were kept"
            )
        }
        let outcome: TestResult.Outcome =
            findings.isEmpty ? .passed : findings.contains { $0.kind == .error } ? .errored : .failed
        var result = TestResult.Step(
            name: name, outcome: outcome, findings: findings, duration: clock.now() - start, range: step.range)
        if runner.options.keepsExchanges || !findings.isEmpty || sequence.running.test.isVerbose {
            exchange.keep(from: sent - runner.start)
            result.exchange = exchange
        } else if runner.options.keepsOutlines {
            result.outline = ExchangeOutline(exchange)
        }
        if step.output != nil, verdict != .pending { await addOutput(of: step, exchange, to: &result) }
        return Outcome(step: result, exchange: exchange, exchanges: 0, poll: verdict)
    }

    /// Returns the exchange that represents a command.
    private func exchange(
        of result: CommandProcess.Result, _ execution: inout CommandExecution, _ process: CommandProcess
    ) -> Exchange {
        execution.errors = result.errors.bytes
        execution.errorSize = result.errors.size
        execution.isErrorCut = result.errors.isCut
        var exchange = Exchange(
            request: Exchange.Request(method: CommandExecution.method, url: execution.line, body: process.input))
        var response = Exchange.Response(
            status: 0, reason: "", version: "", headers: [], body: result.output.bytes)
        if result.output.isCut { response.wholeSize = result.output.size }
        switch result.ending {
        case .ended(let ending):
            execution.ending = ending
            response.status = ending.status
            exchange.response = response
        case .notStarted(let message):
            exchange.failure = Exchange.Failure(phase: .command, kind: .commandNotStarted, message: message)
        case .timedOut:
            exchange.response = response
            exchange.failure = Exchange.Failure(
                phase: .command, kind: .timeout,
                message:
                    "the command did not exit within \(NanosecondsText.duration(process.timeout)) and was killed, with all processes that it started"
            )
        case .cancelled:
            exchange.response = response
            exchange.failure = Exchange.Failure(
                phase: .command, kind: .cancelled, message: "the command was killed because the run was interrupted")
        }
        var details = ExchangeDetails()
        details.command = execution
        exchange.details = details
        return exchange
    }
}
