import SuiteModel

/// The sizes of bodies as they were sent and received, where masking changed them.
public struct BodySizes: Sendable, Hashable {
    /// The sizes of an exchange's bodies in bytes; nil where the body's own size is right.
    struct Pair: Hashable {
        var request: Int?
        var response: Int?
    }

    private var steps: [Int: Pair] = [:]

    /// The sizes of bodies of which only the beginning is kept, or that were masked.
    init(of event: RunEvent) {
        switch event {
        case .testCompleted(let result), .testFinished(let result): self.init(of: result)
        case .runStarted, .suiteStarted, .testStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            self.init()
        }
    }

    private init(of result: TestResult) {
        for (index, step) in result.steps.enumerated() {
            guard let exchange = step.exchange else { continue }
            let response = exchange.response?.wholeSize ?? exchange.details?.value.measuredBody?.size
            let pair = Pair(request: exchange.request.wholeSize, response: response)
            if pair != Pair() { steps[index] = pair }
        }
    }

    /// Sizes of which none was changed.
    public init() {}

    /// The sizes of a step's bodies, by the step's index.
    subscript(step: Int) -> Pair {
        get { steps[step] ?? Pair() }
        set { steps[step] = newValue == Pair() ? nil : newValue }
    }
}
