import Basics
public import FoundationEssentials
public import JSON

/// A type that adds parameters to a request, in its query or as its body with the matching header fields.
///
/// ```swift
/// struct TextSerializer: RequestSerializer {
///     func serialize(_ parameters: some Encodable, into request: inout Request) throws {
///         request.headers.set(name: "Content-Type", value: "text/plain")
///         request.body = .text("\(parameters)")
///     }
/// }
/// ```
public protocol RequestSerializer: Sendable {
    /// Adds the parameters to a request.
    ///
    /// An existing `Content-Type` field is kept.
    /// - Parameters:
    ///   - parameters: The parameters: a value that encodes itself as key-value pairs.
    ///   - request: The request to change.
    /// - Throws: Any error. The request then fails with ``SessionError/Reason/unencodable``, and the error becomes its
    ///   ``SessionError/underlying``.
    func serialize(_ parameters: some Encodable, into request: inout Request) throws
}

/// The part of a request that a serializer writes parameters to.
public enum ParameterDestination: Sendable, Hashable {
    /// The query for the given methods, and the body for all others.
    case methodDependent(inQuery: Set<HTTPMethod>)
    /// The query.
    case queryString
    /// The body.
    case httpBody

    /// The query for GET, HEAD and DELETE, and the body for all other methods.
    public static let methodDependent = methodDependent(inQuery: [.get, .head, .delete])

    /// Returns whether parameters of a request with the given method belong in the query.
    public func isQuery(for method: HTTPMethod) -> Bool {
        switch self {
        case .methodDependent(let methods): methods.contains(method)
        case .queryString: true
        case .httpBody: false
        }
    }
}

/// A request serializer that calls a closure.
public struct CustomRequestSerializer: RequestSerializer {
    private let body: @Sendable (any Encodable, inout Request) throws -> Void

    /// Creates a serializer from a closure that changes the request.
    public init(_ body: @escaping @Sendable (_ parameters: any Encodable, _ request: inout Request) throws -> Void) {
        self.body = body
    }

    /// Calls the closure.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        try body(parameters, &request)
    }
}

/// A serializer that writes parameters to the query, or to the body as `application/x-www-form-urlencoded`.
public struct FormRequestSerializer: RequestSerializer {
    /// The encoder that converts the parameters to a string.
    public var encoder: QueryEncoder
    /// The part of the request that receives the parameters.
    public var destination: ParameterDestination
    /// The `Content-Type` of a body.
    public var contentType: String

    /// Creates a serializer.
    /// - Parameters:
    ///   - encoder: The encoder that converts the parameters to a string.
    ///   - destination: The part of the request that receives the parameters.
    ///   - contentType: The `Content-Type` of a body.
    public init(
        encoder: QueryEncoder = .alamofire, destination: ParameterDestination = .methodDependent,
        contentType: String = "application/x-www-form-urlencoded"
    ) {
        self.encoder = encoder
        self.destination = destination
        self.contentType = contentType
    }

    /// A serializer that matches Alamofire's `URLEncodedFormParameterEncoder`.
    public static let alamofire = FormRequestSerializer(
        encoder: .alamofire, contentType: "application/x-www-form-urlencoded; charset=utf-8")
    /// A serializer that matches AFNetworking's `AFHTTPRequestSerializer`.
    public static let afNetworking = FormRequestSerializer(encoder: .afNetworking)

    /// Appends the parameters to the request's query, or replaces its body with them.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        put(try encoder.encode(parameters), into: &request)
    }

    /// Appends the parameters to the request's query, or replaces its body with them.
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
    /// A serializer that writes parameters to the query for GET, HEAD and DELETE, and to a form body otherwise.
    public static var form: FormRequestSerializer { FormRequestSerializer() }
    /// A serializer that writes parameters to the query, regardless of the method.
    public static var query: FormRequestSerializer { FormRequestSerializer(destination: .queryString) }

    /// Returns a serializer that writes parameters to the query or to a form body.
    /// - Parameters:
    ///   - encoder: The encoder that converts the parameters to a string.
    ///   - destination: The part of the request that receives the parameters.
    public static func form(
        _ encoder: QueryEncoder, destination: ParameterDestination = .methodDependent
    ) -> FormRequestSerializer {
        FormRequestSerializer(encoder: encoder, destination: destination)
    }
}

