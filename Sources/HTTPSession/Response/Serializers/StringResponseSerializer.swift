/// The body as text.
///
/// The encoding is, in this order: the one given here; that of a byte order mark; the content type's `charset`; what an
/// XML declaration or an HTML `meta` element names; UTF-8 for JSON and wherever the bytes are valid UTF-8; else the
/// fallback.
public struct StringResponseSerializer: ResponseSerializer {
    /// The encoding whatever the response says; nil to find it.
    public var encoding: TextEncoding?
    /// The encoding of a body that names none and is not UTF-8; nil to fail.
    public var fallback: TextEncoding?
    /// Whether bytes that are invalid in the encoding become U+FFFD instead of an error.
    public var repairs: Bool
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]
    /// When the body may be empty.
    public var emptyBodies: EmptyBodies

    /// Creates a serializer.
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

    /// The text, without a byte order mark.
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
    /// The body as text.
    public static var string: StringResponseSerializer { StringResponseSerializer() }
}

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
