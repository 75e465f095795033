import Basics
import CEL
import JSON
import SuiteModel

/// Durations in nanoseconds and sizes in bytes: their rendering in messages and their parsing from expression values.
enum Quantity {
    /// Returns a rounded quantity, such as `2.31 s` or `61 B`; values of other domains with their type.
    ///
    /// - Parameter bound: The operand that the value is compared with. The value is shown in the units of the operand,
    ///   and without rounding if both would otherwise look the same.
    static func describe(_ value: JSONValue, in domain: Matcher.Domain, against bound: JSONValue? = nil)
        -> MessageText
    {
        guard domain.isQuantity, case .number(let number) = value, let amount = number.int64 else {
            return ValueDescription.typed(value)
        }
        let limit = bound?.numberValue?.int64
        let usesBinaryUnits = domain == .size && isWrittenInBinaryUnits(limit ?? amount)
        func rounded(_ amount: Int64) -> String {
            domain == .duration ? duration(amount) : usesBinaryUnits ? binarySize(amount) : decimalSize(amount)
        }
        let text = rounded(amount)
        guard let limit, limit != amount, rounded(limit) == text else { return MessageText(text) }
        if domain == .duration { return MessageText(exactDuration(amount)) }
        return MessageText(usesBinaryUnits ? exactBinarySize(amount) ?? "\(amount) B" : exactDecimalSize(amount))
    }

    /// Returns an operand without rounding, such as `1.234 s` or `1 MiB`; values of other domains with their type.
    static func describeOperand(_ value: JSONValue, in domain: Matcher.Domain) -> MessageText {
        if domain == .status, value.numberValue == nil { return MessageText(statuses(value)) }
        guard domain.isQuantity, case .number(let number) = value, let amount = number.int64 else {
            return ValueDescription.typed(value)
        }
        if domain == .duration { return MessageText(exactDuration(amount)) }
        let decimal = exactDecimalSize(amount)
        return MessageText(isWrittenInBinaryUnits(amount) ? exactBinarySize(amount) ?? decimal : decimal)
    }

    /// Returns a measured value without its type.
    static func plain(_ value: JSONValue, in domain: Matcher.Domain) -> MessageText {
        domain.isQuantity ? describe(value, in: domain) : MessageText(ValueDescription.plain(value))
    }

    /// Returns an operand without its type.
    static func plainOperand(_ value: JSONValue, in domain: Matcher.Domain) -> MessageText {
        switch domain {
        case .value: MessageText(ValueDescription.plain(value))
        case .status: MessageText(statuses(value))
        case .duration, .size: describeOperand(value, in: domain)
        }
    }

