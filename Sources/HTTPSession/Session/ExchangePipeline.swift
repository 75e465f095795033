import Basics

/// The stages of a request (adapters, exchange, validators, retriers) and the events of each stage.
///
/// A single task runs all stages. The request finishes exactly once, in ``finish(_:)``.
///
/// A class, because it is passed through every asynchronous call. As in ``RequestAttempt``, asynchronous functions have
/// as few locals as possible.
final class ExchangePipeline: Sendable {
    let session: Session
    let request: Request
    let delivery: ResponseDelivery
    let adapters: [any RequestAdapter]
    let retriers: [any Retrier]
    let validators: [Validator]
    let uploadProgress: (@Sendable (TransferProgress) -> Void)?
    /// Sends requests in place of the session's transport, used for protocol upgrades.
    let transmit: RequestAttempt.Transmission?
    /// The error that occurred while the request was built; if set, nothing is sent.
    let failure: SessionError?

    init(
        session: Session, request: Request, delivery: ResponseDelivery = .whole,
        adapters: [any RequestAdapter] = [], retriers: [any Retrier] = [], validators: [Validator] = [],
        uploadProgress: (@Sendable (TransferProgress) -> Void)? = nil, transmit: RequestAttempt.Transmission? = nil,
        failure: SessionError? = nil
    ) {
        self.session = session
        self.request = request
        self.delivery = delivery
        self.adapters = adapters
        self.retriers = retriers
        self.validators = validators
        self.uploadProgress = uploadProgress
        self.transmit = transmit
        self.failure = failure
    }

    /// An attempt of the request, and its result so far.
    private final class Attempt {
        var request: Request
        var result: Result<Response, SessionError>
        var isRefused = false

        init(request: Request, result: Result<Response, SessionError>) {
            self.request = request
            self.result = result
        }
    }

    private var configuration: SessionConfiguration { session.configuration }

    /// Runs all stages.
    /// - Throws: ``SessionError``. If a validator rejected the response, the error contains that response.
    func run() async throws(SessionError) -> Response {
        try await run { response, _ throws(SessionError) in response }
    }

    /// Runs all stages and serializes the response.
    func run<Serializer: ResponseSerializer>(
        serializer: Serializer
    ) async throws(SessionError) -> Serializer.Value {
        try await run { response, id throws(SessionError) in
            do throws(SessionError) {
                let value = try response.serialize(with: serializer)
                emit(.decoded(type: "\(Serializer.Value.self)", error: nil), id)
                return value
            } catch {
                emit(.decoded(type: "\(Serializer.Value.self)", error: error), id)
                throw error
            }
        }
    }

    private func run<Value>(
        _ value: (Response, RequestID) throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        let id = session.makeID()
        let result = await result(id)
        return try finish(result, id, value)
    }

    /// Makes attempts until one succeeds or is not retried.
    private func result(_ id: RequestID) async -> Result<Response, SessionError> {
        let started = configuration.clock.now()
        emit(.created(request), id)
        if let failure { return .failure(failure) }
        var number = 1
        var previous: [ExchangeMetrics] = []
        let memory = RequestState()
        while true {
            let context = AttemptContext(id: id, attempt: number, session: session, memory: memory)
            let attempt = await self.attempt(context)
            note(previous, context, in: attempt)
            guard !configuration.retriers.isEmpty || !retriers.isEmpty,
                let retry = await decision(about: attempt, context, started: started)
            else {
                note(previous, context, in: attempt)
                return attempt.result
            }
            previous.append(Self.metrics(attempt.result))
            number += 1
            emit(.retrying(attempt: number, delay: retry.delay, after: retry.failure), id)
            await session.lifetime.sleep(retry.delay, clock: configuration.clock)
            if let ended = endedMeanwhile(attempt.request, previous, after: context.attempt) {
                return .failure(ended)
            }
            if case .success(let response) = attempt.result { response.stream?.abandon() }
        }
    }

    /// Runs all stages except reading the body.
    func stream() async throws(SessionError) -> StreamedResponse {
        streamed(try await run())
    }

    /// Returns a response with the stream of its body.
    @inline(never)
    private func streamed(_ response: Response) -> StreamedResponse {
        var response = response
        guard let body = response.stream else {
            return StreamedResponse(
                response: response,
                body: ResponseBodyStream(
                    response.body, end: .init(trailers: response.trailers, metrics: response.metrics)))
        }
        // The caller must hold the only reference to the body, because releasing the body ends the exchange.
        response.stream = nil
        return StreamedResponse(response: response, body: body)
    }

