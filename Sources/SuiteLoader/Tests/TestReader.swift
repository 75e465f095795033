import Basics
import Diagnostics
import RunModel
import SuiteModel
import YAML

/// Reads the tests of a suite and their steps.
///
/// A class, because the defaults that it contains are large, and closures that capture a struct would copy them.
final class TestReader {
    /// The parts of a step, or of a test with a single exchange.
    struct Parts {
        var name: String?
        var request: YAMLNode?
        var expect: YAMLNode?
        var assert: YAMLNode?
        var capture: YAMLNode?
        var webSocket: (key: YAMLNode, value: YAMLNode)?
        var save: YAMLNode?
        var print: YAMLNode?
        var run: (key: YAMLNode, value: YAMLNode)?
        var call = CallParts()
        var retry: (key: YAMLNode, value: YAMLNode)?
        /// The key of the retry rule of the test with a single exchange.
        var testRetryKey: YAMLNode?
        var condition: YAMLNode?
        var until: (key: YAMLNode, value: YAMLNode)?
        var delay: (key: YAMLNode, value: YAMLNode)?
        var continues = false
        var forEach: (key: YAMLNode, value: YAMLNode)?
        var whileCondition: (key: YAMLNode, value: YAMLNode)?
        var steps: (key: YAMLNode, value: YAMLNode)?
        var skip: String?
        var xfail: (key: YAMLNode, value: YAMLNode)?
        var timeout: (key: YAMLNode, value: YAMLNode)?
        /// The node of the name, if it may contain expressions.
        var nameNode: YAMLNode?
        /// The source range of the name, or of the whole step if it has no name.
        var range: SourceRange

        /// Reads a key that steps and tests with a single exchange share.
        mutating func read(_ key: StepKey, _ keyNode: YAMLNode, _ value: YAMLNode) {
            switch key {
            case .request: request = value
            case .expect: expect = value
            case .assert: assert = value
            case .capture: capture = value
            case .websocket: webSocket = (keyNode, value)
            case .run: run = (keyNode, value)
            case .save: save = value
            case .print: print = value
            case .until: until = (keyNode, value)
            case .delay: delay = (keyNode, value)
            case .call: call.call = (keyNode, value)
            case .with: call.with = (keyNode, value)
            case .once: call.once = (keyNode, value)
            case .forEach: forEach = (keyNode, value)
            case .while: whileCondition = (keyNode, value)
            case .steps: steps = (keyNode, value)
            case .continue: continues = value.isTrue
            case .name, .variables, .retry, .if, .skip, .xfail, .timeout: break
            }
        }
    }

    /// The shared state of the readers.
    let context: LoadContext
    /// The defaults of every step.
    let defaults: SuiteDefaults
    /// The tags of the suite.
    let suiteTags: [String]
    /// The owner of tests that do not specify one.
    let suiteOwner: String?
    /// The fragments that steps can call; nil if there are none.
    let callees: (any CallableFragments)?
    let templates: TemplateReader
    /// The groups that enclose the steps that are being read, from the outermost.
    var enclosing: [SuiteScope.EnclosingGroup] = []
    private let requests: RequestReader
    private let expectations: ExpectReader
    private let captures: CaptureReader
    let flow: FlowReader

    init(
        _ context: LoadContext, defaults: SuiteDefaults, suiteTags: [String] = [], suiteOwner: String? = nil,
        callees: (any CallableFragments)?
    ) {
        self.context = context
        self.callees = callees
        self.defaults = defaults
        self.suiteTags = suiteTags
        self.suiteOwner = suiteOwner
        templates = TemplateReader(context)
        requests = RequestReader(context, defaults: defaults)
        expectations = ExpectReader(context)
        captures = CaptureReader(context)
        flow = FlowReader(context)
    }

