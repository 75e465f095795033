public import FoundationEssentials
public import JSON

extension Response {
    /// Makes a value of the response; it can be done any number of times.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable``, which has the response.
    public func serialize<Serializer: ResponseSerializer>(
        with serializer: Serializer
    ) throws(SessionError) -> Serializer.Value {
        do {
            return try serializer.serialize(self)
        } catch let error as SessionError {
            throw error
        } catch {
            var message = "the body cannot be decoded as \(Serializer.Value.self): "
            message += SerializationFailure.text(of: error)
            if !body.isEmpty { message += "; it starts with " + SerializationFailure.excerpt(body) }
            throw SessionError(.decode, .undecodable, message, response: self, underlying: error)
        }
    }

    /// Makes a value of the body; it can be done any number of times.
    /// - Parameters:
    ///   - type: The type of the value; an empty body needs an ``EmptyResponse``.
    ///   - decoder: Reads the body.
    ///   - preprocessors: Change the body first.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable``, which has the response.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = []
    ) throws(SessionError) -> Value {
        try serialize(with: DecodableResponseSerializer<Value>(decoder: decoder, preprocessors: preprocessors))
    }

    /// The body as text.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable`` if it is not valid in its encoding.
    public func string(encoding: TextEncoding? = nil) throws(SessionError) -> String {
        try serialize(with: StringResponseSerializer(encoding: encoding))
    }

    /// The body as a JSON value.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable`` if it is none.
    public func json(removingNulls removesNulls: Bool = false) throws(SessionError) -> JSONValue {
        try serialize(with: JSONResponseSerializer(removesNulls: removesNulls))
    }
}
