import Basics
import Synchronization

/// A thread-safe store of cookies between exchanges (RFC 6265), cheap enough to create one per test.
///
/// A jar has no public suffix list. A server at `a.co.uk` can set a cookie for all of `co.uk`, which is then sent to
/// every other server in that domain. Single-label domains such as `com` are rejected. Use separate jars for requests
/// to servers that do not trust each other.
///
/// A jar can be inspected (``cookies``, ``cookies(for:)``), modified (``set(_:)``, ``remove(where:)``), and stored in a
/// file (``save(to:format:includingSessionCookies:)``, ``load(from:)``).
///
/// ```swift
/// let jar = CookieJar()
/// jar.set(Cookie(name: "theme", value: "dark", domain: "example.org"))
/// let configuration = SessionConfiguration(cookies: jar)
/// ```
public final class CookieJar: Sendable {
    /// The maximum number of cookies in a jar; beyond that, the oldest cookies are removed.
    public static let capacity = 3000

    private let stored = Mutex<[Cookie]>([])
    private let now: @Sendable () -> Int64

    /// Creates an empty jar.
    public convenience init() {
        self.init(now: { WallClock.secondsSince1970() })
    }

    /// Creates an empty jar with a custom clock.
    /// - Parameter now: A closure that returns the time in seconds since 1970-01-01 UTC.
    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// The cookies that have not expired, oldest first.
    public var cookies: [Cookie] {
        let now = now()
        return stored.withLock { cookies in cookies.filter { $0.expires.map { $0 > now } ?? true } }
    }

    /// Returns the first cookie with a name, for any host.
    public func cookie(named name: String) -> Cookie? {
        cookies.first { $0.name == name }
    }

    /// Adds a cookie, replacing one with the same name, domain and path.
    ///
    /// If the new cookie has expired, the existing one is removed.
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

    /// Removes all cookies with a name.
    public func remove(named name: String) {
        stored.withLock { $0.removeAll { $0.name == name } }
    }

    /// Removes the cookies that satisfy a predicate.
    /// - Parameter isPicked: A closure that returns whether to remove a cookie.
    /// - Returns: The number of removed cookies.
    @discardableResult
    public func remove(where isPicked: (Cookie) throws -> Bool) rethrows -> Int {
        try stored.withLock { cookies in
            let count = cookies.count
            try cookies.removeAll(where: isPicked)
            return count - cookies.count
        }
    }

    /// Removes the expired cookies, which are no longer sent but still use memory.
    /// - Returns: The number of removed cookies.
    @discardableResult
    public func removeExpired() -> Int {
        let now = now()
        return remove { $0.expires.map { $0 <= now } ?? false }
    }

    /// Removes the session cookies, as a browser does when it is closed.
    /// - Returns: The number of removed cookies.
    @discardableResult
    public func removeSessionCookies() -> Int {
        remove { $0.expires == nil }
    }

    /// Stores the cookies that a response sets.
    /// - Parameters:
    ///   - headers: The header of the response.
    ///   - url: The URL of the response.
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

    /// Returns whether a cookie set over http would shadow a secure cookie (RFC 6265bis, section 5.7).
    private static func hides(_ new: Cookie, _ cookies: [Cookie], now: Int64) -> Bool {
        cookies.contains { old in
            old.isSecure && old.name == new.name && old.expires.map { $0 > now } ?? true
                && (Cookie.domain(old.domain, matches: new.domain) || Cookie.domain(new.domain, matches: old.domain))
                && Cookie.path(new.path, matches: old.path)
        }
    }

    /// Returns the cookies for a request to a URL, those with longer paths first (RFC 6265, section 5.4).
    public func cookies(for url: HTTPURL) -> [Cookie] {
        let matching: [Cookie] = stored.withLock { cookies in
            guard !cookies.isEmpty else { return [] }
            let now = now()
            return cookies.filter { $0.matches(url, now: now) }
        }
        guard matching.count > 1 else { return matching }
        // The sort must be stable: cookies with equal path lengths are sent in the order of their creation.
        return matching.enumerated().sorted { first, second in
            let (a, b) = (first.element.path.utf8.count, second.element.path.utf8.count)
            return a == b ? first.offset < second.offset : a > b
        }.map(\.element)
    }

    /// Returns the value of the `Cookie` field for a request to a URL, or nil if no cookie applies.
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - own: The request's own `Cookie` value.
    ///   - selection: The cookies of the jar that are sent. By default, the own cookies come first and override those
    ///     of the jar with the same names.
    public func header(
        for url: HTTPURL, own: String? = nil, selection: CookieSelection = CookieSelection()
    ) -> String? {
        guard selection.sendsStored else { return own }
        let cookies = cookies(for: url)
        guard !cookies.isEmpty else { return own }
        let ownNames = selection.repeatsNames ? [] : own.map(Cookie.names(inField:)) ?? []
        var pairs: [String] = []
        for cookie in cookies where !ownNames.contains(cookie.name) && !selection.withheld.contains(cookie.name) {
            pairs.append(cookie.name + "=" + cookie.value)
        }
        if let own { pairs.insert(own, at: selection.repeatsNames ? pairs.count : 0) }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }
}

/// The cookies of a jar that a request sends, and their order relative to the request's own `Cookie` field.
///
/// ```swift
/// request.cookies = .jar(jar, CookieSelection(withheld: ["session"]))
/// ```
public struct CookieSelection: Sendable, Hashable {
    /// The names of cookies that are not sent.
    public var withheld: Set<String>
    /// Whether cookies of the jar are sent at all. Cookies of the response are stored in either case.
    public var sendsStored: Bool
    /// Whether a cookie of the jar is sent even if the request has one with the same name.
    ///
    /// The jar's cookies then come before those of the request, as with curl's `--cookie`.
    public var repeatsNames: Bool

    /// Creates a selection.
    /// - Parameters:
    ///   - withheld: The names of cookies that are not sent.
    ///   - sendsStored: Whether cookies of the jar are sent at all.
    ///   - repeatsNames: Whether a cookie of the jar is sent even if the request has one with the same name.
    public init(withheld: Set<String> = [], sendsStored: Bool = true, repeatsNames: Bool = false) {
        self.withheld = withheld
        self.sendsStored = sendsStored
        self.repeatsNames = repeatsNames
    }
}

extension Cookie {
    /// Returns the names of the cookies in the value of a `Cookie` field.
    public static func names(inField value: String) -> [String] {
        value.split(separator: ";").map { String($0.drop { $0 == " " }.prefix { $0 != "=" }) }
    }
}
