/// Puts parameters into a request by a function.
public struct CustomRequestSerializer: RequestSerializer {
    private let body: @Sendable (any Encodable, inout Request) throws -> Void

    /// Creates a serializer of a function that changes the request.
    public init(_ body: @escaping @Sendable (_ parameters: any Encodable, _ request: inout Request) throws -> Void) {
        self.body = body
    }

    /// Calls the function.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        try body(parameters, &request)
    }
}
