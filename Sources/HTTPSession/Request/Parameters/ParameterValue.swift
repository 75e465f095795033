public import FoundationEssentials
public import JSON

/// The value of a request parameter, which can be encoded as a query, a form, JSON or a property list.
public enum ParameterValue: Sendable, Hashable {
    /// The null value.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case int(Int)
    /// A floating-point number.
    case double(Double)
    /// A string.
    case string(String)
    /// A date.
    case date(Date)
    /// Bytes.
    case data([UInt8])
    /// An array, whose order is always kept.
    case array([ParameterValue])
    /// A set, written sorted by the encoded values; equal values are written once.
    case set(Set<ParameterValue>)
    /// A dictionary, in the order given.
    case dictionary(Parameters)
}

extension ParameterValue: ExpressibleByNilLiteral {
    /// Creates ``null``.
    public init(nilLiteral: ()) { self = .null }
}

extension ParameterValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ParameterValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension ParameterValue: ExpressibleByFloatLiteral {
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension ParameterValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ParameterValue: ExpressibleByArrayLiteral {
    /// Creates an array, in the order written.
    public init(arrayLiteral elements: (any ParameterConvertible)?...) {
        self = .array(elements.map { $0?.parameterValue ?? .null })
    }
}

extension ParameterValue: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary, in the order written; if a key occurs more than once, the last value is used.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        self = .dictionary(Parameters(elements.map { ($0.0, $0.1?.parameterValue ?? .null) }))
    }
}

extension ParameterValue {
    /// Creates a parameter value from a JSON value; a number that `Int` cannot represent becomes a `Double`.
    public init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            self = number.int64.flatMap { Int(exactly: $0) }.map { .int($0) } ?? .double(number.double)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { ParameterValue($0) })
        case .object(let object): self = .dictionary(Parameters(object))
        }
    }
}

extension JSONValue: ParameterConvertible {
    /// The JSON value as a parameter value.
    public var parameterValue: ParameterValue { ParameterValue(self) }
}

extension Parameters {
    /// Creates parameters from the members of a JSON object, in their order.
    public init(_ object: JSONObject) {
        self.init(object.map { ($0.key, ParameterValue($0.value)) })
    }
}

extension ParameterValue: Encodable {
    /// Encodes the value with the encoder's own types; null as nil, and a set as an array sorted by encoded value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .set(let values):
            var container = encoder.unkeyedContainer()
            for value in Self.sorted(values) { try container.encode(value) }
        case .dictionary(let parameters):
            try parameters.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .int(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .date(let value): try container.encode(value)
            case .data(let value): try container.encode(Data(value))
            default: try container.encodeNil()
            }
        }
    }

    /// Returns the values of a set, sorted by their encoded form in a query.
    static func sorted(_ values: Set<ParameterValue>) -> [ParameterValue] {
        let keyed = values.map { (text: FormWriter.sortingText(of: $0), value: $0) }
        return keyed.sorted { $0.text < $1.text }.map(\.value)
    }
}

extension ParameterValue: Decodable {
    /// The maximum nesting depth that is decoded.
    private static let maximumDepth = 512

    /// Decodes any value that a parameter can represent.
    /// - Throws: `DecodingError` for another kind of value, or one that is nested more than 512 levels deep.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the value is nested too deeply"))
        }
        if let container = try? decoder.container(keyedBy: ParameterKey.self) {
            self = .dictionary(try Parameters(container))
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var values: [ParameterValue] = []
            while !container.isAtEnd { values.append(try container.decode(ParameterValue.self)) }
            self = .array(values)
            return
        }
        self = try Self.single(decoder.singleValueContainer())
    }

    private static func single(_ container: any SingleValueDecodingContainer) throws -> ParameterValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Int.self) { return .int(value) }
        if let value = try? container.decode(Double.self) { return .double(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        return .data(Array(try container.decode(Data.self)))
    }
}

extension Parameters: Codable {
    /// Encodes the parameters as a keyed container, in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ParameterKey.self)
        for (name, value) in self { try container.encode(value, forKey: ParameterKey(name)) }
    }

    /// Decodes the members of a keyed container.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.container(keyedBy: ParameterKey.self))
    }

    fileprivate init(_ container: KeyedDecodingContainer<ParameterKey>) throws {
        self.init()
        for key in container.allKeys { self[key.stringValue] = try container.decode(ParameterValue.self, forKey: key) }
    }
}
