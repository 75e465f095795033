import Basics

/// What the cache has to say about one request: an answer, fields to ask with, or nothing.
struct CacheLookup {
    private let cache: ResponseCache
    private let policy: CachePolicy
    private let clock: SessionClock
    private var stored: CachedResponse?
    private let requestTime: Double
    private let isPassing: Bool
    private let credentials: [String]

    /// Looks a request up.
    /// - Parameter credentials: The names of its fields that say who asks, besides the standard ones.
    init(
        _ request: TransportRequest, cache: ResponseCache, policy: CachePolicy, clock: SessionClock,
        credentials: [String] = []
    ) {
        self.cache = cache
        self.credentials = credentials
        self.policy = policy
        self.clock = clock
        requestTime = clock.date()
        // Who asks conditionally, or for a part, wants the server's own answer.
        isPassing =
            policy == .ignore || request.method != .get || request.body != .empty
            || ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
                .contains { request.headers.contains($0) }
        stored = isPassing ? nil : cache.response(for: request, credentials: credentials)
    }

    /// The answer, if nothing need be sent.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/notInCache`` where nothing may be sent.
    func answer(to request: TransportRequest) throws(SessionError) -> Response? {
        let control = CacheControl(request.headers)
        if let stored {
            let isUsable =
                policy == .cacheElseLoad || policy == .cacheOnly || stored.isFresh(for: control, at: requestTime)
            if isUsable { return response(of: stored, to: request, metrics: .init()) }
        }
        if policy == .cacheOnly || (!isPassing && control.has("only-if-cached")) {
            throw SessionError(
                phase: .request, reason: .notInCache, message: "the cache has no response, and nothing was to be sent",
                method: request.method, url: request.url.description)
        }
        return nil
    }

    /// Adds the fields that ask whether what is stored still holds.
    func prepare(_ request: inout TransportRequest) {
        guard let stored else { return }
        for field in stored.validators { request.headers.append(name: field.name, value: field.value) }
    }

    /// Takes in what the server has answered.
    /// - Returns: The response to be given, which is the stored one after a 304.
    func finish(_ response: Response, to request: TransportRequest, asked: TransportRequest) -> Response {
        let now = clock.date()
        if var stored, response.status == 304, !stored.validators.isEmpty {
            stored.update(from: response.headers, requestTime: requestTime, responseTime: now)
            cache.put(stored, for: request, credentials: credentials)
            var answer = self.response(of: stored, to: asked, metrics: response.metrics)
            answer.remoteAddress = response.remoteAddress
            answer.tls = response.tls
            return answer
        }
        if policy != .ignore {
            if !isPassing {
                cache.store(
                    response, for: request, credentials: credentials, requestTime: requestTime, responseTime: now)
            }
        }
        invalidate(after: response, to: request)
        return response
    }

    /// Forgets what a response to an unsafe method makes wrong (RFC 9111 section 4.4).
    func invalidate(after response: Response, to request: TransportRequest) {
        if policy != .ignore { cache.invalidate(after: response, to: request) }
    }

    private func response(
        of stored: CachedResponse, to request: TransportRequest, metrics: ExchangeMetrics
    ) -> Response {
        var head = stored.head
        head.headers.set(name: "Age", value: String(Int(min(1e9, stored.age(at: clock.date())))))
        return Response(
            head: head, body: stored.body, request: SentRequest(request), metrics: metrics, isFromCache: true)
    }
}

/// The directives of `Cache-Control` fields (RFC 9111 section 5.2).
struct CacheControl: Sendable, Hashable {
    private var directives: [String: String] = [:]

    /// Reads the directives of a header; names in any case, the first of a name counts.
    init(_ headers: HTTPHeaders) {
        for value in headers.values("Cache-Control") {
            var scanner = Scanner(value)
            while let (name, argument) = scanner.next() {
                if directives[name] == nil { directives[name] = argument }
            }
        }
        if directives.isEmpty, headers["Pragma"]?.lowercased() == "no-cache" { directives["no-cache"] = "" }
    }

    /// Whether a directive is there.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The whole number of seconds that a directive has; nil without the directive, zero if it has no valid number.
    func seconds(_ name: String) -> Double? { directives[name].map { Self.seconds(of: $0) ?? 0 } }

    /// Returns the seconds of a delta-seconds value (RFC 9111 section 1.2.2), at most 2^31; nil if it is not one.
    static func seconds(of text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        let most: Int64 = 1 << 31
        return Double(min(most, Int64(text) ?? most))
    }

    /// Whether a directive has no argument.
    func isBare(_ name: String) -> Bool { directives[name]?.isEmpty ?? false }

    /// Takes directives one after the other from a list with quoted strings.
    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = Substring(text).utf8 }

        mutating func next() -> (String, String)? {
            while let byte = rest.first, byte == 32 || byte == 9 || byte == UInt8(ascii: ",") { rest.removeFirst() }
            guard !rest.isEmpty else { return nil }
            let name = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") && $0 != 32 }
            rest = rest.dropFirst(name.count)
            let key = (String(Substring(name))).lowercased()
            guard rest.first == UInt8(ascii: "=") else {
                rest = rest.drop { $0 != UInt8(ascii: ",") }
                return (key, "")
            }
            rest.removeFirst()
            guard rest.first == UInt8(ascii: "\"") else {
                let value = rest.prefix { $0 != UInt8(ascii: ",") && $0 != 32 }
                rest = rest.dropFirst(value.count).drop { $0 != UInt8(ascii: ",") }
                return (key, String(Substring(value)))
            }
            rest.removeFirst()
            return (key, String(decoding: rest.popQuotedString(), as: UTF8.self))
        }
    }
}
