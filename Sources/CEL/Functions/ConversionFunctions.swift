import Basics
import JSON

/// The functions `int`, `uint`, `double`, `string`, `bytes`, `bool`, `timestamp`, `duration`, `type`, `dyn`, and
/// `size`.
enum ConversionFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("int") { value, _ throws(CELFailure) in try int(value) }
        functions.function("uint") { value, _ throws(CELFailure) in try uint(value) }
        functions.function("double") { value, _ throws(CELFailure) in try double(value) }
        functions.function("string") { value, state throws(CELFailure) in try string(value, &state) }
        functions.function("bytes") { value, state throws(CELFailure) in try bytes(value, &state) }
        functions.function("bool") { value, _ throws(CELFailure) in try bool(value) }
        functions.function("timestamp") { value, _ throws(CELFailure) in try timestamp(value) }
        functions.function("duration") { value, _ throws(CELFailure) in try duration(value) }
        functions.function("type") { value, _ throws(CELFailure) in .type(value.type) }
        functions.function("dyn") { value, _ throws(CELFailure) in value }
        functions.function("size") { value, state throws(CELFailure) in try size(value, &state) }
        functions.method("size") { value, state throws(CELFailure) in try size(value, &state) }
    }

    private static func outOfRange(_ value: CELValue, _ type: String) -> CELFailure {
        .message("\(value.shown) is out of range for \(type)")
    }

    private static func notText(_ text: String, _ type: String) -> CELFailure {
        .message("cannot convert \(CELValue.string(text).brief) to \(type)")
    }

    private static func int(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .int: return value
        case .uint(let number):
            guard let result = Int64(exactly: number) else { throw outOfRange(value, "int") }
            return .int(result)
        case .double(let number): return .int(try int(number, value))
        case .number(let number):
            if let exact = number.int64 { return .int(exact) }
            return .int(try int(number.double, value))
        case .string(let text):
            guard let result = Int64(text) else { throw notText(text, "int") }
            return .int(result)
        case .timestamp(let timestamp): return .int(timestamp.seconds)
        case .duration(let duration): return .int(duration.nanoseconds / 1_000_000_000)
        default: throw .noOverload
        }
    }

    /// Truncates a double to an int. Both ends of the range are excluded, because their doubles represent several
    /// integers.
    private static func int(_ number: Double, _ value: CELValue) throws(CELFailure) -> Int64 {
        guard number > -0x1p63, number < 0x1p63 else { throw outOfRange(value, "int") }
        return Int64(number)
    }

    private static func uint(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .uint: return value
        case .int(let number):
            guard let result = UInt64(exactly: number) else { throw outOfRange(value, "uint") }
            return .uint(result)
        case .double(let number): return .uint(try uint(number, value))
        case .number(let number):
            if let exact = number.uint64 { return .uint(exact) }
            return .uint(try uint(number.double, value))
        case .string(let text):
            guard let result = UInt64(text) else { throw notText(text, "uint") }
            return .uint(result)
        default: throw .noOverload
        }
    }

    private static func uint(_ number: Double, _ value: CELValue) throws(CELFailure) -> UInt64 {
        guard number >= 0, number < 0x1p64 else { throw outOfRange(value, "uint") }
        return UInt64(number)
    }

    private static func double(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .double: return value
        case .number(let number):
            // A number that is a double already keeps its digits, as nothing is computed with it.
            return value.type == .double && JSONNumber(number.double) == number ? value : .double(number.double)
        case .int(let number): return .double(Double(number))
        case .uint(let number): return .double(Double(number))
        case .string(let text):
            switch text {
            case "NaN": return .double(.nan)
            case "Infinity", "+Infinity", "inf", "+inf": return .double(.infinity)
            case "-Infinity", "-inf": return .double(-.infinity)
            default:
                // `Double` also accepts other notations, such as hexadecimal, which are not valid here.
                let isDecimal = text.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2B || byte == 0x2D || byte | 0x20 == 0x65
                }
                guard isDecimal, let result = Double(text) else { throw notText(text, "double") }
                return .double(result)
            }
        default: throw .noOverload
        }
    }

    private static func string(_ value: CELValue, _ state: inout CallState) throws(CELFailure) -> CELValue {
        switch value {
        case .string: return value
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw .message("the bytes are not valid UTF-8")
            }
            return try state.made(text)
        case .null, .bool, .int, .uint, .double, .number, .timestamp, .duration, .type:
            return .string(value.text)
        case .list, .map:
            throw .message("string() cannot convert \(value.typeName); write json.stringify(x)")
        case .optional: throw .noOverload
        }
    }

    private static func bytes(_ value: CELValue, _ state: inout CallState) throws(CELFailure) -> CELValue {
        switch value {
        case .bytes: return value
        case .string(let text): return try state.made(Array(text.utf8))
        default: throw .noOverload
        }
    }

    private static func bool(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .bool: return value
        case .string(let text):
            switch text {
            case "1", "t", "true", "TRUE", "True": return .bool(true)
            case "0", "f", "false", "FALSE", "False": return .bool(false)
            default: throw notText(text, "bool")
            }
        default: throw .noOverload
        }
    }

    private static func timestamp(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .timestamp: return value
        case .string(let text):
            guard let timestamp = CELTimestamp(text) else {
                throw .message(
                    "expected an RFC 3339 timestamp such as 2026-01-31T12:00:00Z"
                        + " in the years 1 to 9999, got \(CELValue.string(text).brief)")
            }
            return .timestamp(timestamp)
        case .int(let seconds):
            guard let timestamp = CELTimestamp(seconds: seconds) else { throw outOfRange(value, "timestamp") }
            return .timestamp(timestamp)
        default: throw .noOverload
        }
    }

    private static func duration(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .duration: return value
        case .string(let text):
            guard let duration = CELDuration(text) else {
                throw .message(
                    "\(CELValue.string(text).brief) is not a duration such as 1h30m, 2.5s or 250ms,"
                        + " or is out of range")
            }
            return .duration(duration)
        case .int(let seconds):
            let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            guard !overflow else { throw outOfRange(value, "duration") }
            return .duration(CELDuration(nanoseconds: nanoseconds))
        default: throw .noOverload
        }
    }

    private static func size(_ value: CELValue, _ state: inout CallState) throws(CELFailure) -> CELValue {
        switch value {
        case .string(let text):
            try state.scan(text)
            return .int(Int64(text.unicodeScalars.count))
        case .bytes(let bytes): return .int(Int64(bytes.count))
        case .list(let list): return .int(Int64(list.count))
        case .map(let map): return .int(Int64(map.count))
        default: throw .noOverload
        }
    }
}
