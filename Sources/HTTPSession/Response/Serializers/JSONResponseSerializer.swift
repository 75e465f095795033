public import FoundationEssentials
public import JSON

/// A serializer that parses the body as JSON (RFC 8259), keeping the order of members and the spelling of numbers.
public struct JSONResponseSerializer: ResponseSerializer {
    /// Whether null members and elements are removed, at every depth.
    public var removesNulls: Bool
    /// The limits of the JSON parser.
    public var limits: JSONParser.Limits
    /// The transformations applied to the body before it is parsed.
    public var preprocessors: [BodyPreprocessor]
    /// The rules for empty bodies, whose value is null.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    /// - Parameters:
    ///   - removesNulls: Whether null members and elements are removed, at every depth.
    ///   - limits: The limits of the JSON parser.
    ///   - preprocessors: The transformations applied to the body before it is parsed.
    ///   - emptyBodies: The rules for empty bodies, whose value is null.
    public init(
        removesNulls: Bool = false, limits: JSONParser.Limits = .init(), preprocessors: [BodyPreprocessor] = [],
        emptyBodies: EmptyBodies = .standard
    ) {
        self.removesNulls = removesNulls
        self.limits = limits
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// Parses the body.
    public func serialize(_ response: Response) throws -> JSONValue {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty {
            guard emptyBodies.permits(response) else { throw ResponseSerializationError.emptyBody }
            return .null
        }
        let value = try JSONParser(limits: limits).parse(Self.utf8(body, response))
        return removesNulls ? Self.withoutNulls(value) : value
    }

    /// Returns the body in UTF-8 without a byte order mark.
    ///
    /// RFC 8259 requires UTF-8, but its predecessor RFC 4627 allowed other encodings.
    static func utf8(_ body: [UInt8], _ response: Response) throws -> [UInt8] {
        let detection = TextDetection(body, contentType: response.headers["Content-Type"])
        guard case .encoding(let encoding) = detection.found ?? TextDetection.jsonEncoding(body) else { return body }
        if encoding == .utf8 || encoding == .ascii {
            return body.starts(with: TextEncoding.utf8Mark) ? Array(body.dropFirst(3)) : body
        }
        guard let text = encoding.decode(body) else { throw ResponseSerializationError.invalidText(encoding) }
        return Array(text.utf8)
    }

    /// Returns the value without null members and elements. A null root value stays.
    static func withoutNulls(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.compactMap { $0.isNull ? nil : withoutNulls($0) })
        case .object(let object):
            .object(JSONObject(object.compactMap { $0.value.isNull ? nil : ($0.key, withoutNulls($0.value)) }))
        default: value
        }
    }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
    /// A serializer that parses the body as JSON.
    public static var json: JSONResponseSerializer { JSONResponseSerializer() }
}

/// A serializer that decodes a `Decodable` value.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
    /// The decoder for the body.
    public var decoder: any BodyDecoder
    /// The transformations applied to the body before it is decoded.
    public var preprocessors: [BodyPreprocessor]
    /// The rules for empty bodies, whose value must be an ``EmptyResponse``.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder for the body.
    ///   - preprocessors: The transformations applied to the body before it is decoded.
    ///   - emptyBodies: The rules for empty bodies, whose value must be an ``EmptyResponse``.
    public init(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .standard
    ) {
        self.decoder = decoder
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// Decodes the body.
    public func serialize(_ response: Response) throws -> Value {
        let body = try preprocessors.processed(response.body)
        guard !body.isEmpty else {
            guard emptyBodies.permits(response) else { throw ResponseSerializationError.emptyBody }
            guard let type = Value.self as? any EmptyResponse.Type, let value = type.emptyValue as? Value else {
                throw ResponseSerializationError.noEmptyValue(type: "\(Value.self)")
            }
            return value
        }
        // A JSON decoder reads UTF-8 and UTF-16. Other encodings must be declared by the response.
        let text = decoder is JSONDecoder ? try JSONResponseSerializer.utf8(body, response) : body
        return try decoder.decodeBody(Value.self, from: text)
    }
}

/// A type that decodes bodies, such as a JSON or property list decoder.
public protocol BodyDecoder: Sendable {
    /// Decodes a value from a body.
    func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value
}

extension JSONDecoder: BodyDecoder {
    /// Decodes a value from JSON.
    /// - Throws: `DecodingError`. For invalid JSON, it contains the parser's error with its location.
    public func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        do {
            return try decode(type, from: Data(body))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [], debugDescription: context.debugDescription,
                    underlyingError: Self.syntaxError(body) ?? context.underlyingError))
        }
    }

    private static func syntaxError(_ body: [UInt8]) -> (any Error)? {
        do throws(JSONParseError) {
            _ = try JSONParser().parse(body)
            return nil
        } catch {
            return error
        }
    }
}

extension PropertyListDecoder: BodyDecoder {
    /// Decodes a value from an XML or binary property list.
    ///
    /// A property list that is nested more than 512 levels deep, contains itself or becomes too large is rejected
    /// before it is decoded.
    public func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        try PropertyListCheck(body).check()
        return try decode(type, from: Data(body))
    }
}
