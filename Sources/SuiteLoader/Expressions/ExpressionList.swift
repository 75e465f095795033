import Basics
import CEL
import Diagnostics
import SuiteModel
import YAML

/// Reads a sequence of expressions, and shows the quotes for an expression that YAML takes apart.
struct ExpressionList {
    private let context: LoadContext
    private let templates: TemplateReader
    /// A description of an expression, such as `an assertion`.
    private let what: String

    /// The maximum number of elements that one expression with commas is divided into.
    private static let maximumParts = 16

    init(_ context: LoadContext, _ templates: TemplateReader, what: String) {
        self.context = context
        self.templates = templates
        self.what = what
    }

    /// Returns the valid expressions of a sequence, or of a string that stands for a sequence of one, with their nodes.
    func expressions(_ node: YAMLNode) -> [(node: YAMLNode, expression: EmbeddedExpression)] {
        let elements = node.listed
        var expressions: [(node: YAMLNode, expression: EmbeddedExpression)] = []
        expressions.reserveCapacity(elements.count)
        var index = 0
        while index < elements.count {
            let element = elements[index]
            index += 1
            if node.isFlow, let last = reportDivision(of: elements[(index - 1)...]) {
                index = last + 1
            } else if element.scalar?.isString != true {
                reportType(element)
            } else if let expression = templates.bareExpression(element, what: what) {
                expressions.append((element, expression))
            }
        }
        return expressions
    }

    private func reportType(_ element: YAMLNode) {
        var suggestion: MessageText?
        if element.kind == .mapping {
            suggestion = "quote it; \": \" and braces have a special meaning in YAML"
            if let source = element.source(through: element), Self.isValid(source) {
                suggestion = "quote the whole value: \(YAMLNode.quoted(source))"
            }
        }
        context.reportType(element, expected: "an expression", suggestion: suggestion)
    }

    /// Reports an expression that the commas of a flow sequence divide, such as `[body.exists(x, x.id == 1)]`.
    ///
    /// - Returns: The index of the last element that belongs to it; nil if the first element is not the start of one.
    private func reportDivision(of elements: ArraySlice<YAMLNode>) -> Int? {
        guard let first = elements.first, elements.count > 1, let scalar = first.scalar, scalar.style == .plain,
            !Self.isValid(scalar.text)
        else { return nil }
        for (index, last) in zip(elements.indices, elements).dropFirst().prefix(Self.maximumParts) {
            guard let source = first.source(through: last), Self.isValid(source) else { continue }
            context.report(
                "invalid-expression", "the commas inside brackets divide this expression",
                SourceRange(file: first.range.file, start: first.range.start, end: last.range.end),
                suggestion: "quote the whole value: \(YAMLNode.quoted(source))")
            return index
        }
        return nil
    }

    private static func isValid(_ source: String) -> Bool { (try? CELExpression(source)) != nil }
}
