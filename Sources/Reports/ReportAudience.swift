import SuiteModel

/// The reporters that read events of one kind.
struct ReportAudience {
    private let reporters: [any Reporter]
    /// For each reporter, whether it gets the exchanges of steps that passed.
    private let getsExchanges: [Bool]
    /// Whether one of them gets these exchanges.
    let needsExchanges: Bool
    private let allNeedExchanges: Bool

    /// - Parameters:
    ///   - kind: The events of tests; nil for all others.
    ///   - getsExchanges: Whether a reporter gets the exchanges of steps that passed.
    init(_ reporters: [any Reporter], for kind: TestEvents?, getsExchanges: (any Reporter) -> Bool) {
        let readers = reporters.filter { kind.map($0.testEvents.contains) ?? true }
        self.reporters = readers
        self.getsExchanges = readers.map(getsExchanges)
        needsExchanges = self.getsExchanges.contains(true)
        allNeedExchanges = self.getsExchanges.allSatisfy { $0 }
    }

    var isEmpty: Bool { reporters.isEmpty }

    /// Hands an event on.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func receive(_ event: RunEvent, sizes: BodySizes, showsExchanges: Bool = false) {
        if showsExchanges || allNeedExchanges {
            for reporter in reporters { reporter.receive(event, sizes: sizes) }
            return
        }
        guard let brief = event.withoutExchangesOfPassedSteps else {
            for reporter in reporters { reporter.receive(event, sizes: sizes) }
            return
        }
        for index in reporters.indices {
            if getsExchanges[index] {
                reporters[index].receive(event, sizes: sizes)
            } else {
                reporters[index].receive(brief, sizes: sizes)
            }
        }
    }
}