    /// Returns the test of a node; reports an error and returns nil if it is not a mapping.
    func test(_ node: YAMLNode, index: Int, scope: inout SuiteScope) -> SuiteTest? {
        guard node.kind == .mapping else {
            context.reportType(node, expected: "a mapping", suggestion: "for example, write \"- name: …\"")
            return nil
        }
        let range = node.range
        var test = SuiteTest(
            index: index, name: "", tags: suiteTags, steps: [], hasSteps: false, range: range,
            lines: range.start.line...max(range.start.line, range.end.line))
        test.$retry = defaults.$retry
        test.cookieJar = defaults.cookieJar
        var parts = Parts(range: range)
        var steps: YAMLNode?
        var stepsKey: YAMLNode?
        var cleanup: (key: YAMLNode, value: YAMLNode)?
        var firstExchangeKey: YAMLNode?
        var variables = scope.variables.count..<scope.variables.count
        let firstNeed = scope.needs.count
        var idRange: SourceRange?
        var conditionUses: [Range<Int>] = []
        // Expressions that are evaluated before the first attempt.
        func record(_ read: () -> Void) {
            let uses = context.recordingUses(read).1
            if !uses.isEmpty { conditionUses.append(uses) }
        }
        var nameNode: YAMLNode?
        var rows = DataReader.Nodes()
        var (description, owner): (String?, String?) = (nil, suiteOwner)
        let found = MapReader(context, TestKey.schema).read(node) { key, keyNode, value in
            if let key = key.ofExchange {
                if firstExchangeKey == nil { firstExchangeKey = keyNode }
                parts.read(key, keyNode, value)
                return
            }
            switch key {
            case .name:
                nameNode = value
                test.range = value.range
            case .id:
                test.id = templates.name(value, what: "an id")
                idRange = value.range
            case .description: description = value.scalar?.text
            case .owner: owner = value.scalar?.text
            case .tags: test.tags = suiteTags + context.strings(value, what: "a tag").map(\.text)
            case .skip: test.skip = flow.skip(value)
            case .only: test.isOnly = value.isTrue
            case .if: record { test.condition = flow.condition(value) }
            case .xfail: record { test.expectedFailure = flow.expectedFailure(value, keyNode) }
            case .timeout:
                record { test.timeout = context.duration(value, keyNode, isPositive: true) }
            case .needs:
                for need in context.strings(value, what: "the name of a test") {
                    scope.needs.append(SuiteScope.Need(name: need.text, range: need.node.range))
                }
            case .lock: test.locks = locks(value)
            case .cookieJar:
                context.choice(value, SuiteTest.CookieJarMode.self).map { test.cookieJar = $0 }
            case .cases: rows.cases = value
            case .matrix: rows.matrix = value
            case .repeat: rows.repetition = value
            case .variables: (test.variables, variables) = VariableReader(context).variables(value, scope: &scope)
            case .steps: (steps, stepsKey) = (value, keyNode)
            case .finally: cleanup = (keyNode, value)
            case .retry:
                parts.testRetryKey = keyNode
                record { test.retry = RetryReader(context).rule(value) }
            case .verbose: test.isVerbose = value.isTrue
            case .request, .expect, .assert, .capture, .websocket, .run, .save, .print, .call, .with, .once, .forEach,
                .while, .until, .delay, .continue:
                break
            }
        }
        if parts.testRetryKey == nil, !defaults.retryUses.isEmpty { conditionUses.append(defaults.retryUses) }
        test.annotations = Annotations(
            description: description, owner: owner,
            properties: found.hasExtensions ? ExtensionReader.properties(ofTest: node) : [])
        var data = DataReader(context).draft(rows, scope: &scope)
        if let nameNode { readName(nameNode, of: &test, data: &data) }
        let firstStep = scope.steps.count
        if let steps {
            if let first = firstExchangeKey, let loop = Self.repetition(parts, first) {
                test.steps = repeatedSteps(node, &parts, steps: (stepsKey ?? first, steps), loop, first, scope: &scope)
            } else {
                if let first = firstExchangeKey {
                    context.report(
                        "conflicting-keys", "a test has either \"steps\" or a single request, not both", first.range,
                        related: [Diagnostic.Related(message: "the steps are here", range: stepsKey?.range)],
                        suggestion: "move \"\(first.scalar?.text ?? "")\" into a step")
                }
                test.steps = self.steps(steps, stepsKey, of: "a test", scope: &scope)
            }
            test.hasSteps = true
        } else if parts.request != nil || parts.call.call != nil || parts.run != nil {
            // The steps of a fragment become steps of the test that calls it.
            test.hasSteps = parts.call.call != nil
            let none = scope.variables.count..<scope.variables.count
            test.steps = [step(&parts, variables: [], scopeVariables: none, scope: &scope)]
            // Iterations need individual results, like steps.
            if parts.forEach != nil || parts.whileCondition != nil { test.hasSteps = true }
        } else if !found.contains(.request), !found.contains(.steps), !found.contains(.call), !found.contains(.run) {
            context.report(
                "missing-key", "a test needs \"request\", \"run\", \"call\" or \"steps\"",
                node.mapping?.first?.key.range ?? range,
                suggestion: "for example, add \"request: GET /books\"")
        }
        if let cleanup {
            let steps = self.steps(cleanup.value, cleanup.key, of: "\"finally\"", scope: &scope)
            test.steps += steps
            test.cleanupCount = steps.count
            test.hasSteps = true
        }
        scope.tests.append(
            SuiteScope.TestEntry(
                variables: variables, steps: firstStep..<scope.steps.count, needs: firstNeed..<scope.needs.count,
                idRange: idRange, conditionUses: conditionUses, data: data))
        return test
    }

