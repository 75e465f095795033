/// When an empty body is no error.
public struct EmptyBodies: Sendable, Hashable {
    /// The statuses that have no body.
    public var responseCodes: Set<Int>
    /// The methods whose responses have no body.
    public var requestMethods: Set<HTTPMethod>
    /// Whether every body may be empty.
    public var areAlwaysAllowed: Bool

    /// Creates a rule.
    public init(
        responseCodes: Set<Int> = [204, 205], requestMethods: Set<HTTPMethod> = [.head],
        areAlwaysAllowed: Bool = false
    ) {
        self.responseCodes = responseCodes
        self.requestMethods = requestMethods
        self.areAlwaysAllowed = areAlwaysAllowed
    }

    /// Statuses 204 and 205, and responses to HEAD (RFC 9110 sections 9.3.2, 15.3.5 and 15.3.6).
    public static let standard = EmptyBodies()
    /// All.
    public static let allowed = EmptyBodies(areAlwaysAllowed: true)

    /// Whether the response may have an empty body.
    public func permits(_ response: Response) -> Bool {
        areAlwaysAllowed || responseCodes.contains(response.status)
            || requestMethods.contains(response.request.method)
    }
}