    /// Returns statuses in the notation of suites: `404`, `2xx`, `200, 2xx or 404`.
    private static func statuses(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .array(let elements):
            var texts = elements.prefix(12).map(statuses)
            if elements.count > texts.count { texts.append("\(elements.count - texts.count) more") }
            return ValueDescription.list(texts)
        case .null, .bool, .number, .object: return ValueDescription.plain(value)
        }
    }

    // MARK: Durations

    /// Returns a rounded duration: `512 µs`, `41.3 ms`, `2.31 s`, `1 min 30 s`.
    static func duration(_ nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "-" : ""
        let amount = nanoseconds.magnitude
        // The limits are the values from which rounding would carry into the next unit.
        switch amount {
        case ..<1_000: return sign + "\(amount) ns"
        case ..<999_500: return sign + significant(amount, unit: 1_000) + " µs"
        case ..<999_500_000: return sign + significant(amount, unit: 1_000_000) + " ms"
        case ..<59_950_000_000: return sign + significant(amount, unit: 1_000_000_000) + " s"
        default:
            let seconds = max(amount / 1_000_000_000, 60)
            if seconds >= 48 * 3600 {
                // Seconds are irrelevant when the duration is several days.
                let (days, hours) = (seconds / 86_400, seconds % 86_400 / 3600)
                return sign + (hours > 0 ? "\(days) d \(hours) h" : "\(days) d")
            }
            let (hours, minutes, rest) = (seconds / 3600, seconds % 3600 / 60, seconds % 60)
            let parts = [
                hours > 0 ? "\(hours) h" : nil, minutes > 0 ? "\(minutes) min" : nil, rest > 0 ? "\(rest) s" : nil,
            ]
            return sign + parts.compactMap { $0 }.joined(separator: " ")
        }
    }

    /// Returns a duration without rounding: `1.234 s`, `1 min 30.5 s`.
    static func exactDuration(_ nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "-" : ""
        let amount = nanoseconds.magnitude
        switch amount {
        case ..<1_000: return sign + "\(amount) ns"
        case ..<1_000_000: return sign + decimal(amount, unit: 1_000, fractionDigits: 3) + " µs"
        case ..<1_000_000_000: return sign + decimal(amount, unit: 1_000_000, fractionDigits: 6) + " ms"
        case ..<60_000_000_000: return sign + decimal(amount, unit: 1_000_000_000, fractionDigits: 9) + " s"
        default:
            let (minutes, rest) = amount.quotientAndRemainder(dividingBy: 60_000_000_000)
            let days = minutes >= 48 * 60 ? minutes / 1440 : 0
            let hours = minutes / 60 - days * 24
            let parts = [
                days > 0 ? "\(days) d" : nil, hours > 0 ? "\(hours) h" : nil,
                minutes % 60 > 0 ? "\(minutes % 60) min" : nil,
                rest > 0 ? decimal(rest, unit: 1_000_000_000, fractionDigits: 9) + " s" : nil,
            ]
            return sign + parts.compactMap { $0 }.joined(separator: " ")
        }
    }

    // MARK: Sizes

    /// Returns whether a size is shorter in powers of 1,024, and probably was written that way: `1 MiB` is 1.048576 MB.
    private static func isWrittenInBinaryUnits(_ bytes: Int64) -> Bool {
        guard let binary = exactBinarySize(bytes) else { return false }
        return binary.utf8.count < exactDecimalSize(bytes).utf8.count
    }

    /// Returns a rounded size in powers of 1,000: `61 B`, `64 KB`, `1.5 MB`.
    private static func decimalSize(_ bytes: Int64) -> String {
        guard let (unit, name) = decimalUnit(carried(bytes.magnitude, 1_999)) else { return "\(bytes) B" }
        return (bytes < 0 ? "-" : "") + significant(bytes.magnitude, unit: unit) + name
    }

    /// Returns a size in powers of 1,000 without rounding: `63.999 KB`.
    private static func exactDecimalSize(_ bytes: Int64) -> String {
        guard let (unit, name) = decimalUnit(bytes.magnitude) else { return "\(bytes) B" }
        return (bytes < 0 ? "-" : "") + decimal(bytes.magnitude, unit: unit, fractionDigits: 9) + name
    }

    private static func decimalUnit(_ bytes: UInt64) -> (unit: UInt64, name: String)? {
        switch bytes {
        case ..<1_000: nil
        case ..<1_000_000: (1_000, " KB")
        case ..<1_000_000_000: (1_000_000, " MB")
        default: (1_000_000_000, " GB")
        }
    }

    /// Returns a rounded size in powers of 1,024: `957 KiB`.
    private static func binarySize(_ bytes: Int64) -> String {
        guard let (unit, name) = binaryUnit(carried(bytes.magnitude, 2_047)) else { return "\(bytes) B" }
        let (thousandths, _) = unit.dividingFullWidth(bytes.magnitude.multipliedFullWidth(by: 1_000))
        return (bytes < 0 ? "-" : "") + significant(thousandths, unit: 1_000) + name
    }

    /// Returns a size in powers of 1,024 with at most three decimals, or nil if that is not exact.
    private static func exactBinarySize(_ bytes: Int64) -> String? {
        guard let (unit, name) = binaryUnit(bytes.magnitude) else { return nil }
        let (thousandths, rest) = unit.dividingFullWidth(bytes.magnitude.multipliedFullWidth(by: 1_000))
        guard rest == 0 else { return nil }
        return (bytes < 0 ? "-" : "") + decimal(thousandths, unit: 1_000, fractionDigits: 3) + name
    }

    private static func binaryUnit(_ bytes: UInt64) -> (unit: UInt64, name: String)? {
        switch bytes {
        case ..<(1 << 10): nil
        case ..<(1 << 20): (1 << 10, " KiB")
        case ..<(1 << 30): (1 << 20, " MiB")
        default: (1 << 30, " GiB")
        }
    }

    // MARK: Digits

    /// Returns the amount that determines the unit of a rounded value, so that 999.9 KB becomes 1 MB and not 1000 KB.
    private static func carried(_ amount: UInt64, _ divisor: UInt64) -> UInt64 { amount + amount / divisor }

    /// Returns the amount in a unit with three significant digits, or with all digits of the integer part.
    private static func significant(_ amount: UInt64, unit: UInt64) -> String {
        let whole = amount / unit
        return decimal(amount, unit: unit, fractionDigits: whole >= 100 ? 0 : whole >= 10 ? 1 : 2)
    }

    /// Returns the amount in a unit, a power of ten, rounded to a number of decimals, without trailing zeros.
    private static func decimal(_ amount: UInt64, unit: UInt64, fractionDigits: Int) -> String {
        var step = unit
        for _ in 0..<fractionDigits where step > 1 { step /= 10 }
        let steps = amount / step + (amount % step >= (step + 1) / 2 && step > 1 ? 1 : 0)
        let scale = unit / step
        let fraction = steps % scale
        guard fraction > 0 else { return String(steps / scale) }
        var digits = String(fraction + scale).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(steps / scale).\(digits)"
    }

    // MARK: Parsing

    /// Parses a duration such as `250ms`, `1m30s` or `1.5s`, in nanoseconds. Returns nil for any other string.
    static func parseDuration(_ text: String) -> Int64? {
        parse(text, allowsSeveral: true) { unit in
            switch unit {
            case "ns": 1
            case "us", "µs", "μs": 1_000
            case "ms": 1_000_000
            case "s": 1_000_000_000
            case "m": 60_000_000_000
            case "h": 3_600_000_000_000
            case "d": 86_400_000_000_000
            default: nil
            }
        }
    }

    /// Parses a size such as `64KB` or `5MiB`, in bytes. Returns nil for any other string.
    static func parseSize(_ text: String) -> Int64? {
        parse(text, allowsSeveral: false) { unit in
            switch unit {
            case "B": 1
            case "KB": 1_000
            case "MB": 1_000_000
            case "GB": 1_000_000_000
            case "TB": 1_000_000_000_000
            case "KiB": 1 << 10
            case "MiB": 1 << 20
            case "GiB": 1 << 30
            case "TiB": 1 << 40
            default: nil
            }
        }
    }

    private static func parse(_ text: String, allowsSeveral: Bool, unit: (Substring) -> Int64?) -> Int64? {
        var rest = text[...]
        var total: Int64 = 0
        var parts = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { !($0.isASCII && $0.isNumber) }
            rest = rest.dropFirst(name.count)
            guard let factor = unit(name), let amount = multiply(digits, factor) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(amount)
            if overflow { return nil }
            total = sum
            parts += 1
        }
        return parts == 1 || (allowsSeveral && parts > 1) ? total : nil
    }

    /// Returns the product of a decimal number and a factor, rounded down.
    private static func multiply(_ digits: Substring, _ factor: Int64) -> Int64? {
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let whole = Int64(first) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
        if overflow { return nil }
        guard parts.count == 2 else { return product }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        var fraction: Int64 = 0
        var step = factor
        for digit in parts[1].utf8 {
            // All units except minutes, hours and days are divisible by ten often enough to process every significant
            // digit.
            let value = Int64(digit - UInt8(ascii: "0"))
            fraction += value * step / 10
            step /= 10
        }
        let (sum, carry) = product.addingReportingOverflow(fraction)
        return carry ? nil : sum
    }
}

extension ValueDescription {
    /// Returns a value of an expression with its CEL type: `3 (int)`, `2.31 s (duration)`. Long values are cut off.
    static func typed(_ value: CELValue) -> MessageText {
        switch value {
        case .duration(let duration): "\(Quantity.duration(duration.nanoseconds)) (duration)"
        case .timestamp(let timestamp): "\(timestamp.description) (timestamp)"
        case .uint, .bytes, .type, .optional: "\(cut(value.description)) (\(MessageText(words: value.typeName)))"
        case .null, .bool, .int, .double, .number, .string, .list, .map:
            if let json = value.json {
                typed(json, named: value.typeName)
            } else {
                "\(cut(value.description)) (\(MessageText(words: value.typeName)))"
            }
        }
    }

    private static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
