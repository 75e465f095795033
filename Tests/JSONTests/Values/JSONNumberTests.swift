import Basics
import JSON
import Testing

struct JSONNumberTests {
    @Test(arguments: [
        ("0", "0.0"), ("0", "-0"), ("0", "0e999999999999"), ("100", "1e2"), ("100", "100.0"), ("100", "1000E-1"),
        ("1.10", "1.1"), ("-1.5", "-15e-1"), ("0.1", "1e-1"), ("12345678901234567890", "1234567890123456789e1"),
        ("1e400", "10e399"), ("9223372036854775807", "9223372036854775807.0"),
        ("-9223372036854775808", "-9223372036854775808e0"),
        ("1e999999999", "10e999999998"), ("1e-999999999", "0.1e-999999998"),
        ("1e9999999999999999999", "1e99999999999999999999"), ("1e-9999999999999999999", "1e-99999999999999999999"),
    ])
    func equalNumbers(_ first: String, _ second: String) throws {
        let left = try #require(JSONNumber(literal: first))
        let right = try #require(JSONNumber(literal: second))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right))
        #expect(!(right < left))
    }

    @Test(arguments: [
        ("0.1", "0.10000000000000001"), ("9007199254740992", "9007199254740993"), ("-1", "1"), ("-2", "-1"),
        ("-1e400", "-1e399"), ("1e-400", "1e-399"), ("0", "1e-999999999"), ("-1e-999999999", "0"), ("1", "1e999999999"),
        ("12345678901234567890", "12345678901234567891"), ("9223372036854775807", "9223372036854775808"), ("1.5", "2"),
        ("99", "1e2"), ("1e999999998", "1e999999999"), ("0.123", "0.1234"), ("-0.1234", "-0.123"),
    ])
    func orderedNumbers(_ first: String, _ second: String) throws {
        let left = try #require(JSONNumber(literal: first))
        let right = try #require(JSONNumber(literal: second))
        #expect(left < right)
        #expect(!(right < left))
        #expect(left != right)
    }

