import Basics
import CEL
import Diagnostics
import Expectations
import RunModel
import SuiteModel

extension StepRunner {
    /// Runs the program of a step and checks its output.
    ///
    /// - Parameter poll: The poll that the command belongs to; nil for a step that does not poll.
    @inline(never)
    nonisolated(nonsending) func attemptCommand(of step: SuiteStep, poll: Poll?) async -> Outcome {
        guard let command = step.command else { return sequence.outcome(.errored, of: step, name: name) }
        let clock = runner.options.clock
        let start = clock.now()
        let process: CommandProcess
        var execution: CommandExecution
        do {
            (process, execution) = try self.process(of: command, limit: poll?.left)
        } catch {
            return sequence.outcome(
                .errored, of: step, name: name, findings: [Self.finding(error)], duration: clock.now() - start)
        }
        deadline?.note(.command)
        let sent = clock.now()
        let ended = await process.run()
        var exchange = exchange(of: ended, &execution, process)
        exchange.timings.total = clock.now() - sent
        if exchange.failure == nil, step.readsOutput { exchange.failure = Self.excess(ended) }
        var checked = await verdict(exchange, for: step, isPoll: poll != nil)
        var kept: Exchange?
        if keepsExchange(of: checked) {
            checked.exchange.keep(from: sent - runner.start)
            kept = await reported(checked.exchange, isDecoded: true)
        }
        var outcome = outcome(of: step, checked, kept: kept, exchanges: 0, start: start)
        if step.hasOutput, checked.poll != .pending { await addOutput(of: step, checked.exchange, to: &outcome) }
        return outcome
    }

    /// Returns the failure of a program that wrote more than is kept, because a check of a part proves nothing.
    private static func excess(_ result: CommandProcess.Result) -> Exchange.Failure? {
        for (stream, output) in [("standard output", result.output), ("standard error", result.errors)]
        where output.isCut {
            return Exchange.Failure(
                phase: .command, kind: .outputTooLarge,
                message:
                    "the command wrote \(output.size) bytes to its \(stream); at most \(output.limit) can be checked")
        }
        return nil
    }

    /// Returns the process of a command, which has not started.
    @inline(never)
    private func process(
        of command: CommandSpec, limit: Int64?
    ) throws(TemplateError) -> (CommandProcess, CommandExecution) {
        try CommandRenderer(options: runner.options, files: runner.files).process(
            command, in: scope.view(.step), context: scope.context,
            directory: sequence.frame.directory ?? suite.suite.directory, limit: limit)
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
                    "the command did not exit within \(NanosecondsText.duration(process.timeout)) and was killed, with its process group"
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

extension SuiteStep {
    /// Whether anything depends on what the program of the step writes, rather than on its exit status.
    fileprivate var readsOutput: Bool {
        if hasOutput || isReferenced || !captures.isEmpty || flow?.until != nil { return true }
        var rest = expectations
        rest.duration = nil
        rest.extras?.exit = nil
        rest.assertions.removeAll { assertion in
            assertion.expression.freeIdentifiers.allSatisfy { $0.name == "exit" || $0.name == "duration" }
        }
        return !rest.expectsNothing
    }
}
