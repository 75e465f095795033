public import XML

/// A serializer that parses the body as an XML or HTML document, which can be queried with XPath.
///
/// The encoding is the `charset` of the content type if it has one, and otherwise the one that the document declares.
///
/// ```swift
/// let feed = try await session.get("feed.xml").serialize(with: .xml)
/// ```
public struct XMLResponseSerializer: ResponseSerializer {
    /// The syntax that a body is parsed with.
    public enum Syntax: Sendable, Hashable {
        /// XML 1.0, which must be well-formed.
        case xml
        /// HTML, whose errors are repaired.
        case html
        /// HTML if the content type is `text/html`, and XML otherwise.
        case byContentType
    }

    /// The syntax that the body is parsed with.
    public var syntax: Syntax
    /// The limits of the document.
    public var limits: XMLLimits
    /// The transformations applied to the body before it is parsed.
    public var preprocessors: [BodyPreprocessor]

    /// Creates a serializer.
    /// - Parameters:
    ///   - syntax: The syntax that the body is parsed with.
    ///   - limits: The limits of the document.
    ///   - preprocessors: The transformations applied to the body before it is parsed.
    public init(syntax: Syntax = .xml, limits: XMLLimits = .init(), preprocessors: [BodyPreprocessor] = []) {
        self.syntax = syntax
        self.limits = limits
        self.preprocessors = preprocessors
    }

    /// Parses the document; an empty body is an error, regardless of the status and method.
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
    /// A serializer that parses the body as an XML document.
    public static var xml: XMLResponseSerializer { XMLResponseSerializer() }

    /// A serializer that parses the body as an HTML document.
    public static var html: XMLResponseSerializer { XMLResponseSerializer(syntax: .html) }
}
