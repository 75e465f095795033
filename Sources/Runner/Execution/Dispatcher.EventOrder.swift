import Basics
import RunModel

extension Dispatcher {
    /// The order of a run's events, in which reports receive the suites in their given order.
    ///
    /// The events of a suite are held back until every suite before it has finished.
    struct EventOrder {
        private static let maximumWarningCount = 20

        private let sink: RunEventSink
        /// The suite whose events are emitted immediately.
        private var reportedSuite = 0
        private var held: [Int: [RunEvent]] = [:]
        /// The warnings that have been emitted, to avoid duplicates.
        private var warnings: Set<MessageText> = []

        init(sink: @escaping RunEventSink) {
            self.sink = sink
        }

        /// Emits an event that does not belong to a suite.
        func emit(_ event: RunEvent) { sink(event) }

        /// Emits an event of a suite, or holds it back until it is the suite's turn.
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

        /// Emits a warning about a suite, unless it is a duplicate or the maximum number is reached.
        mutating func warn(_ notice: RunNotice) {
            guard let suite = notice.suite, warnings.count < Self.maximumWarningCount,
                warnings.insert(notice.wording).inserted
            else { return }
            emit(.notice(notice), of: suite)
        }
    }
}
