public import JSON

/// A value of the Common Expression Language, with its dynamic type.
public enum CELValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    /// A JSON number that was not written as a 64-bit integer: it behaves as a double and keeps its digits.
    case number(JSONNumber)
    case string(String)
    case bytes([UInt8])
    case list(CELList)
    case map(CELMap)
    case timestamp(CELTimestamp)
    case duration(CELDuration)
    case type(CELType)
    case optional(CELOptional)

    /// Wraps a JSON value in constant time: arrays and objects are kept as they are.
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

    /// Makes an int of a number that was written as a 64-bit integer, and keeps any other number with its digits.
    public init(_ number: JSONNumber) {
        if let value = number.int64, NumberText.isIntegerLiteral(number.literal) {
            self = .int(value)
        } else {
            self = .number(number)
        }
    }

    /// The type's name as messages show it, such as `string`, `int` or `null`.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .optional: "optional"
        default: type.name
        }
    }

    /// The value's CEL type, as `type(x)` gives it.
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

    /// True for the values that `optional.ofNonZeroValue` turns into no value: null, false, zero and what is empty.
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

// There is no nil literal: it would turn an absent `CELValue?` into null where both fit.
extension CELValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral
{
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes an int.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Makes a bool.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes a double.
    public init(floatLiteral value: Double) { self = .double(value) }
}

/// A type as a value: what `type(x)` gives and what names like `int` or `list` stand for.
public struct CELType: Sendable, Hashable {
    /// The type's name in the language, such as `int` or `google.protobuf.Timestamp`.
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

    /// The types that have a name without dots, by that name.
    static let named: [String: CELType] = Dictionary(
        uniqueKeysWithValues: [null, bool, int, uint, double, string, bytes, list, map, type, optional]
            .map { ($0.name, $0) })

    /// The type that a dotted name stands for.
    static func dotted(_ name: String) -> CELType? {
        switch name {
        case timestamp.name: timestamp
        case duration.name: duration
        default: nil
        }
    }
}

/// A value that may be absent, as `optional.of`, `optional.none` and `a.?b` give it.
public final class CELOptional: Sendable {
    /// The value, or nil when it is absent.
    public let value: CELValue?

    /// Wraps a value, or its absence.
    public init(_ value: CELValue?) {
        self.value = value
    }

    /// The optional without a value.
    static let none = CELOptional(nil)
}
