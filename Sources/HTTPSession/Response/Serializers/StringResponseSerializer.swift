/// A serializer that decodes the body as a string.
///
/// The encoding is the first of these that exists:
///
/// 1. the ``encoding`` of the serializer,
/// 2. the one of a byte order mark,
/// 3. the `charset` of the content type,
/// 4. the one that an XML declaration or an HTML `meta` element names,
/// 5. UTF-8 for JSON, and for any body that is valid UTF-8,
/// 6. the ``fallback``.
public struct StringResponseSerializer: ResponseSerializer {
    /// The encoding, regardless of the response; nil detects it.
    public var encoding: TextEncoding?
    /// The encoding of a body that declares none and is not valid UTF-8; nil throws an error.
    public var fallback: TextEncoding?
    /// Whether invalid bytes become U+FFFD instead of an error.
    public var repairs: Bool
    /// The transformations applied to the body before it is decoded.
    public var preprocessors: [BodyPreprocessor]
    /// The rules for empty bodies.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    /// - Parameters:
    ///   - encoding: The encoding, regardless of the response; nil detects it.
    ///   - fallback: The encoding of a body that declares none and is not valid UTF-8; nil throws an error.
    ///   - repairs: Whether invalid bytes become U+FFFD instead of an error.
    ///   - preprocessors: The transformations applied to the body before it is decoded.
    ///   - emptyBodies: The rules for empty bodies.
    public init(
        encoding: TextEncoding? = nil, fallback: TextEncoding? = .latin1, repairs: Bool = false,
        preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .allowed
    ) {
        self.encoding = encoding
        self.fallback = fallback
        self.repairs = repairs
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// Returns the body as a string, without a byte order mark.
    public func serialize(_ response: Response) throws -> String {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty {
            guard emptyBodies.permits(response) else { throw ResponseSerializationError.emptyBody }
            return ""
        }
        if let encoding { return try text(body, encoding) }
        let detection = TextDetection(body, contentType: response.headers["Content-Type"])
        switch detection.found {
        case .encoding(let encoding): return try text(body, encoding)
        case .unknown(let name):
            guard repairs else { throw ResponseSerializationError.unknownCharset(name) }
            return try text(body, .utf8)
        case .none:
            if let text = TextEncoding.utf8.decode(body) { return text }
            return try text(body, detection.isUTF8ByDefinition ? .utf8 : fallback ?? .utf8)
        }
    }

    private func text(_ body: [UInt8], _ encoding: TextEncoding) throws -> String {
        if repairs { return encoding.decodeRepairing(body) }
        guard let text = encoding.decode(body) else { throw ResponseSerializationError.invalidText(encoding) }
        return text
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// A serializer that decodes the body as a string.
    public static var string: StringResponseSerializer { StringResponseSerializer() }
}

/// A serializer that returns the bytes of the body.
public struct DataResponseSerializer: ResponseSerializer {
    /// The transformations applied to the body.
    public var preprocessors: [BodyPreprocessor]
    /// The rules for empty bodies.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
    /// - Parameters:
    ///   - preprocessors: The transformations applied to the body.
    ///   - emptyBodies: The rules for empty bodies.
    public init(preprocessors: [BodyPreprocessor] = [], emptyBodies: EmptyBodies = .allowed) {
        self.preprocessors = preprocessors
        self.emptyBodies = emptyBodies
    }

    /// Returns the bytes of the body.
    public func serialize(_ response: Response) throws -> [UInt8] {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty, !emptyBodies.permits(response) { throw ResponseSerializationError.emptyBody }
        return body
    }
}

extension ResponseSerializer where Self == DataResponseSerializer {
    /// A serializer that returns the bytes of the body.
    public static var data: DataResponseSerializer { DataResponseSerializer() }
}
