import Basics
import Synchronization

/// An in-memory cache of responses (RFC 9111), shared between users unless it is created as a private cache.
///
/// It stores complete responses to GET requests if their `Cache-Control`, `Expires`, `ETag` or `Last-Modified` allow
/// it, and respects `Vary`. A ``Kind/shared`` cache never returns a response of another user.
///
/// The cost of a response is its size in bytes. When the total cost exceeds ``capacity``, the least recently used
/// responses are removed until ``preferredSize`` is reached. Heuristic freshness is not used: a response without an
/// explicit lifetime is revalidated on each use.
///
/// ```swift
/// configuration.cache = ResponseCache()  // for a server with many users
/// configuration.cache = ResponseCache(.private)  // for a tool with a single user
/// ```
public final class ResponseCache: Sendable {
    /// The kind of a cache, which determines whose responses it stores.
    public enum Kind: Sendable, Hashable {
        /// A cache for the responses of many users, as on a server.
        ///
        /// It does not store responses marked `private`, or responses with `Set-Cookie` that are not `public`. It
        /// stores responses to requests with `Authorization` only if `public`, `s-maxage` or `must-revalidate` allows
        /// it (RFC 9111, section 3.5). Requests with different `Authorization`, `Cookie` or
        /// ``Request/credentialFields`` never receive each other's responses, as if `Vary` named those fields.
        /// `s-maxage` and `proxy-revalidate` are honored.
        case shared
        /// A cache for the responses of a single user, as in a browser or a command-line tool.
        case `private`
    }

    /// The kind of the cache.
    public let kind: Kind
    /// The maximum total cost of all responses in bytes.
    public let capacity: Int
    /// The total cost in bytes that a purge leaves.
    public let preferredSize: Int
    /// The maximum cost of a single response in bytes.
    public let maximumEntrySize: Int

    private struct Entry {
        var response: CachedResponse
        var lastUse: UInt64
    }

    private struct State {
        /// The entries by URL, and then by user.
        var entries: [String: [String: [Entry]]] = [:]
        var cost = 0
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates a cache.
    /// - Parameters:
    ///   - kind: The kind of the cache; use `.private` if all requests come from a single user.
    ///   - capacity: The maximum total cost of all responses in bytes.
    ///   - preferredSize: The total cost in bytes that a purge leaves; nil for three quarters of the capacity.
    ///   - maximumEntrySize: The maximum cost of a single response in bytes; nil for an eighth of the capacity.
    public init(
        _ kind: Kind = .shared, capacity: Int = 64 << 20, preferredSize: Int? = nil, maximumEntrySize: Int? = nil
    ) {
        self.kind = kind
        self.capacity = max(0, capacity)
        self.preferredSize = min(self.capacity, max(0, preferredSize ?? self.capacity / 4 * 3))
        self.maximumEntrySize = maximumEntrySize ?? self.capacity / 8
    }

    /// The total cost of all responses in bytes.
    public var cost: Int { state.withLock { $0.cost } }

