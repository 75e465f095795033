import Synchronization

/// Keeps responses in memory for later requests, as a private cache does (RFC 9111).
///
/// It keeps complete responses to GET requests whose `Cache-Control`, `Expires`, `ETag` or `Last-Modified` allow that, and
/// tells apart what `Vary` names. Each response costs its bytes. Above ``capacity`` the least recently used ones are
/// dropped until ``preferredSize`` is reached. Nothing is guessed: what the server gives no lifetime is asked for again
/// each time, with its validators.
public final class ResponseCache: Sendable {
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
        var entries: [String: [Entry]] = [:]
        var cost = 0
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates a cache.
    /// - Parameters:
    ///   - capacity: The most bytes that responses may cost together.
    ///   - preferredSize: The bytes that are left after a purge; nil for three quarters of the capacity.
    ///   - maximumEntrySize: The most bytes that one response may cost; nil for an eighth of the capacity.
    public init(capacity: Int = 64 << 20, preferredSize: Int? = nil, maximumEntrySize: Int? = nil) {
        self.capacity = max(0, capacity)
        self.preferredSize = min(self.capacity, max(0, preferredSize ?? self.capacity / 4 * 3))
        self.maximumEntrySize = maximumEntrySize ?? self.capacity / 8
    }

    /// What the responses cost together, in bytes.
    public var cost: Int { state.withLock { $0.cost } }

    /// How many responses there are.
    public var count: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }

    /// Drops everything.
    public func removeAll() {
        state.withLock { $0 = State() }
    }

    /// Drops the responses of a URL.
    public func remove(_ url: HTTPURL) {
        let key = Self.key(url)
        state.withLock { state in
            state.cost -= (state.entries.removeValue(forKey: key) ?? []).reduce(0) { $0 + $1.response.cost }
        }
    }

    /// Drops the least recently used responses until the others cost no more than `size` bytes.
    public func purge(to size: Int) {
        state.withLock { Self.purge(&$0, to: size) }
    }

    // MARK: Use by the session

    /// The response that a request selects.
    func response(for request: TransportRequest) -> CachedResponse? {
        let key = Self.key(request.url)
        return state.withLock { state in
            guard
                let index = state.entries[key]?.firstIndex(where: { $0.response.isSelected(by: request.headers) })
            else { return nil }
            state.uses += 1
            state.entries[key]?[index].lastUse = state.uses
            return state.entries[key]?[index].response
        }
    }

    /// Keeps a response, if that is allowed.
    func store(_ response: Response, for request: TransportRequest, requestTime: Double, responseTime: Double) {
        guard request.method == .get, Self.isStorable(response, request) else { return }
        let names = response.headers.tokens("Vary")
        let varying = names.map { HTTPHeaders.Field($0, request.headers.combined($0) ?? "") }
        put(
            CachedResponse(
                head: response.head, body: response.body, varying: varying, requestTime: requestTime,
                responseTime: responseTime), for: request)
    }

    /// Puts a response in the place of the one that the request selects.
    func put(_ response: CachedResponse, for request: TransportRequest) {
        let cost = response.cost
        let key = Self.key(request.url)
        state.withLock { state in
            if let index = state.entries[key]?.firstIndex(where: { $0.response.isSelected(by: request.headers) }) {
                state.cost -= state.entries[key]?.remove(at: index).response.cost ?? 0
            }
            guard cost <= maximumEntrySize else { return }
            state.uses += 1
            state.entries[key, default: []].append(Entry(response: response, lastUse: state.uses))
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

    private static func isStorable(_ response: Response, _ request: TransportRequest) -> Bool {
        switch response.status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: break
        default: return false
        }
        let control = CacheControl(response.headers)
        if control.has("no-store") || CacheControl(request.headers).has("no-store") { return false }
        if response.headers.tokens("Vary").contains("*") { return false }
        return control.has("max-age") || response.headers.contains("Expires") || response.headers.contains("ETag")
            || response.headers.contains("Last-Modified")
    }

    private static func key(_ url: HTTPURL) -> String { url.withFragment(nil).description }

    private static func purge(_ state: inout State, to size: Int) {
        guard state.cost > size else { return }
        var uses = state.entries.flatMap { key, entries in entries.map { (key, $0.lastUse, $0.response.cost) } }
        uses.sort { $0.1 < $1.1 }
        for (key, lastUse, cost) in uses {
            guard state.cost > size else { return }
            state.entries[key]?.removeAll { $0.lastUse == lastUse }
            if state.entries[key]?.isEmpty ?? false { state.entries[key] = nil }
            state.cost -= cost
        }
    }
}
