import SuiteModel
import YAML

/// Reads `variables`.
struct VariableReader {
    private let context: LoadContext
    private let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context, phase: .variable)
    }

    /// Returns the variables of a mapping, and their range in the scope.
    func variables(_ node: YAMLNode, scope: inout SuiteScope) -> ([Variable], Range<Int>) {
        let first = scope.variables.count
        var variables: [Variable] = []
        context.readMembers(node, .value) { name, key, value in
            context.checkName(name, key, what: "a variable")
            let range = key.range
            let (template, uses) = context.recordingUses { templates.value(value) }
            variables.append(Variable(name: name, value: template, range: range))
            scope.variables.append(
                SuiteScope.VariableEntry(name: name, range: range, uses: uses, nesting: template.nesting))
        }
        return (variables, first..<scope.variables.count)
    }
}
