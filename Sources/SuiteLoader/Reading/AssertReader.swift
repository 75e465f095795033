import SuiteModel
import YAML

/// Reads `assert`.
struct AssertReader {
    /// What the readers share.
    let context: LoadContext

    /// Creates a reader.
    init(_ context: LoadContext) {
        self.context = context
    }

    /// The expressions of a list, or of a string that stands for a list of one.
    func assertions(_ node: YAMLNode) -> [EmbeddedExpression] {
        let templates = TemplateReader(context)
        guard let sequence = node.sequence else { return templates.bareExpression(node).map { [$0] } ?? [] }
        var assertions: [EmbeddedExpression] = []
        assertions.reserveCapacity(sequence.count)
        for element in sequence {
            guard element.scalar?.isString == true else {
                let isMap = element.kind == .mapping
                context.reportType(
                    element, expected: "an expression",
                    suggestion: isMap ? "write it in quotes; \": \" and braces have a meaning in YAML" : nil)
                continue
            }
            if let assertion = templates.bareExpression(element) { assertions.append(assertion) }
        }
        return assertions
    }
}
