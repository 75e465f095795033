import RunModel

extension Dispatcher {
    /// The progress of one suite of a run.
    struct SuiteState {
        enum Phase: UInt8 {
            case pending, open, givenUp, finished
        }

        /// The state of the suite's server, which delays the report of the suite's end.
        enum Serving {
            /// No server is running.
            case nothing
            /// The server is running. If all tests are done, the summary is reported once the server has stopped.
            case running(SuiteSummary?)
        }

        var phase = Phase.pending
        /// The start time of the suite, by the run's clock.
        var start: Int64 = 0
        /// Whether the start of the suite has been reported.
        var hasStarted = false
        /// The number of unfinished tests.
        var remaining: Int
        /// The index of the next test to report.
        var nextReport: Int
        var results = HeldResults()
        /// The index of the teardown, which starts after all other tests of the suite.
        let teardown: Int?
        var counts = OutcomeCounts()
        /// The number of tests that an interruption prevented or cut short.
        var notRun = 0
        var serving = Serving.nothing

        /// Creates the state of a suite that has not started.
        init(_ suite: Int, of plan: TestPlan) {
            let tests = plan.testsOfSuite[suite]
            remaining = tests.count
            nextReport = tests.lowerBound
            teardown = tests.last.flatMap { plan.kind(of: $0) == .teardown ? $0 : nil }
        }
    }
}
