/// The counts in the last summary on the console, such as `✗ 5 tests in 1 suite: 1 passed, 2 failed, 2 skipped`.
struct ConsoleSummary {
    /// The number of tests.
    let tests: Int
    /// The number of tests by the console's word for their outcome.
    let outcomes: [String: Int]

    /// Finds the summary in the output. Returns nil if there is none.
    init?(_ output: String) {
        let pattern = /. (?:\d+ of )?(\d+) tests? in \d+ suites?: (.+)/
        guard let match = output.split(separator: "\n").compactMap({ $0.wholeMatch(of: pattern) }).last else {
            return nil
        }
        tests = Int(match.1) ?? -1
        var outcomes: [String: Int] = [:]
        for part in match.2.split(separator: ", ") {
            let words = part.split(separator: " ")
            if words.count == 2, let count = Int(words[0]) { outcomes[String(words[1])] = count }
        }
        self.outcomes = outcomes
    }
}
