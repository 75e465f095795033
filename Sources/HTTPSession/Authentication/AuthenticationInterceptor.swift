import Synchronization

/// An interceptor that authenticates requests, and refreshes their credential once for all waiting requests.
///
/// - While the credential is being obtained or refreshed, requests wait. They are then sent with the new credential.
/// - A credential that requires a refresh is refreshed before it is used.
/// - When a server rejects a request, the credential is refreshed and the request is retried. If the credential has
///   changed since the request was sent, it is retried without another refresh.
/// - If a refresh fails, all waiting requests fail. The error is their ``SessionError/underlying``, or the error itself
///   if it is a ``SessionError``.
/// - A cancelled request stops waiting immediately. The refresh continues for the others, and is cancelled when the
///   last request stops waiting.
///
/// ```swift
/// let client = OAuth2Authenticator(
///     tokenURL: "https://id.example.org/token", grant: .clientCredentials, clientID: "books", clientSecret: "secret")
/// configuration.intercept(with: AuthenticationInterceptor(client, credential: OAuth2Token(accessToken: "stored")))
/// ```
///
/// A request that has its own `Authorization` field is left unchanged. So is a request to a server outside of `scope`.
public final class AuthenticationInterceptor<Scheme: Authenticator>: RequestInterceptor {
    /// The type of the credential.
    public typealias Credential = Scheme.Credential

    /// The authenticator that applies, obtains and refreshes the credential.
    public let authenticator: Scheme
    /// The maximum refresh rate; nil for no limit.
    public let window: RefreshWindow?
    /// The maximum number of refreshes for one request; the next rejection is the result of the request.
    public let refreshesPerRequest: Int
    /// The servers that the credential is sent to.
    public let scope: CredentialScope

    private struct Held: Sendable {
        var credential: Credential
        var generation: Int
    }

    private typealias Waiter = CheckedContinuation<Result<Held, any Error>, Never>

    /// A refresh in progress, owned by the requests that wait for it.
    private struct Flight {
        let number: Int
        /// The generation of the credential that the refresh replaces.
        let generation: Int
        var waiters: [Int: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    private struct State {
        var credential: Credential?
        /// The number of changes of the credential.
        var generation = 0
        var flight: Flight?
        var lastFlight = 0
        var lastWaiter = 0
        /// The start times of recent refreshes, on the session's clock.
        var refreshes: [Duration] = []

        mutating func set(_ credential: Credential?) {
            self.credential = credential
            generation += 1
        }

        var held: Held? { credential.map { Held(credential: $0, generation: generation) } }
    }

    private let state: Mutex<State>

    /// Creates an interceptor.
    /// - Parameters:
    ///   - authenticator: The authenticator that applies, obtains and refreshes the credential.
    ///   - credential: The initial credential; nil to obtain one for the first request.
    ///   - window: The maximum refresh rate; nil for no limit.
    ///   - refreshesPerRequest: The maximum number of refreshes for one request.
    ///   - scope: The servers that the credential is sent to.
    public init(
        _ authenticator: Scheme, credential: Credential? = nil, window: RefreshWindow? = RefreshWindow(),
        refreshesPerRequest: Int = .max, scope: CredentialScope = .everywhere
    ) {
        self.authenticator = authenticator
        self.window = window
        self.refreshesPerRequest = refreshesPerRequest
        self.scope = scope
        state = Mutex(State(credential: credential))
    }

    /// The current credential. Setting it overrides the result of a refresh in progress.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0.set(newValue) } }
    }

    /// The number of requests that wait for the credential.
    var waiting: Int { state.withLock { $0.flight?.waiters.count ?? 0 } }

    // MARK: Adapting

    /// Applies the credential to the request, after obtaining or refreshing it if necessary.
    /// - Throws: The authenticator's error, ``AuthenticationError`` or `CancellationError`.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        if isRefreshing { return request }
        if context.redirects == 0 {
            guard try !authenticator.isAuthenticated(request) && scope.includes(request, context) else {
                return request
            }
        } else if context.memory.note(of: self).generation == nil {
            return request
        }
        let held = try await held(notOf: nil, context.session)
        var adapted = request
        try authenticator.apply(held.credential, to: &adapted)
        context.memory.change(self) { $0.generation = held.generation }
        return adapted
    }

    /// Whether the current task belongs to a refresh of this interceptor's credential.
    private var isRefreshing: Bool { RefreshScope.interceptors.contains(ObjectIdentifier(self)) }

    // MARK: Retrying

