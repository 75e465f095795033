/// Which servers a credential is for; requests to others are sent without it.
public struct CredentialScope: Sendable, Hashable {
    private var origins: [HTTPURL]?

    private init(origins: [HTTPURL]?) {
        self.origins = origins
    }

    /// Every server that a request is sent to; not those that a redirect leads to.
    public static let everywhere = CredentialScope(origins: nil)

    /// The servers of some URLs: scheme, host and port count, the rest does not.
    ///
    /// A text that is no absolute `http` or `https` URL stands for no server.
    public static func origins(_ urls: String...) -> CredentialScope {
        CredentialScope(
            origins: urls.compactMap { text in
                do throws(HTTPURLError) { return try HTTPURL(text) } catch { return nil }
            })
    }

    /// Whether the credential is for the server of a URL.
    public func includes(_ url: HTTPURL) -> Bool {
        guard let origins else { return true }
        return origins.contains { $0.hasSameOrigin(as: url) }
    }

    /// Whether the credential is for the server that a request is for.
    func includes(_ request: Request, _ context: AttemptContext) throws(SessionError) -> Bool {
        guard origins != nil else { return true }
        return try includes(context.url(of: request))
    }
}
