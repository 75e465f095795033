/// Makes a value of a response.
///
/// A serializer does not look at the status: validators do, and the body of an error can be decoded as any other.
public protocol ResponseSerializer<Value>: Sendable {
    /// What is made of the response.
    associatedtype Value: Sendable

    /// Makes a value of a response.
    /// - Throws: Any error: asking for the value then fails with ``SessionError/Reason/undecodable``, and the error is
    ///   its ``SessionError/underlying``.
    func serialize(_ response: Response) throws -> Value
}

extension ResponseSerializer {
    /// A serializer that makes something else of this one's value.
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Result
    ) -> CustomResponseSerializer<Result> {
        CustomResponseSerializer { try transform(serialize($0)) }
    }
}