    /// The number of stored responses.
    public var count: Int {
        state.withLock { $0.entries.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
    }

    /// Removes all responses.
    public func removeAll() {
        state.withLock { $0 = State() }
    }

    /// Removes the responses of a URL.
    public func remove(_ url: HTTPURL) {
        let key = Self.key(url)
        state.withLock { state in
            let removed = state.entries.removeValue(forKey: key) ?? [:]
            for entries in removed.values { state.cost -= entries.reduce(0) { $0 + $1.response.cost } }
        }
    }

    /// Removes the least recently used responses until the total cost does not exceed `size` bytes.
    public func purge(to size: Int) {
        state.withLock { Self.purge(&$0, to: size) }
    }

    // MARK: Use by the session

    /// Returns the stored response that a request selects.
    /// - Parameter credentials: The names of the header fields that identify the user, in addition to the standard
    ///   ones.
    func response(for request: TransportRequest, credentials: [String] = []) -> CachedResponse? {
        let key = Self.key(request.url)
        let user = user(of: request, credentials: credentials)
        return state.withLock { state in
            guard let index = state.entries[key]?[user]?.firstIndex(where: { $0.response.isSelected(by: request) })
            else { return nil }
            state.uses += 1
            state.entries[key]?[user]?[index].lastUse = state.uses
            return state.entries[key]?[user]?[index].response
        }
    }

    /// Stores a response if that is allowed.
    func store(
        _ response: Response, for request: TransportRequest, credentials: [String] = [], requestTime: Double,
        responseTime: Double
    ) {
        guard request.method == .get, isStorable(response, request) else { return }
        let varying = response.headers.tokens("Vary").map {
            HTTPHeaders.Field(name: $0, value: request.headers.combined($0) ?? "")
        }
        put(
            CachedResponse(
                head: response.head, body: response.body, varying: varying, connection: request.connection, kind: kind,
                requestTime: requestTime, responseTime: responseTime), for: request, credentials: credentials)
    }

    /// Stores a response, replacing the one that the request selects.
    func put(_ response: CachedResponse, for request: TransportRequest, credentials: [String] = []) {
        let cost = response.cost
        let key = Self.key(request.url)
        let user = user(of: request, credentials: credentials)
        state.withLock { state in
            if let index = state.entries[key]?[user]?.firstIndex(where: { $0.response.isSelected(by: request) }) {
                state.cost -= state.entries[key]?[user]?.remove(at: index).response.cost ?? 0
            }
            guard cost <= maximumEntrySize else { return }
            state.uses += 1
            state.entries[key, default: [:]][user, default: []].append(Entry(response: response, lastUse: state.uses))
            state.cost += cost
            if state.cost > capacity { Self.purge(&state, to: preferredSize) }
        }
    }

    /// Removes the responses that a request with an unsafe method invalidates (RFC 9111, section 4.4).
    func invalidate(after response: Response, to request: TransportRequest) {
        switch request.method.rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE": return
        default: break
        }
        guard (200..<400).contains(response.status) else { return }
        remove(request.url)
        for name in ["Location", "Content-Location"] {
            guard let text = response.headers[name], let url = try? request.url.resolving(text),
                url.hasSameOrigin(as: request.url)
            else { continue }
            remove(url)
        }
    }

    private func isStorable(_ response: Response, _ request: TransportRequest) -> Bool {
        switch response.status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: break
        default: return false
        }
        let control = CacheControl(response.headers)
        if control.has("no-store") || CacheControl(request.headers).has("no-store") { return false }
        if response.headers.tokens("Vary").contains("*") { return false }
        if kind == .shared, !Self.mayBeShared(response, control, request) { return false }
        return control.has("max-age") || kind == .shared && control.has("s-maxage")
            || ["Expires", "ETag", "Last-Modified"].contains { response.headers.contains($0) }
    }

    /// Returns whether a shared cache may store a response (RFC 9111, sections 3, 3.5 and 7.3).
    private static func mayBeShared(_ response: Response, _ control: CacheControl, _ request: TransportRequest) -> Bool
    {
        if control.has("private") { return false }
        if control.has("public") { return true }
        if response.headers.contains("Set-Cookie") { return false }
        guard request.headers.contains("Authorization") else { return true }
        return control.has("s-maxage") || control.has("must-revalidate")
    }

    /// Returns a key that distinguishes the users of a URL by their credentials, and the requested hosts.
    private func user(of request: TransportRequest, credentials: [String]) -> String {
        let names = kind == .shared ? ["Host", "Authorization", "Cookie"] + credentials : ["Host"]
        // The line break is an unambiguous separator, because field values cannot contain one.
        return names.compactMap { name in request.headers.combined(name).map { name.lowercased() + ":" + $0 } }
            .joined(separator: "\n")
    }

    private static func key(_ url: HTTPURL) -> String { url.withFragment(nil).description }

    private static func purge(_ state: inout State, to size: Int) {
        guard state.cost > size else { return }
        var uses = state.entries.flatMap { key, users in
            users.flatMap { user, entries in
                entries.map { (key: key, user: user, lastUse: $0.lastUse, cost: $0.response.cost) }
            }
        }
        uses.sort { $0.lastUse < $1.lastUse }
        for use in uses {
            guard state.cost > size else { return }
            state.entries[use.key]?[use.user]?.removeAll { $0.lastUse == use.lastUse }
            if state.entries[use.key]?[use.user]?.isEmpty ?? false { state.entries[use.key]?[use.user] = nil }
            if state.entries[use.key]?.isEmpty ?? false { state.entries[use.key] = nil }
            state.cost -= use.cost
        }
    }
}

