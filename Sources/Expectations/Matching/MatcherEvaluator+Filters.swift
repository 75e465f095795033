import Basics
import CEL
import JSON
import RegularExpressions
import RunModel
import SuiteModel

/// The operators that select or convert the value to which other operators apply: `regex` and `as`.
extension MatcherEvaluator {
    /// Returns the mismatches of `regex` or `as` and of the matcher in it; nil for any other operator.
    ///
    /// Messages about the selected or converted value name the whole value, too.
    func filtered(_ value: JSONValue, _ operation: Matcher.Operation) -> [Mismatch]? {
        do throws(TemplateError) {
            switch operation.operator {
            case .regex(let pattern, let inner): return try selected(value, pattern, inner, operation)
            case .as(let type, let inner): return try converted(value, type, inner, operation)
            default: return nil
            }
        } catch {
            return [Mismatch(error)]
        }
    }

    /// Evaluates `regex`. The selected text is untyped, like the value of a header.
    private func selected(
        _ value: JSONValue, _ pattern: Matcher.Pattern, _ inner: Matcher, _ operation: Matcher.Operation
    ) throws(TemplateError) -> [Mismatch] {
        let expression = try regularExpression(pattern)
        guard case .string(let text) = value else { return [try unmet(value, operation, .value)] }
        let selection: PatternSelection
        do {
            selection = try PatternSelection(expression, in: text)
        } catch {
            throw TemplateError(
                message: error.wording, range: operation.range, expression: expression.pattern)
        }
        switch selection {
        case .text(let part):
            let found = of(.text).mismatches(.string(part), inner)
            guard explains else { return found }
            let source = "selected by /\(expression.pattern)/ from \(ValueDescription.plain(value))"
            return found.map { note(source, in: $0) }
        case .emptyGroup:
            guard explains else { return [silent(operation)] }
            return [
                Mismatch(
                    type: operation.reason,
                    message:
                        "/\(expression.pattern)/ matches \(ValueDescription.plain(value)), but its first group captures nothing",
                    actual: value, range: operation.range)
            ]
        case .none:
            var mismatch = try unmet(value, operation, .value)
            guard explains else { return [mismatch] }
            mismatch.wording = "/\(expression.pattern)/ matches nothing in \(ValueDescription.plain(value))"
            if let note = PatternTrace.note(expression, text) { mismatch.wording += "; \(note)" }
            return [mismatch]
        }
    }

    /// Evaluates `as`.
    private func converted(
        _ value: JSONValue, _ type: Capture.Conversion, _ inner: Matcher, _ operation: Matcher.Operation
    ) throws(TemplateError) -> [Mismatch] {
        guard let result = ValueConversion.convert(CELValue(value), to: type)?.json else {
            guard explains else { return [silent(operation)] }
            return [
                Mismatch(
                    type: operation.reason,
                    message: "cannot convert \(ValueDescription.typed(value)) to \(ValueConversion.article(type))",
                    actual: value, range: operation.range)
            ]
        }
        return of(.value).mismatches(result, inner)
    }

    /// Adds the origin of the checked value to a failure.
    private func note(_ source: String, in mismatch: Mismatch) -> Mismatch {
        guard mismatch.kind == .failure else { return mismatch }
        var mismatch = mismatch
        mismatch.wording += "; \(source)"
        return mismatch
    }
}
