import CEL
import Diagnostics
import JSON
import SuiteModel

extension StepSequence {
    /// Why there is nothing to loop over.
    private struct LoopError: Error {
        var message: String
        var range: SourceRange
    }

    /// Runs a step once for each element of its loop, each time as a step of its own in the result.
    ///
    /// Afterwards each name that the step captures holds the list of what the iterations captured, in order.
    ///
    /// - Returns: the name of the iteration that failed, when the steps behind it are not to run.
    nonisolated(nonsending) func runLoop(
        _ step: SuiteStep, _ rule: ForEachRule, name: String, into total: inout Outcome
    ) async -> String? {
        let elements: [CELValue]
        scope.begin(step)
        if let skipped = skipWithoutCaptures(step, name: name) {
            add(skipped, to: &total)
            return nil
        }
        do {
            elements = try self.elements(of: rule)
        } catch {
            let finding = Finding(
                kind: .error, subject: "forEach", type: "expression", message: error.message, range: error.range)
            let result = outcome(.errored, of: step, name: name, findings: [finding])
            add(result, to: &total)
            return goesOn(after: result, of: step) ? nil : name
        }
        if elements.isEmpty {
            total.steps.append(
                TestResult.Step(
                    name: name, outcome: .skipped(reason: "forEach: the list is empty"), range: step.range))
        }
        let mark = scope.captured.values.count
        var lists: [String: [CELValue]] = [:]
        var names: Set<String> = []
        var failed: String?
        for (index, element) in elements.enumerated() {
            scope.loop = [(rule.elementName, element), (rule.indexName, .int(Int64(index)))]
            scope.begin(step)
            let title = iterationName(rule.name ?? requestLine(of: step), name: name, index: index, taken: &names)
            var result = await runInTime(step, name: title)
            if result.step.outcome.isFailure, !result.step.findings.isEmpty {
                result.step.findings[0].details.append(
                    RowText.element(index + 1, values: [(rule.elementName, element)]))
            }
            for capture in scope.takeCaptures(from: mark) { lists[capture.name, default: []].append(capture.value) }
            add(result, to: &total)
            if result.step.outcome.isFailure, !goesOn(after: result, of: step) {
                failed = title
                break
            }
        }
        scope.loop = []
        scope.add(captures: step.definedNames.map { ($0.name, .list(CELList(lists[$0.name] ?? []))) })
        return failed
    }

    /// The elements of a list, or the members of a map as `{ key, value }`.
    private func elements(of rule: ForEachRule) throws(LoopError) -> [CELValue] {
        let value: CELValue
        do {
            value = try rule.source.value(in: scope.view(.test), context: scope.context)
        } catch {
            throw LoopError(message: error.message, range: error.range)
        }
        let elements: [CELValue]
        switch value {
        case .list(let list): elements = list.elements
        case .map:
            guard case .object(let object) = value.json else {
                throw LoopError(message: "the map has values that are no JSON", range: rule.range)
            }
            elements = object.map { name, value in
                CELValue(.object(JSONObject([("key", .string(name)), ("value", value)])))
            }
        default:
            throw LoopError(
                message: "expected a list or a map, got \(value.description) (\(value.typeName))", range: rule.range)
        }
        guard elements.count <= ForEachRule.maximumCount else {
            throw LoopError(
                message: "the list has \(elements.count) elements, more than \(ForEachRule.maximumCount)",
                range: rule.range)
        }
        return elements
    }

    /// The request of a step without a name.
    private func requestLine(of step: SuiteStep) -> Template? {
        guard step.name == nil, let request = step.request else { return nil }
        let method: [Template.Part] = request.method.hasPrefix("$") ? [] : [.text(request.method + " ")]
        switch request.url {
        case .constant: return nil
        case .expression(let expression): return .joined(method + [.expression(expression)])
        case .joined(let parts): return .joined(method + parts)
        }
    }

    /// What reports call an iteration: the step's name or request with the element in it, or with a number behind it.
    private func iterationName(_ template: Template?, name: String, index: Int, taken: inout Set<String>) -> String {
        // The request is rendered again when it is sent, with the same random values.
        guard let text = try? template?.text(in: scope.view(.step), context: scope.context.repeatable()) else {
            return "\(name) [\(index + 1)]"
        }
        return taken.insert(text).inserted ? text : "\(text) [\(index + 1)]"
    }
}
