/// A redirect that may be followed.
public struct Redirect: Sendable {
    /// The redirect response.
    public var response: Response
    /// What would be sent: method and body as the status asks, without credentials if the origin is another.
    public var request: SentRequest
    /// How many redirects this makes, from 1.
    public var number: Int
}
