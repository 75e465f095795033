import Basics

/// A single attempt of a request: sending it, following redirects, and decoding the body of the response.
///
/// A class, because it is passed through every asynchronous call. The compiler keeps every local of an asynchronous
/// function in its frame for as long as the function waits, even one that is used only before or after the wait. Work
/// with large values is therefore done in functions that are not asynchronous and not inlined.
final class RequestAttempt {
    /// A closure that sends a request and returns its response.
    typealias Transmission = @Sendable (TransportRequest) async throws(SessionError) -> TransportResponse

    let session: Session
    let request: Request
    let delivery: ResponseDelivery
    /// The observer of the exchange's events; nil costs nothing.
    var observer: (@Sendable (SessionEvent) -> Void)?
    var uploadProgress: (@Sendable (TransferProgress) -> Void)?
    /// Sends the request in place of the session's transport, used for protocol upgrades.
    var transmit: Transmission?
    /// Adapts the request for a redirect to the origin of the first request.
    ///
    /// If nil, the request stays as it is.
    var adaptHop: ((Request, Int) async throws(SessionError) -> Request)?

    init(session: Session, request: Request, delivery: ResponseDelivery = .whole) {
        self.session = session
        self.request = request
        self.delivery = delivery
    }

    private var configuration: SessionConfiguration { session.configuration }

    /// Whether the exchange has no observer and delivers its response as a whole.
    var isPlain: Bool { delivery == .whole && observer == nil && uploadProgress == nil }

    /// Sends the request and returns the response.
    nonisolated(nonsending) func response() async throws(SessionError) -> Response {
        let prepared = try prepare()
        let first = try await send(prepared.request, prepared.jar, history: [])
        guard isFollowed(first) else { return first }
        return try await follow(first, prepared)
    }

    /// A request that is ready to be sent.
    private final class Prepared {
        let request: TransportRequest
        /// The jar of its cookies; nil for none.
        let jar: CookieJar?
        /// The cookies that the caller has set.
        let ownCookies: String?

        init(request: TransportRequest, jar: CookieJar?, ownCookies: String?) {
            self.request = request
            self.jar = jar
            self.ownCookies = ownCookies
        }
    }

    @inline(never)
    private func prepare() throws(SessionError) -> Prepared {
        var pending = try session.preparation.prepare(request, for: self)
        guard let jar = request.cookies.jar(of: configuration.cookies) else {
            return Prepared(request: pending, jar: nil, ownCookies: nil)
        }
        let ownCookies = pending.headers.cookies
        if let cookies = jar.header(for: pending.url, own: ownCookies, selection: request.cookies.selection) {
            pending.headers.set(name: "Cookie", value: cookies)
        }
        return Prepared(request: pending, jar: jar, ownCookies: ownCookies)
    }

    /// Returns whether a response is a redirect that must be followed.
    @inline(never)
    private func isFollowed(_ response: Response) -> Bool {
        RedirectFollowing.isRedirect(response)
            && request.redirects.inheriting(from: configuration.redirects).maximum > 0
    }

    // MARK: Redirects

    @inline(never)
    private nonisolated(nonsending) func follow(
        _ first: Response, _ prepared: Prepared
    ) async throws(SessionError) -> Response {
        let (pending, jar) = (prepared.request, prepared.jar)
        let policy = request.redirects.inheriting(from: configuration.redirects)
        // Without a jar, the header has only the cookies that the caller has set.
        let ownCookies = jar == nil ? pending.headers.cookies : prepared.ownCookies
        var redirects = RedirectFollowing(
            policy: policy, request: pending, ownCookies: ownCookies, cookies: request.cookies.selection,
            timeouts: pending.timeouts, credentialFields: request.credentialFields)
        var response = first
        while var next = try redirects.next(after: response, jar: jar) {
            if let decide = policy.decide {
                let proposal = Redirect(
                    response: response, request: SentRequest(next), number: redirects.history.count)
                switch await decide(proposal) {
                case .follow: break
                case .stop:
                    response.history = Array(redirects.history.dropLast())
                    return response
                case .modify(let request): redirects.replace(&next, by: request)
                }
            }
            if let adaptHop, next.url.hasSameOrigin(as: pending.url) {
                try await adapt(&next, adaptHop, number: redirects.history.count)
                redirects.replace(&next, by: SentRequest(next))
            }
            guard next.body.isReplayable else {
                throw SessionError(
                    .redirect, .bodyNotReplayable,
                    "the redirect from \(response.url) requires the body again, which can be read only once",
                    response: response)
            }
            observer?(.redirected(response, to: next.url))
            response.stream?.abandon()
            response = try await send(next, jar, history: redirects.history)
            response.history = redirects.history
        }
        return response
    }

