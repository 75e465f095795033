public import CEL
import Diagnostics
import JSON
import RunModel
import SuiteModel

/// The check of one expression that must be true.
enum AssertionCheck {
    /// The finding of an assertion, or nil when it is true.
    ///
    /// - Returns: The finding, and whether the assertion has failed at a string.
    static func finding(
        _ assertion: EmbeddedExpression, scope: some CELScope, context: CELContext
    ) -> (finding: Finding, isAtString: Bool)? {
        let expression = assertion.expression
        let value: CELValue
        let again = context.repeatable()
        do {
            value = try expression.evaluate(scope, context: context)
        } catch {
            let finding = Finding(
                kind: .error, subject: .assert, type: .expression, message: "\(error.message): \(source(expression))",
                range: range(of: error, in: assertion),
                details: ExplanationText.lines(expression.explain(scope, context: again)))
            return (finding, error.isAtString)
        }
        if case .bool(true) = value { return nil }
        var finding = Finding(
            subject: .assert, type: .init("assert"), message: "\(source(expression)) is false",
            actual: value.json.flatMap(ValueDescription.kept),
            range: assertion.range, details: ExplanationText.lines(expression.explain(scope, context: again)))
        guard case .bool = value else {
            finding.message =
                "\(source(expression)) gives \(ValueDescription.typed(value)), where true or false is needed"
            return (finding, false)
        }
        return (finding, false)
    }

    /// The expression in one line.
    private static func source(_ expression: CELExpression) -> String {
        expression.source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The place of the part that failed, when the expression stands in the suite as it is.
    private static func range(of error: CELEvaluationError, in assertion: EmbeddedExpression) -> SourceRange {
        guard error.length > 0, assertion.range.isOneLine,
            Int(assertion.range.end.column - assertion.range.start.column)
                == assertion.expression.source.unicodeScalars.count
        else { return assertion.range }
        return assertion.range.subrange(fromScalar: error.offset, toScalar: error.offset + error.length)
    }
}

/// The lines in which an explanation is shown: what led to a value stands below it and is indented.
public enum ExplanationText {
    /// The most lines of an explanation.
    private static let limit = 24
    /// The most values that are shown of an element that decided nothing.
    private static let sampleValues = 4

    /// The lines, each no longer than a value and the source of a part; values are typed, and long ones cut.
    public static func lines(_ explanation: CELExplanation) -> [String] {
        var lines: [String] = []
        for part in explanation.parts { append(part, depth: 0, to: &lines) }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit) + ["… and \(lines.count - limit) more"]
    }

    private static func append(_ part: CELExplanation.Part, depth: Int, to lines: inout [String]) {
        let indentation = String(repeating: "  ", count: depth)
        if case .sample(let key) = part.content {
            lines.append(indentation + sample(key, part.children))
            return
        }
        lines.append(indentation + line(part.content))
        for child in part.children { append(child, depth: depth + 1, to: &lines) }
    }

    private static func line(_ content: CELExplanation.Part.Content) -> String {
        switch content {
        case .value(let source, let value): "\(source) = \(ValueDescription.typed(value))"
        case .condition(let source, let flag): "\(source) is \(flag)"
        case .failure(let source, let message): "\(source) fails: \(message)"
        case .element(let variable, let key, let value):
            "at \(place(key)): \(variable) = \(ValueDescription.typed(value))"
        case .sample(let key): "at \(place(key))"
        case .note(let text): text
        }
    }

    /// An element that decided nothing, with its values in one line.
    private static func sample(_ key: CELValue, _ values: [CELExplanation.Part]) -> String {
        let start = "at \(place(key))"
        guard !values.isEmpty else { return start }
        let shown = values.prefix(sampleValues).map { line($0.content) }.joined(separator: ", ")
        return start + ": " + shown + (values.count > sampleValues ? ", …" : "")
    }

    /// An index of a list or a key of a map.
    private static func place(_ key: CELValue) -> String {
        switch key {
        case .int(let index): "index \(index)"
        default: "key \(ValueDescription.plain(key.json ?? .null))"
        }
    }
}
