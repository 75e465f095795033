package import Basics
import Histogram

extension LoadSummary {
    /// Returns the message about figures that do not describe the server.
    package func message(about invalidity: Invalidity) -> MessageText {
        switch invalidity {
        case .late(let p99):
            let response = LatencyText.text(total.response.value(atPercentile: 99) ?? 0)
            return """
                the figures are invalid: iterations started \(LatencyText.text(p99)) late (p99), more than 5% of \
                the response time of \(response) (p99); reduce the load, or divide it among several machines
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