    private nonisolated(nonsending) func adapt(
        _ next: inout TransportRequest, _ adapt: (Request, Int) async throws(SessionError) -> Request, number: Int
    ) async throws(SessionError) {
        var hop = request
        hop.method = next.method
        hop.url = next.url.description
        hop.headers = next.headers
        hop.body = next.body
        // The body is already compressed.
        hop.compression = nil
        let adapted = try await adapt(hop, number)
        var prepared = try session.preparation.prepare(adapted)
        let previous = next
        prepared.change {
            $0.timeouts = previous.timeouts
            $0.limits = previous.limits
            $0.delivery = previous.delivery
            $0.uploadProgress = previous.uploadProgress
            $0.observer = previous.observer
        }
        next = prepared
    }

    // MARK: Sending

    private nonisolated(nonsending) func send(
        _ pending: TransportRequest, _ jar: CookieJar?, history: [Response]
    ) async throws(SessionError) -> Response {
        guard let cache = configuration.cache else { return try await transfer(pending, jar, history: history) }
        return try await send(pending, jar, history: history, cache: cache)
    }

    @inline(never)
    private nonisolated(nonsending) func send(
        _ pending: TransportRequest, _ jar: CookieJar?, history: [Response], cache: ResponseCache
    ) async throws(SessionError) -> Response {
        let policy = request.cachePolicy == .inherited ? configuration.cachePolicy : request.cachePolicy
        let lookup = CacheLookup(
            pending, cache: cache, policy: policy, clock: configuration.clock, credentials: request.credentialFields)
        if let answer = try lookup.answer(to: pending) {
            observer?(.servedFromCache(answer))
            return answer
        }
        var asked = pending
        lookup.prepare(&asked)
        let response = try await transfer(asked, jar, history: history)
        // A body that has not been read yet cannot be cached.
        guard response.stream == nil || response.status == 304 else {
            lookup.invalidate(after: response, to: pending)
            return response
        }
        let answer = lookup.finish(response, to: pending, asked: asked)
        if answer.isFromCache {
            response.stream?.abandon()
            observer?(.servedFromCache(answer))
        }
        return answer
    }

    private nonisolated(nonsending) func transfer(
        _ pending: TransportRequest, _ jar: CookieJar?, history: [Response]
    ) async throws(SessionError) -> Response {
        let result: TransportResponse
        do throws(SessionError) {
            if let transmit {
                result = try await transmit(pending)
            } else {
                result = try await session.transport.send(pending)
            }
        } catch {
            throw noted(error, pending, history: history)
        }
        return try response(result, to: pending, jar, history: history)
    }

    /// Returns the error of a request with the request itself.
    @inline(never)
    private func noted(_ error: SessionError, _ pending: TransportRequest, history: [Response]) -> SessionError {
        var error = error
        error.request = SentRequest(pending)
        if !history.isEmpty { error.history = history }
        return error
    }

    /// Returns the response with its body decoded, and stores its cookies.
    @inline(never)
    private func response(
        _ result: TransportResponse, to pending: TransportRequest, _ jar: CookieJar?, history: [Response]
    ) throws(SessionError) -> Response {
        jar?.store(result.head.headers, from: pending.url)
        var response = Response(
            result, request: SentRequest(pending), isDirect: session.hasOwnTransport && transmit == nil)
        // A part of an encoded body cannot be decoded.
        if request.decompress, result.head.status != 206, result.head.headers.contains("Content-Encoding") {
            if let stream = result.stream {
                response.stream = try ContentDecoding.decoded(stream, of: response, limits: pending.limits)
            } else if !response.body.isEmpty {
                try ContentDecoding.decode(&response, limits: pending.limits, history: history)
            }
        }
        return response
    }
}

extension SentRequest {
    /// Creates the record of a request that is passed to a transport.
    init(_ request: TransportRequest) {
        self.init(method: request.method, url: request.url, headers: request.headers, body: request.body)
    }
}
