public import FoundationEssentials
public import JSON

/// A value of a request's parameters: what a query, a form, a JSON text or a property list can hold.
public enum ParameterValue: Sendable, Hashable {
    /// No value.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// A number.
    case double(Double)
    /// A text.
    case string(String)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case data([UInt8])
    /// Values in an order that is never changed.
    case array([ParameterValue])
    /// Values without an order, which are written sorted by their text; equal ones once.
    case set(Set<ParameterValue>)
    /// Values by name.
    case dictionary(Parameters)
}

extension ParameterValue: ExpressibleByNilLiteral {
    /// Creates ``null``.
    public init(nilLiteral: ()) { self = .null }
}

extension ParameterValue: ExpressibleByBooleanLiteral {
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ParameterValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension ParameterValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension ParameterValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ParameterValue: ExpressibleByArrayLiteral {
    /// Creates a list, in the order written.
    public init(arrayLiteral elements: (any ParameterConvertible)?...) {
        self = .array(elements.map { $0?.parameterValue ?? .null })
    }
}

extension ParameterValue: ExpressibleByDictionaryLiteral {
    /// Creates values by name, in the order written; of equal names the last value counts.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        self = .dictionary(Parameters(elements.map { ($0.0, $0.1?.parameterValue ?? .null) }))
    }
}

extension ParameterValue {
    /// Creates the value that a JSON value stands for; a number that is no `Int` becomes a `Double`.
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
    /// The value as a parameter.
    public var parameterValue: ParameterValue { ParameterValue(self) }
}

extension Parameters {
    /// Creates parameters of the members of a JSON object, in their order.
    public init(_ object: JSONObject) {
        self.init(object.map { ($0.key, ParameterValue($0.value)) })
    }
}

extension ParameterValue: Encodable {
    /// Writes the value in the encoder's own terms; null as nil, a set as a list sorted by text.
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

    /// The values of a set in the order of their text in a query.
    static func sorted(_ values: Set<ParameterValue>) -> [ParameterValue] {
        let keyed = values.map { (text: FormWriter.sortingText(of: $0), value: $0) }
        return keyed.sorted { $0.text < $1.text }.map(\.value)
    }
}

extension ParameterValue: Decodable {
    /// The deepest nesting that is read.
    private static let maximumDepth = 512

    /// Reads any value that has a form here.
    /// - Throws: `DecodingError` for another value, or one that is nested more than 512 deep.
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
    /// Writes the parameters as a keyed container, in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ParameterKey.self)
        for (name, value) in self { try container.encode(value, forKey: ParameterKey(name)) }
    }

    /// Reads the members of a keyed container.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.container(keyedBy: ParameterKey.self))
    }

    fileprivate init(_ container: KeyedDecodingContainer<ParameterKey>) throws {
        self.init()
        for key in container.allKeys { self[key.stringValue] = try container.decode(ParameterValue.self, forKey: key) }
    }
}
