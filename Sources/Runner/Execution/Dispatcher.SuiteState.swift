import RunModel

extension Dispatcher {
    /// How far one suite of a run is.
    struct SuiteState {
        enum Phase: UInt8 {
            case pending, open, givenUp, finished
        }

        /// What of the suite is reported only when its server has stopped.
        enum Serving {
            /// Nothing: no server runs.
            case nothing
            /// The server runs; the suite's end is told when it has stopped, if its tests are done.
            case running(SuiteSummary?)
        }

        var phase = Phase.pending
        /// When it was started, by the run's clock.
        var start: Int64 = 0
        /// Whether anything of it has been started.
        var hasStarted = false
        /// The tests that are not done.
        var remaining: Int
        /// The first test that is not reported yet.
        var nextReport: Int
        /// Its teardown, which starts when all else of it is done.
        let teardown: Int?
        var counts = OutcomeCounts()
        /// The tests that an interruption kept from running, or cut off.
        var notRun = 0
        var serving = Serving.nothing

        /// Creates the state of the suite with an index, of which nothing has been started.
        init(_ suite: Int, of plan: TestPlan) {
            let tests = plan.testsOfSuite[suite]
            remaining = tests.count
            nextReport = tests.lowerBound
            teardown = tests.last.flatMap { plan.kind(of: $0) == .teardown ? $0 : nil }
        }
    }
}
