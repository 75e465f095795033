public import FoundationEssentials
public import JSON

/// Puts parameters into the body as JSON (RFC 8259).
public struct JSONRequestSerializer: RequestSerializer {
    /// Makes the text.
    public var encoder: JSONEncoder
    /// Which methods have the parameters in the body; those of the others go to the query, as ``query`` writes them.
    public var destination: ParameterDestination
    /// Writes the parameters of methods that have them in the query.
    public var query: QueryEncoder
    /// The `Content-Type` of a body.
    public var contentType: String

    /// Creates a serializer with an encoder of its own settings.
    public init(
        encoder: JSONEncoder, destination: ParameterDestination = .methodDependent, query: QueryEncoder = .alamofire,
        contentType: String = "application/json"
    ) {
        self.encoder = encoder
        self.destination = destination
        self.query = query
        self.contentType = contentType
    }

    /// Creates a serializer.
    /// - Parameters:
    ///   - sortsKeys: Whether the members of objects are sorted by name.
    ///   - isPretty: Whether the text has line breaks and indentation.
    ///   - destination: Which methods have the parameters in the body.
    public init(
        sortsKeys: Bool = false, isPretty: Bool = false, destination: ParameterDestination = .methodDependent
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        if sortsKeys { encoder.outputFormatting.insert(.sortedKeys) }
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        self.init(encoder: encoder, destination: destination)
    }

    /// Makes the parameters the request's body, or adds them to its query.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        if destination.isQuery(for: request.method) {
            request.appendQuery(try query.encode(parameters))
        } else {
            request.setBody(Array(try encoder.encode(parameters)), contentType: contentType)
        }
    }

    /// Makes a JSON value the request's body, whatever the method; numbers keep their text.
    public func serialize(_ value: JSONValue, into request: inout Request) {
        let formatting = encoder.outputFormatting
        let format = JSONFormat(
            indentation: formatting.contains(.prettyPrinted) ? 2 : nil, sortsMembers: formatting.contains(.sortedKeys))
        request.setBody(value.serializedBytes(format), contentType: contentType)
    }
}

extension RequestSerializer where Self == JSONRequestSerializer {
    /// Parameters in the query for GET, HEAD and DELETE, as JSON in the body otherwise.
    public static var json: JSONRequestSerializer { JSONRequestSerializer() }
    /// Parameters as JSON in the body whatever the method.
    public static var jsonBody: JSONRequestSerializer { JSONRequestSerializer(destination: .httpBody) }
}
