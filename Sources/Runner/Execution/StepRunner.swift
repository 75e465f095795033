import Basics
import CEL
import Diagnostics
import Expectations
import HTTPSession
import OpenAPI
import RunModel
import SuiteModel

/// A runner of the exchange of one step.
///
/// A class, because it is passed through every asynchronous call.
final class StepRunner {
    /// The sequence that contains the step.
    let sequence: StepSequence
    private let request: CopyOnWrite<RequestSpec>
    /// The name of the step in reports.
    let name: String

    init(_ sequence: StepSequence, request: CopyOnWrite<RequestSpec>, name: String) {
        self.sequence = sequence
        self.request = request
        self.name = name
    }

    /// The request of the step.
    var spec: RequestSpec {
        @inline(__always) _read { yield request.wrappedValue }
    }
    var runner: TestRunner { sequence.runner }
    var scope: TestScope { sequence.scope }
    var suite: SuiteRun { sequence.suite }
    /// The deadline of the test, if it has a time limit.
    var deadline: TestDeadline? { sequence.deadline }

    /// The result of the step.
    struct Outcome: RetriedAttempt {
        @CopyOnWrite var step: TestResult.Step
        /// The exchange of the last attempt; nil if its request could not be created.
        var exchange: Exchange?
        /// The number of exchanges that were made.
        var exchanges: Int
        /// The steps of a call, which ``step`` summarizes.
        var called: [TestResult.Step]?
        /// The name of the test whose shared call did not pass.
        var blockedBy: String?
        /// Whether the test ends when steps of the call did not pass; nil for a step that is not a call.
        var callEndsTest: Bool?
        /// The assessment of the response by a step that polls.
        var poll = PollVerdict.done

        var isFailure: Bool { step.outcome.isFailure }
        var findings: [Finding] { step.findings }
        var failedExchange: Exchange? { exchange }

        /// Adds a detail to the first failure of the step, or of the steps of a call or a group.
        mutating func note(_ detail: MessageText) {
            if let index = called?.firstIndex(where: { $0.outcome.isFailure && !$0.findings.isEmpty }) {
                called?[index].findings[0].details.append(detail)
            } else if !step.findings.isEmpty {
                step.findings[0].details.append(detail)
            }
        }

        /// Whether the test ends after this step, unless the step specifies otherwise.
        var endsTest: Bool {
            guard step.outcome.isFailure else { return false }
            return callEndsTest ?? (step.findings.isEmpty || step.findings.contains(where: \.endsTest))
        }
    }

    // As in `TestRunner.conduct`, the asynchronous functions from here to ``send(_:for:)`` have as few locals as
    // possible.

    /// Sends the step's request and checks the response, with retries if the step has a retry rule.
    nonisolated(nonsending) func run(_ step: SuiteStep) async -> Outcome {
        switch repetition(of: step) {
        case .none: await attempt(step)
        case .polling: await poll(step)
        case .retries(let rule): await attempts(step, by: rule)
        case .failed(let outcome): outcome
        }
    }

    /// The reason for which a step sends several requests.
    private enum Repetition {
        case none, polling
        case retries(RetryRule)
        /// The retry rule cannot be evaluated.
        case failed(Outcome)
    }

    @inline(never)
    private func repetition(of step: SuiteStep) -> Repetition {
        if step.polls { return .polling }
        do {
            return try sequence.retryRule(of: step).map { .retries($0) } ?? .none
        } catch {
            return .failed(sequence.outcome(.errored, of: step, name: name, findings: [Self.finding(error)]))
        }
    }

