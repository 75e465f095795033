import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads `forEach`.
struct LoopReader {
    /// The value of `forEach`.
    struct Loop {
        var rule: ForEachRule
        /// The loop variables.
        var names: [String]
        /// The names that the list uses, as a range of ``LoadContext/uses``.
        var uses: Range<Int>
    }

    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the loop of a node: a sequence, an expression, or a mapping of keys; errors are reported.
    func loop(_ node: YAMLNode) -> Loop {
        let firstUse = context.uses.count
        var source = node
        var names = ["item", "index"]
        if node.kind == .mapping {
            MapReader(context, ForEachKey.schema).read(node) { key, _, value in
                switch key {
                case .in: source = value
                case .as: names[0] = name(value)
                case .index: names[1] = name(value)
                }
            }
            if names[0] == names[1] {
                context.report(
                    "invalid-name", "the variables of the element and its index have the same name", node.range,
                    suggestion: "rename one of them")
            }
        }
        let template =
            source.kind == .mapping && source.range == node.range
            ? ValueTemplate.constant(.array([])) : elements(source)
        return Loop(
            rule: ForEachRule(source: template, elementName: names[0], indexName: names[1], range: source.range),
            names: names, uses: firstUse..<context.uses.count)
    }

    private func name(_ node: YAMLNode) -> String {
        let text = TemplateReader(context).name(node, what: "the name of an element")
        context.checkName(text, node, what: "an element")
        return text
    }

    private func elements(_ node: YAMLNode) -> ValueTemplate {
        let problems = context.diagnostics.count
        let template = TemplateReader(context).value(node)
        switch template {
        case .array, .object, .template(.expression), .constant(.array(_)), .constant(.object(_)): break
        case .template, .constant:
            guard context.diagnostics.count == problems else { break }
            context.report(
                "invalid-loop", "\"forEach\" must be a sequence, a mapping, or a single expression with such a value",
                node.range,
                suggestion: "for example, write [a, b] or \"${items}\"")
        }
        if let count = node.sequence?.count, count > ForEachRule.maximumCount {
            context.report(
                "too-many-iterations", "\"forEach\" has more than \(ForEachRule.maximumCount) elements", node.range)
        }
        return template
    }
}
