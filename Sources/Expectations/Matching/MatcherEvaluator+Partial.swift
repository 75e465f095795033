import Basics
import CEL
import JSON
import RunModel
import SuiteModel

/// The operators `like` and `strictLike` with matchers in their operand.
extension MatcherEvaluator {
    /// A mismatch of a matcher within a value.
    private struct Inner {
        var path: NormalizedPath
        var mismatch: Mismatch
    }

    /// Compares a value with one that contains matchers.
    func partial(
        _ value: JSONValue, _ expected: PartialValue, _ isStrict: Bool, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        var inner: [Inner] = []
        // A matcher is replaced by the value that it checks, so that only other differences remain.
        let replaced = try replacing(expected, for: value, at: NormalizedPath(), into: &inner) ?? .null
        let isEqual = isStrict ? value == replaced : PartialComparison.isLike(value, replaced)
        if isEqual, inner.isEmpty { return nil }
        if let error = inner.first(where: { $0.mismatch.kind == .error }) { return error.mismatch }
        guard explains else { return silent(operation) }
        var result: Mismatch?
        if !isEqual {
            let part = isStrict ? value : PartialComparison.restricted(value, to: replaced)
            result = structure(part, replaced, operation, actual: value)
        }
        if isEqual, inner.count == 1, let only = inner.first {
            result = only.mismatch
            result?.wording = line(only)
            result?.type = operation.reason
        } else if !inner.isEmpty {
            result = combined(result, inner, operation)
        }
        result?.expected = try shown(expected)
        result?.actual = value
        return result
    }

    /// Returns the mismatch of several differences, including those of matchers.
    private func combined(_ structure: Mismatch?, _ inner: [Inner], _ operation: Matcher.Operation) -> Mismatch {
        var lines = structure.map { $0.details.isEmpty ? [$0.wording] : $0.details } ?? []
        let count = lines.count + inner.count
        for mismatch in inner.prefix(DifferenceLines.limit) {
            lines.append(line(mismatch))
            lines += mismatch.mismatch.details.map { "  \($0)" }
        }
        let rest = inner.count - DifferenceLines.limit
        if rest > 0 { lines.append("… and \(ValueDescription.count(rest, "more difference"))") }
        return Mismatch(
            type: operation.reason, message: "\(count) differences from the expected value",
            range: inner.first?.mismatch.range ?? operation.range, details: lines)
    }

    private func line(_ inner: Inner) -> MessageText {
        "\(root)\(inner.path.shorthand.dropFirst()): \(inner.mismatch.wording)"
    }

    /// Returns the expected value with each matcher replaced by the value that it checks; nil for a missing value.
    ///
    /// - Parameters:
    ///   - value: The actual value at this position; nil if it is missing.
    ///   - path: The path of the position.
    ///   - inner: On return, also contains the mismatches of matchers.
    private func replacing(
        _ expected: PartialValue, for value: JSONValue?, at path: NormalizedPath, into inner: inout [Inner]
    ) throws(TemplateError) -> JSONValue? {
        switch expected {
        case .value(let template): return try template.json(in: scope, context: context)
        case .matcher(let matcher):
            var evaluator = self
            evaluator.root = root + path.shorthand.dropFirst()
            inner += evaluator.mismatches(value, matcher).map { Inner(path: path, mismatch: $0) }
            return value
        case .array(let elements):
            // The matchers of a value of another type, or of a missing one, have nothing to check.
            guard case .array(let others)? = value else { return try shown(expected) }
            var result: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                let position = path.appending(.index(index))
                let replaced =
                    try index < others.count
                    ? replacing(element, for: others[index], at: position, into: &inner) : shown(element)
                result.append(replaced ?? .null)
            }
            return .array(result)
        case .object(let members):
            guard case .object(let others)? = value else { return try shown(expected) }
            var object = JSONObject()
            for member in members {
                let name = try member.name.text(in: scope, context: context)
                let replaced = try replacing(
                    member.value, for: others[name], at: path.appending(.name(name)), into: &inner)
                if let replaced { object[name] = replaced }
            }
            return .object(object)
        }
    }

    /// Returns the expected value for messages, with each matcher replaced by its description: `<an integer>`.
    func shown(_ expected: PartialValue) throws(TemplateError) -> JSONValue {
        switch expected {
        case .value(let template): return try template.json(in: scope, context: context)
        case .matcher(let matcher): return .string("<\(try clause(matcher).text)>")
        case .array(let elements):
            var result: [JSONValue] = []
            for element in elements { result.append(try shown(element)) }
            return .array(result)
        case .object(let members):
            var object = JSONObject()
            for member in members {
                object[try member.name.text(in: scope, context: context)] = try shown(member.value)
            }
            return .object(object)
        }
    }
}
