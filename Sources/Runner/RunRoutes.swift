import HTTPSession

/// The ways by which a run's requests reach their servers.
public struct RunRoutes: Sendable, Hashable {
    /// Why a way cannot be gone.
    public struct Failure: Error, Sendable {
        /// One sentence without a final full stop.
        public var message: String
    }

    var proxy = ProxyPolicy.direct
    var overrides: [ResolveOverride] = []

    /// The direct way.
    public init() {}

    /// Creates routes.
    ///
    /// - Parameters:
    ///   - proxy: the URL of the proxy, such as `http://127.0.0.1:3128`; nil for none.
    ///   - resolve: addresses that stand for what names resolve to, each as `HOST:PORT:ADDRESS`.
    /// - Throws: ``Failure`` for a text that is not such.
    public init(proxy: String?, resolve: [String] = []) throws(Failure) {
        do throws(ConnectionSettingError) {
            if let proxy { self.proxy = .proxy(try Proxy(proxy)) }
            for text in resolve { overrides.append(try ResolveOverride(text)) }
        } catch {
            throw Failure(message: error.message)
        }
    }

    /// The password for the proxy, which every output must mask.
    var secret: String? { proxy.http?.password }
}