    /// Sends the request of a step with a retry rule.
    @inline(never)
    private nonisolated(nonsending) func attempts(_ step: SuiteStep, by rule: RetryRule) async -> Outcome {
        let clock = runner.options.clock
        let start = clock.now()
        let responses = sequence.running.responses
        let mark = responses?.mark ?? 0
        let captured = scope.captured.values.count
        let first = await attempt(step)
        var previous: [TestResult.StepAttempt] = []
        var exchanges = 0
        var outcome = await Retrying(rule: rule, clock: clock, random: Retrying.random(scope.context)).attempts(
            after: first, willWait: { deadline?.note(.retry) }
        ) { failed in
            deadline?.note(.answer)
            previous.append(
                TestResult.StepAttempt(
                    outcome: failed.step.outcome, findings: failed.step.findings, exchange: failed.step.exchange,
                    duration: failed.step.duration))
            exchanges += failed.exchanges
            scope.begin(step)
            responses?.rewind(to: mark)
            // The lists of a loop contain only the captures of the last attempt.
            _ = scope.takeCaptures(from: captured)
            return await attempt(step)
        }.last
        if outcome.step.outcome == .passed, !previous.isEmpty { outcome.step.outcome = .flaky }
        outcome.step.previousAttempts = previous
        outcome.step.duration = clock.now() - start
        outcome.exchanges += exchanges
        return outcome
    }

    /// The builder of the step's request.
    var builder: RequestBuilder {
        RequestBuilder(
            scope: scope, directory: sequence.frame.directory ?? suite.suite.directory, files: runner.files,
            jar: sequence.jar)
    }

    /// A poll of a step that polls.
    struct Poll {
        /// The maximum duration of the exchange, in nanoseconds; nil for no limit.
        var left: Int64?
    }

    /// Renders the request, sends it, and checks the response.
    ///
    /// - Parameter poll: The poll that the exchange belongs to; nil for a step that does not poll.
    nonisolated(nonsending) func attempt(_ step: SuiteStep, poll: Poll? = nil) async -> Outcome {
        if step.isCommand { return await attemptCommand(of: step, poll: poll) }
        let start = runner.options.clock.now()
        let rendered: Rendered
        switch prepare(step, poll, from: start) {
        case .success(let value): rendered = value
        case .failure(let unrendered): return unrendered.outcome
        }
        if runner.pace != nil { await waitForPace() }
        let sent = runner.options.clock.now()
        var checked: Checked
        if step.usesWebSocket {
            checked = await converse(rendered, for: step)
            checked.received = runner.options.clock.now()
        } else {
            let exchange: Exchange
            do {
                exchange = try await send(rendered, for: step)
            } catch {
                exchange = failed(rendered, with: error)
            }
            let received = runner.options.clock.now()
            checked = await verdict(exchange, for: step, isPoll: poll != nil)
            checked.received = received
        }
        record(checked, of: step, rendered, sent: sent)
        var kept: Exchange?
        if keepsExchange(of: checked) {
            complete(&checked.exchange, of: rendered, sent: sent)
            kept = await reported(checked.exchange, isDecoded: rendered.request.decompress)
        }
        var outcome = outcome(of: step, checked, kept: kept, exchanges: checked.exchange.wasSent ? 1 : 0, start: start)
        if step.hasOutput, checked.poll != .pending { await addOutput(of: step, checked.exchange, to: &outcome) }
        return outcome
    }

    /// Waits until the pace of the run permits another request. Deadlines do not count this time.
    @inline(never)
    private nonisolated(nonsending) func waitForPace() async {
        guard let pace = runner.pace else { return }
        let waited = await pace.wait(runner.options.clock)
        deadline?.extend(by: waited)
    }

    @inline(never)
    private func failed(_ rendered: Rendered, with error: SessionError) -> Exchange {
        ExchangeRecorder.exchange(error, sent: rendered.request)
    }

    /// Records an exchange in the environment of the test.
    @inline(never)
    private func record(_ checked: Checked, of step: SuiteStep, _ rendered: Rendered, sent: Int64) {
        sequence.running.environment.record(
            ExchangeSample(
                step: loadKey(of: step), exchange: checked.exchange, sent: sent, received: checked.received,
                finding: checked.poll == .pending ? nil : checked.findings.first,
                isDecoded: rendered.request.decompress))
    }