/// A stored response with the data that determines whether it may be used.
struct CachedResponse: Sendable {
    /// The status line and header, updated by revalidations.
    var head: ResponseHead
    /// The body, with its content codings decoded.
    let body: [UInt8]
    /// The request fields that `Vary` names, with their values.
    let varying: [HTTPHeaders.Field]
    /// The connection options of the request, because another address may be another server.
    let connection: ConnectionOptions
    /// The kind of the cache that stores the response.
    let kind: ResponseCache.Kind
    /// The time of the request, or of its last revalidation, in seconds since 1970.
    var requestTime: Double
    /// The time at which the response arrived, in seconds since 1970.
    var responseTime: Double

    /// The cost in bytes: body, header and a constant for the entry itself.
    var cost: Int {
        var cost = body.count + 256
        for field in head.headers.fields { cost += field.name.utf8.count + field.value.utf8.count + 32 }
        return cost
    }

    /// Returns the age in seconds (RFC 9111, section 4.2.3).
    func age(at now: Double) -> Double {
        let date = Self.date(head.headers["Date"]) ?? responseTime
        let apparent = max(0, responseTime - date)
        let given = head.headers["Age"].flatMap { CacheControl.seconds(of: $0) } ?? 0
        let corrected = given + max(0, responseTime - requestTime)
        return max(apparent, corrected) + max(0, now - responseTime)
    }

    /// The freshness lifetime in seconds (RFC 9111, section 4.2.1); zero if the server does not specify one.
    var freshness: Double {
        let control = CacheControl(head.headers)
        if kind == .shared, let seconds = control.seconds("s-maxage") { return seconds }
        if let seconds = control.seconds("max-age") { return seconds }
        guard let expires = head.headers["Expires"] else { return 0 }
        let date = Self.date(head.headers["Date"]) ?? responseTime
        return max(0, (Self.date(expires) ?? 0) - date)
    }

    /// Returns whether the response can be used without revalidation (RFC 9111, sections 4.2 and 5.2.1).
    func isFresh(for request: CacheControl, at now: Double) -> Bool {
        let control = CacheControl(head.headers)
        if control.has("no-cache") || request.has("no-cache") { return false }
        let age = age(at: now)
        if let limit = request.seconds("max-age"), age > limit { return false }
        let left = freshness - age
        if let minimum = request.seconds("min-fresh") { return left >= minimum }
        if left > 0 { return true }
        guard request.has("max-stale"), !control.has("must-revalidate") else { return false }
        // Both directives apply only to shared caches (sections 5.2.2.8 and 5.2.2.10).
        if kind == .shared, control.has("proxy-revalidate") || control.has("s-maxage") { return false }
        return request.isBare("max-stale") || -left <= request.seconds("max-stale") ?? 0
    }

    /// Returns whether a request selects this response among those of its URL and user (RFC 9111, section 4.1).
    func isSelected(by request: TransportRequest) -> Bool {
        varying.allSatisfy { (request.headers.combined($0.name) ?? "") == $0.value } && connection == request.connection
    }

    /// The fields that ask the server whether the response is still valid (RFC 9111, section 4.3.1).
    var validators: [HTTPHeaders.Field] {
        var fields: [HTTPHeaders.Field] = []
        if let tag = head.headers["ETag"] { fields.append(.init(name: "If-None-Match", value: tag)) }
        if let date = head.headers["Last-Modified"] { fields.append(.init(name: "If-Modified-Since", value: date)) }
        return fields
    }

    /// Updates the stored header from a 304 response (RFC 9111, section 3.2).
    mutating func update(from headers: HTTPHeaders, requestTime: Double, responseTime: Double) {
        for name in Set(headers.fields.map { $0.name.lowercased() }) {
            switch name {
            // A cookie of one user must not be passed to another.
            case "set-cookie" where kind == .shared: continue
            case "content-length", "content-encoding", "transfer-encoding", "content-range", "connection": continue
            default:
                head.headers.remove(name)
                for field in headers.fields where ASCII.equalIgnoringCase(field.name, name) {
                    head.headers.append(name: field.name, value: field.value)
                }
            }
        }
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    private static func date(_ text: String?) -> Double? {
        text.flatMap { CookieDate.parse($0) }.map(Double.init)
    }
}
