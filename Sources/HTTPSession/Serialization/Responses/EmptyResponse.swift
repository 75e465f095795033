/// A type that has a value for an empty body.
public protocol EmptyResponse {
    /// The value for an empty body.
    static var emptyValue: Self { get }
}

/// The value of a response whose body says nothing.
public struct Empty: EmptyResponse, Codable, Hashable, Sendable {
    /// Creates the value.
    public init() {}

    /// The only value.
    public static let emptyValue = Empty()
}

extension Optional: EmptyResponse {
    /// Nil.
    public static var emptyValue: Wrapped? { nil }
}