    @Test(arguments: [
        "0", "-0", "1.10", "1e2", "1E+2", "-12.50e-3", "12345678901234567890", "1e400", "-9223372036854775808",
        "0.0", "-0.0", "-0.5", "0.05", "10.0", "-65.613616999999977", "0.000000000000000000000000000000000001",
        "9223372036854775.807", "-922337203685477580.7", "9223372036854775.808", "0.9223372036854775807",
        "0.9223372036854775808", "1.2345678", "1.23456789", "1.234567890123456", "12345678.12345678", "-100.000",
        "0.00000000000000000000", "99999999999999999.99", "999999999999999999.99", "0.12345678901234567890123",
        "1.00000000000000000000000000000000000000000000000000", "0.0000000000000000000000000000000000000000001",
    ])
    func literalsAreKept(_ literal: String) throws {
        #expect(try #require(JSONNumber(literal: literal)).literal == literal)
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", ".5", "1.", "1.e2", "1e", "1e+", "0x10", "1 ", " 1", "NaN", "1_000", "--1", "1e2.5",
    ])
    func otherTextsAreNoNumbers(_ literal: String) {
        #expect(JSONNumber(literal: literal) == nil)
    }

    @Test(arguments: [
        ("1e2", 100 as Int64?), ("100.0", 100), ("-5", -5), ("-0", 0), ("1.5", nil), ("9223372036854775807", .max),
        ("9223372036854775808", nil), ("-9223372036854775808", .min), ("-9223372036854775809", nil),
        ("1e999999999", nil),
        ("-922337203685477580.8e1", .min), ("1e-1", nil), ("120e-1", 12),
    ])
    func exactSignedIntegers(_ literal: String, _ expected: Int64?) throws {
        #expect(try #require(JSONNumber(literal: literal)).int64 == expected)
    }

    @Test(arguments: [
        ("18446744073709551615", UInt64.max as UInt64?), ("18446744073709551616", nil), ("-1", nil), ("-0", 0),
        ("7e1", 70),
        ("1e20", nil), ("99999999999999999999", nil),
    ])
    func exactUnsignedIntegers(_ literal: String, _ expected: UInt64?) throws {
        #expect(try #require(JSONNumber(literal: literal)).uint64 == expected)
    }

    @Test(arguments: [
        ("1.0", true), ("1e2", true), ("1.5", false), ("15e-1", false), ("0e-5", true), ("1e-999999999", false),
    ])
    func integers(_ literal: String, _ expected: Bool) throws {
        #expect(try #require(JSONNumber(literal: literal)).isInteger == expected)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0.0"), (1.0, "1"), (-3.0, "-3"), (0.1, "0.1"), (1e21, "1e+21"),
        (Double.leastNonzeroMagnitude, "5e-324"),
        (1.5, "1.5"),
    ])
    func shortestDigitsOfDoubles(_ value: Double, _ literal: String) throws {
        let number = try #require(JSONNumber(value))
        #expect(number.literal == literal)
        #expect(number.double.bitPattern == value.bitPattern || value == 0)
        #expect(JSONNumber(literal: number.literal) == number)
    }

    /// The result equals that of Swift's conversion of the same digits, rounded half to even.
    @Test(arguments: [
        "0.1", "0.3", "1.1", "-65.613616999999977", "43.420273000000009", "9007199254740993.0", "0.5",
        "4503599627370497.5",
        "4503599627370496.5", "9007199254740991.5", "900719925474099.35", "922337203685477580.7",
        "0.0000000000000000001",
        "9.223372036854775807", "0.9223372036854775807", "1.0000000000000002", "1.00000000000000011", "0.0000001",
        "1.000000000000000111", "1.000000000000000333", "0.00000000000000000000000001", "123456.789", "-0.25", "0.0",
    ])
    func nearestDoubles(_ literal: String) throws {
        let number = try #require(JSONNumber(literal: literal))
        #expect(number.double == Double(literal))
    }

    @Test func nearestDoublesOfRandomDigits() throws {
        var generator = SplitMix64(seed: 6)
        for _ in 0..<20_000 {
            let digits = String((generator.next() >> 1) >> UInt64.random(in: 0..<63, using: &generator))
            let point = Int.random(in: 0...digits.count, using: &generator)
            let whole = digits.prefix(point)
            let literal = "\(whole.isEmpty ? "0" : whole).\(digits.dropFirst(point))0"
            let number = try #require(JSONNumber(literal: literal))
            #expect(number.double == Double(literal), "\(literal)")
            #expect(number.literal == literal)
        }
    }

    /// Numbers are compared by their digits, whether their literals are stored as scaled integers or as text.
    @Test func comparisonOfRandomNumbers() throws {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<5_000 {
            let value = Int64.random(in: -2_000...2_000, using: &generator)
            let other = value + Int64.random(in: -1...1, using: &generator)
            let scale = Int.random(in: 0...12, using: &generator)
            let first = JSONNumberTests.literal(value, scale: scale, using: &generator)
            let second = JSONNumberTests.literal(other, scale: scale, using: &generator)
            let left = try #require(JSONNumber(literal: first))
            let right = try #require(JSONNumber(literal: second))
            #expect((left == right) == (value == other), "\(first) \(second)")
            #expect((left < right) == (value < other), "\(first) \(second)")
            if value == other { #expect(left.hashValue == right.hashValue, "\(first) \(second)") }
        }
    }

    /// Returns `value` × 10^-`scale` in one of several notations.
    private static func literal(_ value: Int64, scale: Int, using generator: inout SplitMix64) -> String {
        let zeros = String(repeating: "0", count: Int.random(in: 0...20, using: &generator))
        switch Int.random(in: 0...2, using: &generator) {
        case 0: return "\(value)e-\(scale)"
        case 1 where value != 0: return "\(value)\(zeros)E-\(scale + zeros.count)"
        default:
            let digits = String(value.magnitude)
            let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
            let fraction = padded.suffix(scale) + zeros
            return (value < 0 ? "-" : "") + padded.dropLast(scale) + (fraction.isEmpty ? "" : "." + fraction)
        }
    }

    @Test func nonFiniteDoublesAreRefused() {
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(literal: "1e400")?.double == .infinity)
    }

    @Test(arguments: [
        ("0.1", "0.2", "0.3", "-0.1"), ("1", "2", "3", "-1"), ("1e3", "1e-3", "1000.001", "999.999"),
        ("9223372036854775807", "1", "9223372036854775808", "9223372036854775806"), ("1.5", "-1.5", "0", "3"),
        ("-0.5", "-0.25", "-0.75", "-0.25"), ("100", "0.001", "100.001", "99.999"), ("0", "1e-7", "1e-7", "-1e-7"),
        ("1e999999999", "1", "1e999999999", "1e999999999"), ("1", "1e-999999999", "1", "1"),
        ("99.99", "0.01", "100", "99.98"),
        ("12345678901234567890", "1e19", "22345678901234567890", "2345678901234567890"),
    ])
    func arithmetic(_ first: String, _ second: String, _ sum: String, _ difference: String) throws {
        let left = try #require(JSONNumber(literal: first))
        let right = try #require(JSONNumber(literal: second))
        #expect(left + right == JSONNumber(literal: sum))
        #expect(right + left == JSONNumber(literal: sum))
        #expect(left - right == JSONNumber(literal: difference))
        #expect((left - right).magnitude == (right - left).magnitude)
    }

    @Test(arguments: [
        ("100.50", "0", "100.5"), ("1e25", "0.0", "1e25"), ("1e25", "1e24", "1.1e25"), ("1e-9", "1e-9", "2e-9"),
        ("0.0000015", "0.0000015", "0.000003"), ("12e1", "0.5", "120.5"),
    ])
    func literalsOfResults(_ first: String, _ second: String, _ literal: String) throws {
        let sum = try #require(JSONNumber(literal: first)) + (try #require(JSONNumber(literal: second)))
        #expect(sum.literal == literal)
    }

    @Test func magnitudeOfTheSmallestInteger() {
        #expect(JSONNumber(Int64.min).magnitude == JSONNumber(literal: "9223372036854775808"))
        #expect(JSONNumber(-5).magnitude == 5)
        #expect(JSONNumber(literal: "1.10")?.magnitude.literal == "1.10")
    }
}
