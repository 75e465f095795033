import Synchronization

/// Authenticates requests with a credential that is refreshed as needed, once for all requests that wait for it.
///
/// - A request waits while the credential is being obtained or refreshed, and is then sent with the new one.
/// - A credential that says so is refreshed before it is used.
/// - When a server refuses a request, the credential is refreshed and the request sent again. If the credential has
///   changed since the request was sent, it is sent again without another refresh.
/// - An error of the refresh reaches all requests that wait: it is ``SessionError/underlying``, or the error itself if
///   it is a ``SessionError``.
/// - A request that is cancelled stops waiting at once. The refresh goes on for the others, and is cancelled when
///   nobody waits for it any more.
///
/// ```swift
/// let client = OAuth2Authenticator(
///     tokenURL: "https://id.example.org/token", grant: .clientCredentials, clientID: "books", clientSecret: "secret")
/// configuration.intercept(with: AuthenticationInterceptor(client, credential: OAuth2Token(accessToken: "stored")))
/// ```
///
/// A request that carries an `Authorization` field of its own is left alone, and so is one to a server outside of
/// `scope`.
public final class AuthenticationInterceptor<Scheme: Authenticator>: RequestInterceptor {
    /// What requests are authenticated with.
    public typealias Credential = Scheme.Credential

    /// How requests are authenticated.
    public let authenticator: Scheme
    /// How often the credential may be refreshed; nil for no bound.
    public let window: RefreshWindow?
    /// How often the credential is refreshed for one request; a further refusal is the request's result.
    public let refreshesPerRequest: Int
    /// The servers that the credential is for.
    public let scope: CredentialScope

    private struct Held: Sendable {
        var credential: Credential
        var generation: Int
    }

    private typealias Waiter = CheckedContinuation<Result<Held, any Error>, Never>

    /// A refresh that is under way, owned by those who wait for it.
    private struct Flight {
        let number: Int
        /// The credential that it replaces.
        let generation: Int
        var waiters: [Int: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    private struct State {
        var credential: Credential?
        /// Counts the changes of the credential.
        var generation = 0
        var flight: Flight?
        var lastFlight = 0
        var lastWaiter = 0
        /// When refreshes began, by the session's clock.
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
    ///   - authenticator: How requests are authenticated.
    ///   - credential: The credential to begin with; nil to obtain one for the first request.
    ///   - window: How often the credential may be refreshed; nil for no bound.
    ///   - refreshesPerRequest: How often the credential is refreshed for one request.
    ///   - scope: The servers that the credential is for.
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

    /// The credential as it is now; one that is set takes the place of what a refresh under way will give.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0.set(newValue) } }
    }

    /// How many requests wait for the credential.
    var waiting: Int { state.withLock { $0.flight?.waiters.count ?? 0 } }

    // MARK: Adapting

    /// Puts the credential into the request, after it has been obtained or refreshed where that is needed.
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

    /// Whether the current task works for a refresh of this interceptor's credential.
    private var isRefreshing: Bool { RefreshScope.interceptors.contains(ObjectIdentifier(self)) }

    // MARK: Retrying

    /// Sends a request again that was refused, with a new credential.
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

    /// Whether the response is from the request's own server, and not from one that a redirect led to.
    private func answers(_ response: Response, _ failure: FailedAttempt, _ context: AttemptContext) -> Bool {
        do throws(SessionError) {
            return try response.url.hasSameOrigin(as: context.url(of: failure.request))
        } catch {
            return false
        }
    }

    // MARK: Waiting for a credential

    /// The credential, after a refresh if one is needed or under way.
    /// - Parameter refused: The credential that is not good any more, by its number.
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

    /// Gives the credential if it can be used, or lets the caller wait for a refresh, which begins if none is under way.
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

    /// Begins a refresh.
    ///
    /// It runs in a task of its own, because it must be able to outlive whichever request began it. The task belongs to
    /// those who wait: the last one to leave cancels it.
    private func begin(_ session: Session, _ state: inout State) throws(AuthenticationError) {
        let now = session.configuration.clock.now()
        if let window {
            state.refreshes.removeAll { now - $0 > window.interval }
            // Obtaining the first credential is not a refresh.
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

    /// Keeps the new credential and gives it, or the error, to all who wait.
    private func finish(_ number: Int, replacing generation: Int, _ result: Result<Credential, any Error>) {
        let (waiters, answer) = state.withLock { state -> ([Waiter], Result<Held, any Error>) in
            let isAwaited = state.flight?.number == number
            if case .success(let credential) = result, state.generation == generation,
                isAwaited || state.flight == nil
            {
                // Also when nobody waits any more: the server may have taken the earlier one out of use.
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

    /// Lets one who waits go; the refresh is cancelled when it was the last.
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
    /// The request as an adapter would have given it.
    var asRequest: Request { Request(method, url: url.description, headers: headers, body: body) }
}

/// How often a credential may be refreshed: a server that refuses every new one must not be asked for ever.
public struct RefreshWindow: Sendable, Hashable {
    /// The time that refreshes are counted in.
    public var interval: Duration
    /// The number of refreshes in that time; the next one is an error.
    public var maximumRefreshes: Int

    /// Creates a window; without arguments 5 refreshes in 30 seconds.
    public init(interval: Duration = .seconds(30), maximumRefreshes: Int = 5) {
        self.interval = interval
        self.maximumRefreshes = maximumRefreshes
    }
}

/// Marks requests that are made to obtain a credential, so that they do not wait for that credential.
enum RefreshScope {
    /// The interceptors that the current task obtains a credential for.
    @TaskLocal static var interceptors: Set<ObjectIdentifier> = []
}
