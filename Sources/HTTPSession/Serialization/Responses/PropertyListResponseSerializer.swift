import FoundationEssentials

/// The body as a property list, XML or binary, of whatever values it has.
public struct PropertyListResponseSerializer: ResponseSerializer {
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]
    /// When the body may be empty; its value is null then.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    public init(preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard) {
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// The value; whole numbers are ``ParameterValue/int(_:)`` however they were written.
    public func serialize(_ response: Response) throws -> ParameterValue {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty {
            guard emptyBodies.permits(response) else { throw ResponseSerializationError.emptyBody }
            return .null
        }
        return try PropertyListDecoder().decodeBody(ParameterValue.self, from: body)
    }
}

extension ResponseSerializer where Self == PropertyListResponseSerializer {
    /// The body as a property list.
    public static var propertyList: PropertyListResponseSerializer { PropertyListResponseSerializer() }
}
