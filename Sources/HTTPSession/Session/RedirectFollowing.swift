import Basics

/// The state of a request that follows redirects: the next request, and the limits (RFC 9110, section 15.4).
struct RedirectFollowing {
    /// The redirect responses so far, oldest first.
    private(set) var history: [Response] = []

    private let policy: RedirectPolicy
    private let timeouts: Timeouts
    private let credentialFields: [String]
    private var request: TransportRequest
    private var ownCookies: String?
    private let cookies: CookieSelection
    private var visited: Set<Visit>
    private var elapsed = Duration.zero

    /// The identity of a request for the detection of cycles.
    ///
    /// Cookies count, because a page may redirect to itself to check whether a cookie was stored.
    private struct Visit: Hashable {
        var method: HTTPMethod
        var url: HTTPURL
        var cookies: String?
    }

    init(
        policy: RedirectPolicy, request: TransportRequest, ownCookies: String?,
        cookies: CookieSelection = CookieSelection(), timeouts: Timeouts, credentialFields: [String] = []
    ) {
        self.policy = policy
        self.request = request
        self.ownCookies = ownCookies
        self.cookies = cookies
        self.timeouts = timeouts
        self.credentialFields = credentialFields
        visited = [Self.visit(request)]
    }

    /// Returns whether a response is a redirect with a `Location`.
    static func isRedirect(_ response: Response) -> Bool {
        switch response.status {
        case 301, 302, 303, 307, 308: response.headers.contains("Location")
        default: false
        }
    }

    /// Returns the request that a redirect response leads to, or nil if the response is not a redirect.
    mutating func next(after response: Response, jar: CookieJar?) throws(SessionError) -> TransportRequest? {
        guard Self.isRedirect(response), let location = response.headers["Location"] else { return nil }
        elapsed += response.metrics.total
        guard history.count < policy.maximum else {
            throw failure(
                response, .tooManyRedirects(policy.maximum),
                "more than \(Self.count(policy.maximum)): the last leads from \(response.url) to \(location)")
        }
        let url = try target(location, of: response)
        adapt(to: response.status)
        if !url.hasSameOrigin(as: request.url) {
            for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] { request.headers.remove(name) }
            for name in credentialFields { request.headers.remove(name) }
            ownCookies = nil
        }
        request.url = url
        RequestPreparation.authorize(&request.headers, by: url)
        request.headers["Cookie"] =
            jar.map { $0.header(for: url, own: ownCookies, selection: cookies) } ?? ownCookies
        if let total = timeouts.total {
            request.change {
                $0.timeouts.total = max(.zero, total - elapsed)
                $0.redirection = .init(count: history.count + 1, total: total)
            }
        }
        guard visited.insert(Self.visit(request)).inserted else {
            throw failure(
                response, .redirectCycle,
                "the redirect from \(response.url) leads back to \(url), which was already requested")
        }
        history.append(response)
        return request
    }

    /// Replaces the next request with the one that a policy or an adapter returned.
    mutating func replace(_ next: inout TransportRequest, by wanted: SentRequest) {
        next.method = wanted.method
        next.url = wanted.url
        next.headers = wanted.headers
        next.body = wanted.body
        request = next
        visited.insert(Self.visit(next))
    }

    private func target(_ location: String, of response: Response) throws(SessionError) -> HTTPURL {
        let url: HTTPURL
        do throws(HTTPURLError) {
            url = try response.url.resolving(location)
        } catch {
            throw failure(
                response, .invalidRedirect,
                "the redirect from \(response.url) has an invalid location: \(error.wording)")
        }
        // RFC 9110, section 10.2.2: the fragment is inherited if the location has none.
        return url.fragment == nil ? url.withFragment(response.url.fragment) : url
    }

    /// Changes the method and body as the status requires.
    ///
    /// 303 always becomes GET. A POST becomes GET after 301 and 302 too, as in all common clients.
    private mutating func adapt(to status: Int) {
        let becomesGet =
            switch status {
            case 303: request.method != .head && request.method != .get
            case 301, 302: request.method == .post
            default: false
            }
        guard becomesGet else { return }
        request.method = .get
        request.body = .empty
        for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Transfer-Encoding"] {
            request.headers.remove(name)
        }
    }

    private func failure(_ response: Response, _ reason: SessionError.Reason, _ message: MessageText) -> SessionError {
        var error = SessionError(
            phase: .redirect, reason: reason, message: message, attempt: response.metrics.attempts,
            method: response.request.method, url: response.url.description, head: response.head,
            partialBody: response.body, history: history, metrics: response.metrics)
        error.request = response.request
        return error
    }

    private static func visit(_ request: TransportRequest) -> Visit {
        Visit(method: request.method, url: request.url.withFragment(nil), cookies: request.headers.cookies)
    }

    /// Returns a number of redirects with its unit, such as `"2 redirects"`.
    static func count(_ count: Int) -> String { count == 1 ? "1 redirect" : "\(count) redirects" }
}
