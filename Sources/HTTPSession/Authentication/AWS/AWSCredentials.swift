/// The keys that requests to Amazon Web Services are signed with.
public struct AWSCredentials: Sendable, Hashable {
    /// The access key's identifier, which is sent.
    public var accessKey: String
    private var secret: Secret
    private var session: Secret?

    /// The secret key, which is not sent.
    public var secretKey: String { secret.value }
    /// The token of temporary credentials, which is sent.
    public var sessionToken: String? { session?.value }

    /// Creates credentials.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        secret = Secret(secretKey)
        session = sessionToken.map(Secret.init)
    }
}
