public import SuiteModel
import Synchronization

/// The one place through which events reach reports: it masks secrets, then hands each event to every reporter.
///
/// Reporters never see a secret: ``RunEvent/secretLearned(_:)`` ends here.
public final class ReportFanOut: Sendable {
    private let reporters: [any Reporter]
    /// For each reporter, whether it gets the exchanges of steps that passed.
    private let getsExchanges: [Bool]
    /// Whether a reporter gets them already when a test ends.
    private let getsExchangesAtOnce: Bool
    private let redactor = Mutex(SecretRedactor())

    /// Creates a fan-out to some reporters, which get each event in this order.
    ///
    /// - Parameter showsExchanges: Whether the exchanges of steps that passed go to every reporter, and not only to those
    ///   that need them.
    public init(_ reporters: [any Reporter], showsExchanges: Bool = true) {
        self.reporters = reporters
        getsExchanges = reporters.map { showsExchanges || $0.needs.contains(.exchanges) }
        getsExchangesAtOnce = showsExchanges || reporters.contains { $0.needs.contains(.exchangesAtOnce) }
    }

    /// What the reporters together need.
    public var needs: ReporterNeeds {
        reporters.reduce(into: []) { $0.formUnion($1.needs) }
    }

    /// Hands an event on; callers on several threads are served one after another.
    public func send(_ event: RunEvent) {
        // Reporters are called inside of the lock, so that they see one event at a time, in one order.
        redactor.withLock { redactor in
            if case .secretLearned(let secret) = event {
                redactor.learn(secret)
                return
            }
            // Before secrets are looked for, as most runs need no exchange of a step that passed here.
            let event = Self.isCompletion(event) && !getsExchangesAtOnce ? event.withoutExchangesOfPassedSteps : event
            let masked = redactor.redact(event)
            hand(masked, sizes: BodySizes(of: event, masked: masked), showsExchanges: false)
        }
    }

    /// Hands on an event of a record, in which everything is masked already.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func replay(_ event: RunEvent, sizes: BodySizes, showsExchanges: Bool) {
        redactor.withLock { _ in hand(event, sizes: sizes, showsExchanges: showsExchanges) }
    }

    private static func isCompletion(_ event: RunEvent) -> Bool {
        if case .testCompleted = event { true } else { false }
    }

    private func hand(_ masked: RunEvent, sizes: BodySizes, showsExchanges: Bool) {
        if showsExchanges || getsExchanges.allSatisfy({ $0 }) {
            for reporter in reporters { reporter.receive(masked, sizes: sizes) }
            return
        }
        let brief = masked.withoutExchangesOfPassedSteps
        for index in reporters.indices {
            reporters[index].receive(getsExchanges[index] ? masked : brief, sizes: sizes)
        }
    }

    /// A mask for all secrets that were learned so far.
    public var mask: SecretMask {
        redactor.withLock { SecretMask($0) }
    }

    /// What masks all secrets that were learned so far in a text, or nil while there are none.
    @Sendable public func masking() -> (@Sendable (String) -> String)? {
        let mask = mask
        if mask.isEmpty { return nil }
        return { mask.masked($0) }
    }

    /// Finishes every reporter, whatever becomes of the others.
    ///
    /// - Returns: What could not be written.
    public func finish() -> [ReportError] {
        redactor.withLock { _ in
            var errors: [ReportError] = []
            for reporter in reporters {
                do throws(ReportError) { try reporter.finish() } catch { errors.append(error) }
            }
            return errors
        }
    }
}
