import Basics
public import FoundationEssentials
public import JSON

/// A type that converts a response to a value.
///
/// A serializer ignores the status code, which is the task of validators. The body of an error response can be decoded
/// like any other.
///
/// ```swift
/// struct LineCountSerializer: ResponseSerializer {
///     func serialize(_ response: Response) throws -> Int {
///         response.body.split(separator: UInt8(ascii: "\n")).count
///     }
/// }
/// ```
public protocol ResponseSerializer<Value>: Sendable {
    /// The type that the serializer produces.
    associatedtype Value: Sendable

    /// Converts a response to a value.
    /// - Throws: Any error. The request for the value then fails with ``SessionError/Reason/undecodable``, and the
    ///   error becomes its ``SessionError/underlying``.
    func serialize(_ response: Response) throws -> Value
}

extension ResponseSerializer {
    /// Returns a serializer that transforms the value of this one.
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Result
    ) -> CustomResponseSerializer<Result> {
        CustomResponseSerializer { try transform(serialize($0)) }
    }
}

/// An error of the library's serializers.
public enum ResponseSerializationError: Error, Sendable, CustomStringConvertible {
    /// The body is empty, although neither the status nor the method allows that.
    case emptyBody
    /// The body may be empty and is, but the type has no value for an empty body.
    case noEmptyValue(type: String)
    /// The body is not valid in its text encoding.
    case invalidText(TextEncoding)
    /// The body is in an unknown encoding.
    case unknownCharset(String)
    /// The body is not an image in a known format, or the image has no size.
    case unknownImage
    /// The body is not a valid property list; the value describes the problem.
    case invalidPropertyList(String)
    /// All serializers failed; the value contains their errors.
    case allFailed([any Error])

    /// A description of the problem.
    public var description: String {
        switch self {
        case .emptyBody: "the body is empty"
        case .noEmptyValue(let type): "the body is empty, but \(type) has no empty value"
        case .invalidText(let encoding): "the body is not valid \(encoding)"
        case .unknownCharset(let name): "unknown charset \"\(name)\""
        case .unknownImage: "the body is not an image in a known format"
        case .invalidPropertyList(let reason): "invalid property list: " + reason
        case .allFailed(let errors):
            errors.enumerated().map { "\($0.offset + 1). \(SerializationFailure.text(of: $0.element))" }
                .joined(separator: "; ")
        }
    }
}

/// A transformation of a body before it is decoded.
public struct BodyPreprocessor: Sendable {
    /// A closure that returns the transformed body.
    public let process: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a preprocessor from a closure.
    public init(_ process: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
        self.process = process
    }

    /// Removes the line `)]}',` that some services prepend to prevent their JSON from being run as a script.
    public static let xssiPrefix = BodyPreprocessor { body in
        let prefix = Array(")]}',\n".utf8)
        return body.starts(with: prefix) ? Array(body.dropFirst(prefix.count)) : body
    }
}

extension [BodyPreprocessor] {
    /// Returns the body after all preprocessors have run, in order.
    func processed(_ body: [UInt8]) throws -> [UInt8] {
        var body = body
        for preprocessor in self { body = try preprocessor.process(body) }
        return body
    }
}

/// The rules that determine which responses may have an empty body.
public struct EmptyBodies: Sendable, Hashable {
    /// The status codes of responses that may have an empty body.
    public var responseCodes: Set<Int>
    /// The methods of requests whose response may have an empty body.
    public var requestMethods: Set<HTTPMethod>
    /// Whether every response may have an empty body.
    public var areAlwaysAllowed: Bool

    /// Creates rules for empty bodies.
    /// - Parameters:
    ///   - responseCodes: The status codes of responses that may have an empty body.
    ///   - requestMethods: The methods of requests whose response may have an empty body.
    ///   - areAlwaysAllowed: Whether every response may have an empty body.
    public init(
        responseCodes: Set<Int> = [204, 205], requestMethods: Set<HTTPMethod> = [.head],
        areAlwaysAllowed: Bool = false
    ) {
        self.responseCodes = responseCodes
        self.requestMethods = requestMethods
        self.areAlwaysAllowed = areAlwaysAllowed
    }

    /// Allows empty bodies for status 204 and 205 and for HEAD (RFC 9110, sections 9.3.2, 15.3.5 and 15.3.6).
    public static let standard = EmptyBodies()
    /// Allows empty bodies for all responses.
    public static let allowed = EmptyBodies(areAlwaysAllowed: true)

