package import RunModel

/// The original sizes of bodies that masking or truncation changed.
public struct BodySizes: Sendable, Hashable {
    /// The original sizes in bytes of the bodies of an exchange, or `nil` for a body of unchanged size.
    package struct Pair: Hashable {
        /// The size of the request body.
        package var request: Int?
        /// The size of the response body.
        package var response: Int?
        /// Whether only the first bytes of the request body are kept.
        package var isRequestCut = false
        /// Whether only the first bytes of the response body are kept.
        package var isResponseCut = false

        /// Creates the sizes of an exchange.
        package init(
            request: Int? = nil, response: Int? = nil, isRequestCut: Bool = false, isResponseCut: Bool = false
        ) {
            self.request = request
            self.response = response
            self.isRequestCut = isRequestCut
            self.isResponseCut = isResponseCut
        }

        /// Creates the original sizes of an exchange.
        package init(of exchange: Exchange) {
            let measured = exchange.details?.measuredBody?.size
            request = exchange.request.wholeSize
            response = exchange.response?.wholeSize ?? measured
            isRequestCut = BodySizes.isCut(exchange.request.body, of: exchange.request.wholeSize)
            isResponseCut =
                BodySizes.isCut(exchange.response?.body ?? [], of: exchange.response?.wholeSize)
                || measured ?? 0 > exchange.response?.body.count ?? 0
        }
    }

    /// The maximum number of bytes of a body that any report shows.
    package static let maximumShownSize = 1 << 20

    private var steps: [Int: Pair] = [:]

    /// Creates the original sizes of the masked or truncated bodies in an event.
    package init(of event: RunEvent) {
        switch event {
        case .testCompleted(let result), .testFinished(let result): self.init(of: result)
        case .runStarted, .suiteStarted, .testStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted,
            .runFinished:
            self.init()
        }
    }

    private init(of result: TestResult) {
        for (index, step) in result.steps.enumerated() {
            guard let exchange = step.exchange else { continue }
            let pair = Pair(of: exchange)
            if pair != Pair() { steps[index] = pair }
        }
    }

    /// Creates sizes without any changes.
    public init() {}

    /// Returns whether a body was truncated, rather than shortened by masking.
    ///
    /// A run keeps as many bytes as any report shows.
    private static func isCut(_ body: [UInt8], of size: Int?) -> Bool {
        size ?? 0 > body.count && body.count > maximumShownSize / 16 * 15
    }

    /// The original sizes of the bodies of a step, by the index of the step.
    package subscript(step: Int) -> Pair {
        get { steps[step] ?? Pair() }
        set { steps[step] = newValue == Pair() ? nil : newValue }
    }
}

extension RunEvent {
    /// The result in the event of a test's end.
    package var result: TestResult? {
        switch self {
        case .testCompleted(let result), .testFinished(let result): result
        case .runStarted, .suiteStarted, .testStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted,
            .runFinished:
            nil
        }
    }

    /// The event without the exchanges of passed steps, or `nil` if it has none.
    package var withoutExchangesOfPassedSteps: RunEvent? {
        switch self {
        case .testCompleted(let result): result.hasExchangesOfPassedSteps ? .testCompleted(result.brief) : nil
        case .testFinished(let result): result.hasExchangesOfPassedSteps ? .testFinished(result.brief) : nil
        case .runStarted, .suiteStarted, .testStarted, .secretRegistered, .load, .notice, .suiteFinished, .interrupted,
            .runFinished:
            nil
        }
    }
}

extension TestResult {
    /// Whether a passed step has an exchange.
    package var hasExchangesOfPassedSteps: Bool {
        // Each report shows all exchanges of a verbose test.
        if test.isVerbose { return false }
        let steps = steps
        for index in steps.indices where steps[index].exchange != nil && steps[index].findings.isEmpty { return true }
        return false
    }

    /// The result without the exchanges of passed steps, for reporters that do not need them.
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
