import Basics
import RegularExpressions
import Testing

@Suite("Strings that match a pattern")
struct SamplingTests {
    @Test(
        "A matching string with an allowed length is found",
        arguments: [
            ("^[a-z]+$", 0...10), ("^[a-z]+$", 12...12), (#"^\d{4}-\d{2}$"#, 0...20), ("^(GET|POST)$", 4...4),
            ("abc", 10...12), ("^abc", 10...12), ("abc$", 10...12), ("", 3...3), (#"^\p{Lu}\p{Ll}*$"#, 1...8),
            (#"^(\w+)-\1$"#, 3...30), (#"^(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8,}$"#, 8...20), ("^(?!admin).{3,}$", 3...9),
            (#"^\+?[1-9]\d{1,14}$"#, 0...16), ("^[^@]+@[^@]+$", 5...40), (#"^\S+$"#, 30...30),
            ("^(?:[A-Z]{2}[0-9]{3}){2}$", 10...10), (#"^\bword\b$"#, 4...4), ("[\\u4e00-\\u9fff]", 1...1),
            ("^#?([a-f0-9]{6}|[a-f0-9]{3})$", 3...7), ("^$", 0...0), (#"^.*\.pdf$"#, 4...40),
        ])
    func samples(pattern: String, lengths: ClosedRange<Int>) throws {
        let expression = try RegularExpression(pattern, dialect: .ecmaScript)
        var random = SplitMix64(seed: 7)
        let text = try #require(expression.sample(lengths: lengths, using: &random))
        #expect(try expression.matches(text), "\(text)")
        #expect(lengths.contains(text.unicodeScalars.count), "\(text)")
        var again = SplitMix64(seed: 7)
        #expect(expression.sample(lengths: lengths, using: &again) == text)
    }

    @Test(
        "The result is nil if no string matches or the length is too large",
        arguments: [("^a{5}$", 0...4), ("^(?!a)a$", 0...9), ("a", 30_000...30_000), ("[^\\s\\S]", 0...9)])
    func impossible(pattern: String, lengths: ClosedRange<Int>) throws {
        let expression = try RegularExpression(pattern, dialect: .ecmaScript)
        var random = SplitMix64(seed: 7)
        #expect(expression.sample(lengths: lengths, using: &random) == nil)
    }
}