    /// Returns the names of resource locks; reports duplicates.
    private func locks(_ node: YAMLNode) -> [String] {
        var names: [String] = []
        for lock in context.strings(node, what: "the name of a lock") {
            if names.contains(lock.text) {
                context.report(
                    "duplicate-lock", "duplicate lock \"\(lock.text)\"", lock.node.range,
                    suggestion: "remove one of them")
            } else {
                names.append(lock.text)
            }
        }
        return names
    }

    /// Returns the setup or teardown of the suite, as a test with the steps of a sequence.
    func sequence(
        _ kind: TestKind, _ node: YAMLNode, _ key: YAMLNode, index: Int, scope: inout SuiteScope
    ) -> SuiteTest {
        let range = key.range
        let none = scope.variables.count..<scope.variables.count
        let firstStep = scope.steps.count
        let name = kind == .setup ? "setup" : "teardown"
        var test = SuiteTest(
            index: index, name: name, steps: steps(node, key, of: "a \(name)", scope: &scope), hasSteps: true,
            range: range, lines: range.start.line...max(range.start.line, node.range.end.line))
        test.kind = kind
        test.cookieJar = defaults.cookieJar
        if kind == .setup { test.$retry = defaults.$retry }
        let uses = kind == .setup && !defaults.retryUses.isEmpty ? [defaults.retryUses] : []
        scope.tests.append(
            SuiteScope.TestEntry(
                variables: none, steps: firstStep..<scope.steps.count,
                needs: scope.needs.count..<scope.needs.count, conditionUses: uses))
        return test
    }

    /// Reads the name of a test, which may contain expressions if the test has rows.
    private func readName(_ node: YAMLNode, of test: inout SuiteTest, data: inout DataDraft?) {
        guard data != nil, ExpressionScan.mayHoldExpression(node) else {
            test.name = templates.name(
                node, what: "the name of a test",
                suggestion: "only a test with \"cases\", \"matrix\" or \"repeat\" can have an expression in its name")
            return
        }
        let (template, uses) = context.recordingUses { templates.template(node) }
        test.name = template.source
        if template.constantText == nil {
            data?.name = template
            data?.nameUses = uses
        }
    }

    // MARK: Steps

