import RunModel

extension Dispatcher {
    /// The order of a run's events: those of a suite are held back until every earlier suite is finished, so that reports
    /// have the suites in the order in which they were given.
    struct EventOrder {
        private static let largestWarningCount = 20

        private let sink: RunEventSink
        /// The suite whose events are emitted as they come.
        private var reportedSuite = 0
        private var held: [Int: [RunEvent]] = [:]
        /// The warnings that were emitted, each once.
        private var warnings: Set<String> = []

        init(sink: @escaping RunEventSink) {
            self.sink = sink
        }

        /// Emits an event that belongs to no suite.
        func emit(_ event: RunEvent) { sink(event) }

        /// Emits an event of a suite, or holds it back.
        mutating func emit(_ event: RunEvent, of suite: Int) {
            guard suite == reportedSuite else {
                held[suite, default: []].append(event)
                return
            }
            emit(event)
            guard case .suiteFinished = event else { return }
            var isFinished = true
            while isFinished {
                reportedSuite += 1
                isFinished = false
                for event in held.removeValue(forKey: reportedSuite) ?? [] {
                    emit(event)
                    if case .suiteFinished = event { isFinished = true }
                }
            }
        }

        /// Emits a warning about a suite, unless there was the same already or too many others.
        mutating func warn(_ message: String, suite: Int) {
            guard warnings.count < Self.largestWarningCount, warnings.insert(message).inserted else { return }
            emit(.notice(RunNotice(severity: .warning, suite: suite, message: message)), of: suite)
        }
    }
}
