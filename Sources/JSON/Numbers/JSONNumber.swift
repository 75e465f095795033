/// A JSON number (RFC 8259, section 6) that preserves its original digits and compares by exact decimal value.
public struct JSONNumber: Sendable {
    /// The literal in its most compact representation that preserves the digits.
    private enum Storage: Sendable {
        /// An integer in its usual notation.
        case integer(Int64)
        /// An integer with a decimal point, such as `-1.50`.
        case decimal(ScaledInteger)
        /// A literal with an exponent or more than 18 significant digits, or `-0` (15 bytes fit without an allocation).
        case text(String)
    }

    private var storage: Storage

    /// Creates a number from a signed 64-bit integer.
    public init(_ value: Int64) {
        storage = .integer(value)
    }

    /// Creates a number from an integer.
    public init(_ value: Int) {
        storage = .integer(Int64(value))
    }

    /// Creates a number from an unsigned 64-bit integer.
    public init(_ value: UInt64) {
        storage = Int64(exactly: value).map(Storage.integer) ?? .text(String(value))
    }

    /// Creates a number with the shortest digits that round-trip to `value`; nil for NaN and infinities.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        // Truncate and convert back instead of rounding, which would need the C math library.
        if value.magnitude < 9_007_199_254_740_992, Double(Int64(value)) == value {
            if value == 0, value.sign == .minus { self.init(text: "-0.0") } else { self.init(Int64(value)) }
        } else {
            self.init(text: value.description)
        }
    }

    /// Creates a number from a literal of RFC 8259's grammar, such as `-1.50e3`; nil for any other string.
    public init?(literal: some StringProtocol) {
        var literal = String(literal)
        let scan = literal.withUTF8 { NumberScan($0, at: 0) }
        guard scan.problem == nil, scan.end == literal.utf8.count else { return nil }
        self.init(scan: scan, literal: literal)
    }

    /// Creates a number from a successful scan; `literal` is evaluated only if the digits must be kept.
    @inline(__always)
    init(scan: NumberScan, literal: @autoclosure () -> String) {
        switch scan.form {
        case .integer: storage = .integer(scan.value)
        case .decimal: storage = .decimal(ScaledInteger(value: scan.value, scale: scan.scale))
        case .text: storage = .text(literal())
        }
    }

    /// Creates a number from a valid literal.
    private init(text: String) {
        var text = text
        let scan = text.withUTF8 { NumberScan($0, at: 0) }
        self.init(scan: scan, literal: text)
    }

    init(_ decimal: ExactDecimal) {
        self.init(text: decimal.literal)
    }

    /// The original literal: `1.10` stays `1.10`.
    public var literal: String {
        switch storage {
        case .integer(let value): String(value)
        case .decimal(let value): value.literal
        case .text(let text): text
        }
    }

    /// Appends the literal to `output`.
    @inline(__always)
    func write(into output: inout [UInt8]) {
        switch storage {
        case .integer(let value) where value >= 0 && value <= 9:
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
        case .integer(let value): ScaledInteger(value: value, scale: 0).write(into: &output)
        case .decimal(let value): value.write(into: &output)
        case .text(let text): output.append(contentsOf: text.utf8)
        }
    }

    /// The value of an integer in its usual notation, at no cost; nil for every other number.
    @inline(__always)
    var smallInteger: Int64? {
        if case .integer(let value) = storage { value } else { nil }
    }

    /// The value as a signed 64-bit integer, if it is exactly one: 100 for `1e2`, nil for `1.5`.
    public var int64: Int64? {
        switch storage {
        case .integer(let value): value
        case .decimal(let value): value.integer
        case .text(let text): ExactDecimal(literal: text).int64
        }
    }

    /// The value as an unsigned 64-bit integer, if it is exactly one.
    public var uint64: UInt64? {
        switch storage {
        case .integer(let value): return UInt64(exactly: value)
        case .decimal(let value): return value.integer.flatMap { UInt64(exactly: $0) }
        case .text(let text):
            let decimal = ExactDecimal(literal: text)
            return decimal.isNegative ? nil : decimal.unsignedMagnitude
        }
    }

    /// The nearest `Double`; infinite for a number beyond its range.
    public var double: Double {
        switch storage {
        case .integer(let value): Double(value)
        // Double accepts a superset of the literal's grammar.
        case .decimal(let value): value.double ?? Double(value.literal) ?? .nan
        case .text(let text): Double(text) ?? .nan
        }
    }

    /// Whether the number has no fractional part in any notation: `1.0` and `1e2` are integers.
    public var isInteger: Bool {
        switch storage {
        case .integer: true
        case .decimal(let value): value.integer != nil
        case .text: decimal.exponent >= 0
        }
    }

    /// Whether the number is less than zero.
    public var isNegative: Bool {
        switch storage {
        case .integer(let value): value < 0
        case .decimal(let value): value.value < 0
        case .text: decimal.isNegative
        }
    }

    var decimal: ExactDecimal {
        switch storage {
        case .integer(let value): ExactDecimal(value)
        case .decimal(let value): ExactDecimal(literal: value.literal)
        case .text(let text): ExactDecimal(literal: text)
        }
    }

    /// The number as a scaled integer, unless its literal is stored as a string.
    @inline(__always)
    private var scaled: ScaledInteger? {
        switch storage {
        case .integer(let value): ScaledInteger(value: value, scale: 0)
        case .decimal(let value): value
        case .text: nil
        }
    }
}