/// A serializer that writes parameters to the body as JSON (RFC 8259).
public struct JSONRequestSerializer: RequestSerializer {
    /// The encoder of a body.
    public var encoder: JSONEncoder
    /// The destination of the parameters; ``query`` encodes those that belong in the query.
    public var destination: ParameterDestination
    /// The encoder for parameters that belong in the query.
    public var query: QueryEncoder
    /// The `Content-Type` of a body.
    public var contentType: String

    /// Creates a serializer with a custom encoder.
    /// - Parameters:
    ///   - encoder: The encoder of a body.
    ///   - destination: The part of the request that receives the parameters.
    ///   - query: The encoder for parameters that belong in the query.
    ///   - contentType: The `Content-Type` of a body.
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
    ///   - isPretty: Whether the JSON has line breaks and indentation.
    ///   - destination: The part of the request that receives the parameters.
    public init(
        sortsKeys: Bool = false, isPretty: Bool = false, destination: ParameterDestination = .methodDependent
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        if sortsKeys { encoder.outputFormatting.insert(.sortedKeys) }
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        self.init(encoder: encoder, destination: destination)
    }

    /// Replaces the request's body with the parameters, or appends them to its query.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        if destination.isQuery(for: request.method) {
            request.appendQuery(try query.encode(parameters))
        } else {
            request.setBody(Array(try encoder.encode(parameters)), contentType: contentType)
        }
    }

    /// Replaces the request's body with a JSON value, regardless of the method; numbers keep their original spelling.
    public func serialize(_ value: JSONValue, into request: inout Request) {
        let formatting = encoder.outputFormatting
        let format = JSONFormat(
            indentation: formatting.contains(.prettyPrinted) ? 2 : nil, sortsMembers: formatting.contains(.sortedKeys))
        request.setBody(value.serializedBytes(format), contentType: contentType)
    }
}

extension RequestSerializer where Self == JSONRequestSerializer {
    /// A serializer that writes parameters to the query for GET, HEAD and DELETE, and to a JSON body otherwise.
    public static var json: JSONRequestSerializer { JSONRequestSerializer() }
    /// A serializer that writes parameters to a JSON body, regardless of the method.
    public static var jsonBody: JSONRequestSerializer { JSONRequestSerializer(destination: .httpBody) }
}

/// A serializer that writes parameters to the body as a property list.
public struct PropertyListRequestSerializer: RequestSerializer {
    /// A format of property lists.
    public enum Format: Sendable, Hashable {
        /// The XML format.
        case xml
        /// The binary format.
        case binary
    }

    /// The format of the property list.
    public var format: Format
    /// The destination of the parameters; ``query`` encodes those that belong in the query.
    public var destination: ParameterDestination
    /// The encoder for parameters that belong in the query.
    public var query: QueryEncoder
    /// The `Content-Type` of a body.
    public var contentType: String

    /// Creates a serializer.
    /// - Parameters:
    ///   - format: The format of the property list.
    ///   - destination: The part of the request that receives the parameters.
    ///   - query: The encoder for parameters that belong in the query.
    ///   - contentType: The `Content-Type` of a body.
    public init(
        format: Format = .xml, destination: ParameterDestination = .methodDependent, query: QueryEncoder = .alamofire,
        contentType: String = "application/x-plist"
    ) {
        self.format = format
        self.destination = destination
        self.query = query
        self.contentType = contentType
    }

    /// Replaces the request's body with the parameters, or appends them to its query.
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
    /// A serializer for the query of GET, HEAD and DELETE, and for an XML property list body otherwise.
    public static var propertyList: PropertyListRequestSerializer { PropertyListRequestSerializer() }
}

extension Request {
    /// Appends a string to the URL's query, after a "&" if the query is not empty, and before a fragment.
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

    /// Replaces the body, and sets its `Content-Type` unless the header has one.
    mutating func setBody(_ bytes: [UInt8], contentType: String) {
        body = .bytes(bytes)
        if !headers.contains("Content-Type") { headers.append(name: "Content-Type", value: contentType) }
    }

    /// Adds parameters to the request.
    /// - Parameters:
    ///   - parameters: The parameters: a value that encodes itself as key-value pairs.
    ///   - serializer: The serializer, which chooses the query or the body.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/unencodable``.
    public mutating func add(
        _ parameters: some Encodable, with serializer: some RequestSerializer = .form
    ) throws(SessionError) {
        try change { request throws in try serializer.serialize(parameters, into: &request) }
    }

    /// Changes the request, or leaves it unchanged and throws if the closure throws.
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
