import SuiteModel

/// Keeps work on large bodies away from the event loops, on which the exchanges of other tests are waiting.
enum LargeBodies {
    /// Bodies of more bytes are worked on elsewhere.
    static let limit = 256 << 10
    /// How many times as much a body counts that XPaths look into.
    private static let xpathWeight = 16

    /// Whether so many bytes are few, however they are looked at.
    static func areFew(_ bytes: Int) -> Bool { bytes <= limit / xpathWeight }

    /// How large a body counts in a step: one that XPaths look into costs a multiple of another.
    static func weight(ofBody bytes: Int, in step: SuiteStep) -> Int {
        let until = step.flow?.value.until
        let hasXPath =
            [step.expectations, until?.expectations, until?.abort].contains { set in
                set?.extras.map { !$0.value.xml.isEmpty || !$0.value.html.isEmpty } == true
            }
            || step.captures.contains { if case .xpath = $0.source { true } else { false } }
        // Bodies are in memory, so that this cannot overflow.
        return hasXPath ? bytes * xpathWeight : bytes
    }

    /// Does work on a body: where the caller runs for a small one, otherwise on the threads that are shared by all tasks.
    ///
    /// - Parameter bytes: The size of the body.
    nonisolated(nonsending) static func off<Result>(bytes: Int, _ work: () -> Result) async -> Result {
        guard bytes > limit else { return work() }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { await concurrent(work) }
    }

    /// Does work where a task without isolation runs: on the executor that it prefers.
    @concurrent private static func concurrent<Result>(_ work: () -> Result) async -> Result { work() }
}
