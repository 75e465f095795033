/// A JSON number (RFC 8259 §6) that keeps its digits as they were written and compares by exact decimal value.
public struct JSONNumber: Sendable {
    /// The literal, in the smallest form that keeps its digits.
    private enum Storage: Sendable {
        /// The usual notation of an integer.
        case integer(Int64)
        /// An integer with a decimal point, such as `-1.50`.
        case decimal(ScaledInteger)
        /// A literal with an exponent or with more than 18 digits that count, and `-0` (15 bytes fit without allocation).
        case text(String)
    }

    private var storage: Storage

    /// A number from a signed 64-bit integer.
    public init(_ value: Int64) {
        storage = .integer(value)
    }

    /// A number from an integer.
    public init(_ value: Int) {
        storage = .integer(Int64(value))
    }

    /// A number from an unsigned 64-bit integer.
    public init(_ value: UInt64) {
        storage = Int64(exactly: value).map(Storage.integer) ?? .text(String(value))
    }

    /// A number with the shortest digits that give `value` back; nil for NaN and the infinities.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        // Truncation and back instead of rounding, which would need the C mathematics library.
        if value.magnitude < 9_007_199_254_740_992, Double(Int64(value)) == value {
            if value == 0, value.sign == .minus { self.init(text: "-0.0") } else { self.init(Int64(value)) }
        } else {
            self.init(text: value.description)
        }
    }

    /// A number from a literal of RFC 8259's grammar, such as `-1.50e3`; nil for any other text.
    public init?(literal: some StringProtocol) {
        var literal = String(literal)
        let scan = literal.withUTF8 { NumberScan($0, at: 0) }
        guard scan.problem == nil, scan.end == literal.utf8.count else { return nil }
        self.init(scan: scan, literal: literal)
    }

    /// A number from a scan that found no problem; `literal` is asked for only when the digits must be kept.
    @inline(__always)
    init(scan: NumberScan, literal: @autoclosure () -> String) {
        switch scan.form {
        case .integer: storage = .integer(scan.value)
        case .decimal: storage = .decimal(ScaledInteger(value: scan.value, scale: scan.scale))
        case .text: storage = .text(literal())
        }
    }

    /// A number from a text that is known to be a literal.
    private init(text: String) {
        var text = text
        let scan = text.withUTF8 { NumberScan($0, at: 0) }
        self.init(scan: scan, literal: text)
    }

    init(_ decimal: ExactDecimal) {
        self.init(text: decimal.literal)
    }

    /// The digits as they were written: `1.10` stays `1.10`.
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

    /// The integer whose usual digits are the literal, without any work; nil for every other number.
    @inline(__always)
    var smallInteger: Int64? {
        if case .integer(let value) = storage { value } else { nil }
    }

    /// The value as a signed 64-bit integer when it is one exactly: 100 for `1e2`, nil for `1.5`.
    public var int64: Int64? {
        switch storage {
        case .integer(let value): value
        case .decimal(let value): value.integer
        case .text(let text): ExactDecimal(literal: text).int64
        }
    }

    /// The value as an unsigned 64-bit integer when it is one exactly.
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
        // The literal's grammar is a part of what Double reads.
        case .decimal(let value): value.double ?? Double(value.literal) ?? .nan
        case .text(let text): Double(text) ?? .nan
        }
    }

    /// Whether the number has no fractional part, however it is written: `1.0` and `1e2` are integers.
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

    /// The number as a scaled integer, unless its literal is kept as text.
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
    /// Equality by exact decimal value: `1e2`, `100` and `100.0` are equal, `0.1` and `0.10000000000000001` are not.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)) where left == right: true
        default: compare(left, right) == 0
        }
    }

    /// Order by exact decimal value.
    public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)): left < right
        default: compare(left, right) < 0
        }
    }

    /// Negative, zero or positive as `left` is less than, equal to or greater than `right`.
    private static func compare(_ left: JSONNumber, _ right: JSONNumber) -> Int {
        if let left = left.scaled, let right = right.scaled { return ScaledInteger.compare(left, right) }
        return ExactDecimal.compare(left.decimal, right.decimal)
    }

    /// Hashes by value, so that equal numbers written in different ways have one hash.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .integer(let value):
            hasher.combine(value)
        case .decimal(let value):
            let value = value.reduced
            hasher.combine(value.value)
            if value.scale > 0 { hasher.combine(-Int(value.scale)) }
        case .text:
            // What another literal of the same value may keep as a scaled integer is hashed like one.
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
    /// The absolute value; the number itself, digits kept, when it is not negative.
    public var magnitude: JSONNumber {
        switch storage {
        case .integer(let value): value == .min ? JSONNumber(value.magnitude) : JSONNumber(Int64(value.magnitude))
        case .decimal, .text: isNegative ? -self : self
        }
    }

    /// The negated number.
    public static prefix func - (number: JSONNumber) -> JSONNumber {
        var decimal = number.decimal
        decimal.isNegative = !decimal.isNegative && !decimal.isZero
        return JSONNumber(decimal)
    }

    /// The exact sum; of terms more than 4,096 orders of magnitude apart the smaller one is dropped.
    public static func + (left: JSONNumber, right: JSONNumber) -> JSONNumber {
        if let first = left.smallInteger, let second = right.smallInteger {
            let (sum, overflow) = first.addingReportingOverflow(second)
            if !overflow { return JSONNumber(sum) }
        }
        return JSONNumber(ExactDecimal.add(left.decimal, right.decimal))
    }

    /// The exact difference; of terms more than 4,096 orders of magnitude apart the smaller one is dropped.
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

    /// A number from an integer literal.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }
}
