/// The reporters that get several results together.
struct PatientAudience {
    private let reporters: [any PatientReporter]
    /// For each reporter, whether it gets the exchanges of steps that passed.
    private let getsExchanges: [Bool]
    /// Whether one of them gets these exchanges.
    let needsExchanges: Bool

    /// - Parameter getsExchanges: Whether a reporter gets the exchanges of steps that passed.
    init(_ reporters: [any PatientReporter], getsExchanges: (any Reporter) -> Bool) {
        self.reporters = reporters
        self.getsExchanges = reporters.map(getsExchanges)
        needsExchanges = self.getsExchanges.contains(true)
    }

    /// A reporter as one of them; nil for one that must have each result at once.
    static func member(_ reporter: any Reporter) -> (any PatientReporter)? {
        guard let reporter = reporter as? any PatientReporter, reporter.isPatient else { return nil }
        return reporter
    }

    var isEmpty: Bool { reporters.isEmpty }

    /// Hands on results, in file order.
    func receive(_ tests: [FinishedTest]) {
        for index in reporters.indices {
            reporters[index].testsFinished(tests, hidesExchanges: !getsExchanges[index])
        }
    }
}
