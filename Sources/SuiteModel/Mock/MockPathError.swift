/// Why and where a route's path is no pattern.
public struct MockPathError: Error, Sendable, Hashable {
    /// What is wrong, as one sentence without a final full stop.
    public let message: String
    /// Where the offending part begins, in Unicode scalars from the path's first one.
    public let offset: Int
    /// The offending part's length in Unicode scalars.
    public let length: Int
}
