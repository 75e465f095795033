public import SuiteModel
import Synchronization

/// The one place through which events reach reports: it masks secrets, then hands each event to every reporter.
///
/// Reporters never see a secret: ``RunEvent/secretLearned(_:)`` ends here.
public final class ReportFanOut: Sendable {
    private let reporters: [any Reporter]
    /// The readers of events of tests, and those of all others.
    private let started, completed, finished, others: ReportAudience
    /// The reporters that may hold something back.
    private let committing: [any Reporter]
    private let redactor = Mutex(SecretRedactor())

    /// Creates a fan-out to some reporters, which get each event in this order.
    ///
    /// - Parameter showsExchanges: Whether the exchanges of steps that passed go to every reporter, and not only to those
    ///   that need them.
    public init(_ reporters: [any Reporter], showsExchanges: Bool = true) {
        self.reporters = reporters
        committing = reporters.filter { $0.needs.contains(.commits) }
        func audience(_ kind: TestEvents?, getsExchanges: Bool = true) -> ReportAudience {
            ReportAudience(reporters, for: kind) {
                getsExchanges && (showsExchanges || $0.needs.contains(.exchanges))
            }
        }
        started = audience(.started)
        // As most runs need no exchange of a step that passed when a test ends.
        completed = audience(
            .completed,
            getsExchanges: showsExchanges || reporters.contains { $0.needs.contains(.exchangesAtOnce) })
        finished = audience(.finished)
        others = audience(nil)
    }

    /// Lets reporters hold back what they write of tests that passed, which is only done when ``commit()`` will be called.
    ///
    /// - Returns: Whether one does.
    public func expectCommits() -> Bool {
        // What is shown to people is in the record before.
        guard !committing.isEmpty, !reporters.contains(where: { $0.needs.contains(.recordAtOnce) }) else {
            return false
        }
        for reporter in committing { reporter.expectCommits() }
        return true
    }

    /// Makes reporters write what they hold back.
    @Sendable public func commit() {
        for reporter in committing { reporter.commit() }
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
            let audience = audience(of: event)
            if audience.isEmpty { return }
            if !redactor.mayChange(event) {
                audience.receive(event, sizes: BodySizes(of: event))
            } else if !audience.needsExchanges, let brief = event.withoutExchangesOfPassedSteps {
                // Secrets are not looked for in what nobody reads.
                Self.hand(brief, to: audience, masking: &redactor)
            } else {
                Self.hand(event, to: audience, masking: &redactor)
            }
        }
    }

    private static func hand(_ event: RunEvent, to audience: ReportAudience, masking redactor: inout SecretRedactor) {
        guard let masked = redactor.redacted(event) else {
            audience.receive(event, sizes: BodySizes(of: event))
            return
        }
        // Credentials of requests are masked without any secret; bodies are not.
        audience.receive(masked, sizes: redactor.isEmpty ? BodySizes(of: event) : BodySizes(of: event, masked: masked))
    }

    /// Hands on an event of a record, in which everything is masked already.
    ///
    /// - Parameter showsExchanges: Whether every reporter gets the exchanges of steps that passed.
    func replay(_ event: RunEvent, sizes: BodySizes, showsExchanges: Bool) {
        redactor.withLock { _ in audience(of: event).receive(event, sizes: sizes, showsExchanges: showsExchanges) }
    }

    private func audience(of event: RunEvent) -> ReportAudience {
        switch TestEvents(event) {
        case .started?: started
        case .completed?: completed
        case .finished?: finished
        default: others
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
