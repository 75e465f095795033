public import FoundationEssentials
public import JSON

extension PendingExchange {
    /// Sends the request, and makes a value of the response.
    /// - Throws: ``SessionError``; if no value can be made, with ``SessionError/Reason/undecodable`` and the response.
    public func serialize<Serializer: ResponseSerializer>(
        with serializer: Serializer
    ) async throws(SessionError) -> Serializer.Value {
        if isPlain, session.isPlain { return try await session.send(request).serialize(with: serializer) }
        return try await pipeline(.whole).run(serializer: serializer)
    }

    /// Sends the request, and makes a value of the response's body.
    /// - Parameters:
    ///   - type: The type of the value; an empty body needs an ``EmptyResponse``.
    ///   - decoder: Reads the body.
    ///   - preprocessors: Change the body first.
    ///   - emptyBodies: When the body may be empty.
    /// - Throws: ``SessionError``; if no value can be made, with ``SessionError/Reason/undecodable`` and the response.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard
    ) async throws(SessionError) -> Value {
        try await serialize(
            with: DecodableResponseSerializer<Value>(
                decoder: decoder, preprocessors: preprocessors, emptyBodies: emptyBodies))
    }

    /// Sends the request and gives the response's body.
    public func data() async throws(SessionError) -> [UInt8] {
        try await serialize(with: DataResponseSerializer())
    }

    /// Sends the request and gives the response's body as text, in the encoding that the response names.
    public func string(encoding: TextEncoding? = nil) async throws(SessionError) -> String {
        try await serialize(with: StringResponseSerializer(encoding: encoding))
    }

    /// Sends the request and gives the response's body as a JSON value.
    public func json(removingNulls removesNulls: Bool = false) async throws(SessionError) -> JSONValue {
        try await serialize(with: JSONResponseSerializer(removesNulls: removesNulls))
    }
}
