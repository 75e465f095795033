import JSON
import Testing

@Suite("Exact arithmetic with decimal numbers")
struct DecimalArithmeticTests {
    @Test(
        "Multiples of any size and scale are recognized",
        arguments: [
            ("3", "9", true), ("3", "10", false), ("0.01", "19.99", true), ("0.1", "0.25", false),
            ("1e-7", "0.5", true),
            ("0.3", "0", true), ("2.5", "1e300", true), ("3", "1e300", false), ("1e300", "3e300", true),
            ("123456789012345678901234567890123456789", "246913578024691357802469135780246913578", true),
            ("123456789012345678901234567890123456789", "246913578024691357802469135780246913579", false),
        ])
    func multiples(_ divisor: String, _ number: String, _ divides: Bool) throws {
        let divisor = DecimalDivisor(try #require(JSONNumber(literal: divisor)))
        let number = try #require(JSONNumber(literal: number))
        #expect(divisor.divides(number) == divides)
    }

    @Test(
        "Numbers are converted to units of a power of ten",
        arguments: [
            ("150", 150, 0, "150"), ("1.50", 15, 1, "1.5"), ("-0.001", -1, 3, "-0.001"), ("2e3", 2_000, 0, "2000"),
            ("0.0", 0, 0, "0"), ("12e-2", 12, 2, "0.12"),
        ])
    func scaled(_ literal: String, _ units: Int, _ scale: Int, _ written: String) throws {
        let number = try #require(JSONNumber(literal: literal))
        let decimal = try #require(ScaledDecimal(number))
        #expect(decimal.units == Int128(units) && decimal.scale == scale)
        #expect(decimal.number?.literal == written)
    }

    @Test("Numbers that do not fit are rejected", arguments: ["1e-19", "1e40", "12345678901234567890123456789012345"])
    func noRoom(_ literal: String) throws {
        let number = try #require(JSONNumber(literal: literal))
        #expect(ScaledDecimal(number) == nil)
    }
}
