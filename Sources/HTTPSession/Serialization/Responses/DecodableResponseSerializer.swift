public import FoundationEssentials

/// A value of a type that decodes itself.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
    /// Reads the body.
    public var decoder: any BodyDecoder
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]
    /// When the body may be empty; the type then must be an ``EmptyResponse``.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    public init(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard
    ) {
        self.decoder = decoder
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// The value.
    public func serialize(_ response: Response) throws -> Value {
        let body = try preprocessors.processed(response.body)
        guard !body.isEmpty else {
            guard emptyBodies.permits(response) else { throw ResponseSerializationError.emptyBody }
            guard let type = Value.self as? any EmptyResponse.Type, let value = type.emptyValue as? Value else {
                throw ResponseSerializationError.noEmptyValue(type: "\(Value.self)")
            }
            return value
        }
        // A JSON decoder reads UTF-8 and UTF-16; other encodings have to be named by the response.
        let text = decoder is JSONDecoder ? try JSONResponseSerializer.utf8(body, response) : body
        return try decoder.decodeBody(Value.self, from: text)
    }
}
