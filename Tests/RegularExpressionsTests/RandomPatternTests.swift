import Basics
import RegularExpressions
import Testing

@Suite struct RandomPatternTests {
    @Test(arguments: 1...8)
    func agreesWithTheReference(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        var matchCount = 0
        for _ in 0..<150 {
            let reference = ReferencePattern.random(depth: 4, using: &generator)
            let expression = try RegularExpression(reference.source, dialect: .ecmaScript)
            // An empty lookahead does not change the result, but enforces backtracking.
            let backtracking = try RegularExpression("(?=)" + reference.source, dialect: .ecmaScript)
            #expect(expression.isLinear && !backtracking.isLinear)
            for _ in 0..<12 {
                let length = Int.random(in: 0...6, using: &generator)
                let text = (0..<length).map { _ in ReferencePattern.alphabet.randomElement(using: &generator) ?? "a" }
                let expected = reference.firstMatch(in: text)
                let match = try expression.firstMatch(in: String(text))
                let range = expected.map {
                    String(text[..<$0.lowerBound]).utf8.count..<String(text[..<$0.upperBound]).utf8.count
                }
                #expect(match?.range == range, "\(reference.source) on \(text)")
                #expect(try expression.matches(String(text)) == (expected != nil), "\(reference.source) on \(text)")
                let other = try backtracking.firstMatch(in: String(text))
                #expect(other?.range == range, "(?=)\(reference.source) on \(text)")
                #expect(match?.groups == other?.groups, "\(reference.source) on \(text)")
                let isWhole = reference.ends(in: text, from: 0).contains(text.count)
                #expect(try expression.matchesWhole(String(text)) == isWhole, "\(reference.source) on \(text)")
                #expect(try backtracking.matchesWhole(String(text)) == isWhole, "(?=)\(reference.source) on \(text)")
                if expected != nil { matchCount += 1 }
            }
        }
        #expect(matchCount > 100)
    }

    @Test(arguments: RegularExpression.Dialect.allCases)
    func survivesAnyPattern(_ dialect: RegularExpression.Dialect) {
        let pieces = [
            "a", "é", "😀", "\\", "(", ")", "(?:", "(?<", "n>", "(?i)", "[", "]", "^", "$", ".", "*", "+", "?", "{",
            "}", "2", ",", "-", "|", "\\d", "\\p{", "L", "\\u", "\\x", "[:alpha:]", "\\Q", "\\b", "\\c", "<", ":",
            "(?=", "(?!", "(?<=", "(?<!", "\\1", "\\k<n>",
        ]
        var generator = SplitMix64(seed: 99)
        var compiledCount = 0
        for _ in 0..<4_000 {
            let length = Int.random(in: 1...10, using: &generator)
            let pattern = (0..<length).map { _ in pieces.randomElement(using: &generator) ?? "a" }.joined()
            do throws(RegularExpressionError) {
                let expression = try RegularExpression(pattern, dialect: dialect, options: .caseInsensitive)
                compiledCount += 1
                let text = "aé2😀-{"
                let isMatch = try? expression.matches(text)
                #expect(isMatch == (try? expression.firstMatch(in: text) != nil), "\(pattern)")
            } catch {
                let count = pattern.unicodeScalars.count
                #expect(error.offset >= 0 && error.length >= 0 && error.offset + error.length <= count, "\(pattern)")
                #expect(!error.message.isEmpty)
            }
        }
        #expect(compiledCount > 50)
    }
}