    /// Retries a rejected request with a new credential.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        guard !isRefreshing, let response = failure.response, let used = context.memory.note(of: self).generation,
            authenticator.didRequestFailDueToAuthentication(failure), answers(response, failure, context)
        else { return .doNotRetry }
        guard let held = state.withLock({ $0.held }) else {
            return .doNotRetryWithError(AuthenticationError.missingCredential)
        }
        guard used == held.generation else { return .retry }
        guard authenticator.isRequest(response.request.asRequest, authenticatedWith: held.credential),
            context.memory.note(of: self).count < refreshesPerRequest
        else { return .doNotRetry }
        do {
            _ = try await self.held(notOf: held.generation, context.session)
        } catch {
            return .doNotRetryWithError(error)
        }
        context.memory.change(self) { $0.count += 1 }
        return .retry
    }

    /// Returns whether the response is from the request's own server, and not from the target of a redirect.
    private func answers(_ response: Response, _ failure: FailedAttempt, _ context: AttemptContext) -> Bool {
        do throws(SessionError) {
            return try response.url.hasSameOrigin(as: context.url(of: failure.request))
        } catch {
            return false
        }
    }

    // MARK: Waiting for a credential

    /// Returns the credential, after a refresh if one is needed or in progress.
    /// - Parameter refused: The generation of a credential that was rejected.
    private func held(notOf refused: Int?, _ session: Session) async throws -> Held {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let result: Result<Held, any Error> = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let answer = state.withLock { state -> Result<Held, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    return admit(waiter, number, notOf: refused, session, &state)
                }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            leave(number)
        }
        return try result.get()
    }

    /// Returns the credential if it is usable. Otherwise adds the caller to the waiting requests and starts a refresh
    /// if none is in progress.
    private func admit(
        _ waiter: Waiter, _ number: Int, notOf refused: Int?, _ session: Session, _ state: inout State
    ) -> Result<Held, any Error>? {
        if state.flight == nil {
            if let held = state.held, isUsable(held, notOf: refused, session) { return .success(held) }
            do {
                try begin(session, &state)
            } catch {
                return .failure(error)
            }
        }
        state.flight?.waiters[number] = waiter
        return nil
    }

    private func isUsable(_ held: Held, notOf refused: Int?, _ session: Session) -> Bool {
        if let refused { return held.generation != refused }
        return !held.credential.requiresRefresh(at: session.configuration.clock.date())
    }

    /// Starts a refresh.
    ///
    /// The refresh runs in its own task, because it must be able to outlive the request that started it. The waiting
    /// requests own the task: the last one to leave cancels it.
    private func begin(_ session: Session, _ state: inout State) throws(AuthenticationError) {
        let now = session.configuration.clock.now()
        if let window {
            state.refreshes.removeAll { now - $0 > window.interval }
            // Obtaining the first credential does not count as a refresh.
            if state.credential != nil {
                guard state.refreshes.count < window.maximumRefreshes else { throw .excessiveRefresh }
                state.refreshes.append(now)
            }
        }
        state.lastFlight += 1
        var flight = Flight(number: state.lastFlight, generation: state.generation)
        let (number, generation, credential) = (flight.number, flight.generation, state.credential)
        flight.task = Task {
            let result = await renewed(credential, session)
            finish(number, replacing: generation, result)
        }
        state.flight = flight
    }

    private func renewed(_ credential: Credential?, _ session: Session) async -> Result<Credential, any Error> {
        let interceptors = RefreshScope.interceptors.union([ObjectIdentifier(self)])
        do {
            let renewed = try await RefreshScope.$interceptors.withValue(interceptors) {
                if let credential { return try await authenticator.refresh(credential, with: session) }
                return try await authenticator.obtain(with: session)
            }
            return .success(renewed)
        } catch {
            return .failure(error)
        }
    }

    /// Stores the new credential, and resumes all waiting requests with it or with the error.
    private func finish(_ number: Int, replacing generation: Int, _ result: Result<Credential, any Error>) {
        let (waiters, answer) = state.withLock { state -> ([Waiter], Result<Held, any Error>) in
            let isAwaited = state.flight?.number == number
            if case .success(let credential) = result, state.generation == generation,
                isAwaited || state.flight == nil
            {
                // Stored even if no request is waiting: the server may have revoked the previous credential.
                state.set(credential)
            }
            guard isAwaited else { return ([], .failure(CancellationError())) }
            let waiters = state.flight.map { Array($0.waiters.values) } ?? []
            state.flight = nil
            if case .failure(let error) = result, state.generation == generation { return (waiters, .failure(error)) }
            return (waiters, state.held.map { .success($0) } ?? .failure(AuthenticationError.missingCredential))
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }

    /// Resumes a waiting request that was cancelled, and cancels the refresh if it was the last one.
    private func leave(_ number: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flight?.waiters.removeValue(forKey: number) else { return (nil, nil) }
            guard let flight = state.flight, flight.waiters.isEmpty else { return (waiter, nil) }
            state.flight = nil
            return (waiter, flight.task)
        }
        waiter?.resume(returning: .failure(CancellationError()))
        task?.cancel()
    }
}

extension SentRequest {
    /// The request in the form that an adapter returns.
    var asRequest: Request { Request(method, url: url.description, headers: headers, body: body) }
}

/// The maximum refresh rate of a credential, which stops endless refreshes if a server rejects every new credential.
public struct RefreshWindow: Sendable, Hashable {
    /// The length of the time window.
    public var interval: Duration
    /// The maximum number of refreshes in the window; exceeding it is an error.
    public var maximumRefreshes: Int

    /// Creates a window, by default of 5 refreshes in 30 seconds.
    /// - Parameters:
    ///   - interval: The length of the time window.
    ///   - maximumRefreshes: The maximum number of refreshes in the window.
    public init(interval: Duration = .seconds(30), maximumRefreshes: Int = 5) {
        self.interval = interval
        self.maximumRefreshes = maximumRefreshes
    }
}

/// A marker for requests that obtain a credential, which must not wait for that credential.
enum RefreshScope {
    /// The interceptors whose credential the current task obtains.
    @TaskLocal static var interceptors: Set<ObjectIdentifier> = []
}
