/// How a request uses the session's cache.
public enum CachePolicy: Sendable, Hashable {
    /// The policy of the session, which without one of its own is ``use``.
    case inherited
    /// What the cache has is used while it is fresh, and revalidated when it is stale (RFC 9111).
    case use
    /// The cache is neither read nor written.
    case ignore
    /// What the cache has is used even when it is stale; otherwise the request is sent.
    case cacheElseLoad
    /// What the cache has is used; otherwise the request fails with ``SessionError/Reason/notInCache``.
    case cacheOnly
}
