public import FoundationEssentials
public import JSON

/// The body as a JSON value (RFC 8259), the order of members and the text of numbers kept.
public struct JSONResponseSerializer: ResponseSerializer {
    /// Whether members and elements that are null are left out, at every depth.
    public var removesNulls: Bool
    /// Bounds on the text.
    public var limits: JSONParser.Limits
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]
    /// When the body may be empty; its value is null then.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    public init(
        removesNulls: Bool = false, limits: JSONParser.Limits = .init(), preprocessors: [BodyPreprocessor] = [],
        emptyBodies: EmptyBodies = .standard
    ) {
        self.removesNulls = removesNulls
        self.limits = limits
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// The value.
    public func serialize(_ response: Response) throws -> JSONValue {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty {
            guard emptyBodies.permits(response) else { throw ResponseSerializationError.emptyBody }
            return .null
        }
        let value = try JSONParser(limits: limits).parse(Self.utf8(body, response))
        return removesNulls ? Self.withoutNulls(value) : value
    }

    /// The text in UTF-8 without a byte order mark; other encodings are not JSON's any more, but were (RFC 4627).
    static func utf8(_ body: [UInt8], _ response: Response) throws -> [UInt8] {
        let detection = TextDetection(body, contentType: response.headers["Content-Type"])
        guard case .encoding(let encoding) = detection.found ?? TextDetection.jsonEncoding(body) else { return body }
        if encoding == .utf8 || encoding == .ascii {
            return body.starts(with: TextEncoding.utf8Mark) ? Array(body.dropFirst(3)) : body
        }
        guard let text = encoding.decode(body) else { throw ResponseSerializationError.invalidText(encoding) }
        return Array(text.utf8)
    }

    /// The value without null members and elements; a value that is null itself stays.
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
    /// The body as a JSON value.
    public static var json: JSONResponseSerializer { JSONResponseSerializer() }
}

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

/// Makes values of bodies: a decoder of JSON, of property lists, or of anything else.
public protocol BodyDecoder: Sendable {
    /// Makes a value of a body.
    func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value
}

extension JSONDecoder: BodyDecoder {
    /// Makes a value of JSON.
    /// - Throws: `DecodingError`; for what is no JSON it has the parser's error, which says where.
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
    /// Makes a value of a property list, XML or binary.
    ///
    /// A list that is nested more than 512 deep, contains itself or becomes too large is refused before it is read.
    public func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        try PropertyListCheck(body).check()
        return try decode(type, from: Data(body))
    }
}
