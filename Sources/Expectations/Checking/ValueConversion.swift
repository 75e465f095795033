import CEL
import JSON
import SuiteModel

/// Turns captured values into the type that `as` names.
enum ValueConversion {
    /// The value as the type, or nil when it does not say one: `"42"` is an integer, `"4.2"` and true are not.
    static func convert(_ value: CELValue, to conversion: Capture.Conversion) -> CELValue? {
        switch conversion {
        case .string:
            return .string(value.text)
        case .boolean:
            switch value {
            case .bool: return value
            case .string("true"): return .bool(true)
            case .string("false"): return .bool(false)
            default: return nil
            }
        case .number:
            return number(value).map { CELValue($0) }
        case .integer:
            guard let number = number(value), number.isInteger else { return nil }
            return number.int64.map { .int($0) } ?? number.uint64.map { .uint($0) } ?? .number(number)
        }
    }

    private static func number(_ value: CELValue) -> JSONNumber? {
        switch value {
        case .string(let text): JSONNumber(literal: text)
        case .bool, .null: nil
        default: value.json?.numberValue
        }
    }

    /// The type with its article, for messages.
    static func article(_ conversion: Capture.Conversion) -> String {
        switch conversion {
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .boolean: "a boolean"
        }
    }
}
