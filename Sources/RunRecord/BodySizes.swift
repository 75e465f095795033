package import RunModel

/// The sizes of bodies as they were sent and received, where masking changed them.
public struct BodySizes: Sendable, Hashable {
    /// The sizes of an exchange's bodies in bytes; nil where the body's own size is right.
    package struct Pair: Hashable {
        package var request: Int?
        package var response: Int?
        /// Whether only the first bytes of a body are there.
        package var isRequestCut = false
        package var isResponseCut = false

        package init(
            request: Int? = nil, response: Int? = nil, isRequestCut: Bool = false, isResponseCut: Bool = false
        ) {
            self.request = request
            self.response = response
            self.isRequestCut = isRequestCut
            self.isResponseCut = isResponseCut
        }
    }

    /// The most bytes of a body that any report shows.
    package static let longestShown = 1 << 20

    private var steps: [Int: Pair] = [:]

    /// The sizes of bodies of which only the beginning is kept, or that were masked.
    package init(of event: RunEvent) {
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
            let measured = exchange.details?.measuredBody?.size
            let response = exchange.response?.wholeSize ?? measured
            let pair = Pair(
                request: exchange.request.wholeSize, response: response,
                isRequestCut: Self.isCut(exchange.request.body, of: exchange.request.wholeSize),
                isResponseCut: Self.isCut(exchange.response?.body ?? [], of: exchange.response?.wholeSize)
                    || measured ?? 0 > exchange.response?.body.count ?? 0)
            if pair != Pair() { steps[index] = pair }
        }
    }

    /// Sizes of which none was changed.
    public init() {}

    /// Whether bytes are only the first of a body, rather than shorter for what was masked in them: a run keeps as many as
    /// any report shows.
    private static func isCut(_ body: [UInt8], of size: Int?) -> Bool {
        size ?? 0 > body.count && body.count > longestShown / 16 * 15
    }

    /// The sizes of a step's bodies, by the step's index.
    package subscript(step: Int) -> Pair {
        get { steps[step] ?? Pair() }
        set { steps[step] = newValue == Pair() ? nil : newValue }
    }
}

extension RunEvent {
    /// The result that a test's end carries.
    package var result: TestResult? {
        switch self {
        case .testCompleted(let result), .testFinished(let result): result
        case .runStarted, .suiteStarted, .testStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            nil
        }
    }

    /// The event as it is when no reporter needs the exchanges of steps that passed; nil when it has none.
    package var withoutExchangesOfPassedSteps: RunEvent? {
        switch self {
        case .testCompleted(let result): result.hasExchangesOfPassedSteps ? .testCompleted(result.brief) : nil
        case .testFinished(let result): result.hasExchangesOfPassedSteps ? .testFinished(result.brief) : nil
        case .runStarted, .suiteStarted, .testStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            nil
        }
    }
}

extension TestResult {
    /// Whether a step that passed has its exchange.
    package var hasExchangesOfPassedSteps: Bool {
        let steps = steps
        for index in steps.indices where steps[index].exchange != nil && steps[index].findings.isEmpty { return true }
        return false
    }

    /// The result as it is for a reporter that does not need the exchanges of steps that passed.
    package var brief: TestResult {
        guard hasExchangesOfPassedSteps else { return self }
        var result = self
        for index in result.steps.indices where result.steps[index].findings.isEmpty {
            result.steps[index].outline = result.steps[index].sent
            result.steps[index].exchange = nil
        }
        return result
    }
}
