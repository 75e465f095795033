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
        var step: TestResult.Step
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

    /// Sends the step's request and checks the response, with retries if the step has a retry rule.
    nonisolated(nonsending) func run(_ step: SuiteStep) async -> Outcome {
        if let until = step.flow?.until { return await poll(step, until: until) }
        let retry: RetryRule?
        do {
            retry = try sequence.retryRule(of: step)
        } catch {
            return sequence.outcome(.errored, of: step, name: name, findings: [Self.finding(error)])
        }
        guard let rule = retry else { return await attempt(step) }
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

    /// Renders the request, sends it, and checks the response.
    ///
    /// - Parameter polling: The polling rule and the maximum duration of the exchange, in nanoseconds, if it is limited.
    nonisolated(nonsending) func attempt(_ step: SuiteStep, polling: (rule: UntilRule, left: Int64?)? = nil) async
        -> Outcome
    {
        if let command = step.command { return await attempt(command, of: step, polling: polling) }
        let clock = runner.options.clock
        let start = clock.now()
        var rendered: Rendered
        do {
            rendered = try render(step)
        } catch {
            return Outcome(
                step: TestResult.Step(
                    name: name, outcome: .errored, findings: [Self.finding(error)], duration: clock.now() - start,
                    range: step.range),
                exchange: nil, exchanges: 0)
        }
        if let pace = runner.pace {
            let waited = await pace.wait(clock)
            deadline?.extend(by: waited)
        }
        if let left = polling?.left {
            rendered.request.clipTime(to: left, standard: runner.session.configuration.timeouts)
        }
        let sent = clock.now()
        var exchange: Exchange
        var findings: [Finding] = []
        var verdict = PollVerdict.done
        let received: Int64
        if let webSocket = step.webSocket {
            (exchange, findings) = await converse(webSocket, rendered, for: step)
            received = clock.now()
        } else {
            do {
                exchange = try await send(rendered, for: step)
            } catch {
                exchange = ExchangeRecorder.exchange(error, sent: rendered.request)
            }
            received = clock.now()
            (findings, verdict) = await self.verdict(exchange, for: step, until: polling?.rule)
        }
        sequence.running.environment.record(
            ExchangeSample(
                step: loadKey(of: step), exchange: exchange, sent: sent, received: received,
                finding: verdict == .pending ? nil : findings.first, isDecoded: rendered.request.decompress))
        let outcome: TestResult.Outcome =
            findings.isEmpty ? .passed : findings.contains { $0.kind == .error } ? .errored : .failed
        let keepsExchange = runner.options.keepsExchanges || !findings.isEmpty || sequence.running.test.isVerbose
        var kept: Exchange?
        if keepsExchange {
            exchange.keep(from: sent - runner.start)
            exchange.request.form = rendered.form
            if !rendered.request.connection.isInherited || !runner.hasUsualConnections {
                note(rendered.request.connection, in: &exchange)
            }
            let recording = ReportedExchange(exchange, isDecoded: rendered.request.decompress)
            kept = recording.isWhole ? exchange : await LargeBodies.off(bytes: recording.size) { recording.exchange }
        }
        var result = TestResult.Step(
            name: name, outcome: outcome, findings: findings, exchange: kept,
            duration: clock.now() - start, range: step.range)
        if !keepsExchange, runner.options.keepsOutlines { result.outline = ExchangeOutline(exchange) }
        if step.output != nil, verdict != .pending { await addOutput(of: step, exchange, to: &result) }
        return Outcome(step: result, exchange: exchange, exchanges: 1, poll: verdict)
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
        await verdict(exchange, for: step, until: nil).findings
    }

    /// Returns the findings of an exchange and its assessment by a step that polls.
    nonisolated(nonsending) func verdict(
        _ exchange: Exchange, for step: SuiteStep, until: UntilRule?
    ) async -> (findings: [Finding], poll: PollVerdict) {
        if let failure = exchange.failure {
            return ([finding(failure)], until != nil && Retrying.isWorthAnother(exchange) ? .pending : .done)
        }
        let bytes = exchange.response?.body.count ?? 0
        var (findings, verdict) = await LargeBodies.off(to: LargeBodies.location(ofBody: bytes, in: step)) {
            check(step, exchange: exchange, until: until)
        }
        // The rule for steps without expectations has no location of its own, so the finding points at the request.
        for index in findings.indices where findings[index].range == nil {
            findings[index].range = spec.urlRange
        }
        return (findings, verdict)
    }

    /// A request that is ready to be sent.
    struct Rendered {
        var request: Request
        var limits: ExchangeLimits
        var interceptor: Authenticators.Interceptor?
        var stream: RequestExtras.Stream?
        /// The parts of a multipart form.
        var form: [FormPart] = []
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
        let expected = step.recordedExtras
        if rendered.stream == nil, onlyMeasuresBody(of: step, upTo: rendered.limits.bodySize) {
            return try await BodyMeter(step: step, clock: runner.options.clock).exchange(pending(rendered))
        }
        if rendered.interceptor == nil, rendered.stream == nil {
            return ExchangeRecorder.exchange(try await runner.session.send(rendered.request), expected: expected)
        }
        var pending = pending(rendered)
        guard let stream = rendered.stream else {
            return ExchangeRecorder.exchange(try await pending.response(), expected: expected)
        }
        let reader = StreamReader(
            kind: stream, step: step, limits: rendered.limits, scope: scope, clock: runner.options.clock)
        reader.prepare(&pending.request)
        return try await reader.exchange(pending)
    }

    /// Returns whether only the step's own expectations examine the response, and only the measurements of its body.
    private func onlyMeasuresBody(of step: SuiteStep, upTo maximum: Int64?) -> Bool {
        guard let maximum else { return false }
        return !runner.options.keepsExchanges && step.output == nil && !sequence.running.test.isVerbose
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
    ) -> (findings: [Finding], verdict: PollVerdict) {
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
                return (missing, isAborted == true ? .aborted : .pending)
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
        return (findings, .done)
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
