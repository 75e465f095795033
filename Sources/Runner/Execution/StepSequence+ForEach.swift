import Basics
import CEL
import Diagnostics
import Expectations
import JSON
import RunModel
import SuiteModel

extension StepSequence {
    /// The reason why a value cannot be iterated over.
    private struct LoopError: Error {
        var message: MessageText
        var range: SourceRange
    }

    /// Runs a step once for each element of its loop. Each iteration is a separate step in the result.
    ///
    /// After the loop, each name that the step captures is bound to the list of the captured values, in order.
    ///
    /// - Returns: The name of the iteration that failed if the following steps must not run.
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
                kind: .error, subject: "forEach", type: .expression, message: error.message,
                range: error.range)
            return addFailure(finding, of: step, name: name, to: &total)
        }
        if elements.isEmpty {
            total.steps.append(
                TestResult.Step(
                    name: name, outcome: .skipped(reason: "forEach: no elements"), range: step.range))
        }
        let mark = scope.captured.values.count
        var lists: [String: [CELValue]] = [:]
        var names: Set<String> = []
        var failed: String?
        let outer = scope.loop
        for (index, element) in elements.enumerated() {
            iteration = index
            scope.loop = outer + [(rule.elementName, element), (rule.indexName, .int(Int64(index)))]
            scope.begin(step)
            let title = iterationName(rule.name ?? requestLine(of: step), name: name, index: index, taken: &names)
            var result = await runInTime(step, name: title)
            if result.step.outcome.isFailure {
                result.note(RowText.element(index + 1, values: [(rule.elementName, element)]))
            }
            for capture in scope.takeCaptures(from: mark) { lists[capture.name, default: []].append(capture.value) }
            add(result, to: &total)
            if result.step.outcome.isFailure, !goesOn(after: result, of: step) {
                failed = title
                break
            }
        }
        scope.loop = outer
        var defined: Set<String> = []
        for name in namesDefined(by: step) where defined.insert(name).inserted {
            scope.add(captures: [(name, .list(CELList(lists[name] ?? [])))])
        }
        return failed
    }

    /// Returns the elements of an array, or the members of an object as `{ key, value }`.
    private func elements(of rule: ForEachRule) throws(LoopError) -> [CELValue] {
        let value: CELValue
        do {
            value = try rule.source.value(in: scope.view(.group), context: scope.context)
        } catch {
            throw LoopError(message: error.message, range: error.range)
        }
        let elements: [CELValue]
        switch value {
        case .list(let list): elements = list.elements
        case .map:
            guard case .object(let object) = value.json else {
                throw LoopError(message: "the map has values that are not JSON", range: rule.range)
            }
            elements = object.map { name, value in
                CELValue(.object(JSONObject([("key", .string(name)), ("value", value)])))
            }
        default:
            throw LoopError(
                message: "expected a list or map, got \(value.description) (\(value.typeName))", range: rule.range)
        }
        guard elements.count <= ForEachRule.maximumCount else {
            throw LoopError(
                message: "the list has \(elements.count) elements; the maximum is \(ForEachRule.maximumCount)",
                range: rule.range)
        }
        return elements
    }

    /// Returns the request line of a step without a name.
    func requestLine(of step: SuiteStep) -> Template? {
        guard step.name == nil, let request = step.request else { return nil }
        let method: [Template.Part] = request.method.hasPrefix("$") ? [] : [.text(request.method + " ")]
        switch request.url {
        case .constant: return nil
        case .expression(let expression): return .joined(method + [.expression(expression)])
        case .joined(let parts): return .joined(method + parts)
        }
    }

    /// Returns the name of an iteration in reports: the name or request with the element's value, or a number appended.
    func iterationName(_ template: Template?, name: String, index: Int, taken: inout Set<String>) -> String {
        // The request is rendered again with the same random values when it is sent.
        guard let rendered = try? template?.text(in: scope.view(.step), context: scope.context.repeatable()) else {
            return "\(name) [\(index + 1)]"
        }
        let text = frame.prefix + rendered
        return taken.insert(text).inserted ? text : "\(text) [\(index + 1)]"
    }
}
