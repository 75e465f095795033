import SuiteModel
import XML

/// Keeps work on bodies that may take long away from the event loops, on which the exchanges of other tests are waiting.
enum LargeBodies {
    /// The threads that do the work on a body.
    enum Place: Equatable {
        /// Those of the caller.
        case here
        /// Those that are shared by all tasks.
        case shared
        /// Those that do nothing but look into XML and HTML, so that no other work waits for them.
        case markup
    }

    /// The maximum size of a body that is worked on where the caller runs, in bytes.
    static let limit = 256 << 10
    /// How many times as much a body counts that XPaths look into.
    private static let xpathWeight = 16
    /// Bodies of so few bytes are worked on where the caller runs, whatever is looked for in them.
    private static let few = 256
    /// A document has about one node for so many bytes.
    private static let bytesOfNode = 8
    /// The maximum number of steps of an XPath that is evaluated where the caller runs.
    private static let xpathSteps = 64 << 10

    /// Where a step's response is checked.
    static func place(ofBody bytes: Int, in step: SuiteStep) -> Place {
        if bytes <= few { return .here }
        let until = step.flow?.value.until
        var degree = degree(of: step.captures)
        for extras in [step.expectations.extras, until?.expectations.extras, until?.abort?.extras] {
            guard let extras = extras?.value else { continue }
            for expectation in extras.xml + extras.html {
                degree = max(degree ?? 0, expectation.query.expression.degree)
            }
        }
        return place(ofBody: bytes, degree: degree)
    }

    /// Where values are captured from a message.
    static func place(ofBody bytes: Int, captures: [Capture]) -> Place {
        bytes <= few ? .here : place(ofBody: bytes, degree: degree(of: captures))
    }

    /// The greatest degree of the XPaths of captures; nil if there is none.
    private static func degree(of captures: [Capture]) -> Int? {
        var degree: Int?
        for capture in captures {
            if case .xpath(let query) = capture.source { degree = max(degree ?? 0, query.expression.degree) }
        }
        return degree
    }

    private static func place(ofBody bytes: Int, degree: Int?) -> Place {
        guard let degree else { return bytes > limit ? .shared : .here }
        if bytes > limit / xpathWeight { return .markup }
        var steps = 1
        for _ in 0..<degree where steps <= xpathSteps { steps *= max(1, bytes / bytesOfNode) }
        return steps > xpathSteps ? .markup : .here
    }

    /// Does work on a body at a place.
    nonisolated(nonsending) static func off<Result>(to place: Place, _ work: () -> Result) async -> Result {
        switch place {
        case .here: work()
        case .shared: await withTaskExecutorPreference(globalConcurrentExecutor) { await concurrent(work) }
        case .markup: await withTaskExecutorPreference(MarkupThreads.shared) { await concurrent(work) }
        }
    }

    /// Does work on so many bytes: where the caller runs for a few, otherwise on the threads that are shared by all tasks.
    nonisolated(nonsending) static func off<Result>(bytes: Int, _ work: () -> Result) async -> Result {
        await off(to: bytes > limit ? .shared : .here, work)
    }

    /// Does work where a task without isolation runs: on the executor that it prefers.
    @concurrent private static func concurrent<Result>(_ work: () -> Result) async -> Result { work() }
}
