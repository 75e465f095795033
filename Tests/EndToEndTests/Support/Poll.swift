/// Polling for conditions without events.
enum Poll {
    /// Checks a condition repeatedly, with short pauses, until it is true.
    ///
    /// - Returns: Whether the condition became true within the time limit.
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
