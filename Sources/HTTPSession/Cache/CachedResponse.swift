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
                for field in headers.fields where ByteClass.equalIgnoringCase(field.name, name) {
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
