public import XML

/// The body as an XML or HTML document, which XPath can be evaluated over.
///
/// The encoding is that of the content type's `charset`, or else what the document says.
public struct XMLResponseSerializer: ResponseSerializer {
    /// How strictly a body is read.
    public enum Syntax: Sendable, Hashable {
        /// As XML 1.0, which must be well-formed.
        case xml
        /// As HTML, whose mistakes are mended.
        case html
        /// As HTML if the content type is `text/html`, else as XML.
        case byContentType
    }

    /// How strictly the body is read.
    public var syntax: Syntax
    /// Bounds on the document.
    public var limits: XMLLimits
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]

    /// Creates a serializer.
    public init(syntax: Syntax = .xml, limits: XMLLimits = .init(), preprocessors: [BodyPreprocessor] = []) {
        self.syntax = syntax
        self.limits = limits
        self.preprocessors = preprocessors
    }

    /// The document; an empty body is none, whatever status and method are.
    public func serialize(_ response: Response) throws -> XMLDocument {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty { throw ResponseSerializationError.emptyBody }
        let type = response.headers["Content-Type"]
        let charset = type.flatMap { TextDetection.charset(in: $0) }
        if isHTML(type) { return try XMLDocument.parseHTML(body, encoding: charset, limits: limits) }
        return try XMLDocument.parse(body, encoding: charset, limits: limits)
    }

    private func isHTML(_ type: String?) -> Bool {
        switch syntax {
        case .xml: return false
        case .html: return true
        case .byContentType:
            guard let range = type.flatMap({ MediaRange($0) }) else { return false }
            return range.type == "text" && range.subtype == "html"
        }
    }
}

extension ResponseSerializer where Self == XMLResponseSerializer {
    /// The body as an XML document.
    public static var xml: XMLResponseSerializer { XMLResponseSerializer() }

    /// The body as an HTML document.
    public static var html: XMLResponseSerializer { XMLResponseSerializer(syntax: .html) }
}
