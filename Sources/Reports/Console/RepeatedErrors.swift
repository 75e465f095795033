import SuiteModel

/// Counts errors by their cause, so that a server that is down is not explained once for every test.
struct RepeatedErrors {
    /// How much is shown of an error.
    enum Extent {
        case whole
        case oneLine
        case nothing
    }

    /// Errors of one cause that are shown in full.
    private static let whole = 3
    /// Errors of one cause that are named.
    private static let named = 20
    /// Causes that are told apart; further ones are always shown in full.
    private static let mostCauses = 200

    private var counts: [String: Int] = [:]
    private var order: [String] = []

    /// Counts the error of a step and says how much of it is to be shown.
    mutating func extent(of step: TestResult.Step) -> Extent {
        guard step.outcome == .errored, let cause = Self.cause(of: step) else { return .whole }
        guard let count = counts[cause] else {
            if order.count < Self.mostCauses {
                counts[cause] = 1
                order.append(cause)
            }
            return .whole
        }
        counts[cause] = count + 1
        if count < Self.whole { return .whole }
        return count < Self.named ? .oneLine : .nothing
    }

    /// The causes whose errors were not all named, with the number of those that were not.
    var unnamed: [(cause: String, count: Int)] {
        order.compactMap { cause in
            let count = (counts[cause] ?? 0) - Self.named
            return count > 0 ? (cause, count) : nil
        }
    }

    /// What went wrong, or nil when it is more than a request without an answer.
    static func cause(of step: TestResult.Step) -> String? {
        guard step.findings.count == 1, let finding = step.findings.first, finding.kind == .error,
            step.exchange?.failure != nil || step.exchange == nil
        else { return nil }
        var cause = "\(finding.subject)  \(finding.message)"
        if let exchange = step.exchange {
            let authority = CurlCommand.authority(of: exchange.request.url)
            if !cause.contains(authority) { cause += " (\(authority))" }
        }
        return cause
    }
}
