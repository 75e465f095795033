import Basics
import Diagnostics
import SuiteModel
import YAML

/// Groups of steps.
extension TestReader {
    /// The keys of a step that need an exchange or a fragment of their own.
    private static let keysOfExchanges: Set<StepKey> = [
        .request, .run, .call, .with, .once, .expect, .assert, .capture, .websocket, .save, .print,
    ]

    /// Returns a group followed by its steps.
    ///
    /// - Parameters:
    ///   - node: The node of the group.
    ///   - parts: The keys of the group.
    ///   - steps: The key and the value of `steps`.
    ///   - variables: The variables of the group.
    ///   - scopeVariables: The same as a range of ``SuiteScope/variables``.
    ///   - scope: The scope to which the names of the steps are added.
    func group(
        _ node: YAMLNode, _ parts: inout Parts, steps: (key: YAMLNode, value: YAMLNode), variables: [Variable],
        scopeVariables: Range<Int>, scope: inout SuiteScope
    ) -> [SuiteStep] {
        for (key, _) in node.members {
            guard let name = key.scalar?.text, let exchangeKey = StepKey(rawValue: name),
                Self.keysOfExchanges.contains(exchangeKey)
            else { continue }
            context.report(
                "conflicting-keys", "a group of steps cannot have \"\(name)\"", key.range,
                related: [Diagnostic.Related(message: "the steps are here", range: steps.key.range)],
                suggestion: "move it into one of the steps")
        }
        var (flow, entry) = stepFlow(of: &parts, scopeVariables: scopeVariables, scope: &scope)
        let firstUse = context.uses.count
        readName(of: &parts, loop: &flow.forEach)
        let retry = readWaits(of: parts, into: &flow)
        flow.condition = parts.condition.flatMap(self.flow.condition)
        flow.expectedFailure = parts.xfail.flatMap { self.flow.expectedFailure($0.value, $0.key) }
        entry.uses = firstUse..<context.uses.count
        if let (key, value) = parts.until {
            let (rule, uses) = context.recordingUses { UntilReader(context, phase: .request).groupRule(value, key) }
            flow.until = rule
            entry.conditionUses.append(uses)
            checkRetry(key, parts)
        }
        scope.steps.append(entry)
        var group = SuiteStep(
            name: parts.name, variables: variables, action: .group(StepGroup(count: 0)), retry: retry,
            flow: flow.isPlain ? nil : flow, continuesAfterFailure: parts.continues,
            range: parts.nameNode == nil ? steps.key.range : parts.range)
        guard enclosing.count < StepGroup.maximumDepth else {
            context.report(
                "too-deep", "groups of steps are nested more than \(StepGroup.maximumDepth) levels deep",
                steps.key.range, suggestion: "use fewer levels, or move steps into a fragment")
            return [group]
        }
        enclosing.append(SuiteScope.EnclosingGroup(variables: scopeVariables, loopNames: entry.loopNames))
        defer { enclosing.removeLast() }
        let inner = self.steps(steps.value, steps.key, of: "a group", scope: &scope)
        group.action = .group(StepGroup(count: inner.count))
        return [group] + inner
    }

    /// Returns the key that repeats a step, if the keys of a step in a test with `steps` only do that.
    static func repetition(_ parts: Parts, _ first: YAMLNode) -> String? {
        guard let name = first.scalar?.text, let key = StepKey(rawValue: name),
            [.forEach, .while, .until].contains(key)
        else { return nil }
        if parts.forEach != nil { return StepKey.forEach.rawValue }
        if parts.whileCondition != nil { return StepKey.while.rawValue }
        return parts.until == nil ? nil : StepKey.until.rawValue
    }

