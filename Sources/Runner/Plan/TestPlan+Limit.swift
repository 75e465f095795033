import Diagnostics
import SuiteModel

extension TestPlan {
    /// What is said of a run of which `only` leaves tests out; nil when no test has it.
    var limitNotice: RunNotice? {
        let limiting = limitingTests
        guard !limiting.isEmpty else { return nil }
        let places = limiting.prefix(5).map { $0.range.description }
        let more = limiting.count > places.count ? ", … \(limiting.count - places.count) more" : ""
        return RunNotice(
            severity: .warning,
            message: "only tests with \"only\" are run: " + places.joined(separator: ", ") + more)
    }
}