    // MARK: One attempt

    private func attempt(_ context: AttemptContext) async -> Attempt {
        let attempt = newAttempt()
        do throws(SessionError) {
            try await adapt(attempt, context)
            emit(.adapted(attempt.request, attempt: context.attempt), context.id)
            if Task.isCancelled { return attempt }
            attempt.result = .success(try await exchange(attempt, context))
        } catch {
            attempt.result = .failure(error)
            return attempt
        }
        if !validators.isEmpty { validate(attempt, context) }
        return attempt
    }

    @inline(never)
    private func newAttempt() -> Attempt {
        Attempt(request: request, result: .failure(Self.cancelled(request)))
    }

    /// Checks the response of an attempt with all validators.
    @inline(never)
    private func validate(_ attempt: Attempt, _ context: AttemptContext) {
        guard case .success(let response) = attempt.result else { return }
        let findings = validators.compactMap { $0.check(response) }
        emit(.validated(findings: findings), context.id)
        if !findings.isEmpty {
            response.stream?.abandon()
            attempt.isRefused = true
            attempt.result = .failure(
                SessionError(
                    .validate, .unacceptableResponse, MessageText(findings.joined(separator: "; ")), response: response)
            )
        }
    }

    @inline(never)
    private func adapt(_ attempt: Attempt, _ context: AttemptContext) async throws(SessionError) {
        attempt.request = try await adapt(attempt.request, context)
    }

    private func adapt(_ request: Request, _ context: AttemptContext) async throws(SessionError) -> Request {
        // Adapters must see the compressed body, because some sign the bytes that are sent.
        var request = try RequestCompression.applied(to: request)
        do {
            for adapter in configuration.adapters { request = try await adapter.adapt(request, context: context) }
            for adapter in adapters { request = try await adapter.adapt(request, context: context) }
        } catch let error as SessionError {
            throw error
        } catch is CancellationError where Task.isCancelled {
            throw Self.cancelled(request)
        } catch {
            throw SessionError(
                .request, .adapterFailed, "the request could not be adapted: \(error)", request: request,
                attempt: context.attempt, underlying: error)
        }
        return request
    }

    private func exchange(_ attempt: Attempt, _ context: AttemptContext) async throws(SessionError) -> Response {
        let response = try await shared(requestAttempt(attempt.request, context), context)
        if delivery == .whole { emit(.received(response), context.id) }
        return response
    }

    @inline(never)
    private func requestAttempt(_ request: Request, _ context: AttemptContext) -> RequestAttempt {
        let exchange = RequestAttempt(session: session, request: request, delivery: delivery)
        exchange.uploadProgress = uploadProgress
        exchange.transmit = transmit
        if !configuration.monitors.isEmpty {
            let monitors = configuration.monitors
            let id = context.id
            let delivery = delivery
            exchange.observer = { event in
                let event = delivery == .streamed ? event.withoutStream : event
                for monitor in monitors { monitor.receive(event, of: id) }
            }
        }
        if !configuration.adapters.isEmpty || !adapters.isEmpty {
            exchange.adaptHop = { request, redirects throws(SessionError) in
                let context = AttemptContext(
                    id: context.id, attempt: context.attempt, redirects: redirects, session: self.session,
                    memory: context.memory)
                return try await self.adapt(request, context)
            }
        }
        return exchange
    }

    /// Returns the response of the exchange, or of an identical exchange that is already in flight.
    private func shared(
        _ exchange: RequestAttempt, _ context: AttemptContext
    ) async throws(SessionError) -> Response {
        guard let coalescer = session.coalescer, delivery == .whole else { return try await exchange.response() }
        return try await shared(exchange, context, by: coalescer)
    }

