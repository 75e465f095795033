import CEL
import Expectations
import HTTPSession
import SuiteModel

/// Runs one step of a test.
struct StepRunner {
    let runner: TestRunner
    let test: SuiteTest
    let suite: SuiteRun
    let scope: TestScope
    let jar: CookieJar

    /// What became of the step, and whether its request was sent.
    struct Outcome {
        var step: TestResult.Step
        var wasSent: Bool
    }

    /// Renders the request, sends it, and checks what came back.
    func run(_ step: SuiteStep) async -> Outcome {
        let clock = runner.options.clock
        let start = clock.now()
        scope.begin(step)
        let request: Request
        do {
            request = try render(step)
        } catch {
            return Outcome(
                step: TestResult.Step(
                    name: Self.name(of: step, in: test), outcome: .errored, findings: [Self.finding(error)],
                    duration: clock.now() - start,
                    range: step.range),
                wasSent: false)
        }
        let name = Self.name(of: step, in: test)
        let exchange: Exchange
        do {
            exchange = ExchangeRecorder.exchange(try await runner.session.send(request))
        } catch {
            exchange = ExchangeRecorder.exchange(error, sent: request)
        }
        var findings: [Finding] = []
        if let failure = exchange.failure {
            findings.append(
                Finding(
                    kind: .error, subject: failure.phase == "firstByte" ? "first byte" : failure.phase,
                    type: failure.kind, message: failure.message,
                    range: step.request.urlRange))
        } else {
            findings = check(step, name: name, exchange: exchange)
            // The rule for steps that expect nothing has no place of its own; the request's is where to look.
            for index in findings.indices where findings[index].range == nil {
                findings[index].range = step.request.urlRange
            }
        }
        let outcome: TestResult.Outcome =
            findings.isEmpty ? .passed : findings.contains { $0.kind == .error } ? .errored : .failed
        let keepsExchange = runner.options.keepsExchanges || !findings.isEmpty
        return Outcome(
            step: TestResult.Step(
                name: name, outcome: outcome, findings: findings, exchange: keepsExchange ? exchange : nil,
                duration: clock.now() - start, range: step.range),
            wasSent: true)
    }

    /// What reports call the step: its name, the test's for a single exchange, otherwise its request line as written.
    static func name(of step: SuiteStep, in test: SuiteTest) -> String {
        step.name ?? (test.hasSteps ? "\(step.request.method) \(step.request.url.source)" : test.name)
    }

    private func render(_ step: SuiteStep) throws(TemplateError) -> Request {
        let builder = RequestBuilder(scope: scope, folder: suite.suite.folder, files: runner.files)
        var request = try builder.request(step.request, baseURL: suite.baseURL)
        request.cookies = jar
        request.redirects = .follow(maximum: step.request.maximumRedirects)
        request.timeouts = Self.timeouts(step.request.timeout)
        if let size = step.request.maximumBodySize {
            var limits = Limits()
            limits.bodyBytes = Int(size)
            limits.decodedBodyBytes = Int(size)
            request.limits = limits
        }
        return request
    }

    /// Checks the exchange and takes the captures from it.
    private func check(_ step: SuiteStep, name: String, exchange: Exchange) -> [Finding] {
        let content = ResponseContent(exchange)
        let view = scope.view(.step)
        let checker = ExpectationChecker()
        var findings = checker.check(step.expectations, content: content, scope: view, context: scope.context)
        if !step.captures.isEmpty {
            let captured = checker.capture(step.captures, content: content, scope: view, context: scope.context)
            findings += captured.findings
            for capture in step.captures where capture.isSecret {
                guard let value = captured.values.last(where: { $0.name == capture.name })?.value else { continue }
                runner.dispatcher.learnSecret(value.text)
            }
            scope.add(captures: captured.values)
        }
        if step.isReferenced || test.isReferenced {
            let value = content.exchangeValue
            if step.isReferenced { scope.keep(exchange: value, ofStep: name) }
            if test.isReferenced { scope.keep(exchange: value) }
        }
        return findings
    }

    private static func finding(_ error: TemplateError) -> Finding {
        Finding(kind: .error, subject: "expression", type: "expression", message: error.message, range: error.range)
    }

    /// The session's limits: where the suite bounds the whole exchange, the other limits are the suite's alone.
    private static func timeouts(_ timeout: RequestSpec.Timeout) -> Timeouts? {
        guard timeout != RequestSpec.Timeout() else { return nil }
        let standard = Timeouts()
        let total = timeout.total.map { Duration.nanoseconds($0) }
        return Timeouts(
            connect: timeout.connect.map { .nanoseconds($0) } ?? standard.connect,
            firstByte: timeout.firstByte.map { .nanoseconds($0) } ?? (total == nil ? standard.firstByte : nil),
            idle: total == nil ? standard.idle : nil, total: total ?? standard.total)
    }
}
