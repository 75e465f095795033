import JSON
import SuiteModel

/// Durations in nanoseconds and sizes in bytes: how they are written in messages and read from expressions' values.
enum Quantity {
    /// A value of the domain for people: `2.31 s`, `61 B`; values of other domains with their type.
    ///
    /// - Parameter other: A value that the text is compared with; where rounding would make both look the same, the
    ///   exact value is given.
    static func describe(_ value: JSONValue, in domain: Matcher.Domain, besides other: JSONValue? = nil) -> String {
        guard domain != .value, case .number(let number) = value, let amount = number.int64 else {
            return ValueDescription.typed(value)
        }
        let text = rounded(amount, domain)
        guard let second = other?.numberValue?.int64, second != amount, rounded(second, domain) == text else {
            return text
        }
        return exact(amount, domain)
    }

    /// A value of the domain without its type.
    static func plain(_ value: JSONValue, in domain: Matcher.Domain) -> String {
        domain == .value ? ValueDescription.plain(value) : describe(value, in: domain)
    }

    private static func rounded(_ amount: Int64, _ domain: Matcher.Domain) -> String {
        domain == .size ? size(amount) : duration(amount)
    }

    private static func exact(_ amount: Int64, _ domain: Matcher.Domain) -> String {
        if domain == .size { return "\(amount) B" }
        let second: Int64 = 1_000_000_000
        guard amount.magnitude >= second.magnitude else { return "\(amount) ns" }
        return decimal(amount, unit: second, fractionDigits: 9) + " s"
    }

    /// A duration: `512 µs`, `41.3 ms`, `2.31 s`, `1 min 30 s`.
    static func duration(_ nanoseconds: Int64) -> String {
        let sign = nanoseconds < 0 ? "-" : ""
        let amount = Int64(clamping: nanoseconds.magnitude)
        switch amount {
        case ..<1_000: return sign + "\(amount) ns"
        case ..<1_000_000: return sign + significant(amount, unit: 1_000) + " µs"
        case ..<1_000_000_000: return sign + significant(amount, unit: 1_000_000) + " ms"
        case ..<60_000_000_000: return sign + significant(amount, unit: 1_000_000_000) + " s"
        default:
            let seconds = amount / 1_000_000_000
            let (hours, minutes, rest) = (seconds / 3600, seconds % 3600 / 60, seconds % 60)
            let parts = [
                hours > 0 ? "\(hours) h" : nil, minutes > 0 ? "\(minutes) min" : nil, rest > 0 ? "\(rest) s" : nil,
            ]
            return sign + parts.compactMap { $0 }.joined(separator: " ")
        }
    }

    /// A size in powers of 1,000: `61 B`, `64 KB`, `1.5 MB`.
    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: significant(bytes, unit: 1_000) + " KB"
        case ..<1_000_000_000: significant(bytes, unit: 1_000_000) + " MB"
        default: significant(bytes, unit: 1_000_000_000) + " GB"
        }
    }

    /// The amount in a unit with three significant digits, or all digits before the point.
    private static func significant(_ amount: Int64, unit: Int64) -> String {
        let whole = amount / unit
        return decimal(amount, unit: unit, fractionDigits: whole >= 100 ? 0 : whole >= 10 ? 1 : 2)
    }

    /// The amount in a unit, a power of ten, rounded to a number of digits, without trailing zeros.
    private static func decimal(_ amount: Int64, unit: Int64, fractionDigits: Int) -> String {
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

    /// The nanoseconds of a duration such as `250ms`, `1m30s` or `1.5s`; nil for anything else.
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

    /// The bytes of a size such as `64KB` or `5MiB`; nil for anything else.
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

    /// A decimal number times a factor; fractions of the result are dropped.
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
            // Units divide by ten often enough for every digit that can count but for minutes, hours and days.
            let value = Int64(digit - UInt8(ascii: "0"))
            fraction += value * step / 10
            step /= 10
        }
        let (sum, carry) = product.addingReportingOverflow(fraction)
        return carry ? nil : sum
    }
}
