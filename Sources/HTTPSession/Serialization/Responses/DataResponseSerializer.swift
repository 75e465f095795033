/// The bytes of the body.
public struct DataResponseSerializer: ResponseSerializer {
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]
    /// When the body may be empty.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    public init(preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .allowed) {
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// The bytes.
    public func serialize(_ response: Response) throws -> [UInt8] {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty, !emptyBodies.permits(response) { throw ResponseSerializationError.emptyBody }
        return body
    }
}

extension ResponseSerializer where Self == DataResponseSerializer {
    /// The bytes of the body.
    public static var data: DataResponseSerializer { DataResponseSerializer() }
}
