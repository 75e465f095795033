import Basics
import Synchronization

/// Keeps cookies between exchanges (RFC 6265); safe to share, cheap to make one per test.
///
/// There is no public-suffix list in it: a server at `a.co.uk` can set a cookie for all of `co.uk`, which every other
/// server there then gets. Domains of one label, such as `com`, are refused. Give requests to servers that do not trust
/// each other jars of their own.
///
/// A jar can be looked into (``cookies``, ``cookies(for:)``), changed (``set(_:)``, ``remove(where:)``), and kept in a file
/// (``save(to:format:includingSessionCookies:)``, ``load(from:)``).
public final class CookieJar: Sendable {
    /// The most cookies that a jar keeps; beyond that the oldest go.
    public static let capacity = 3000

    private let stored = Mutex<[Cookie]>([])
    private let now: @Sendable () -> Int64

    /// Creates an empty jar.
    public convenience init() {
        self.init(now: { WallClock.secondsSince1970() })
    }

    /// Creates an empty jar with a clock.
    /// - Parameter now: Gives the time in seconds since 1970-01-01 UTC.
    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// The cookies that have not expired, oldest first.
    public var cookies: [Cookie] {
        let now = now()
        return stored.withLock { cookies in cookies.filter { $0.expires.map { $0 > now } ?? true } }
    }

    /// The first cookie of a name, for any host.
    public func cookie(named name: String) -> Cookie? {
        cookies.first { $0.name == name }
    }

    /// Adds a cookie, in place of one with the same name, domain and path; removes that if the new one has expired.
    public func set(_ cookie: Cookie) {
        let now = now()
        stored.withLock { Self.set(cookie, in: &$0, now: now) }
    }

    private static func set(_ cookie: Cookie, in cookies: inout [Cookie], now: Int64) {
        let index = cookies.firstIndex {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        let isExpired = cookie.expires.map { $0 <= now } ?? false
        switch (index, isExpired) {
        case (let index?, true): cookies.remove(at: index)
        case (let index?, false): cookies[index] = cookie
        case (nil, true): break
        case (nil, false):
            if cookies.count >= capacity { cookies.removeAll { $0.expires.map { $0 <= now } ?? false } }
            if cookies.count >= capacity { cookies.removeFirst() }
            cookies.append(cookie)
        }
    }

    /// Removes all cookies.
    public func removeAll() {
        stored.withLock { $0.removeAll() }
    }

    /// Removes the cookies of a name.
    public func remove(named name: String) {
        stored.withLock { $0.removeAll { $0.name == name } }
    }

    /// Removes the cookies that a function picks.
    /// - Returns: How many there were.
    @discardableResult
    public func remove(where isPicked: (Cookie) throws -> Bool) rethrows -> Int {
        try stored.withLock { cookies in
            let count = cookies.count
            try cookies.removeAll(where: isPicked)
            return count - cookies.count
        }
    }

    /// Removes the cookies that have expired; they are sent nowhere, but take space until then.
    /// - Returns: How many there were.
    @discardableResult
    public func removeExpired() -> Int {
        let now = now()
        return remove { $0.expires.map { $0 <= now } ?? false }
    }

    /// Removes the cookies that end with the session, as a browser does when it is closed.
    /// - Returns: How many there were.
    @discardableResult
    public func removeSessionCookies() -> Int {
        remove { $0.expires == nil }
    }

    /// Takes the cookies that a response sets.
    public func store(_ headers: HTTPHeaders, from url: HTTPURL) {
        guard headers.contains("Set-Cookie") else { return }
        let now = now()
        let new = headers.values("Set-Cookie").compactMap { Cookie(setCookie: $0, from: url, now: now) }
        guard !new.isEmpty else { return }
        stored.withLock { cookies in
            for cookie in new where url.isSecure || !Self.hides(cookie, cookies, now: now) {
                Self.set(cookie, in: &cookies, now: now)
            }
        }
    }

    /// Whether a cookie that came over http would stand in for one that is for https only (RFC 6265's successor,
    /// section 5.7).
    private static func hides(_ new: Cookie, _ cookies: [Cookie], now: Int64) -> Bool {
        cookies.contains { old in
            old.isSecure && old.name == new.name && old.expires.map { $0 > now } ?? true
                && (Cookie.domain(old.domain, matches: new.domain) || Cookie.domain(new.domain, matches: old.domain))
                && Cookie.path(new.path, matches: old.path)
        }
    }

    /// The cookies for a request to a URL, those of longer paths first (RFC 6265 section 5.4).
    public func cookies(for url: HTTPURL) -> [Cookie] {
        let matching: [Cookie] = stored.withLock { cookies in
            guard !cookies.isEmpty else { return [] }
            let now = now()
            return cookies.filter { $0.matches(url, now: now) }
        }
        guard matching.count > 1 else { return matching }
        // The sort must be stable: cookies of equal paths go in the order in which they were made.
        return matching.enumerated().sorted { first, second in
            let (a, b) = (first.element.path.utf8.count, second.element.path.utf8.count)
            return a == b ? first.offset < second.offset : a > b
        }.map(\.element)
    }

    /// The value of the `Cookie` field for a request to a URL, or nil if no cookie goes there.
    /// - Parameters:
    ///   - url: The request's URL.
    ///   - own: A `Cookie` value of the request itself, whose cookies come first and hide the jar's of the same name.
    public func header(for url: HTTPURL, own: String? = nil) -> String? {
        let cookies = cookies(for: url)
        guard !cookies.isEmpty else { return own }
        var pairs: [String] = []
        var ownNames: [String] = []
        if let own {
            pairs.append(own)
            ownNames = own.split(separator: ";").map {
                String($0.drop { $0 == " " }.prefix { $0 != "=" })
            }
        }
        for cookie in cookies where !ownNames.contains(cookie.name) { pairs.append(cookie.name + "=" + cookie.value) }
        return pairs.joined(separator: "; ")
    }
}
