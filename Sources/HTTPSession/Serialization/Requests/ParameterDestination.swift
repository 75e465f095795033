/// Where a request serializer puts parameters.
public enum ParameterDestination: Sendable, Hashable {
    /// In the query for the methods of a set, in the body for all others.
    case methodDependent(inQuery: Set<HTTPMethod>)
    /// In the query.
    case queryString
    /// In the body.
    case httpBody

    /// In the query for GET, HEAD and DELETE, in the body for all other methods.
    public static let methodDependent = methodDependent(inQuery: [.get, .head, .delete])

    /// Whether parameters of a request with the method go to the query.
    public func isQuery(for method: HTTPMethod) -> Bool {
        switch self {
        case .methodDependent(let methods): methods.contains(method)
        case .queryString: true
        case .httpBody: false
        }
    }
}
