import SuiteModel

/// The reporters that read events of one kind, and get each at once.
struct ReportAudience {
    private let reporters: [any Reporter]
    /// For each reporter, whether it gets the exchanges of steps that passed.
    private let getsExchanges: [Bool]
    /// Whether one of them gets these exchanges.
    let needsExchanges: Bool

    /// - Parameter getsExchanges: Whether a reporter gets the exchanges of steps that passed.
    init(_ reporters: [any Reporter], getsExchanges: (any Reporter) -> Bool) {
        self.reporters = reporters
        self.getsExchanges = reporters.map(getsExchanges)
        needsExchanges = self.getsExchanges.contains(true)
    }

    var isEmpty: Bool { reporters.isEmpty }

    /// Hands on an event that is no test's.
    func receive(_ event: RunEvent, sizes: BodySizes) {
        for reporter in reporters { reporter.receive(event, sizes: sizes) }
    }

    /// Hands on a test that begins.
    func receive(_ test: TestReference) {
        for reporter in reporters { reporter.testStarted(test) }
    }

    /// Hands on the result of a test that has ended.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func receive(completed result: TestResult, sizes: BodySizes, showsExchanges: Bool) {
        let hides = !showsExchanges && result.hasExchangesOfPassedSteps
        for index in reporters.indices {
            reporters[index].testCompleted(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
        }
    }

    /// Hands on the result of a test in file order.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func receive(finished result: TestResult, sizes: BodySizes, showsExchanges: Bool) {
        let hides = !showsExchanges && result.hasExchangesOfPassedSteps
        for index in reporters.indices {
            reporters[index].testFinished(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
        }
    }
}
