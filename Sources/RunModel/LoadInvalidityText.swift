package import Basics

extension LoadSummary.Invalidity {
    /// The message about figures that do not describe the server.
    package var message: MessageText {
        switch self {
        case .late(let p99, let response):
            return """
                the figures are invalid: iterations started \(LatencyText.text(p99)) late (p99), more than 5% of \
                the response time of \(LatencyText.text(response)) (p99); reduce the load, or divide it among several machines
                """
        case .busy(let share):
            return """
                the figures are invalid: the program used \(Int((share * 100).rounded()))% of its processor time; reduce \
                the load, or divide it among several machines
                """
        case .empty:
            return "the figures are invalid: no request finished after the warm-up"
        }
    }
}
