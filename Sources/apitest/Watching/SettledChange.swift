import Runner

/// Waits until something has changed, and then until it has not changed any more for a while.
///
/// An editor writes a file in several steps, and a checkout writes many: what is read meanwhile is neither the old nor the
/// new state.
struct SettledChange<State: Equatable> {
    /// The clock that is waited by.
    let clock: RunClock
    /// How often is looked, in nanoseconds.
    var interval: Int64 = 50_000_000
    /// How long nothing may change before a change counts, in nanoseconds.
    var quiet: Int64 = 100_000_000
    /// Whether something may have changed since it was asked last.
    let hasHint: () -> Bool
    /// What is looked at.
    let state: () -> State
    /// Whether waiting is over.
    let isStopped: () -> Bool

    /// The state that something has changed to, once it has settled; nil when waiting was stopped.
    func next(after base: State) async -> State? {
        while !isStopped() {
            if hasHint() {
                var last = state()
                if last != base {
                    var since = clock.now()
                    while clock.now() - since < quiet {
                        guard await pause() else { return nil }
                        let current = state()
                        if current != last {
                            last = current
                            since = clock.now()
                        }
                    }
                    if last != base { return last }
                }
            }
            guard await pause() else { return nil }
        }
        return nil
    }

    private func pause() async -> Bool {
        do {
            try await clock.sleep(interval)
            return !isStopped()
        } catch {
            return false
        }
    }
}
