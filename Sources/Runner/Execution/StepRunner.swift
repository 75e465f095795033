import CEL
import Expectations
import HTTPSession
import OpenAPI
import RunModel
import SuiteModel

/// Runs the exchange of one step.
///
/// Behind a reference, as it is handed through every call that can wait.
final class StepRunner {
    /// The steps among which the step is.
    let sequence: StepSequence
    /// What the step sends.
    let spec: RequestSpec
    /// What reports call the step.
    let name: String

    init(_ sequence: StepSequence, spec: RequestSpec, name: String) {
        self.sequence = sequence
        self.spec = spec
        self.name = name
    }

    var runner: TestRunner { sequence.runner }
    var scope: TestScope { sequence.scope }
    var suite: SuiteRun { sequence.suite }
    /// The end of the test's time, when that is limited.
    var deadline: TestDeadline? { sequence.deadline }

    /// What became of the step.
    struct Outcome: RetriedAttempt {
        var step: TestResult.Step
        /// The exchange of the last attempt; nil when its request could not be made.
        var exchange: Exchange?
        /// How many exchanges were made.
        var exchanges: Int
        /// The steps of a call, for which ``step`` stands.
        var called: [TestResult.Step]?
        /// The test that made a shared call which did not pass.
        var blockedBy: String?
        /// Whether the test ends when the steps of a call did not pass; nil for a step that is none.
        var callEndsTest: Bool?
        /// What the answer is to a step that polls.
        var poll = PollVerdict.done

        var isFailure: Bool { step.outcome.isFailure }
        var findings: [Finding] { step.findings }
        var failedExchange: Exchange? { exchange }

        /// Whether the test ends with the step, unless the step says otherwise.
        var endsTest: Bool {
            guard step.outcome.isFailure else { return false }
            return callEndsTest ?? (step.findings.isEmpty || step.findings.contains(where: \.endsTest))
        }
    }

    /// Sends the step's request and checks the answer, again where its rule says so.
    nonisolated(nonsending) func run(_ step: SuiteStep) async -> Outcome {
        if let until = step.flow?.until { return await poll(step, until: until) }
        guard let rule = step.retry, rule.times > 0, runner.options.retries != 0 else {
            return await attempt(step)
        }
        let clock = runner.options.clock
        let start = clock.now()
        let responses = sequence.running.responses
        let mark = responses?.mark ?? 0
        let captured = scope.captured.values.count
        let first = await attempt(step)
        var earlier: [TestResult.StepAttempt] = []
        var exchanges = 0
        var outcome = await Retrying(rule: rule, clock: clock, random: Retrying.random(scope.context)).attempts(
            after: first, willWait: { deadline?.note(.retry) }
        ) { failed in
            deadline?.note(.answer)
            earlier.append(
                TestResult.StepAttempt(
                    outcome: failed.step.outcome, findings: failed.step.findings, exchange: failed.step.exchange,
                    duration: failed.step.duration))
            exchanges += failed.exchanges
            scope.begin(step)
            responses?.rewind(to: mark)
            // A loop's lists have what the last attempt captured alone.
            _ = scope.takeCaptures(from: captured)
            return await attempt(step)
        }.last
        if outcome.step.outcome == .passed, !earlier.isEmpty { outcome.step.outcome = .flaky }
        outcome.step.earlierAttempts = earlier
        outcome.step.duration = clock.now() - start
        outcome.exchanges += exchanges
        return outcome
    }

    /// What renders the step's request.
    var builder: RequestBuilder {
        RequestBuilder(scope: scope, folder: sequence.frame.folder ?? suite.suite.folder, files: runner.files)
    }

    /// Renders the request, sends it, and checks what came back.
    ///
    /// - Parameter polling: what is polled for, and how long the exchange may take at most.
    nonisolated(nonsending) func attempt(_ step: SuiteStep, polling: (rule: UntilRule, left: Int64)? = nil) async
        -> Outcome
    {
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
        if let left = polling?.left {
            rendered.request.clipTime(to: left, standard: runner.session.configuration.timeouts)
        }
        let sent = clock.now()
        var exchange: Exchange
        var findings: [Finding] = []
        var verdict = PollVerdict.done
        if let webSocket = step.webSocket {
            (exchange, findings) = await converse(webSocket, rendered, for: step)
        } else {
            do {
                exchange = try await send(rendered, for: step)
            } catch {
                exchange = ExchangeRecorder.exchange(error, sent: rendered.request)
            }
            (findings, verdict) = await self.verdict(exchange, for: step, until: polling?.rule)
        }
        let outcome: TestResult.Outcome =
            findings.isEmpty ? .passed : findings.contains { $0.kind == .error } ? .errored : .failed
        let keepsExchange = runner.options.keepsExchanges || !findings.isEmpty
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
        return Outcome(step: result, exchange: exchange, exchanges: 1, poll: verdict)
    }