    /// Returns whether the response may have an empty body.
    public func permits(_ response: Response) -> Bool {
        areAlwaysAllowed || responseCodes.contains(response.status)
            || requestMethods.contains(response.request.method)
    }
}

/// A type that has a value for an empty body.
public protocol EmptyResponse {
    /// The value for an empty body.
    static var emptyValue: Self { get }
}

/// The value of a response whose body is empty or ignored.
public struct Empty: EmptyResponse, Codable, Hashable, Sendable {
    /// Creates the value.
    public init() {}

    /// The only value of the type.
    public static let emptyValue = Empty()
}

extension Optional: EmptyResponse {
    /// The nil value.
    public static var emptyValue: Wrapped? { nil }
}

/// A serializer that tries several serializers and returns the first value.
///
/// ```swift
/// let serializer = CompoundResponseSerializer<String>([
///     JSONResponseSerializer().map { $0.serialized() }, StringResponseSerializer(),
/// ])
/// let text = try await session.get("anything").serialize(with: serializer)
/// ```
public struct CompoundResponseSerializer<Value: Sendable>: ResponseSerializer {
    /// The serializers, in the order in which they are tried.
    public var serializers: [any ResponseSerializer<Value>]

    /// Creates a serializer. Use ``ResponseSerializer/map(_:)`` to give serializers the same value type.
    public init(_ serializers: [any ResponseSerializer<Value>]) {
        self.serializers = serializers
    }

    /// Returns the value of the first serializer that succeeds.
    /// - Throws: ``ResponseSerializationError/allFailed(_:)`` with the error of each serializer.
    public func serialize(_ response: Response) throws -> Value {
        var errors: [any Error] = []
        for serializer in serializers {
            do {
                return try serializer.serialize(response)
            } catch {
                errors.append(error)
            }
        }
        throw ResponseSerializationError.allFailed(errors)
    }
}

/// A response serializer that calls a closure.
public struct CustomResponseSerializer<Value: Sendable>: ResponseSerializer {
    private let body: @Sendable (Response) throws -> Value

    /// Creates a serializer from a closure.
    public init(_ body: @escaping @Sendable (Response) throws -> Value) {
        self.body = body
    }

    /// Calls the closure.
    public func serialize(_ response: Response) throws -> Value {
        try body(response)
    }
}

extension Response {
    /// Converts the response to a value; this can be repeated any number of times.
    /// - Parameter serializer: The serializer that converts the response to a value.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable``, which contains the response.
    public func serialize<Serializer: ResponseSerializer>(
        with serializer: Serializer
    ) throws(SessionError) -> Serializer.Value {
        do {
            return try serializer.serialize(self)
        } catch let error as SessionError {
            throw error
        } catch {
            var message: MessageText = "the body cannot be decoded as \(Serializer.Value.self): "
            message += MessageText(SerializationFailure.text(of: error))
            if !body.isEmpty { message += "; it starts with \(SerializationFailure.excerpt(body))" }
            throw SessionError(.decode, .undecodable, message, response: self, underlying: error)
        }
    }

    /// Decodes a value from the body; this can be repeated any number of times.
    /// - Parameters:
    ///   - type: The type to decode. A response with an empty body decodes only to an ``EmptyResponse``.
    ///   - decoder: The decoder for the body.
    ///   - preprocessors: Transformations applied to the body before it is decoded.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable``, which contains the response.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = []
    ) throws(SessionError) -> Value {
        try serialize(with: DecodableResponseSerializer<Value>(decoder: decoder, preprocessors: preprocessors))
    }

    /// Returns the body as a string.
    /// - Parameter encoding: The encoding of the body; nil detects it.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable`` if the body is not valid in its encoding.
    public func string(encoding: TextEncoding? = nil) throws(SessionError) -> String {
        try serialize(with: StringResponseSerializer(encoding: encoding))
    }

    /// Returns the body as a JSON value.
    /// - Parameter removesNulls: Whether object members and array elements that are null are removed.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable`` if the body is not valid JSON.
    public func json(removingNulls removesNulls: Bool = false) throws(SessionError) -> JSONValue {
        try serialize(with: JSONResponseSerializer(removesNulls: removesNulls))
    }
}
