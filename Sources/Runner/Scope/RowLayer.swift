import CEL
import SuiteModel

/// The columns of a row as variables: the row is read when one of them is first used, and each is evaluated once.
///
/// A layer belongs to one test, so it needs no lock.
final class RowLayer {
    private let data: TestData
    private let row: Int
    private var templates: [ValueTemplate]?
    private var values: [CELValue?]

    /// Creates the layer of a row.
    ///
    /// - Parameter row: The index of the row, from 0.
    init(_ data: TestData, row: Int) {
        self.data = data
        self.row = row
        values = Array(repeating: nil, count: data.columns.count)
    }

    /// The columns with their values, as far as these have been used.
    var used: [(name: String, value: CELValue)] {
        zip(data.columns, values).compactMap { name, value in value.map { (name, $0) } }
    }

    /// The value of a column, evaluated in `scope` when this is its first use; nil for another name.
    ///
    /// - Throws: Why the row cannot be read or the value not be evaluated.
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
                message: "in the column \(name): \(error.message)", isAtString: error.isAtString)
        }
    }

    /// The values of all columns, in the order of the sources.
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
