import Basics
import JSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The `format` method: the clauses `%s %d %f %e %b %o %x %X %%`, with a precision for `%f` and `%e`.
enum StringFormatter {
    /// The maximum number of decimals.
    private static let maximumPrecision = 1_000

    static func format(
        _ format: String, _ arguments: [CELValue], _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        let bytes = Array(format.utf8)
        var result: [UInt8] = []
        var position = 0
        var next = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "%") else {
                result.append(bytes[position])
                position += 1
                continue
            }
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "%") {
                result.append(UInt8(ascii: "%"))
                position += 1
                continue
            }
            let precision = try precision(bytes, &position)
            guard position < bytes.count else { throw .message("format(): incomplete format specifier") }
            let clause = bytes[position]
            position += 1
            guard "sdfebxXo".utf8.contains(clause) else {
                let shown = String(decoding: bytes[(position - 1)...].prefix(1), as: UTF8.self)
                throw .message("format(): unknown format specifier %\(shown); expected %s %d %f %e %b %o %x or %X")
            }
            guard arguments.indices.contains(next) else {
                throw .message("format(): missing argument \(next + 1) for %\(Character(Unicode.Scalar(clause)))")
            }
            let text = try self.text(arguments[next], clause, precision, &state)
            next += 1
            try state.meter.allocate(text.utf8.count)
            result.append(contentsOf: text.utf8)
        }
        return try state.made(String(decoding: result, as: UTF8.self))
    }

    /// Parses `.N` after a percent sign; the default is six.
    private static func precision(_ bytes: [UInt8], _ position: inout Int) throws(CELFailure) -> Int {
        guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return 6 }
        position += 1
        var value = 0
        while position < bytes.count, Lexer.isDigit(bytes[position]) {
            value = min(value * 10 + Int(bytes[position] - 0x30), maximumPrecision + 1)
            position += 1
        }
        guard value <= maximumPrecision else {
            throw .message("format(): the precision must be at most \(maximumPrecision)")
        }
        return value
    }

    /// Formats one argument by a clause.
    private static func text(
        _ value: CELValue, _ clause: UInt8, _ precision: Int, _ state: inout CallState
    ) throws(CELFailure) -> String {
        switch clause {
        case UInt8(ascii: "s"): return try string(value, depth: 0, &state)
        case UInt8(ascii: "d"):
            switch value {
            case .int, .uint: return value.text
            case .double(let number) where !number.isFinite: return value.text
            case .number(let number): if let integer = number.int64 { return String(integer) }
            default: break
            }
            throw unfit(value, "%d", "an integer")
        case UInt8(ascii: "f"), UInt8(ascii: "e"):
            let isFixed = clause == UInt8(ascii: "f")
            guard let number = double(value) else { throw unfit(value, isFixed ? "%f" : "%e", "a number") }
            guard number.isFinite else { return NumberNotation.text(of: number) }
            return isFixed
                ? PrintedDouble.fixed(number, precision) : PrintedDouble.scientific(number, precision)
        case UInt8(ascii: "b"):
            if case .bool(let bool) = value { return bool ? "1" : "0" }
            guard let text = integer(value, 2) else { throw unfit(value, "%b", "an integer or bool") }
            return text
        case UInt8(ascii: "o"):
            guard let text = integer(value, 8) else { throw unfit(value, "%o", "an integer") }
            return text
        default:
            let isUpper = clause == UInt8(ascii: "X")
            switch value {
            case .string(let text): return Hexadecimal.encode(text.utf8, uppercase: isUpper)
            case .bytes(let bytes): return Hexadecimal.encode(bytes, uppercase: isUpper)
            default:
                guard let text = integer(value, 16, isUpper) else {
                    throw unfit(value, isUpper ? "%X" : "%x", "an integer, string or bytes")
                }
                return text
            }
        }
    }

    private static func unfit(_ value: CELValue, _ clause: String, _ wanted: String) -> CELFailure {
        .message("format(): expected \(wanted) for \(clause), got \(value.typeName)", isAtString: value.isString)
    }

    private static func double(_ value: CELValue) -> Double? {
        switch value {
        case .double(let number): number
        case .number(let number): number.double
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        default: nil
        }
    }

    private static func integer(_ value: CELValue, _ radix: Int, _ isUpper: Bool = false) -> String? {
        switch value {
        case .int(let number): String(number, radix: radix, uppercase: isUpper)
        case .uint(let number): String(number, radix: radix, uppercase: isUpper)
        case .number(let number): number.int64.map { String($0, radix: radix, uppercase: isUpper) }
        default: nil
        }
    }

    /// Returns a value as `%s` formats it; the entries of a map are sorted by key.
    private static func string(
        _ value: CELValue, depth: Int, _ state: inout CallState
    ) throws(CELFailure) -> String {
        try state.meter.allocate(elements: 1)
        guard depth < CELLimits.shownDepth else { throw .message("format(): the value is nested too deeply") }
        switch value {
        case .list(let list):
            var parts: [String] = []
            for element in list.elements { parts.append(try string(element, depth: depth + 1, &state)) }
            return "[" + parts.joined(separator: ", ") + "]"
        case .map(let map):
            var parts: [(key: String, value: String)] = []
            for (key, value) in map.entries {
                parts.append((key.text, try string(value, depth: depth + 1, &state)))
            }
            parts.sort { Scalars.order($0.key, $1.key) < 0 }
            return "{" + parts.map { $0.key + ": " + $0.value }.joined(separator: ", ") + "}"
        case .optional: throw unfit(value, "%s", "a value")
        default:
            let text = value.text
            try state.meter.allocate(text.utf8.count)
            return text
        }
    }
}

/// Formats doubles with a number of decimals and the rounding of C's `printf`.
enum PrintedDouble {
    /// Formats a double like `123.500`.
    static func fixed(_ value: Double, _ precision: Int) -> String { print(value, "%.*f", precision) }

    /// Formats a double like `1.235000e+02`.
    static func scientific(_ value: Double, _ precision: Int) -> String { print(value, "%.*e", precision) }

    private static func print(_ value: Double, _ format: String, _ precision: Int) -> String {
        withVaList([Int32(clamping: precision), value]) { arguments in
            // The greatest double has 309 digits before the decimal point.
            var buffer = [CChar](repeating: 0, count: precision + 330)
            let length = vsnprintf(&buffer, buffer.count, format, arguments)
            let text = buffer.prefix(max(0, min(Int(length), buffer.count - 1)))
            return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
