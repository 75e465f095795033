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
        flow.condition = parts.condition.flatMap(self.flow.condition)
        entry.uses = firstUse..<context.uses.count
        if let (key, value) = parts.until {
            let (rule, uses) = context.recordingUses { UntilReader(context, phase: .request).groupRule(value, key) }
            flow.until = rule
            entry.conditionUses.append(uses)
            checkRetry(key, parts)
        }
        scope.steps.append(entry)
        var group = SuiteStep(
            name: parts.name, variables: variables, action: .group(StepGroup(count: 0)), retry: parts.retry,
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

    /// Reads the keys that control whether and how often a step or a group runs, except `if` and `until`.
    func stepFlow(
        of parts: inout Parts, scopeVariables: Range<Int>, scope: inout SuiteScope
    ) -> (flow: StepFlow, entry: SuiteScope.StepEntry) {
        let loop = parts.forEach.map { LoopReader(context).loop($0.value) }
        scope.loopNames.formUnion(loop?.names ?? [])
        var entry = SuiteScope.StepEntry(
            variables: scopeVariables, uses: 0..<0, defaultUses: [], loopNames: loop?.names ?? [],
            loopUses: loop?.uses ?? 0..<0, groups: enclosing)
        var flow = StepFlow(delay: parts.delay)
        flow.forEach = loop?.rule
        flow.skip = parts.skip
        flow.timeout = parts.timeout
        if let (key, value) = parts.whileCondition {
            let (rule, uses) = context.recordingUses { WhileReader(context).rule(value, key) }
            flow.whileRule = rule
            entry.conditionUses.append(uses)
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
}

/// Reads `while`.
struct WhileReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the rule of a condition, or of a mapping with one; nil if it has no valid condition, which was reported.
    func rule(_ node: YAMLNode, _ key: YAMLNode) -> WhileRule? {
        let flow = FlowReader(context)
        guard node.kind == .mapping else {
            return flow.condition(node).map { WhileRule(condition: $0, range: key.range) }
        }
        var condition: EmbeddedExpression?
        var times = WhileRule.standardTimes
        MapReader(context, WhileKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .condition: condition = flow.condition(value)
            case .times: context.count(value, keyNode, 1...WhileRule.maximumTimes).map { times = $0 }
            }
        }
        return condition.map { WhileRule(condition: $0, times: times, range: key.range) }
    }
}