    /// Reports a key of a test that repeats a step next to `steps`, and returns the steps as a group with the key.
    ///
    /// The group defines the names of the loop, which the steps use.
    func repeatedSteps(
        _ node: YAMLNode, _ parts: inout Parts, steps: (key: YAMLNode, value: YAMLNode), _ loop: String,
        _ first: YAMLNode, scope: inout SuiteScope
    ) -> [SuiteStep] {
        context.report(
            "conflicting-keys", "\"\(loop)\" repeats a step, but the test has several", first.range,
            related: [Diagnostic.Related(message: "the steps are here", range: steps.key.range)],
            suggestion: "wrap the steps in one step: \"steps: [{ \(loop): …, steps: … }]\"")
        // The condition of a single exchange is not that of a group.
        parts.until = nil
        let none = scope.variables.count..<scope.variables.count
        return group(node, &parts, steps: steps, variables: [], scopeVariables: none, scope: &scope)
    }

    /// Reads the keys that control whether and how often a step or a group runs, except `if` and `until`.
    func stepFlow(
        of parts: inout Parts, scopeVariables: Range<Int>, scope: inout SuiteScope
    ) -> (flow: StepFlow, entry: SuiteScope.StepEntry) {
        let loop = parts.forEach.map { LoopReader(context).loop($0.value) }
        scope.loopNames.formUnion(loop?.names ?? [])
        var entry = SuiteScope.StepEntry(
            variables: scopeVariables, uses: 0..<0, defaultUses: [], loopNames: loop?.names ?? [],
            loopUses: loop?.uses ?? 0..<0, groups: enclosing)
        var flow = StepFlow()
        flow.forEach = loop?.rule
        flow.skip = parts.skip
        if let (key, value) = parts.timeout {
            let uses = context.recordingUses { flow.timeout = context.duration(value, key, isPositive: true) }.1
            if !uses.isEmpty { entry.limitUses.append(uses) }
        }
        if let (key, value) = parts.whileCondition {
            let read = WhileReader(context).rule(value, key)
            flow.whileRule = read.rule
            entry.conditionUses.append(read.conditionUses)
            if !read.timesUses.isEmpty { entry.limitUses.append(read.timesUses) }
            for (other, name) in [(parts.forEach?.key, "forEach"), (parts.until?.key, "until")] {
                guard let other else { continue }
                context.report(
                    "conflicting-keys", "\"while\" cannot be used together with \"\(name)\"", key.range,
                    related: [Diagnostic.Related(message: "\"\(name)\" is here", range: other.range)],
                    suggestion: "put the step into a group, and write one of the two next to its \"steps\"")
            }
        }
        return (flow, entry)
    }

    /// Reads the delay of a step or a group, and returns its retry rule.
    func readWaits(of parts: Parts, into flow: inout StepFlow) -> Templated<RetryRule>? {
        if let (key, value) = parts.delay, let delay = context.duration(value, key) { flow.delay = delay }
        return parts.retry.flatMap { RetryReader(context).rule($0.value) }
    }
}

/// Reads `while`.
struct WhileReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the rule of a condition, or of a mapping with one, and the names that each of its parts uses.
    ///
    /// The rule is nil if it has no valid condition, which was reported.
    func rule(
        _ node: YAMLNode, _ key: YAMLNode
    ) -> (rule: WhileRule?, conditionUses: Range<Int>, timesUses: Range<Int>) {
        let flow = FlowReader(context)
        var (condition, conditionUses, timesUses): (EmbeddedExpression?, Range<Int>, Range<Int>) = (nil, 0..<0, 0..<0)
        var times: Templated<Int>?
        func readCondition(_ node: YAMLNode) {
            (condition, conditionUses) = context.recordingUses { flow.condition(node) }
        }
        if node.kind == .mapping {
            MapReader(context, WhileKey.schema).read(node) { key, _, value in
                switch key {
                case .condition: readCondition(value)
                case .times:
                    (times, timesUses) = context.recordingUses {
                        context.count(value, named: key.rawValue, 1...WhileRule.maximumTimes)
                    }
                }
            }
        } else {
            readCondition(node)
        }
        let rule = condition.map {
            WhileRule(condition: $0, times: times ?? .constant(WhileRule.standardTimes), range: key.range)
        }
        return (rule, conditionUses, timesUses)
    }
}
