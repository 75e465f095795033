import SuiteModel

/// The sizes of bodies as they were sent and received, where masking changed them.
public struct BodySizes: Sendable, Hashable {
    /// The sizes of an exchange's bodies in bytes; nil where the body's own size is right.
    struct Pair: Hashable {
        var request: Int?
        var response: Int?
    }

    private var steps: [Int: Pair] = [:]

    /// The sizes of bodies of which only the beginning is kept.
    init(of event: RunEvent) {
        switch event {
        case .testCompleted(let result), .testFinished(let result): self.init(of: result)
        case .runStarted, .suiteStarted, .testStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            self.init()
        }
    }

    private init(of result: TestResult) {
        // Those of tests that passed are not kept.
        if case .passed = result.outcome { return }
        for (index, step) in result.steps.enumerated() {
            guard let size = step.exchange?.details?.value.measuredBody?.size else { continue }
            steps[index] = Pair(response: size)
        }
    }

    /// Sizes of which none was changed.
    public init() {}

    /// The sizes of a test's bodies.
    ///
    /// - Parameters:
    ///   - event: The event as it was sent.
    ///   - masked: The same event with its secrets masked.
    init(of event: RunEvent, masked: RunEvent) {
        guard let result = event.result, let masked = masked.result else { return }
        for (index, (step, masked)) in zip(result.steps, masked.steps).enumerated() {
            guard let exchange = step.exchange, let masked = masked.exchange else { continue }
            var pair = Pair()
            if exchange.request.body.count != masked.request.body.count { pair.request = exchange.request.body.count }
            if let size = exchange.details?.value.measuredBody?.size ?? exchange.response?.body.count,
                size != masked.response?.body.count
            {
                pair.response = size
            }
            if pair != Pair() { steps[index] = pair }
        }
    }

    /// The sizes of a step's bodies, by the step's index.
    subscript(step: Int) -> Pair {
        get { steps[step] ?? Pair() }
        set { steps[step] = newValue == Pair() ? nil : newValue }
    }
}
