import CEL
import SuiteModel

/// The variables of one scope, each evaluated when it is first read and kept.
///
/// A layer belongs to one test, so it needs no lock.
final class VariableLayer {
    private let variables: [Variable]
    private var values: [CELValue?]

    /// Creates a layer in which nothing is evaluated yet.
    init(_ variables: [Variable]) {
        self.variables = variables
        values = Array(repeating: nil, count: variables.count)
    }

    /// Whether the layer has a variable of that name.
    func contains(_ name: String) -> Bool {
        variables.contains { $0.name == name }
    }

    /// The value of the variable, evaluated in `scope` when this is its first use.
    func value<Scope: CELScope>(
        of name: String, in scope: Scope, context: CELContext
    ) throws(TemplateError) -> CELValue? {
        guard let index = variables.firstIndex(where: { $0.name == name }) else { return nil }
        if let value = values[index] { return value }
        let value = try variables[index].value.value(in: scope, context: context)
        values[index] = value
        return value
    }
}
