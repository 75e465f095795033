/// Makes a value of a response by a function.
public struct CustomResponseSerializer<Value: Sendable>: ResponseSerializer {
    private let body: @Sendable (Response) throws -> Value

    /// Creates a serializer of a function.
    public init(_ body: @escaping @Sendable (Response) throws -> Value) {
        self.body = body
    }

    /// Calls the function.
    public func serialize(_ response: Response) throws -> Value {
        try body(response)
    }
}
