import Basics
import Diagnostics
import FileSystem
import SuiteModel
import YAML

/// Reads `save` and `print`.
struct OutputReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the output of a step; nil if it has none.
    func output(save: YAMLNode?, print: YAMLNode?) -> StepOutput? {
        guard save != nil || print != nil else { return nil }
        var output = StepOutput()
        if let save {
            let path = TemplateReader(context).template(save)
            if let text = path.constantText, let problem = SavedPath.problem(of: text) {
                context.report("invalid-path", problem, save.range, suggestion: "for example, write books/1.json")
            }
            output.path = path
            output.pathRange = save.range
        }
        if let print {
            let list = ExpressionList(
                context, TemplateReader(context, phase: .response), what: "an expression to print")
            output.printed = list.expressions(print).map { ($0.node.scalar?.text ?? "", $0.expression) }
        }
        return output
    }
}
