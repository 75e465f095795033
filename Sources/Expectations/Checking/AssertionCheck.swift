public import Basics
public import CEL
import Diagnostics
import JSON
package import RunModel
package import SuiteModel

/// The check of an expression that must be true.
package enum AssertionCheck {
    /// Returns the finding of an assertion, or nil if it is true.
    ///
    /// - Returns: The finding, and whether the assertion failed because a part of it is a string.
    package static func finding(
        _ assertion: EmbeddedExpression, scope: some CELScope, context: CELContext
    ) -> (finding: Finding, isAtString: Bool)? {
        let expression = assertion.expression
        let value: CELValue
        let again = context.repeatable()
        do {
            value = try expression.evaluate(scope, context: context)
        } catch {
            let finding = Finding(
                kind: .error, subject: .assert, type: error.isUnavailable ? .missingCapture : .expression,
                message: "\(error.message): \(source(expression))",
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
            finding.wording =
                "\(source(expression)) must be true or false, got \(ValueDescription.typed(value))"
            return (finding, false)
        }
        return (finding, false)
    }

    /// Returns the expression on one line.
    private static func source(_ expression: CELExpression) -> String {
        expression.source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the location of the part that failed, if the expression appears verbatim in the suite.
    private static func range(of error: CELEvaluationError, in assertion: EmbeddedExpression) -> SourceRange {
        guard error.length > 0, assertion.range.isOneLine,
            Int(assertion.range.end.column - assertion.range.start.column)
                == assertion.expression.source.unicodeScalars.count
        else { return assertion.range }
        return assertion.range.subrange(fromScalar: error.offset, toScalar: error.offset + error.length)
    }
}

/// The rendering of explanations as lines, with the causes of a value indented below it.
public enum ExplanationText {
    /// The maximum number of lines in an explanation.
    private static let limit = 24
    /// The maximum number of values shown for a sample element.
    private static let sampleValues = 4

    /// Returns the lines of an explanation. Each shows a part's source and its typed value; long values are cut off.
    public static func lines(_ explanation: CELExplanation) -> [MessageText] {
        var lines: [MessageText] = []
        for part in explanation.parts { append(part, depth: 0, to: &lines) }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit) + ["… and \(lines.count - limit) more"]
    }

    private static func append(_ part: CELExplanation.Part, depth: Int, to lines: inout [MessageText]) {
        let indentation = MessageText(words: String(repeating: "  ", count: depth))
        if case .sample(let key) = part.content {
            lines.append(indentation + sample(key, part.children))
            return
        }
        lines.append(indentation + line(part.content))
        for child in part.children { append(child, depth: depth + 1, to: &lines) }
    }

    private static func line(_ content: CELExplanation.Part.Content) -> MessageText {
        switch content {
        case .value(let source, let value): "\(source) = \(ValueDescription.typed(value))"
        case .condition(let source, let flag): "\(source) is \(flag)"
        case .failure(let source, let message): "\(source) fails: \(message)"
        case .element(let variable, let key, let value):
            "at \(location(key)): \(variable) = \(ValueDescription.typed(value))"
        case .sample(let key): "at \(location(key))"
        case .note(let text): text
        }
    }

    /// Returns one line with the values of a sample element.
    private static func sample(_ key: CELValue, _ values: [CELExplanation.Part]) -> MessageText {
        let start: MessageText = "at \(location(key))"
        guard !values.isEmpty else { return start }
        let shown = values.prefix(sampleValues).map { line($0.content) }.joined(separator: ", ")
        return start + ": " + shown + (values.count > sampleValues ? ", …" : "")
    }

    /// Returns the description of a list index or map key.
    private static func location(_ key: CELValue) -> MessageText {
        switch key {
        case .int(let index): "index \(index)"
        default: "key \(ValueDescription.plain(key.json ?? .null))"
        }
    }
}