extension JSONNumber: Hashable, Comparable {
    /// Returns whether two numbers are equal by exact decimal value.
    ///
    /// `1e2`, `100` and `100.0` are equal; `0.1` and `0.10000000000000001` are not.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)) where left == right: true
        default: compare(left, right) == 0
        }
    }

    /// Returns whether the first number is less than the second, by exact decimal value.
    public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)): left < right
        default: compare(left, right) < 0
        }
    }

    /// Returns a negative number, zero or a positive number if `left` is less than, equal to or greater than `right`.
    private static func compare(_ left: JSONNumber, _ right: JSONNumber) -> Int {
        if let left = left.scaled, let right = right.scaled { return ScaledInteger.compare(left, right) }
        return ExactDecimal.compare(left.decimal, right.decimal)
    }

    /// Hashes by value, so equal numbers in different notations have the same hash.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .integer(let value):
            hasher.combine(value)
        case .decimal(let value):
            let value = value.reduced
            hasher.combine(value.value)
            if value.scale > 0 { hasher.combine(-Int(value.scale)) }
        case .text:
            // Another literal with the same value may be stored as a scaled integer, so hash it the same way.
            let decimal = decimal
            if let integer = decimal.int64 {
                hasher.combine(integer)
            } else if let value = decimal.significand {
                hasher.combine(value)
                hasher.combine(decimal.exponent)
            } else {
                hasher.combine(decimal.isNegative)
                hasher.combine(decimal.exponent)
                hasher.combine(decimal.digits)
            }
        }
    }
}

extension JSONNumber {
    /// The absolute value; the number itself, with its digits preserved, if it is not negative.
    public var magnitude: JSONNumber {
        switch storage {
        case .integer(let value): value == .min ? JSONNumber(value.magnitude) : JSONNumber(Int64(value.magnitude))
        case .decimal, .text: isNegative ? -self : self
        }
    }

    /// Returns the negated number.
    public static prefix func - (number: JSONNumber) -> JSONNumber {
        var decimal = number.decimal
        decimal.isNegative = !decimal.isNegative && !decimal.isZero
        return JSONNumber(decimal)
    }

    /// Returns the exact sum; if the terms are more than 4,096 orders of magnitude apart, the smaller one is dropped.
    public static func + (left: JSONNumber, right: JSONNumber) -> JSONNumber {
        if let first = left.smallInteger, let second = right.smallInteger {
            let (sum, overflow) = first.addingReportingOverflow(second)
            if !overflow { return JSONNumber(sum) }
        }
        return JSONNumber(ExactDecimal.add(left.decimal, right.decimal))
    }

    /// Returns the exact difference; if the terms are more than 4,096 orders of magnitude apart, the smaller one is
    /// dropped.
    public static func - (left: JSONNumber, right: JSONNumber) -> JSONNumber {
        if let first = left.smallInteger, let second = right.smallInteger {
            let (difference, overflow) = first.subtractingReportingOverflow(second)
            if !overflow { return JSONNumber(difference) }
        }
        return left + -right
    }
}

extension JSONNumber: CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// The literal.
    public var description: String { literal }

    /// Creates a number from an integer literal.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }
}
