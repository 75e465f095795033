import Basics

/// The stages of a request (adapters, exchange, validators, retriers) and the events of each stage.
///
/// A single task runs all stages. The request finishes exactly once, in ``finish(_:)``.
struct ExchangePipeline {
    let session: Session
    let request: Request
    var delivery = ResponseDelivery.whole
    var adapters: [any RequestAdapter] = []
    var retriers: [any Retrier] = []
    var validators: [Validator] = []
    var uploadProgress: (@Sendable (TransferProgress) -> Void)?
    /// Sends requests in place of the session's transport, used for protocol upgrades.
    var transmit: RequestAttempt.Transmission?
    /// The error that occurred while the request was built; if set, nothing is sent.
    var failure: SessionError?

    private struct Attempt {
        var request: Request
        var result: Result<Response, SessionError>
        var isRefused = false
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
        let started = configuration.clock.now()
        emit(.created(request), id)
        if let failure { return try finish(.failure(failure), id, value) }
        var number = 1
        var previous: [ExchangeMetrics] = []
        let memory = RequestState()
        while true {
            let context = AttemptContext(id: id, attempt: number, session: session, memory: memory)
            var attempt = await self.attempt(context)
            note(previous, context, in: &attempt.result)
            guard let retry = await decision(about: &attempt, context, started: started) else {
                note(previous, context, in: &attempt.result)
                return try finish(attempt.result, id, value)
            }
            previous.append(Self.metrics(attempt.result))
            number += 1
            emit(.retrying(attempt: number, delay: retry.delay, after: retry.failure), id)
            await session.lifetime.sleep(retry.delay, clock: configuration.clock)
            if let ended = endedMeanwhile(attempt.request, previous, after: context.attempt) {
                return try finish(.failure(ended), id, value)
            }
            if case .success(let response) = attempt.result { response.stream?.abandon() }
        }
    }

    /// Runs all stages except reading the body.
    func stream() async throws(SessionError) -> StreamedResponse {
        var response = try await run()
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
        var attempt = Attempt(request: request, result: .failure(Self.cancelled(request)))
        do throws(SessionError) {
            attempt.request = try await adapt(request, context)
            emit(.adapted(attempt.request, attempt: context.attempt), context.id)
            if Task.isCancelled { return attempt }
            let response = try await exchange(attempt.request, context)
            attempt.result = .success(response)
        } catch {
            attempt.result = .failure(error)
            return attempt
        }
        if !validators.isEmpty, case .success(let response) = attempt.result {
            let findings = validators.compactMap { $0.check(response) }
            emit(.validated(findings: findings), context.id)
            if !findings.isEmpty {
                response.stream?.abandon()
                attempt.isRefused = true
                attempt.result = .failure(
                    SessionError(
                        .validate, .unacceptableResponse, MessageText(findings.joined(separator: "; ")),
                        response: response))
            }
        }
        return attempt
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

    private func exchange(_ request: Request, _ context: AttemptContext) async throws(SessionError) -> Response {
        var exchange = RequestAttempt(session: session, request: request, delivery: delivery)
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
                    id: context.id, attempt: context.attempt, redirects: redirects, session: session,
                    memory: context.memory)
                return try await adapt(request, context)
            }
        }
        let response = try await shared(exchange, context)
        if delivery == .whole { emit(.received(response), context.id) }
        return response
    }

    /// Returns the response of the exchange, or of an identical exchange that is already in flight.
    private func shared(
        _ exchange: RequestAttempt, _ context: AttemptContext
    ) async throws(SessionError) -> Response {
        guard let coalescer = session.coalescer, delivery == .whole, let key = RequestCoalescer.Key(exchange.request)
        else { return try await exchange.response() }
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

    private struct Retry {
        var delay: Duration
        var failure: FailedAttempt
    }

    /// Returns the retry to perform, or nil if the attempt's result is final.
    ///
    /// A retrier may have replaced the result.
    private func decision(
        about attempt: inout Attempt, _ context: AttemptContext, started: Duration
    ) async -> Retry? {
        guard !configuration.retriers.isEmpty || !retriers.isEmpty else { return nil }
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
            error.originalError = failure.error
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

    /// Returns the error of a request that was cancelled, or whose session was closed, between two attempts.
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

    private func note(
        _ previous: [ExchangeMetrics], _ context: AttemptContext, in result: inout Result<Response, SessionError>
    ) {
        guard !previous.isEmpty else { return }
        switch result {
        case .success(var response):
            response.attempts = previous
            result = .success(response)
        case .failure(var error):
            error.attempts = previous
            error.attempt = context.attempt
            result = .failure(error)
        }
    }

    private static func metrics(_ result: Result<Response, SessionError>) -> ExchangeMetrics {
        switch result {
        case .success(let response): response.metrics
        case .failure(let error): error.metrics
        }
    }

    private func emit(_ event: @autoclosure () -> SessionEvent, _ id: RequestID) {
        guard !configuration.monitors.isEmpty else { return }
        let event = delivery == .streamed ? event().withoutStream : event()
        for monitor in configuration.monitors { monitor.receive(event, of: id) }
    }

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
