import Basics
import CEL
import Diagnostics
import JSON
import SuiteModel

/// Creates the rows of a test from literal values and the results of expressions.
struct RowBuilder {
    /// The shared state of the readers.
    let context: LoadContext
    /// The scope of row expressions.
    let scope: StaticScope

    /// Returns the rows that an expression evaluates to; reports an error and returns nil if it does not.
    func table(_ computed: DataDraft.Computed) -> RowTable? {
        let range = computed.expression.range
        guard let elements = list(computed, what: "the rows must be an array of objects") else { return nil }
        var columns: [String] = []
        var known: Set<String> = []
        let problems = context.diagnostics.count
        for (index, element) in elements.enumerated() {
            guard case .object(let object) = element else {
                context.report(
                    "invalid-cases", "row \(index + 1) must be an object, got \(element.typeDescription)", range)
                return nil
            }
            for (name, _) in object where known.insert(name).inserted {
                if let problem = VariableNames.problem(of: name, what: "a column") {
                    context.report("invalid-name", problem.message, range, suggestion: problem.suggestion)
                }
                columns.append(name)
            }
        }
        guard context.diagnostics.count == problems else { return nil }
        let rows = elements.map { element in columns.map { ValueTemplate.constant(element[$0] ?? .null) } }
        return RowTable(columns: columns, rows: rows)
    }

    /// Returns the list that an expression evaluates to; reports an error and returns nil if it does not.
    private func list(_ computed: DataDraft.Computed, what: String) -> [JSONValue]? {
        let range = computed.expression.range
        let value: CELValue
        do {
            value = try computed.expression.value(in: scope, context: scope.context)
        } catch {
            context.report("invalid-cases", error.message, error.range)
            return nil
        }
        guard case .array(let elements) = value.json else {
            context.report("invalid-cases", "\(what), got an expression of type \(value.typeName)", range)
            return nil
        }
        if elements.isEmpty {
            context.report("no-rows", "the expression evaluates to an empty array", range)
            return nil
        }
        return elements
    }

    /// Returns the sources of a matrix; reports an error and returns nil if the matrix is invalid.
    func sources(_ matrix: DataDraft.Matrix) -> [RowSource]? {
        var matrix = matrix
        for index in matrix.axes.indices {
            guard let computed = matrix.axes[index].computed else { continue }
            guard let elements = list(computed, what: "the values of \"\(matrix.axes[index].name)\" must be an array")
            else {
                return nil
            }
            matrix.axes[index].values = elements.map(ValueTemplate.constant)
        }
        if matrix.axes.contains(where: \.values.isEmpty) { return nil }
        if matrix.excluded.isEmpty && matrix.included.isEmpty {
            return matrix.axes.map { axis in
                .table(RowTable(columns: [axis.name], rows: axis.values.map { [$0] }))
            }
        }
        return combined(matrix).map { [.table($0)] }
    }

    /// Returns the combinations that are not excluded, and the included ones.
    private func combined(_ matrix: DataDraft.Matrix) -> RowTable? {
        let limit = TestData.maximumKeptCount
        guard let count = TestData.count(of: matrix.axes.map(\.values.count), limit: limit) else {
            reportTooMany(matrix.axes[0].range, limit: limit)
            return nil
        }
        var rows: [[ValueTemplate]] = []
        var hasMatch = matrix.excluded.map { _ in false }
        for index in 0..<count {
            var rest = index
            var row: [ValueTemplate] = []
            for axis in matrix.axes.reversed() {
                row.append(axis.values[rest % axis.values.count])
                rest /= axis.values.count
            }
            row.reverse()
            var isExcluded = false
            for (position, combination) in matrix.excluded.enumerated() where matches(combination, row, matrix) {
                hasMatch[position] = true
                isExcluded = true
            }
            if !isExcluded { rows.append(row) }
        }
        for (combination, isMatched) in zip(matrix.excluded, hasMatch) where !isMatched {
            context.report(
                "unknown-combination", "no combination of the matrix matches this exclusion", combination.range)
        }
        for combination in matrix.included {
            rows.append(
                matrix.axes.map { axis in
                    combination.members.first { $0.name == axis.name }?.value ?? .constant(.null)
                })
        }
        if rows.isEmpty {
            context.report("no-rows", "the matrix excludes all of its combinations", matrix.axes[0].range)
            return nil
        }
        return RowTable(columns: matrix.axes.map(\.name), rows: rows)
    }

    private func matches(
        _ combination: DataDraft.Combination, _ row: [ValueTemplate], _ matrix: DataDraft.Matrix
    ) -> Bool {
        combination.members.allSatisfy { member in
            guard let position = matrix.axes.firstIndex(where: { $0.name == member.name }),
                case .constant(let left) = row[position], case .constant(let right) = member.value
            else { return false }
            return left == right
        }
    }

    /// Reports that a test would have too many rows.
    func reportTooMany(_ range: SourceRange, limit: Int = TestData.maximumCount) {
        context.report(
            "too-many-rows", "the test has more than \(limit) rows", range,
            suggestion: "split it into several tests")
    }

    /// Returns the names of the test for all rows; reports an error and returns nil if one cannot be rendered.
    func names(_ template: Template, of data: TestData, variables: [Variable]) -> NameList? {
        var names = NameList()
        scope.begin(variables)
        scope.begin(columns: data.columns)
        defer { scope.begin([]) }
        var columns: [ValueTemplate] = []
        // Rows of a file are read once for all rows that they are combined with.
        var fileRows: [(position: Int, values: [ValueTemplate])?] = data.sources.map { _ in nil }
        for row in 0..<data.count {
            columns.removeAll(keepingCapacity: true)
            for index in data.sources.indices {
                let position = data.position(ofRow: row, inSource: index)
                let values: [ValueTemplate]
                switch data.sources[index] {
                case .repetition: continue
                case .table(let table): values = table.rows[position]
                case .file(let file):
                    if let last = fileRows[index], last.position == position {
                        values = last.values
                    } else {
                        do throws(RowError) {
                            values = try file.values(ofRow: position).map(ValueTemplate.constant)
                        } catch {
                            context.report(
                                "unreadable-file", error.message, template.expressions.first?.range)
                            return nil
                        }
                        fileRows[index] = (position, values)
                    }
                }
                columns += values
            }
            scope.begin(row: columns)
            do {
                names.append(try template.text(in: scope.masked, context: scope.context))
            } catch {
                context.report(
                    "invalid-name", "invalid test name for row \(row + 1): \(error.message)", error.range)
                return nil
            }
        }
        names.finish()
        return names
    }
}
