import Basics
import Synchronization

/// A cache of responses in memory (RFC 9111), shared by all users of a session unless it is said to be private.
///
/// It keeps complete responses to GET requests whose `Cache-Control`, `Expires`, `ETag` or `Last-Modified` allow that, and
/// tells apart what `Vary` names. A cache that is ``Kind/shared`` gives nobody another user's response: see there.
///
/// Each response costs its bytes. Above ``capacity`` the least recently used ones are dropped until ``preferredSize`` is
/// reached. Nothing is guessed: what the server gives no lifetime is asked for again each time, with its validators.
///
/// ```swift
/// configuration.cache = ResponseCache()  // on a server, whose requests are those of many users
/// configuration.cache = ResponseCache(.private)  // in a tool of one user
/// ```
public final class ResponseCache: Sendable {
    /// Whose responses a cache keeps.
    public enum Kind: Sendable, Hashable {
        /// Responses of many users, as on a server.
        ///
        /// It keeps no response that is `private`, none with `Set-Cookie` that is not `public`, and none to a request with
        /// `Authorization` unless `public`, `s-maxage` or `must-revalidate` allows it (RFC 9111 section 3.5). Requests
        /// whose `Authorization`, `Cookie` or ``Request/credentialFields`` differ never get each other's response, as if
        /// `Vary` named those fields. `s-maxage` and `proxy-revalidate` count.
        case shared
        /// Responses of a single user, as in a browser or a tool: all that the server allows that user to keep.
        case `private`
    }

    /// Whose responses it keeps.
    public let kind: Kind
    /// The most bytes that responses may cost together.
    public let capacity: Int
    /// The bytes that are left after a purge.
    public let preferredSize: Int
    /// The most bytes that one response may cost.
    public let maximumEntrySize: Int

    private struct Entry {
        var response: CachedResponse
        var lastUse: UInt64
    }

    private struct State {
        /// By the URL, and there by who asks.
        var entries: [String: [String: [Entry]]] = [:]
        var cost = 0
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates a cache.
    /// - Parameters:
    ///   - kind: Whose responses it keeps; `.private` for those of a single user.
    ///   - capacity: The most bytes that responses may cost together.
    ///   - preferredSize: The bytes that are left after a purge; nil for three quarters of the capacity.
    ///   - maximumEntrySize: The most bytes that one response may cost; nil for an eighth of the capacity.
    public init(
        _ kind: Kind = .shared, capacity: Int = 64 << 20, preferredSize: Int? = nil, maximumEntrySize: Int? = nil
    ) {
        self.kind = kind
        self.capacity = max(0, capacity)
        self.preferredSize = min(self.capacity, max(0, preferredSize ?? self.capacity / 4 * 3))
        self.maximumEntrySize = maximumEntrySize ?? self.capacity / 8
    }

    /// What the responses cost together, in bytes.
    public var cost: Int { state.withLock { $0.cost } }