    @inline(never)
    private func shared(
        _ exchange: RequestAttempt, _ context: AttemptContext, by coalescer: RequestCoalescer
    ) async throws(SessionError) -> Response {
        guard let key = RequestCoalescer.Key(exchange.request) else { return try await exchange.response() }
        let outcome = await coalescer.result(key) { () -> Result<Response, SessionError> in
            do throws(SessionError) {
                return .success(try await exchange.response())
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw Self.cancelled(exchange.request) }
        if outcome.isShared { emit(.coalesced, context.id) }
        return try outcome.result.get()
    }

    // MARK: Retries

    private final class Retry {
        let delay: Duration
        let failure: FailedAttempt

        init(delay: Duration, failure: FailedAttempt) {
            self.delay = delay
            self.failure = failure
        }
    }

    /// Returns the retry to perform, or nil if the attempt's result is final.
    ///
    /// A retrier may have replaced the result.
    @inline(never)
    private func decision(
        about attempt: Attempt, _ context: AttemptContext, started: Duration
    ) async -> Retry? {
        let failure: FailedAttempt
        let elapsed = configuration.clock.now() - started
        switch attempt.result {
        case .success(let response):
            guard response.status >= 400 else { return nil }
            failure = FailedAttempt(request: attempt.request, response: response, error: nil, elapsed: elapsed)
        case .failure(let error):
            if error.reason == .cancelled || error.reason == .sessionClosed { return nil }
            failure = FailedAttempt(
                request: attempt.request, response: attempt.isRefused ? error.response : nil, error: error,
                elapsed: elapsed)
        }
        guard request.body.isReplayable else { return nil }
        for retrier in configuration.retriers + retriers {
            let decision = await retrier.decision(about: failure, context: context)
            if Task.isCancelled {
                attempt.result = .failure(Self.cancelled(attempt.request))
                return nil
            }
            switch decision {
            case .doNotRetry: continue
            case .retry: return Retry(delay: .zero, failure: failure)
            case .retryAfter(let delay): return Retry(delay: max(.zero, delay), failure: failure)
            case .doNotRetryWithError(let error):
                attempt.result = .failure(Self.replacement(error, for: failure, context))
                return nil
            }
        }
        return nil
    }

    private static func replacement(
        _ error: any Error, for failure: FailedAttempt, _ context: AttemptContext
    ) -> SessionError {
        if var error = error as? SessionError {
            error.originalError = failure.error ?? failure.response.map(rejected)
            return error
        }
        let message: MessageText = "the request is not retried: \(error)"
        if let response = failure.response {
            var replacement = SessionError(
                .validate, .retrierFailed, message, response: response, underlying: error)
            replacement.originalError = failure.error
            return replacement
        }
        // Keep the part of the response that arrived.
        var replacement =
            failure.error
            ?? SessionError(
                .request, .retrierFailed, message, request: failure.request, attempt: context.attempt)
        replacement.reason = .retrierFailed
        replacement.wording = message
        replacement.underlying = error
        replacement.originalError = failure.error
        return replacement
    }

    /// Returns the error of a response that a retrier did not accept.
    private static func rejected(_ response: Response) -> SessionError {
        SessionError(
            .validate, .unacceptableResponse, "the server responded with status \(response.status)", response: response)
    }

    /// Returns the error of a request that was cancelled, or whose session was closed, between two attempts.
    @inline(never)
    private func endedMeanwhile(
        _ request: Request, _ previous: [ExchangeMetrics], after attempt: Int
    ) -> SessionError? {
        guard let end = session.lifetime.interruption() else { return nil }
        var error = SessionError(.request, end.reason, end.message, request: request)
        error.attempts = previous
        error.attempt = attempt
        return error
    }

    private static func cancelled(_ request: Request) -> SessionError {
        SessionError(.request, .cancelled, "the request was canceled", request: request)
    }

    // MARK: Events and the end

    @inline(never)
    private func note(_ previous: [ExchangeMetrics], _ context: AttemptContext, in attempt: Attempt) {
        guard !previous.isEmpty else { return }
        switch attempt.result {
        case .success(var response):
            response.attempts = previous
            attempt.result = .success(response)
        case .failure(var error):
            error.attempts = previous
            error.attempt = context.attempt
            attempt.result = .failure(error)
        }
    }

    @inline(never)
    private static func metrics(_ result: Result<Response, SessionError>) -> ExchangeMetrics {
        switch result {
        case .success(let response): response.metrics
        case .failure(let error): error.metrics
        }
    }

    @inline(never)
    private func emit(_ event: @autoclosure () -> SessionEvent, _ id: RequestID) {
        guard !configuration.monitors.isEmpty else { return }
        let event = delivery == .streamed ? event().withoutStream : event()
        for monitor in configuration.monitors { monitor.receive(event, of: id) }
    }

    @inline(never)
    private func finish<Value>(
        _ result: Result<Response, SessionError>, _ id: RequestID,
        _ value: (Response, RequestID) throws(SessionError) -> Value
    ) throws(SessionError) -> Value {
        let made: Value
        do throws(SessionError) {
            made = try value(try result.get(), id)
        } catch {
            emit(.finished(.failure(error)), id)
            throw error
        }
        emit(.finished(result), id)
        return made
    }
}
