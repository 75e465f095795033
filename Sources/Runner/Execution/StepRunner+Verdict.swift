import Basics
import CEL
import Diagnostics
import Expectations
import JSON
import OpenAPI
import RunModel
import SuiteModel

extension StepRunner {
    /// An exchange and its findings.
    struct Checked {
        var exchange: Exchange
        var findings: [Finding] = []
        /// The assessment of the response by a step that polls.
        var poll = PollVerdict.done
        /// The time at which the response was complete, by the clock of the run.
        var received: Int64 = 0
    }

    /// Returns the findings of an exchange.
    nonisolated(nonsending) func findings(_ exchange: Exchange, for step: SuiteStep) async -> [Finding] {
        await verdict(exchange, for: step, isPoll: false).findings
    }

    /// Returns the findings of an exchange and its assessment by a step that polls.
    @inline(never)
    nonisolated(nonsending) func verdict(_ exchange: Exchange, for step: SuiteStep, isPoll: Bool) async -> Checked {
        if let failure = exchange.failure {
            return Checked(
                exchange: exchange, findings: [finding(failure)],
                poll: isPoll && Retrying.isWorthAnother(exchange) ? .pending : .done)
        }
        let bytes = exchange.response?.body.count ?? 0
        return await LargeBodies.off(to: LargeBodies.location(ofBody: bytes, in: step)) {
            var checked = check(step, exchange: exchange, until: isPoll ? step.flow?.until : nil)
            // The rule for steps without expectations has no location of its own, so the finding points at the request.
            for index in checked.findings.indices where checked.findings[index].range == nil {
                checked.findings[index].range = spec.urlRange
            }
            return checked
        }
    }

    /// Checks the exchange and evaluates the captures, unless the condition of a polling step is not met yet.
    private func check(
        _ step: SuiteStep, exchange: Exchange, until: UntilRule?
    ) -> Checked {
        let content = ResponseContent(exchange)
        let view = scope.view(.step)
        let checker = ExpectationChecker()
        if let until {
            let missing = checker.check(until.expectations, content: content, scope: view, context: scope.context)
            if !missing.isEmpty {
                // The response is displayed although its captures are not used, so secrets in it must be masked.
                if step.captures.contains(where: \.isSecret) {
                    let count = scope.captured.values.count
                    _ = capture(step.captures, from: content)
                    _ = scope.takeCaptures(from: count)
                }
                let isAborted = until.abort.map {
                    checker.check($0, content: content, scope: view, context: scope.context).isEmpty
                }
                return Checked(
                    exchange: exchange, findings: missing, poll: isAborted == true ? .aborted : .pending)
            }
        }
        var findings: [Finding] = []
        var captureFindings: [Finding] = []
        if step.captures.isEmpty {
            findings = checker.check(step.expectations, content: content, scope: view, context: scope.context)
        } else {
            var expectations = step.expectations
            if let early = expectations.takeEvents() {
                findings = checker.check(early, content: content, scope: view, context: scope.context)
            }
            // Before the expectations, which can use them.
            captureFindings = capture(step.captures, from: content)
            findings += checker.check(expectations, content: content, scope: view, context: scope.context)
        }
        let isCommand = step.command != nil
        if !isCommand {
            let isStatusWrong = findings.contains { $0.subject == .status }
            // A response with a different status usually has a different content type.
            findings += contractFindings(content, for: step).filter {
                !isStatusWrong || $0.type != .init(ContractRule.undocumentedContentType)
            }
        }
        if !captureFindings.isEmpty { findings = MissingCaptures.withoutConsequences(findings + captureFindings) }
        // After the captures, because the secrets among them must not be stored in a snapshot.
        if let snapshot = step.expectations.extras?.snapshot, let snapshots = sequence.snapshots {
            findings += snapshots.check(
                snapshot, of: step, stepName: sequence.test.hasSteps ? name : nil, content: content, scope: view,
                context: scope.context,
                isGood: findings.isEmpty)
        }
        if let responses = sequence.running.responses, step.webSocket == nil, !isCommand, !sequence.frame.isShared {
            findings += responses.note(
                content, step: lockedName(of: step), of: step,
                isStatusWrong: findings.contains { $0.subject == .status },
                endsTest: suite.suite.contract?.settings.stops ?? false)
        }
        if let note = DuplicateMembersText.sentence(content.duplicateMembers) {
            let what = step.command?.source ?? "\(spec.method) \(spec.url.source)"
            runner.owner.warn(
                RunNotice(
                    .duplicateMembers, severity: .warning, suite: sequence.suiteIndex, message: "\(what): \(note)"))
        }
        // A WebSocket handshake is kept when the WebSocket is closed, together with its messages.
        if step.webSocket == nil { keep(content, of: step) }
        return Checked(exchange: exchange, findings: findings)
    }

    /// Returns the name of the step in a response lock; nil for a test that is a single exchange.
    private func lockedName(of step: SuiteStep) -> String? {
        guard sequence.test.hasSteps else { return nil }
        return sequence.frame.path + step.name(in: sequence.test)
    }

    /// Makes captures and adds their values to the scope.
    ///
    /// - Returns: The findings of captures without a value.
    private func capture(_ captures: [Capture], from content: ResponseContent) -> [Finding] {
        let scope = scope
        let captured = ExpectationChecker().capture(
            captures, content: content, scope: scope.view(.step), context: scope.context
        ) { scope.add(capture: $0, value: $1) }
        register(captured.values, secrets: captured.secrets, of: captures)
        return captured.findings
    }

    /// Registers the secrets among the captured values.
    func register(_ values: [(name: String, value: CELValue)], secrets: [String], of captures: [Capture]) {
        for secret in secrets { runner.owner.registerSecret(secret) }
        for capture in captures where capture.isSecret {
            // The elements of arrays and the members of objects are registered too.
            if let value = values.last(where: { $0.name == capture.name })?.value {
                suite.registerSecret(value, of: capture.name)
            }
        }
    }

    /// Keeps the exchange for the steps and tests that refer to it.
    func keep(_ content: ResponseContent, of step: SuiteStep) {
        guard step.isReferenced || sequence.test.isReferenced else { return }
        let value = content.exchangeValue
        if step.isReferenced { scope.keep(exchange: value, ofStep: step.name ?? name) }
        if sequence.test.isReferenced { scope.keep(exchange: value) }
    }

    /// Returns the finding of a request without a response.
    private func finding(_ failure: Exchange.Failure) -> Finding {
        var finding = Finding(
            kind: .error, subject: .other(failure.phase == .firstByte ? "first byte" : failure.phase.rawValue),
            type: failure.kind, message: failure.message, range: spec.urlRange)
        if failure.isOfAuthentication, let authentication = spec.extras?.authentication {
            finding.subject = "auth"
            finding.range = authentication.range
        }
        return finding
    }
}

extension ExpectationSet {
    /// Removes and returns the expected events of a stream, which were matched before anything was captured.
    ///
    /// - Returns: A set with only the events; nil if there are none.
    fileprivate mutating func takeEvents() -> ExpectationSet? {
        guard let events = extras?.events, !events.isEmpty else { return nil }
        var taken = ExpectationSet(isDefault: false)
        var extras = ExpectationExtras()
        extras.events = events
        taken.extras = extras
        self.extras?.events = []
        return taken
    }
}
