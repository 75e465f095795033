import Basics
import CEL
import Diagnostics
import Expectations
import HTTPSession
import RunModel
import SuiteModel

extension StepRunner {
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

    /// The result of a step whose request cannot be created.
    struct Unrendered: Error {
        var outcome: Outcome
    }

    /// Renders the request of a step, with the limit of a poll.
    @inline(never)
    func prepare(_ step: SuiteStep, _ poll: Poll?, from start: Int64) -> Result<Rendered, Unrendered> {
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

    nonisolated(nonsending) func send(_ rendered: Rendered, for step: SuiteStep) async throws(SessionError)
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

extension SuiteStep {
    /// The expectations that determine the details to record for an exchange, including those of polling.
    var recordedExtras: ExpectationExtras? {
        guard let until = flow?.until else { return expectations.extras }
        var extras = expectations.extras
        for set in [until.expectations, until.abort].compactMap({ $0?.extras }) {
            var merged = extras ?? set
            merged.certificate = merged.certificate ?? set.certificate
            merged.image = merged.image ?? set.image
            extras = merged
        }
        return extras
    }
}