    /// Returns the steps of a sequence.
    ///
    /// - Parameters:
    ///   - node: The sequence.
    ///   - key: The key of the sequence.
    ///   - owner: A description of the owner of the steps: `a test`.
    ///   - scope: The scope to which the names of the steps are added.
    func steps(_ node: YAMLNode, _ key: YAMLNode?, of owner: String, scope: inout SuiteScope) -> [SuiteStep] {
        guard let sequence = node.sequence else { return [] }
        if sequence.isEmpty {
            context.report("empty-steps", "\(owner) needs at least one step", key?.range ?? node.range)
        }
        var steps: [SuiteStep] = []
        steps.reserveCapacity(sequence.count)
        for element in sequence {
            guard element.kind == .mapping else {
                context.reportType(
                    element, expected: "a mapping",
                    suggestion: element.scalar.map { "write \"- request: \($0.text)\"" })
                continue
            }
            var parts = Parts(range: element.range)
            var variables: [Variable] = []
            var scopeVariables = scope.variables.count..<scope.variables.count
            let found = MapReader(context, StepKey.schema).read(element) { key, keyNode, value in
                switch key {
                case .name:
                    parts.nameNode = value
                    parts.range = value.range
                case .variables: (variables, scopeVariables) = VariableReader(context).variables(value, scope: &scope)
                case .retry: parts.retry = (keyNode, value)
                case .if: parts.condition = value
                case .skip: parts.skip = flow.skip(value)
                case .xfail: parts.xfail = (keyNode, value)
                case .timeout: parts.timeout = (keyNode, value)
                default: parts.read(key, keyNode, value)
                }
            }
            if let inner = parts.steps {
                steps += group(
                    element, &parts, steps: inner, variables: variables, scopeVariables: scopeVariables, scope: &scope)
                continue
            }
            if ![StepKey.request, .run, .call, .steps].contains(where: found.contains) {
                context.report(
                    "missing-key", "a step needs \"request\", \"run\", \"call\" or \"steps\"",
                    element.mapping?.first?.key.range ?? element.range, suggestion: "add \"request: …\"")
            }
            steps.append(step(&parts, variables: variables, scopeVariables: scopeVariables, scope: &scope))
        }
        return steps
    }

    private func step(
        _ parts: inout Parts, variables: [Variable], scopeVariables: Range<Int>, scope: inout SuiteScope
    ) -> SuiteStep {
        var (stepFlow, entry) = self.stepFlow(of: &parts, scopeVariables: scopeVariables, scope: &scope)
        let firstUse = context.uses.count
        entry.uses = firstUse..<firstUse
        readName(of: &parts, loop: &stepFlow.forEach)
        let retry = readWaits(of: parts, into: &stepFlow)
        stepFlow.condition = parts.condition.flatMap(flow.condition)
        stepFlow.expectedFailure = parts.xfail.flatMap { flow.expectedFailure($0.value, $0.key) }
        let content =
            if let node = parts.call.call?.value {
                self.call(parts, node, entry: &entry)
            } else if let run = parts.run {
                command(parts, run, entry: &entry, flow: &stepFlow)
            } else {
                exchange(parts, entry: &entry, flow: &stepFlow)
            }
        scope.steps.append(entry)
        // Nearly every step runs exactly once and without a delay.
        var step = SuiteStep(
            name: parts.name, variables: variables, action: content.action, expectations: content.expectations,
            captures: content.captures, retry: retry, flow: stepFlow.isPlain ? nil : stepFlow,
            continuesAfterFailure: parts.continues, range: parts.nameNode == nil ? content.range : parts.range)
        step.webSocket = content.webSocket
        step.output = content.output
        return step
    }

    /// Reads the name of a step, which may contain expressions if the step is repeated.
    func readName(of parts: inout Parts, loop: inout ForEachRule?) {
        guard let node = parts.nameNode else { return }
        if loop != nil, ExpressionScan.mayHoldExpression(node) {
            loop?.name = templates.template(node)
        } else {
            parts.name = templates.name(
                node, what: "the name of a step",
                suggestion: "only a step with \"forEach\" can have an expression in its name")
        }
    }

    /// The content of a step.
    struct Content {
        var action: SuiteStep.Action
        var expectations: ExpectationSet
        var captures: [Capture] = []
        var webSocket: WebSocketSpec?
        var output: StepOutput?
        /// The source range of the request or the call.
        var range: SourceRange
    }

