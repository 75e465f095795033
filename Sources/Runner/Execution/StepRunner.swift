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
    /// The request of the step.
    let spec: RequestSpec
    /// The name of the step in reports.
    let name: String

    init(_ sequence: StepSequence, spec: RequestSpec, name: String) {
        self.sequence = sequence
        self.spec = spec
        self.name = name
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
        var outcome = outcome(of: step, checked, kept: kept, exchanges: 1, start: start)
        if step.hasOutput, checked.poll != .pending { await addOutput(of: step, checked.exchange, to: &outcome) }
        return outcome
    }

    /// An exchange and its findings.
    struct Checked {
        var exchange: Exchange
        var findings: [Finding] = []
        /// The assessment of the response by a step that polls.
        var poll = PollVerdict.done
        /// The time at which the response was complete, by the clock of the run.
        var received: Int64 = 0
    }

    /// The result of a step whose request cannot be created.
    private struct Unrendered: Error {
        var outcome: Outcome
    }

    /// Renders the request of a step, with the limit of a poll.
    @inline(never)
    private func prepare(_ step: SuiteStep, _ poll: Poll?, from start: Int64) -> Result<Rendered, Unrendered> {
        do {
            let rendered = try render(step)
            if let left = poll?.left {
                rendered.request.clipTime(to: left, standard: runner.session.configuration.timeouts)
            }
            return .success(rendered)
        } catch {
            let outcome = sequence.outcome(
                .errored, of: step, name: name, findings: [Self.finding(error)],
                duration: runner.options.clock.now() - start)
            return .failure(Unrendered(outcome: outcome))
        }
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
        runner.options.keepsExchanges || !checked.findings.isEmpty || sequence.running.isVerbose
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
    private nonisolated(nonsending) func reported(_ exchange: Exchange, isDecoded: Bool) async -> Exchange {
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

    /// Returns the findings of an exchange.
    nonisolated(nonsending) func findings(_ exchange: Exchange, for step: SuiteStep) async -> [Finding] {
        await verdict(exchange, for: step, isPoll: false).findings
    }

    /// Returns the findings of an exchange and its assessment by a step that polls.
    @inline(never)
    nonisolated(nonsending) func verdict(_ exchange: Exchange, for step: SuiteStep, isPoll: Bool) async -> Checked {
        if let failure = exchange.failure {
            return Checked(
                exchange: exchange, findings: [finding(failure)],
                poll: isPoll && Retrying.isWorthAnother(exchange) ? .pending : .done)
        }
        let bytes = exchange.response?.body.count ?? 0
        return await LargeBodies.off(to: LargeBodies.location(ofBody: bytes, in: step)) {
            var checked = check(step, exchange: exchange, until: isPoll ? step.flow?.until : nil)
            // The rule for steps without expectations has no location of its own, so the finding points at the request.
            for index in checked.findings.indices where checked.findings[index].range == nil {
                checked.findings[index].range = spec.urlRange
            }
            return checked
        }
    }

    /// A request that is ready to be sent.
    ///
    /// A class, because it is passed through asynchronous calls.
    final class Rendered {
        var request: Request
        let limits: ExchangeLimits
        let interceptor: Authenticators.Interceptor?
        let stream: RequestExtras.Stream?
        /// The parts of a multipart form.
        let form: [FormPart]

        init(
            request: Request, limits: ExchangeLimits, interceptor: Authenticators.Interceptor? = nil,
            stream: RequestExtras.Stream? = nil, form: [FormPart]
        ) {
            self.request = request
            self.limits = limits
            self.interceptor = interceptor
            self.stream = stream
            self.form = form
        }
    }

    /// Adds the curl options for the connection if it differs from the default.
    private func note(_ connection: ConnectionOptions, in exchange: inout Exchange) {
        let connection = connection.inheriting(from: runner.session.configuration.connection)
        guard connection != ConnectionOptions(), let url = try? HTTPURL(exchange.request.url) else { return }
        exchange.request.curlOptions = connection.curlOptions(for: url, redaction: Redaction(replacement: "***"))
    }

    private nonisolated(nonsending) func send(_ rendered: Rendered, for step: SuiteStep) async throws(SessionError)
        -> Exchange
    {
        switch reading(of: rendered, for: step) {
        case .whole: exchange(of: try await runner.session.send(rendered.request), for: step)
        case .intercepted: exchange(of: try await pending(rendered).response(), for: step)
        case .measured: try await measure(rendered, for: step)
        case .events(let kind): try await readEvents(kind, rendered, for: step)
        }
    }

    /// The way in which a response is read.
    private enum Reading {
        case whole
        /// As a whole, with an authenticator that may change the request and repeat it.
        case intercepted
        /// As a stream whose body is measured but not kept.
        case measured
        /// As a stream of events.
        case events(RequestExtras.Stream)
    }

    @inline(never)
    private func reading(of rendered: Rendered, for step: SuiteStep) -> Reading {
        if let kind = rendered.stream { return .events(kind) }
        if onlyMeasuresBody(of: step, upTo: rendered.limits.bodySize) { return .measured }
        return rendered.interceptor == nil ? .whole : .intercepted
    }

    @inline(never)
    private func exchange(of response: HTTPSession.Response, for step: SuiteStep) -> Exchange {
        ExchangeRecorder.exchange(response, expected: step.recordedExtras)
    }

    @inline(never)
    private nonisolated(nonsending) func measure(
        _ rendered: Rendered, for step: SuiteStep
    ) async throws(SessionError) -> Exchange {
        try await BodyMeter(step: step, clock: runner.options.clock).exchange(pending(rendered))
    }

    @inline(never)
    private nonisolated(nonsending) func readEvents(
        _ kind: RequestExtras.Stream, _ rendered: Rendered, for step: SuiteStep
    ) async throws(SessionError) -> Exchange {
        var pending = pending(rendered)
        let reader = StreamReader(
            kind: kind, step: step, limits: rendered.limits, scope: scope, clock: runner.options.clock)
        reader.prepare(&pending.request)
        return try await reader.exchange(pending)
    }

    /// Returns whether only the step's own expectations examine the response, and only the measurements of its body.
    private func onlyMeasuresBody(of step: SuiteStep, upTo maximum: Int64?) -> Bool {
        guard let maximum else { return false }
        return !runner.options.keepsExchanges && step.output == nil && !sequence.running.isVerbose
            && sequence.running.responses == nil && suite.suite.contract == nil
            && !sequence.test.isReferenced && BodyMeter.applies(to: step, maximum: maximum)
    }

    /// Returns the exchange of a request without starting it.
    func pending(_ rendered: Rendered) -> PendingExchange {
        let pending = runner.session.request(rendered.request)
        return switch rendered.interceptor {
        case .adapter(let adapter): pending.adapt(with: adapter)
        case .interceptor(let interceptor): pending.intercept(with: interceptor)
        case nil: pending
        }
    }

    private func render(_ step: SuiteStep) throws(TemplateError) -> Rendered {
        let builder = builder
        var form: [FormPart] = []
        var request = try builder.request(spec, baseURL: suite.baseURL, form: &form)
        if let password = URLPassword.decoded(in: request.url) { runner.owner.registerSecret(password) }
        request.redirects = .follow(maximum: spec.maximumRedirects)
        let limits = try builder.limits(of: spec, timeout: runner.options.timeout)
        if let timeouts = limits.timeouts { request.timeouts = timeouts }
        if let size = limits.bodySize {
            var limits = Limits()
            limits.bodyBytes = Int(size)
            limits.decodedBodyBytes = Int(size)
            request.limits = limits
        }
        guard let extras = spec.extras else { return Rendered(request: request, limits: limits, form: form) }
        let register = runner.owner.registerSecret
        let options = try builder.connection(
            extras, base: runner.session.configuration.connection, register: register)
        if let options { request.connection = runner.connections.shared(options) }
        let authentication = try extras.authentication.map { authentication throws(TemplateError) in
            try builder.authentication(authentication, baseURL: suite.baseURL, register: register)
        }
        return Rendered(
            request: request, limits: limits, interceptor: authentication.map(runner.authenticators.interceptor),
            stream: extras.stream, form: form)
    }

    /// Checks the exchange and evaluates the captures, unless the condition of a polling step is not met yet.
    private func check(
        _ step: SuiteStep, exchange: Exchange, until: UntilRule?
    ) -> Checked {
        let content = ResponseContent(exchange)
        let view = scope.view(.step)
        let checker = ExpectationChecker()
        if let until {
            let missing = checker.check(until.expectations, content: content, scope: view, context: scope.context)
            if !missing.isEmpty {
                // The response is displayed although its captures are not used, so secrets in it must be masked.
                if step.captures.contains(where: \.isSecret) {
                    let count = scope.captured.values.count
                    _ = capture(step.captures, from: content)
                    _ = scope.takeCaptures(from: count)
                }
                let isAborted = until.abort.map {
                    checker.check($0, content: content, scope: view, context: scope.context).isEmpty
                }
                return Checked(
                    exchange: exchange, findings: missing, poll: isAborted == true ? .aborted : .pending)
            }
        }
        var expectations = step.expectations
        var findings: [Finding] = []
        var captureFindings: [Finding] = []
        if !step.captures.isEmpty {
            if let early = expectations.takeEvents() {
                findings = checker.check(early, content: content, scope: view, context: scope.context)
            }
            // Before the expectations, which can use them.
            captureFindings = capture(step.captures, from: content)
        }
        findings += checker.check(expectations, content: content, scope: view, context: scope.context)
        let isCommand = step.command != nil
        if !isCommand {
            let isStatusWrong = findings.contains { $0.subject == .status }
            // A response with a different status usually has a different content type.
            findings += contractFindings(content, for: step).filter {
                !isStatusWrong || $0.type != .init(ContractRule.undocumentedContentType)
            }
        }
        if !captureFindings.isEmpty { findings = MissingCaptures.withoutConsequences(findings + captureFindings) }
        // After the captures, because the secrets among them must not be stored in a snapshot.
        if let snapshot = step.expectations.extras?.snapshot, let snapshots = sequence.snapshots {
            findings += snapshots.check(
                snapshot, of: step, stepName: sequence.test.hasSteps ? name : nil, content: content, scope: view,
                context: scope.context,
                isGood: findings.isEmpty)
        }
        if let responses = sequence.running.responses, step.webSocket == nil, !isCommand, !sequence.frame.isShared {
            findings += responses.note(
                content, step: lockedName(of: step), of: step,
                isStatusWrong: findings.contains { $0.subject == .status },
                endsTest: suite.suite.contract?.settings.stops ?? false)
        }
        if let note = DuplicateMembersText.sentence(content.duplicateMembers) {
            let what = step.command?.source ?? "\(spec.method) \(spec.url.source)"
            runner.owner.warn("\(what): \(note)", suite: sequence.suiteIndex)
        }
        // A WebSocket handshake is kept when the WebSocket is closed, together with its messages.
        if step.webSocket == nil { keep(content, of: step) }
        return Checked(exchange: exchange, findings: findings)
    }

    /// Returns the name of the step in a response lock; nil for a test that is a single exchange.
    private func lockedName(of step: SuiteStep) -> String? {
        guard sequence.test.hasSteps else { return nil }
        return sequence.frame.path + step.name(in: sequence.test)
    }

    /// Makes captures and adds their values to the scope.
    ///
    /// - Returns: The findings of captures without a value.
    private func capture(_ captures: [Capture], from content: ResponseContent) -> [Finding] {
        let scope = scope
        let captured = ExpectationChecker().capture(
            captures, content: content, scope: scope.view(.step), context: scope.context
        ) { scope.add(capture: $0, value: $1) }
        register(captured.values, secrets: captured.secrets, of: captures)
        return captured.findings
    }

    /// Registers the secrets among the captured values.
    func register(_ values: [(name: String, value: CELValue)], secrets: [String], of captures: [Capture]) {
        for secret in secrets { runner.owner.registerSecret(secret) }
        for capture in captures where capture.isSecret {
            // The elements of arrays and the members of objects are registered too.
            if let value = values.last(where: { $0.name == capture.name })?.value {
                suite.registerSecret(value, of: capture.name)
            }
        }
    }

    /// Keeps the exchange for the steps and tests that refer to it.
    func keep(_ content: ResponseContent, of step: SuiteStep) {
        guard step.isReferenced || sequence.test.isReferenced else { return }
        let value = content.exchangeValue
        if step.isReferenced { scope.keep(exchange: value, ofStep: step.name ?? name) }
        if sequence.test.isReferenced { scope.keep(exchange: value) }
    }

    /// Returns the finding of a request without a response.
    private func finding(_ failure: Exchange.Failure) -> Finding {
        var finding = Finding(
            kind: .error, subject: .other(failure.phase == .firstByte ? "first byte" : failure.phase.rawValue),
            type: failure.kind, message: failure.message, range: spec.urlRange)
        // The only adapters of requests are authenticators.
        if failure.kind == .adapterFailed, let authentication = spec.extras?.authentication {
            finding.subject = "auth"
            finding.range = authentication.range
        }
        return finding
    }

    /// Returns the finding of an expression that failed.
    static func finding(_ error: TemplateError) -> Finding {
        Finding(
            kind: .error, subject: .expression, type: .expression, message: error.message,
            range: error.range)
    }
}

extension Request {
    /// Limits the duration of the exchange.
    ///
    /// - Parameters:
    ///   - nanoseconds: The maximum duration.
    ///   - standard: The timeouts of a request that specifies none.
    mutating func clipTime(to nanoseconds: Int64, standard: Timeouts) {
        var timeouts = timeouts.inheriting(from: standard)
        let limit = Duration.nanoseconds(nanoseconds)
        timeouts.total = timeouts.total.map { min($0, limit) } ?? limit
        self.timeouts = timeouts
    }
}

extension ExpectationSet {
    /// Removes and returns the expected events of a stream, which were matched before anything was captured.
    ///
    /// - Returns: A set with only the events; nil if there are none.
    fileprivate mutating func takeEvents() -> ExpectationSet? {
        guard let events = extras?.events, !events.isEmpty else { return nil }
        var taken = ExpectationSet(isDefault: false)
        var extras = ExpectationExtras()
        extras.events = events
        taken.extras = extras
        self.extras?.events = []
        return taken
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
