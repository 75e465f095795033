import Basics
import CEL
import SuiteModel

/// The columns of a row as variables. The row is read on first use, and each column is evaluated once.
///
/// A layer belongs to one test, so it needs no synchronization.
final class RowLayer {
    private let data: TestData
    private let row: Int
    private var templates: [ValueTemplate]?
    private var values: [CELValue?]

    /// Creates the layer of a row.
    ///
    /// - Parameter row: The index of the row, starting at 0.
    init(_ data: TestData, row: Int) {
        self.data = data
        self.row = row
        values = Array(repeating: nil, count: data.columns.count)
    }

    /// The columns that were used, with their values.
    var used: [(name: String, value: CELValue)] {
        zip(data.columns, values).compactMap { name, value in value.map { (name, $0) } }
    }

    /// Returns the value of a column, evaluated in `scope` on first use; nil for an unknown name.
    ///
    /// - Throws: An error if the row cannot be read or the value cannot be evaluated.
    func value<Scope: CELScope>(
        of name: String, in scope: Scope, context: CELContext
    ) throws(CELEvaluationError) -> CELValue? {
        guard let index = data.columns.firstIndex(of: name) else { return nil }
        if let value = values[index] { return value }
        let templates: [ValueTemplate]
        do throws(RowError) {
            if let known = self.templates { templates = known } else { templates = try read() }
        } catch {
            throw CELEvaluationError(message: error.message)
        }
        self.templates = templates
        guard templates.indices.contains(index) else { return nil }
        do {
            let value = try templates[index].value(in: scope, context: context)
            values[index] = value
            return value
        } catch {
            throw CELEvaluationError(
                message: "in the column \(name): \(error.message)", isAtString: error.isAtString,
                isUnavailable: error.isUnavailable)
        }
    }

    /// Returns the values of all columns, in the order of the sources.
    private func read() throws(RowError) -> [ValueTemplate] {
        var templates: [ValueTemplate] = []
        for (index, source) in data.sources.enumerated() {
            let position = data.position(ofRow: row, inSource: index)
            switch source {
            case .repetition: break
            case .table(let table):
                if table.rows.indices.contains(position) { templates += table.rows[position] }
            case .file(let file):
                let values = try file.values(ofRow: position)
                templates.reserveCapacity(templates.count + values.count)
                for value in values { templates.append(.constant(value)) }
            }
        }
        return templates
    }
}

/// The variables of one scope, each evaluated on first use.
///
/// A layer belongs to one test, so it needs no synchronization.
final class VariableLayer {
    private let variables: [Variable]
    private var values: [CELValue?]

    /// Creates a layer without evaluating any variable.
    init(_ variables: [Variable]) {
        self.variables = variables
        values = Array(repeating: nil, count: variables.count)
    }

    /// Returns whether the layer has a variable with the given name.
    func contains(_ name: String) -> Bool {
        variables.contains { $0.name == name }
    }

    /// Returns the value of a variable, evaluated in `scope` on first use.
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