    /// Returns the content of a step that sends a request or opens a WebSocket.
    private func exchange(
        _ parts: Parts, entry: inout SuiteScope.StepEntry, flow stepFlow: inout StepFlow
    ) -> Content {
        checkNoCall(parts.call)
        var defaultUses: [Range<Int>] = []
        let request: RequestSpec
        if let node = parts.request {
            request = requests.request(
                node, opensWebSocket: parts.webSocket != nil, defaultUses: &defaultUses)
        } else {
            request = RequestSpec(url: .constant(""), urlRange: parts.range, range: parts.range)
        }
        var set = expectations(parts, defaultUses: &defaultUses)
        if let events = set.extras?.events, !events.isEmpty { checkEvents(events, of: request, parts.request) }
        if let node = parts.assert {
            set.assertions = AssertReader(context).assertions(node)
            if !set.assertions.isEmpty { set.isDefault = false }
        }
        if let (key, value) = parts.until {
            // The expectations of `until` replace the default rule for steps without expectations.
            set.isDefault = false
            stepFlow.until = context.recordingUses(.beforeCaptures) { UntilReader(context).rule(value, key) }
            checkPolling(key, request, parts)
            checkRetry(key, parts)
        }
        var content = Content(
            action: .exchange(CopyOnWrite(wrappedValue: request)), expectations: set, range: request.range)
        if let node = parts.capture { content.captures = captures.captures(node) }
        (content.output, entry.outputUses) = context.recordingUses {
            OutputReader(context).output(save: parts.save, print: parts.print)
        }
        entry.uses = entry.uses.lowerBound..<entry.outputUses.lowerBound
        if defaults.hasUses { entry.defaultUses = defaultUses.filter { !$0.isEmpty } }
        if let (key, value) = parts.webSocket {
            let reader = WebSocketReader(context)
            content.webSocket = reader.exchange(value, key, uses: &entry.elementUses)
            if let node = parts.request { reader.check(request, node) }
        }
        return content
    }

    /// Returns the expectations of a response, merged with the retained defaults.
    private func expectations(_ parts: Parts, defaultUses: inout [Range<Int>]) -> ExpectationSet {
        // The defaults apply to responses, but not to the response of a WebSocket handshake.
        guard parts.webSocket == nil else {
            var set = ExpectationSet(isDefault: false)
            if let node = parts.expect { expectations.read(node, into: &set) { _ in } }
            return set
        }
        var set = defaults.expectations
        guard let node = parts.expect else {
            if defaults.hasUses { defaultUses += defaults.expectationUses }
            return set
        }
        var replaced: Set<ExpectKey> = []
        expectations.read(node, into: &set) { key in
            if defaults.hasUses { replaced.insert(key) }
        }
        if defaults.hasUses {
            for (position, key) in ExpectKey.schema.keys.enumerated() where !replaced.contains(key) {
                defaultUses.append(defaults.expectationUses[position])
            }
        }
        return set
    }

    /// Reports settings that cannot be combined with polling.
    func checkPolling(_ key: YAMLNode, _ request: RequestSpec, _ parts: Parts) {
        if request.extras?.stream != nil || parts.webSocket != nil {
            context.report(
                "conflicting-keys", "a \(parts.webSocket == nil ? "stream" : "WebSocket") cannot be polled", key.range,
                related: [Diagnostic.Related(message: "the request is here", range: request.range)],
                suggestion: parts.webSocket == nil
                    ? "write the expectations of a stream under \"expect: { events: … }\"" : nil)
        }
    }

    /// Reports `retry` next to `until`.
    func checkRetry(_ key: YAMLNode, _ parts: Parts) {
        if let retry = parts.retry?.key ?? parts.testRetryKey {
            context.report(
                "conflicting-keys", "\"until\" cannot be used together with \"retry\"", retry.range,
                related: [Diagnostic.Related(message: "\"until\" is here", range: key.range)],
                suggestion: parts.steps == nil ? "remove \"retry\": polling already repeats the request" : nil)
        }
    }

    /// Reports expectations of events without a stream, or of members that the format of the stream does not have.
    private func checkEvents(_ events: [ExpectationExtras.Event], of request: RequestSpec, _ node: YAMLNode?) {
        switch request.extras?.stream {
        case .sse: break
        case .lines:
            for case .members(_, let range) in events {
                context.report(
                    "invalid-events", "a line does not have members such as \"event\" and \"data\"", range,
                    suggestion: "write the expected line, or \"stream: sse\" in the request")
            }
        case nil:
            context.report(
                "missing-stream", "\"events\" requires a stream, but the request does not read one",
                events.first?.range ?? request.range,
                suggestion: "add \"stream: sse\" or \"stream: lines\" to the request")
        }
    }
}