    /// Returns whether the result of a step contains the exchange.
    func keepsExchange(of checked: Checked) -> Bool {
        checked.exchange.wasSent
            && (runner.options.keepsExchanges || !checked.findings.isEmpty || sequence.running.isVerbose)
    }

    /// Completes an exchange that is kept.
    @inline(never)
    private func complete(_ exchange: inout Exchange, of rendered: Rendered, sent: Int64) {
        exchange.keep(from: sent - runner.start)
        exchange.request.form = rendered.form
        if !rendered.request.connection.isInherited || !runner.hasUsualConnections {
            note(rendered.request.connection, in: &exchange)
        }
    }

    /// Returns an exchange as reports contain it.
    @inline(never)
    nonisolated(nonsending) func reported(_ exchange: Exchange, isDecoded: Bool) async -> Exchange {
        let recording = ReportedExchange(exchange, isDecoded: isDecoded)
        if recording.isWhole { return exchange }
        return await LargeBodies.off(bytes: recording.size) { recording.exchange }
    }

    /// Returns the result of an attempt.
    ///
    /// - Parameter kept: The exchange as reports contain it; nil if they do not.
    @inline(never)
    func outcome(
        of step: SuiteStep, _ checked: Checked, kept: Exchange?, exchanges: Int, start: Int64
    ) -> Outcome {
        let findings = checked.findings
        let outcome: TestResult.Outcome =
            findings.isEmpty ? .passed : findings.contains { $0.kind == .error } ? .errored : .failed
        var result = TestResult.Step(
            name: name, outcome: outcome, findings: findings, exchange: kept,
            duration: runner.options.clock.now() - start, range: step.range)
        if kept == nil, runner.options.keepsOutlines { result.outline = ExchangeOutline(checked.exchange) }
        return Outcome(step: result, exchange: checked.exchange, exchanges: exchanges, poll: checked.poll)
    }

    /// Returns the identity of the step in a load.
    private func loadKey(of step: SuiteStep) -> LoadStepKey {
        let frame = sequence.frame
        let isNamed = sequence.test.hasSteps || !frame.path.isEmpty
        return LoadStepKey(
            test: sequence.running.entry.test, path: frame.path, position: step.range.start,
            name: isNamed ? frame.path + step.name(in: sequence.test) : nil)
    }

    /// Adds the curl options for the connection if it differs from the default.
    private func note(_ connection: ConnectionOptions, in exchange: inout Exchange) {
        let connection = connection.inheriting(from: runner.session.configuration.connection)
        guard connection != ConnectionOptions(), let url = try? HTTPURL(exchange.request.url) else { return }
        exchange.request.curlOptions = connection.curlOptions(for: url, redaction: Redaction(replacement: "***"))
    }

    /// Returns the finding of an expression that failed.
    static func finding(_ error: TemplateError) -> Finding {
        Finding(
            kind: .error, subject: .expression, type: .expression, message: error.message,
            range: error.range)
    }
}

extension SuiteStep {
    // Not inlined, so that the optional values do not become locals of the asynchronous functions that need only know
    // whether they are present.

    /// Whether the step runs a program.
    var isCommand: Bool { @inline(never) get { command != nil } }
    /// Whether the step opens a WebSocket.
    var usesWebSocket: Bool { @inline(never) get { webSocket != nil } }
    /// Whether the step saves the body of the response or prints values.
    var hasOutput: Bool { @inline(never) get { output != nil } }
    /// Whether the step polls.
    var polls: Bool { @inline(never) get { flow?.until != nil } }
    /// Whether the step is a loop.
    var isLoop: Bool { @inline(never) get { flow?.isLoop == true } }
    /// Whether the step states a failure that is expected of it.
    var isExpectedToFail: Bool { @inline(never) get { flow?.expectedFailure != nil } }
}

extension Exchange {
    /// Whether the request was sent, or at least a connection for it was attempted.
    fileprivate var wasSent: Bool {
        @inline(never) get { failure?.kind != .adapterFailed || response != nil || !hops.isEmpty }
    }
}
