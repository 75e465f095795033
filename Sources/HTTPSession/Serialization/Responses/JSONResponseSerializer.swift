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
