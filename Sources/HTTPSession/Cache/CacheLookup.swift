import Basics

/// The cache's contribution to a request: a stored response, validators for a conditional request, or nothing.
struct CacheLookup {
    private let cache: ResponseCache
    private let policy: CachePolicy
    private let clock: SessionClock
    private var stored: CachedResponse?
    private let requestTime: Double
    private let isPassing: Bool
    private let credentials: [String]

    /// Looks up the stored response for a request.
    /// - Parameter credentials: The names of the header fields that identify the user, in addition to the standard
    ///   ones.
    init(
        _ request: TransportRequest, cache: ResponseCache, policy: CachePolicy, clock: SessionClock,
        credentials: [String] = []
    ) {
        self.cache = cache
        self.credentials = credentials
        self.policy = policy
        self.clock = clock
        requestTime = clock.date()
        // A conditional or range request needs the server's own response.
        isPassing =
            policy == .ignore || request.method != .get || request.body != .empty
            || ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
                .contains { request.headers.contains($0) }
        stored = isPassing ? nil : cache.response(for: request, credentials: credentials)
    }

    /// Returns the stored response if the request does not have to be sent.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/notInCache`` if the request may not be sent either.
    func answer(to request: TransportRequest) throws(SessionError) -> Response? {
        let control = CacheControl(request.headers)
        if let stored {
            let isUsable =
                policy == .cacheElseLoad || policy == .cacheOnly || stored.isFresh(for: control, at: requestTime)
            if isUsable { return response(of: stored, to: request, metrics: .init()) }
        }
        if policy == .cacheOnly || (!isPassing && control.has("only-if-cached")) {
            throw SessionError(
                phase: .request, reason: .notInCache,
                message: "the cache has no response, and the cache policy forbids sending the request",
                method: request.method, url: request.url.description)
        }
        return nil
    }

    /// Adds the fields that ask the server whether the stored response is still valid.
    func prepare(_ request: inout TransportRequest) {
        guard let stored else { return }
        for field in stored.validators { request.headers.append(name: field.name, value: field.value) }
    }

    /// Updates the cache with the server's response.
    /// - Returns: The response for the caller, which is the stored one after a 304.
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

    /// Invalidates stored responses after an unsafe method (RFC 9111, section 4.4).
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

/// The directives of `Cache-Control` fields (RFC 9111, section 5.2).
struct CacheControl: Sendable, Hashable {
    private var directives: [String: String] = [:]

    /// Parses the directives of a header. Names are case-insensitive, and the first occurrence of a name counts.
    init(_ headers: HTTPHeaders) {
        for value in headers.values("Cache-Control") {
            var scanner = Scanner(value)
            while let (name, argument) = scanner.next() {
                if directives[name] == nil { directives[name] = argument }
            }
        }
        if directives.isEmpty, headers["Pragma"]?.lowercased() == "no-cache" { directives["no-cache"] = "" }
    }

    /// Returns whether a directive exists.
    func has(_ name: String) -> Bool { directives[name] != nil }

    /// Returns the number of seconds in a directive; nil without the directive, zero if its value is invalid.
    func seconds(_ name: String) -> Double? { directives[name].map { Self.seconds(of: $0) ?? 0 } }

    /// Returns the value of delta-seconds (RFC 9111, section 1.2.2), capped at 2^31, or nil if it is invalid.
    static func seconds(of text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        let maximum: Int64 = 1 << 31
        return Double(min(maximum, Int64(text) ?? maximum))
    }

    /// Returns whether a directive exists without an argument.
    func isBare(_ name: String) -> Bool { directives[name]?.isEmpty ?? false }

    /// A scanner of a comma-separated list of directives, which may contain quoted strings.
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