    /// What is wrong with an exchange.
    nonisolated(nonsending) func findings(_ exchange: Exchange, for step: SuiteStep) async -> [Finding] {
        await verdict(exchange, for: step, until: nil).findings
    }

    /// What is wrong with an exchange, and what it is to a step that polls.
    private nonisolated(nonsending) func verdict(
        _ exchange: Exchange, for step: SuiteStep, until: UntilRule?
    ) async -> (findings: [Finding], poll: PollVerdict) {
        if let failure = exchange.failure {
            return ([finding(failure)], until != nil && Retrying.isWorthAnother(exchange) ? .pending : .done)
        }
        let bytes = exchange.response?.body.count ?? 0
        var (findings, verdict) = await LargeBodies.off(to: LargeBodies.place(ofBody: bytes, in: step)) {
            check(step, exchange: exchange, until: until)
        }
        // The rule for steps that expect nothing has no place of its own; the request's is where to look.
        for index in findings.indices where findings[index].range == nil {
            findings[index].range = spec.urlRange
        }
        return (findings, verdict)
    }

    /// A request that is ready to be sent.
    struct Rendered {
        var request: Request
        var interceptor: Authenticators.Interceptor?
        var stream: RequestExtras.Stream?
        /// The parts of a multipart form.
        var form: [FormPart] = []
    }

    /// Says how curl makes the same connection, where it is not the usual one.
    private func note(_ connection: ConnectionOptions, in exchange: inout Exchange) {
        let connection = connection.inheriting(from: runner.session.configuration.connection)
        guard connection != ConnectionOptions(), let url = try? HTTPURL(exchange.request.url) else { return }
        exchange.request.curlOptions = connection.curlOptions(for: url, redaction: Redaction(replacement: "***"))
    }

    private nonisolated(nonsending) func send(_ rendered: Rendered, for step: SuiteStep) async throws(SessionError)
        -> Exchange
    {
        let expected = step.recordedExtras
        if spec.maximumBodySize != nil, rendered.stream == nil, onlyMeasuresBody(of: step) {
            return try await BodyMeter(step: step, clock: runner.options.clock).exchange(pending(rendered))
        }
        if rendered.interceptor == nil, rendered.stream == nil {
            return ExchangeRecorder.exchange(try await runner.session.send(rendered.request), expected: expected)
        }
        var pending = pending(rendered)
        guard let stream = rendered.stream else {
            return ExchangeRecorder.exchange(try await pending.response(), expected: expected)
        }
        let reader = StreamReader(kind: stream, step: step, spec: spec, scope: scope, clock: runner.options.clock)
        reader.prepare(&pending.request)
        return try await reader.exchange(pending)
    }

    /// Whether nothing but the step's own expectations looks at the response, and these only at what the body measures.
    private func onlyMeasuresBody(of step: SuiteStep) -> Bool {
        !runner.options.keepsExchanges && sequence.running.responses == nil && suite.suite.contract == nil
            && !sequence.test.isReferenced && BodyMeter.applies(to: step, spec)
    }

