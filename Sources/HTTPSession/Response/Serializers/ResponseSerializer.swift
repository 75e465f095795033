public import FoundationEssentials
public import JSON

/// Makes a value of a response.
///
/// A serializer does not look at the status: validators do, and the body of an error can be decoded as any other.
public protocol ResponseSerializer<Value>: Sendable {
    /// What is made of the response.
    associatedtype Value: Sendable

    /// Makes a value of a response.
    /// - Throws: Any error: asking for the value then fails with ``SessionError/Reason/undecodable``, and the error is
    ///   its ``SessionError/underlying``.
    func serialize(_ response: Response) throws -> Value
}

extension ResponseSerializer {
    /// A serializer that makes something else of this one's value.
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Result
    ) -> CustomResponseSerializer<Result> {
        CustomResponseSerializer { try transform(serialize($0)) }
    }
}

/// Why a serializer of this library could make no value of a body.
public enum ResponseSerializationError: Error, Sendable, CustomStringConvertible {
    /// The body is empty, and neither status nor method say that it may be.
    case emptyBody
    /// The body is empty and may be, but the type has no value for that.
    case noEmptyValue(type: String)
    /// The body is not text in its encoding.
    case invalidText(TextEncoding)
    /// The body is in an encoding that is not known.
    case unknownCharset(String)
    /// The body is no image of a known format, or has no size.
    case unknownImage
    /// The body is no property list that can be read, for a reason in words.
    case invalidPropertyList(String)
    /// Each serializer failed, with these errors.
    case allFailed([any Error])

    /// What is wrong, in plain words.
    public var description: String {
        switch self {
        case .emptyBody: "the body is empty"
        case .noEmptyValue(let type): "the body is empty, and \(type) has no value for that"
        case .invalidText(let encoding): "the body is not valid \(encoding)"
        case .unknownCharset(let name): "the charset \"\(name)\" is not known"
        case .unknownImage: "the body is no image of a known format"
        case .invalidPropertyList(let reason): "the property list cannot be read: " + reason
        case .allFailed(let errors):
            errors.enumerated().map { "\($0.offset + 1). \(SerializationFailure.text(of: $0.element))" }
                .joined(separator: "; ")
        }
    }
}

/// Changes a body before a value is made of it.
public struct BodyPreprocessor: Sendable {
    /// Gives the body to be used.
    public let process: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a preprocessor of a function.
    public init(_ process: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
        self.process = process
    }

    /// Drops the line `)]}',` with which some services keep their JSON from being run as a script.
    public static let xssiPrefix = BodyPreprocessor { body in
        let prefix = Array(")]}',\n".utf8)
        return body.starts(with: prefix) ? Array(body.dropFirst(prefix.count)) : body
    }
}

extension [BodyPreprocessor] {
    /// The body after all of them, in order.
    func processed(_ body: [UInt8]) throws -> [UInt8] {
        var body = body
        for preprocessor in self { body = try preprocessor.process(body) }
        return body
    }
}

/// When an empty body is no error.
public struct EmptyBodies: Sendable, Hashable {
    /// The statuses that have no body.
    public var responseCodes: Set<Int>
    /// The methods whose responses have no body.
    public var requestMethods: Set<HTTPMethod>
    /// Whether every body may be empty.
    public var areAlwaysAllowed: Bool

    /// Creates a rule.
    public init(
        responseCodes: Set<Int> = [204, 205], requestMethods: Set<HTTPMethod> = [.head],
        areAlwaysAllowed: Bool = false
    ) {
        self.responseCodes = responseCodes
        self.requestMethods = requestMethods
        self.areAlwaysAllowed = areAlwaysAllowed
    }

    /// Statuses 204 and 205, and responses to HEAD (RFC 9110 sections 9.3.2, 15.3.5 and 15.3.6).
    public static let standard = EmptyBodies()
    /// All.
    public static let allowed = EmptyBodies(areAlwaysAllowed: true)

    /// Whether the response may have an empty body.
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

/// The value of a response whose body says nothing.
public struct Empty: EmptyResponse, Codable, Hashable, Sendable {
    /// Creates the value.
    public init() {}

    /// The only value.
    public static let emptyValue = Empty()
}

extension Optional: EmptyResponse {
    /// Nil.
    public static var emptyValue: Wrapped? { nil }
}

/// The value of the first of several serializers that succeeds.
public struct CompoundResponseSerializer<Value: Sendable>: ResponseSerializer {
    /// The serializers, in the order they are tried.
    public var serializers: [any ResponseSerializer<Value>]

    /// Creates a serializer; ``ResponseSerializer/map(_:)`` brings others to the same type.
    public init(_ serializers: [any ResponseSerializer<Value>]) {
        self.serializers = serializers
    }

    /// The first value.
    /// - Throws: ``ResponseSerializationError/allFailed(_:)`` with the error of each.
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

/// Makes a value of a response by a function.
public struct CustomResponseSerializer<Value: Sendable>: ResponseSerializer {
    private let body: @Sendable (Response) throws -> Value

    /// Creates a serializer of a function.
    public init(_ body: @escaping @Sendable (Response) throws -> Value) {
        self.body = body
    }

    /// Calls the function.
    public func serialize(_ response: Response) throws -> Value {
        try body(response)
    }
}

extension Response {
    /// Makes a value of the response; it can be done any number of times.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable``, which has the response.
    public func serialize<Serializer: ResponseSerializer>(
        with serializer: Serializer
    ) throws(SessionError) -> Serializer.Value {
        do {
            return try serializer.serialize(self)
        } catch let error as SessionError {
            throw error
        } catch {
            var message = "the body cannot be decoded as \(Serializer.Value.self): "
            message += SerializationFailure.text(of: error)
            if !body.isEmpty { message += "; it starts with " + SerializationFailure.excerpt(body) }
            throw SessionError(.decode, .undecodable, message, response: self, underlying: error)
        }
    }

    /// Makes a value of the body; it can be done any number of times.
    /// - Parameters:
    ///   - type: The type of the value; an empty body needs an ``EmptyResponse``.
    ///   - decoder: Reads the body.
    ///   - preprocessors: Change the body first.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable``, which has the response.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: any BodyDecoder = JSONDecoder(),
        preprocessors: [BodyPreprocessor] = []
    ) throws(SessionError) -> Value {
        try serialize(with: DecodableResponseSerializer<Value>(decoder: decoder, preprocessors: preprocessors))
    }

    /// The body as text.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable`` if it is not valid in its encoding.
    public func string(encoding: TextEncoding? = nil) throws(SessionError) -> String {
        try serialize(with: StringResponseSerializer(encoding: encoding))
    }

    /// The body as a JSON value.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/undecodable`` if it is none.
    public func json(removingNulls removesNulls: Bool = false) throws(SessionError) -> JSONValue {
        try serialize(with: JSONResponseSerializer(removesNulls: removesNulls))
    }
}
