public import JSON

/// A CEL value with its dynamic type.
public enum CELValue: Sendable {
    /// The null value.
    case null
    /// A Boolean.
    case bool(Bool)
    /// A signed 64-bit integer.
    case int(Int64)
    /// An unsigned 64-bit integer.
    case uint(UInt64)
    /// A double-precision floating-point number.
    case double(Double)
    /// A JSON number that is not written as a 64-bit integer. It behaves like a double and keeps its digits.
    case number(JSONNumber)
    /// A string, compared by Unicode scalars.
    case string(String)
    /// A sequence of bytes.
    case bytes([UInt8])
    /// A list of values.
    case list(CELList)
    /// A map with keys of type bool, int, uint, or string.
    case map(CELMap)
    /// A point in time.
    case timestamp(CELTimestamp)
    /// A signed duration.
    case duration(CELDuration)
    /// A type as a value.
    case type(CELType)
    /// A value that may be absent.
    case optional(CELOptional)

    /// Creates a value from JSON in constant time, without converting arrays and objects.
    public init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number): self = Self(number)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .list(CELList(elements))
        case .object(let object): self = .map(CELMap(object))
        }
    }

    /// Creates an int from a number that is written as a 64-bit integer; keeps any other number with its digits.
    public init(_ number: JSONNumber) {
        if let value = number.int64, NumberNotation.isIntegerLiteral(number.literal) {
            self = .int(value)
        } else {
            self = .number(number)
        }
    }

    /// The name of the type in messages, such as `string`, `int`, or `null`.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .optional: "optional"
        default: type.name
        }
    }

    /// Whether the value is a string.
    var isString: Bool { if case .string = self { true } else { false } }

    /// The CEL type of the value, as returned by `type(x)`.
    public var type: CELType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double, .number: .double
        case .string: .string
        case .bytes: .bytes
        case .list: .list
        case .map: .map
        case .timestamp: .timestamp
        case .duration: .duration
        case .type: .type
        case .optional: .optional
        }
    }

    /// Whether `optional.ofNonZeroValue` treats the value as absent: null, false, zero, or empty.
    var isZero: Bool {
        switch self {
        case .null: true
        case .bool(let value): !value
        case .int(let value): value == 0
        case .uint(let value): value == 0
        case .double(let value): value == 0
        case .number(let number): number.double == 0
        case .string(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        case .list(let list): list.isEmpty
        case .map(let map): map.isEmpty
        case .timestamp(let timestamp): timestamp.seconds == 0 && timestamp.nanoseconds == 0
        case .duration(let duration): duration.nanoseconds == 0
        case .type: false
        case .optional(let optional): optional.value == nil
        }
    }
}

// `ExpressibleByNilLiteral` is missing on purpose: it would turn an absent `CELValue?` into null where both types fit.
extension CELValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an int.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a bool.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a double.
    public init(floatLiteral value: Double) { self = .double(value) }
}

/// A CEL type as a value: the result of `type(x)`, and the value of names such as `int` and `list`.
public struct CELType: Sendable, Hashable {
    /// The name of the type in CEL, such as `int` or `google.protobuf.Timestamp`.
    public let name: String

    init(_ name: String) {
        self.name = name
    }

    static let null = CELType("null_type")
    static let bool = CELType("bool")
    static let int = CELType("int")
    static let uint = CELType("uint")
    static let double = CELType("double")
    static let string = CELType("string")
    static let bytes = CELType("bytes")
    static let list = CELType("list")
    static let map = CELType("map")
    static let type = CELType("type")
    static let optional = CELType("optional_type")
    static let timestamp = CELType("google.protobuf.Timestamp")
    static let duration = CELType("google.protobuf.Duration")

    /// The types whose name has no dots, by name.
    static let named: [String: CELType] = Dictionary(
        uniqueKeysWithValues: [null, bool, int, uint, double, string, bytes, list, map, type, optional]
            .map { ($0.name, $0) })

    /// Returns the type with a dotted name.
    static func dotted(_ name: String) -> CELType? {
        switch name {
        case timestamp.name: timestamp
        case duration.name: duration
        default: nil
        }
    }
}

/// A value that may be absent: the result of `optional.of`, `optional.none`, and `a.?b`.
public final class CELOptional: Sendable {
    /// The value; nil if it is absent.
    public let value: CELValue?

    /// Creates an optional with a value or without one.
    public init(_ value: CELValue?) {
        self.value = value
    }

    /// The optional without a value.
    static let none = CELOptional(nil)
}
