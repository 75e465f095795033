import SuiteModel

/// The reporters that get several results together.
struct PatientAudience {
    private let reporters: [any PatientReporter]
    /// Those that read results in file order.
    private let readers: [any PatientReporter]
    /// For each of these, whether it gets the exchanges of steps that passed.
    private let getsExchanges: [Bool]
    /// Whether one of them gets these exchanges.
    let needsExchanges: Bool

    /// - Parameter getsExchanges: Whether a reporter gets the exchanges of steps that passed.
    init(_ reporters: [any PatientReporter], getsExchanges: (any Reporter) -> Bool) {
        self.reporters = reporters
        readers = reporters.filter { $0.testEvents.contains(.finished) }
        self.getsExchanges = readers.map(getsExchanges)
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
        for index in readers.indices {
            readers[index].testsFinished(tests, hidesExchanges: !getsExchanges[index])
        }
    }

    /// Hands on an event that is no test's.
    func receive(_ event: RunEvent, sizes: BodySizes) {
        for reporter in reporters { reporter.receive(event, sizes: sizes) }
    }
}
