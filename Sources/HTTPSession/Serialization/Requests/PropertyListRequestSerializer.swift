import FoundationEssentials

/// Puts parameters into the body as a property list.
public struct PropertyListRequestSerializer: RequestSerializer {
    /// A form of property lists.
    public enum Format: Sendable, Hashable {
        /// XML.
        case xml
        /// Binary.
        case binary
    }

    /// The form.
    public var format: Format
    /// Which methods have the parameters in the body; those of the others go to the query, as ``query`` writes them.
    public var destination: ParameterDestination
    /// Writes the parameters of methods that have them in the query.
    public var query: QueryEncoder
    /// The `Content-Type` of a body.
    public var contentType: String

    /// Creates a serializer.
    public init(
        format: Format = .xml, destination: ParameterDestination = .methodDependent, query: QueryEncoder = .alamofire,
        contentType: String = "application/x-plist"
    ) {
        self.format = format
        self.destination = destination
        self.query = query
        self.contentType = contentType
    }

    /// Makes the parameters the request's body, or adds them to its query.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        if destination.isQuery(for: request.method) {
            request.appendQuery(try query.encode(parameters))
            return
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        request.setBody(Array(try encoder.encode(parameters)), contentType: contentType)
    }
}

extension RequestSerializer where Self == PropertyListRequestSerializer {
    /// Parameters in the query for GET, HEAD and DELETE, as an XML property list in the body otherwise.
    public static var propertyList: PropertyListRequestSerializer { PropertyListRequestSerializer() }
}
