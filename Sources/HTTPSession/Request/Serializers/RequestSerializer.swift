public import FoundationEssentials
public import JSON

/// Puts values into a request: into its query, or as its body with the header that says what it is.
public protocol RequestSerializer: Sendable {
    /// Changes a request so that it carries the parameters.
    ///
    /// A `Content-Type` that the request has already is kept.
    /// - Throws: Any error: the request then fails with ``SessionError/Reason/unencodable``, and the error is its
    ///   ``SessionError/underlying``.
    func serialize(_ parameters: some Encodable, into request: inout Request) throws
}

/// Where a request serializer puts parameters.
public enum ParameterDestination: Sendable, Hashable {
    /// In the query for the methods of a set, in the body for all others.
    case methodDependent(inQuery: Set<HTTPMethod>)
    /// In the query.
    case queryString
    /// In the body.
    case httpBody

    /// In the query for GET, HEAD and DELETE, in the body for all other methods.
    public static let methodDependent = methodDependent(inQuery: [.get, .head, .delete])

    /// Whether parameters of a request with the method go to the query.
    public func isQuery(for method: HTTPMethod) -> Bool {
        switch self {
        case .methodDependent(let methods): methods.contains(method)
        case .queryString: true
        case .httpBody: false
        }
    }
}

/// Puts parameters into a request by a function.
public struct CustomRequestSerializer: RequestSerializer {
    private let body: @Sendable (any Encodable, inout Request) throws -> Void

    /// Creates a serializer of a function that changes the request.
    public init(_ body: @escaping @Sendable (_ parameters: any Encodable, _ request: inout Request) throws -> Void) {
        self.body = body
    }

    /// Calls the function.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        try body(parameters, &request)
    }
}

/// Puts parameters into the query, or into the body as `application/x-www-form-urlencoded`.
public struct FormRequestSerializer: RequestSerializer {
    /// Makes the text.
    public var encoder: QueryEncoder
    /// Where it goes.
    public var destination: ParameterDestination
    /// The `Content-Type` of a body.
    public var contentType: String

    /// Creates a serializer.
    public init(
        encoder: QueryEncoder = .alamofire, destination: ParameterDestination = .methodDependent,
        contentType: String = "application/x-www-form-urlencoded"
    ) {
        self.encoder = encoder
        self.destination = destination
        self.contentType = contentType
    }

    /// What Alamofire's `URLEncodedFormParameterEncoder` does.
    public static let alamofire = FormRequestSerializer(
        encoder: .alamofire, contentType: "application/x-www-form-urlencoded; charset=utf-8")
    /// What AFNetworking's `AFHTTPRequestSerializer` does.
    public static let afNetworking = FormRequestSerializer(encoder: .afNetworking)

    /// Adds the parameters to the request's query after a "&", or makes them its body.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        put(try encoder.encode(parameters), into: &request)
    }

    /// Adds the parameters to the request's query after a "&", or makes them its body.
    public func serialize(_ parameters: Parameters, into request: inout Request) throws {
        put(try encoder.encode(parameters), into: &request)
    }

    private func put(_ text: String, into request: inout Request) {
        if destination.isQuery(for: request.method) {
            request.appendQuery(text)
        } else {
            request.setBody(Array(text.utf8), contentType: contentType)
        }
    }
}

extension RequestSerializer where Self == FormRequestSerializer {
    /// Parameters in the query for GET, HEAD and DELETE, as a form in the body otherwise.
    public static var form: FormRequestSerializer { FormRequestSerializer() }
    /// Parameters in the query whatever the method.
    public static var query: FormRequestSerializer { FormRequestSerializer(destination: .queryString) }

    /// Parameters in the query or as a form in the body.
    public static func form(
        _ encoder: QueryEncoder, destination: ParameterDestination = .methodDependent
    ) -> FormRequestSerializer {
        FormRequestSerializer(encoder: encoder, destination: destination)
    }
}

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

extension Request {
    /// Adds text to the query of the URL, after a "&" if there is a query already, before a fragment.
    mutating func appendQuery(_ text: String) {
        guard !text.isEmpty else { return }
        let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        let head = url[..<end]
        var joint = "?"
        if head.utf8.contains(UInt8(ascii: "?")) {
            let last = head.utf8.last
            joint = last == UInt8(ascii: "?") || last == UInt8(ascii: "&") ? "" : "&"
        }
        url = head + joint + text + url[end...]
    }

    /// Makes bytes the body, and says what they are unless the header does already.
    mutating func setBody(_ bytes: [UInt8], contentType: String) {
        body = .bytes(bytes)
        if !headers.contains("Content-Type") { headers.append(name: "Content-Type", value: contentType) }
    }

    /// Puts parameters into the request.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/unencodable``.
    public mutating func add(
        _ parameters: some Encodable, with serializer: some RequestSerializer = .form
    ) throws(SessionError) {
        try change { request throws in try serializer.serialize(parameters, into: &request) }
    }

    /// Changes the request, or leaves it as it was and throws why it could not be changed.
    mutating func change(_ body: (inout Request) throws -> Void) throws(SessionError) {
        var copy = self
        do {
            try body(&copy)
        } catch let error as SessionError {
            throw error
        } catch {
            throw SessionError(
                .request, .unencodable, "the parameters cannot be encoded: \(SerializationFailure.text(of: error))",
                request: self, underlying: error)
        }
        self = copy
    }
}
