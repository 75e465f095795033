/// Waits for conditions that no event announces.
enum Poll {
    /// Asks again and again, with short pauses, until the condition holds.
    ///
    /// - Returns: whether it came to hold within the bound.
    static func until(
        within bound: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
    ) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + bound
        while !condition() {
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: .milliseconds(2))
        }
        return true
    }
}
