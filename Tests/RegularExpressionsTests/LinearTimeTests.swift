import Basics
import RegularExpressions
import Testing

@Suite struct LinearTimeTests {
    static let length = 100_000

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("(a+)+$", "a", "b", false),
            ("(x+x+)+y", "x", "", false),
            ("(x+x+)+y", "x", "y", true),
            ("(.*)*c", "a", "b", false),
            ("^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!", false),
            ("(a|aa)+$", "a", "b", false),
            ("(a|a?)+$", "a", "b", true),
            ("(?:a?){50}a{50}$", "a", "b", false),
            ("aaaaaaaaab", "a", "", false),
            ("(.*)(.*)(.*)(.*)(.*)[0-9]", "a", "b", false),
        ])
    func staysLinear(pattern: String, unit: String, end: String, isMatch: Bool) throws {
        let text = String(repeating: unit, count: Self.length) + end
        let expression = try RegularExpression(pattern, dialect: .ecmaScript)
        let clock = ContinuousClock()
        let elapsed = try clock.measure {
            let verdict = try expression.matches(text)
            #expect(verdict == isMatch)
            let match = try expression.firstMatch(in: text)
            #expect((match != nil) == isMatch)
        }
        // A backtracking matcher would take longer than the age of the universe.
        #expect(elapsed < .seconds(30))
    }

    @Test(.timeLimit(.minutes(1)))
    func copesWithMoreStatesThanItKeeps() throws {
        // A deterministic automaton for this pattern has 2^18 states.
        let expression = try RegularExpression("[ab]*a[ab]{17}c", dialect: .ecmaScript)
        var generator = SplitMix64(seed: 7)
        var text = ""
        for _ in 0..<60_000 { text += Bool.random(using: &generator) ? "a" : "b" }
        #expect(try !expression.matches(text))
        #expect(try expression.matches(text + "a" + String(repeating: "b", count: 17) + "c"))
        #expect(try !expression.matches(text + "b" + String(repeating: "b", count: 17) + "c"))
    }

    @Test(.timeLimit(.minutes(1)))
    func compilesTheLargeCountsOfRealSchemas() throws {
        let letters = try RegularExpression("^[\\p{L}\\p{N}]{1,256}$", dialect: .ecmaScript)
        #expect(try letters.matches(String(repeating: "é", count: 256)))
        #expect(try !letters.matches(String(repeating: "é", count: 257)))
        let characters = try RegularExpression("^.{1,2048}$", dialect: .ecmaScript)
        #expect(try characters.matches(String(repeating: "€", count: 2048)))
        #expect(try !characters.matches(String(repeating: "€", count: 2049)))
    }

    @Test func isSharedByTasks() async throws {
        let expression = try RegularExpression("(\\w+)@(\\w+)\\.com$", dialect: .re2)
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try expression.matches("user\(index)@example.com" + (index.isMultiple(of: 2) ? "" : "!"))
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(results == 100)
    }
}
