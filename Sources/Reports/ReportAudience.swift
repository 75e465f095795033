import SuiteModel

/// The reporters that read events of one kind.
struct ReportAudience {
    private let reporters: [any Reporter]
    /// For each reporter, whether it gets the exchanges of steps that passed.
    private let getsExchanges: [Bool]
    /// Whether one of them gets these exchanges.
    let needsExchanges: Bool

    /// - Parameters:
    ///   - kind: The events of tests; nil for all others.
    ///   - getsExchanges: Whether a reporter gets the exchanges of steps that passed.
    init(_ reporters: [any Reporter], for kind: TestEvents?, getsExchanges: (any Reporter) -> Bool) {
        let readers = reporters.filter { kind.map($0.testEvents.contains) ?? true }
        self.reporters = readers
        self.getsExchanges = readers.map(getsExchanges)
        needsExchanges = self.getsExchanges.contains(true)
    }

    var isEmpty: Bool { reporters.isEmpty }

    /// Hands an event on.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func receive(_ event: RunEvent, sizes: BodySizes, showsExchanges: Bool = false) {
        switch event {
        case .testStarted(let test):
            for reporter in reporters { reporter.testStarted(test) }
        case .testCompleted(let result):
            let hides = !showsExchanges && result.hasExchangesOfPassedSteps
            for index in reporters.indices {
                reporters[index].testCompleted(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
            }
        case .testFinished(let result):
            let hides = !showsExchanges && result.hasExchangesOfPassedSteps
            for index in reporters.indices {
                reporters[index].testFinished(result, sizes: sizes, hidesExchanges: hides && !getsExchanges[index])
            }
        case .runStarted, .suiteStarted, .secretLearned, .notice, .suiteFinished, .interrupted, .runFinished:
            for reporter in reporters { reporter.receive(event, sizes: sizes) }
        }
    }
}