    /// How many responses there are.
    public var count: Int {
        state.withLock { $0.entries.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
    }

    /// Drops everything.
    public func removeAll() {
        state.withLock { $0 = State() }
    }

    /// Drops the responses of a URL.
    public func remove(_ url: HTTPURL) {
        let key = Self.key(url)
        state.withLock { state in
            let removed = state.entries.removeValue(forKey: key) ?? [:]
            for entries in removed.values { state.cost -= entries.reduce(0) { $0 + $1.response.cost } }
        }
    }

    /// Drops the least recently used responses until the others cost no more than `size` bytes.
    public func purge(to size: Int) {
        state.withLock { Self.purge(&$0, to: size) }
    }

    // MARK: Use by the session

    /// The response that a request selects.
    /// - Parameter credentials: The names of the request's fields that say who asks, besides the standard ones.
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

    /// Keeps a response, if that is allowed.
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

    /// Puts a response in the place of the one that the request selects.
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

    /// Drops what a request that changes something makes invalid (RFC 9111 section 4.4).
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

    /// Whether a response may be kept where others than its user can get it (RFC 9111 sections 3, 3.5 and 7.3).
    private static func mayBeShared(_ response: Response, _ control: CacheControl, _ request: TransportRequest) -> Bool
    {
        if control.has("private") { return false }
        if control.has("public") { return true }
        if response.headers.contains("Set-Cookie") { return false }
        guard request.headers.contains("Authorization") else { return true }
        return control.has("s-maxage") || control.has("must-revalidate")
    }

    /// Returns a text that tells the users of a URL apart: their credentials, and the host that they ask.
    private func user(of request: TransportRequest, credentials: [String]) -> String {
        let names = kind == .shared ? ["Host", "Authorization", "Cookie"] + credentials : ["Host"]
        // No field has a line break in it.
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

/// A response that a cache has kept, and what decides whether it may be used.
struct CachedResponse: Sendable {
    /// Status line and header, updated by revalidations.
    var head: ResponseHead
    /// The body, its content codings undone.
    let body: [UInt8]
    /// The fields of the request that `Vary` names, with their values.
    let varying: [HTTPHeaders.Field]
    /// How the request was connected, as another address may be another server.
    let connection: ConnectionOptions
    /// The kind of cache that keeps it.
    let kind: ResponseCache.Kind
    /// Seconds since 1970 when the response, or its last revalidation, was asked for.
    var requestTime: Double
    /// Seconds since 1970 when it had arrived.
    var responseTime: Double

    /// What it costs in bytes: body, header, and a little for the entry itself.
    var cost: Int {
        var cost = body.count + 256
        for field in head.headers.fields { cost += field.name.utf8.count + field.value.utf8.count + 32 }
        return cost
    }

    /// Its age in seconds (RFC 9111 section 4.2.3).
    func age(at now: Double) -> Double {
        let date = Self.date(head.headers["Date"]) ?? responseTime
        let apparent = max(0, responseTime - date)
        let given = head.headers["Age"].flatMap { CacheControl.seconds(of: $0) } ?? 0
        let corrected = given + max(0, responseTime - requestTime)
        return max(apparent, corrected) + max(0, now - responseTime)
    }

    /// For how many seconds it is fresh (section 4.2.1); zero where the server does not say.
    var freshness: Double {
        let control = CacheControl(head.headers)
        if kind == .shared, let seconds = control.seconds("s-maxage") { return seconds }
        if let seconds = control.seconds("max-age") { return seconds }
        guard let expires = head.headers["Expires"] else { return 0 }
        let date = Self.date(head.headers["Date"]) ?? responseTime
        return max(0, (Self.date(expires) ?? 0) - date)
    }

    /// Whether it can be used for a request without asking the server (section 4.2, 5.2.1).
    func isFresh(for request: CacheControl, at now: Double) -> Bool {
        let control = CacheControl(head.headers)
        if control.has("no-cache") || request.has("no-cache") { return false }
        let age = age(at: now)
        if let limit = request.seconds("max-age"), age > limit { return false }
        let left = freshness - age
        if let least = request.seconds("min-fresh") { return left >= least }
        if left > 0 { return true }
        guard request.has("max-stale"), !control.has("must-revalidate") else { return false }
        // Both are for shared caches alone (sections 5.2.2.8 and 5.2.2.10).
        if kind == .shared, control.has("proxy-revalidate") || control.has("s-maxage") { return false }
        return request.isBare("max-stale") || -left <= request.seconds("max-stale") ?? 0
    }

    /// Whether a request selects this response among those of its URL and user (section 4.1).
    func isSelected(by request: TransportRequest) -> Bool {
        varying.allSatisfy { (request.headers.combined($0.name) ?? "") == $0.value } && connection == request.connection
    }

    /// The fields that ask the server whether the response still holds (section 4.3.1).
    var validators: [HTTPHeaders.Field] {
        var fields: [HTTPHeaders.Field] = []
        if let tag = head.headers["ETag"] { fields.append(.init(name: "If-None-Match", value: tag)) }
        if let date = head.headers["Last-Modified"] { fields.append(.init(name: "If-Modified-Since", value: date)) }
        return fields
    }

    /// Takes over the header of a 304 response (section 3.2).
    mutating func update(from headers: HTTPHeaders, requestTime: Double, responseTime: Double) {
        for name in Set(headers.fields.map { $0.name.lowercased() }) {
            switch name {
            // What one user is given is not for the next.
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
