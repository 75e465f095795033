/// A reporter that writes nothing that anybody reads before the end: it gets several results together, as one that works
/// through many at a time is done sooner.
///
/// Of the tests that start it is told at the end, and only of those that did not finish.
protocol PatientReporter: Reporter {
    /// Whether the reporter may wait for results.
    var isPatient: Bool { get }

    /// Takes results in file order: what ``Reporter/testFinished(_:sizes:hidesExchanges:)`` tells of each.
    ///
    /// - Parameter hidesExchanges: Whether the exchanges of steps that passed are not for this reporter.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool)
}

extension PatientReporter {
    /// It may.
    var isPatient: Bool { true }
}