    /// The exchange of a request, not begun.
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
        if let password = URLPassword.decoded(in: request.url) { runner.dispatcher.learnSecret(password) }
        request.cookies = .jar(sequence.jar)
        request.redirects = .follow(maximum: spec.maximumRedirects)
        if let timeouts = Self.timeouts(spec.timeout) { request.timeouts = timeouts }
        if let size = spec.maximumBodySize {
            var limits = Limits()
            limits.bodyBytes = Int(size)
            limits.decodedBodyBytes = Int(size)
            request.limits = limits
        }
        guard let extras = spec.extras else { return Rendered(request: request, form: form) }
        let learn = runner.dispatcher.learnSecret
        let options = try builder.connection(
            extras, base: runner.session.configuration.connection, learn: learn)
        if let options { request.connection = runner.connections.shared(options) }
        let authentication = try extras.authentication.map { authentication throws(TemplateError) in
            try builder.authentication(authentication, baseURL: suite.baseURL, learn: learn)
        }
        return Rendered(
            request: request, interceptor: authentication.map(runner.authenticators.interceptor),
            stream: extras.stream, form: form)
    }

    /// Checks the exchange and takes the captures from it, unless it is not yet what is polled for.
    private func check(
        _ step: SuiteStep, exchange: Exchange, until: UntilRule?
    ) -> (findings: [Finding], verdict: PollVerdict) {
        let content = ResponseContent(exchange)
        let view = scope.view(.step)
        let checker = ExpectationChecker()
        if let until {
            let missing = checker.check(until.expectations, content: content, scope: view, context: scope.context)
            if !missing.isEmpty {
                // What the answer has of them is shown, although it is not taken.
                let captures = step.captures.filter(\.isSecret)
                if !captures.isEmpty {
                    let captured = checker.capture(captures, content: content, scope: view, context: scope.context)
                    learn(captured.values, secrets: captured.secrets, of: captures)
                }
                let isAborted = until.abort.map {
                    checker.check($0, content: content, scope: view, context: scope.context).isEmpty
                }
                return (missing, isAborted == true ? .aborted : .pending)
            }
        }
        var findings = checker.check(step.expectations, content: content, scope: view, context: scope.context)
        let isStatusWrong = findings.contains { $0.subject == .status }
        // Another status has another content type, as a rule.
        findings += contractFindings(content, for: step).filter {
            !isStatusWrong || $0.type != .init(ContractRule.undocumentedContentType)
        }
        if !step.captures.isEmpty {
            let captured = checker.capture(step.captures, content: content, scope: view, context: scope.context)
            findings += captured.findings
            keep(captured.values, secrets: captured.secrets, of: step.captures)
        }
        // After the captures, as what they say is secret must not be stored.
        if let snapshot = step.expectations.extras?.snapshot, let snapshots = sequence.snapshots {
            findings += snapshots.check(
                snapshot, of: step, stepName: sequence.test.hasSteps ? name : nil, content: content, scope: view,
                context: scope.context,
                isGood: findings.isEmpty)
        }
        if let responses = sequence.running.responses, step.webSocket == nil, !sequence.frame.isShared {
            findings += responses.note(
                content, step: lockedName(of: step), of: step,
                isStatusWrong: findings.contains { $0.subject == .status },
                endsTest: suite.suite.contract?.settings.stops ?? false)
        }
        if let note = DuplicateMembersText.sentence(content.duplicateMembers) {
            runner.dispatcher.warn("\(spec.method) \(spec.url.source): \(note)", suite: sequence.suiteIndex)
        }
        // What opens a WebSocket is kept once it is closed, with its messages.
        if step.webSocket == nil { keep(content, of: step) }
        return (findings, .done)
    }

    /// What a lock calls the step; nil for a test that is a single exchange.
    private func lockedName(of step: SuiteStep) -> String? {
        guard sequence.test.hasSteps else { return nil }
        return sequence.frame.path + StepSequence.name(of: step, in: sequence.test)
    }

    /// Keeps what was captured.
    func keep(_ values: [(name: String, value: CELValue)], secrets: [String], of captures: [Capture]) {
        learn(values, secrets: secrets, of: captures)
        scope.add(captures: values)
    }

    /// Masks what was captured that is secret.
    private func learn(_ values: [(name: String, value: CELValue)], secrets: [String], of captures: [Capture]) {
        for secret in secrets { runner.dispatcher.learnSecret(secret) }
        for capture in captures where capture.isSecret {
            // Of a list or a map also what is in it.
            if let value = values.last(where: { $0.name == capture.name })?.value { suite.learnSecret(value) }
        }
    }

    /// Keeps the exchange for the steps and tests that read it.
    func keep(_ content: ResponseContent, of step: SuiteStep) {
        guard step.isReferenced || sequence.test.isReferenced else { return }
        let value = content.exchangeValue
        if step.isReferenced { scope.keep(exchange: value, ofStep: step.name ?? name) }
        if sequence.test.isReferenced { scope.keep(exchange: value) }
    }

    /// The finding of a request that got no answer.
    private func finding(_ failure: Exchange.Failure) -> Finding {
        var finding = Finding(
            kind: .error, subject: .other(failure.phase == .firstByte ? "first byte" : failure.phase.rawValue),
            type: failure.kind, message: failure.message, range: spec.urlRange)
        // What adapts requests is what authenticates them.
        if failure.kind == .adapterFailed, let authentication = spec.extras?.authentication {
            finding.subject = "auth"
            finding.range = authentication.range
        }
        return finding
    }

    /// The finding of an expression that failed.
    static func finding(_ error: TemplateError) -> Finding {
        Finding(kind: .error, subject: .expression, type: .expression, message: error.message, range: error.range)
    }

    /// The session's limits: where the suite bounds the whole exchange, the other limits are the suite's alone.
    private static func timeouts(_ timeout: RequestSpec.Timeout) -> Timeouts? {
        guard timeout != RequestSpec.Timeout() else { return nil }
        let standard = Timeouts()
        let total = timeout.total.map { Duration.nanoseconds($0) }
        return Timeouts(
            connect: timeout.connect.map { .nanoseconds($0) } ?? standard.connect,
            firstByte: timeout.firstByte.map { .nanoseconds($0) } ?? (total == nil ? standard.firstByte : nil),
            idle: total == nil ? standard.idle : nil, total: total ?? standard.total)
    }
}

extension Request {
    /// Bounds the time that the exchange may take.
    ///
    /// - Parameters:
    ///   - nanoseconds: the most that it may take.
    ///   - standard: the limits of a request that has none of its own.
    mutating func clipTime(to nanoseconds: Int64, standard: Timeouts) {
        var timeouts = timeouts.inheriting(from: standard)
        let limit = Duration.nanoseconds(nanoseconds)
        timeouts.total = timeouts.total.map { min($0, limit) } ?? limit
        self.timeouts = timeouts
    }
}
