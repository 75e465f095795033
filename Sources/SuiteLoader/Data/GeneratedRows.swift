import Basics
import Diagnostics
import JSON
import OpenAPI
import SuiteModel
import YAML

extension RowBuilder {
    /// Returns generated rows; reports an error and returns nil if a column has no values.
    ///
    /// The rows depend only on the schemas, the names of the columns, and the seed.
    func table(_ generated: DataDraft.Generated) -> RowTable? {
        guard let count = number(generated.count), let seed = number(generated.seed) else { return nil }
        var columns: [GeneratedColumn] = []
        for column in generated.columns {
            if let made = self.column(column, seed: UInt64(seed)) { columns.append(made) }
        }
        guard columns.count == generated.columns.count else { return nil }
        var rows = GeneratedRows(columns, seed: UInt64(seed), limit: count)
        return RowTable(
            columns: columns.map(\.name), rows: rows.made().map { $0.map(ValueTemplate.constant) }, isGenerated: true)
    }

    /// Returns the value of `count` or `seed`; reports an error and returns nil if it is invalid.
    private func number(_ setting: Templated<Int>) -> Int? {
        do {
            return try setting.value(in: scope, context: scope.context)
        } catch {
            context.report("invalid-cases", error.message, error.range)
            return nil
        }
    }

    private func column(_ column: DataDraft.Generated.Column, seed: UInt64) -> GeneratedColumn? {
        let reader = SchemaReader(context)
        let range = column.schema.range
        let description: OpenAPIDescription
        do {
            let source = DescriptionSource(
                options: context.options, library: context.schemas, schemas: context.settings.schemas)
            description = try OpenAPIDescription(
                schema: reader.document(column.schema), at: reader.location(of: column.schema), source: source)
        } catch {
            context.report("no-values", error.message, range, suggestion: error.suggestion)
            return nil
        }
        let made: GeneratedColumn
        do {
            made = try GeneratedColumn(
                column.name, description, check: column.compiled.schema, isInvalid: column.isInvalid, seed: seed)
        } catch {
            report(error, column)
            return nil
        }
        if made.values.isEmpty {
            context.report(
                "no-values", "found no value for \"\(column.name)\" that violates the schema", range,
                suggestion: "remove \"invalid\", or add constraints to the schema")
            return nil
        }
        return made
    }

    /// Reports that no value is valid against the schema of a column, at the constraint that cannot be satisfied.
    private func report(_ failure: SampleFailure, _ column: DataDraft.Generated.Column) {
        let range = column.schema.range
        let cause = failure.node?.range
        let isInSuite = cause?.file === range.file
        context.report(
            "no-values", "\"\(column.name)\" cannot be generated: \(failure.message)",
            isInSuite ? cause : range,
            related: isInSuite
                ? [] : cause.map { [Diagnostic.Related(message: "the constraint is here", range: $0)] } ?? [],
            suggestion: "correct the schema, or add a valid value to it under \"examples\"")
    }
}

/// The rows of generated columns, each once.
///
/// The first row has the typical values. Then the columns take turns at their boundaries, while the others keep their
/// typical values, so that a failure has one cause. The remaining rows combine new random values with those so far.
private struct GeneratedRows {
    /// The number of repeated rows in a sequence after which the columns have no other combinations.
    private static let maximumRepeats = 200

    private var columns: [GeneratedColumn]
    private let limit: Int
    private var rows: [[JSONValue]] = []
    private var known: Set<[JSONValue]> = []
    private var random: SplitMix64

    init(_ columns: [GeneratedColumn], seed: UInt64, limit: Int) {
        self.columns = columns
        self.limit = limit
        random = SplitMix64(seed: seed)
    }

    /// Returns the rows.
    mutating func made() -> [[JSONValue]] {
        let typical = columns.map { $0.values[0] }
        _ = add(typical)
        for position in 1..<max(2, columns.map(\.fixedCount).max() ?? 0) {
            for index in columns.indices where position < columns[index].fixedCount {
                var row = typical
                row[index] = columns[index].values[position]
                _ = add(row)
            }
        }
        var repeats = 0
        while rows.count < limit, repeats < Self.maximumRepeats {
            var row: [JSONValue] = []
            for index in columns.indices {
                let isNew = columns.count == 1 || Int.random(in: 0..<4, using: &random) > 0
                let value = isNew ? columns[index].next() : nil
                row.append(value ?? columns[index].earlier())
            }
            repeats = add(row) ? 0 : repeats + 1
        }
        return rows
    }

    /// Adds a row, and returns whether it is new.
    private mutating func add(_ row: [JSONValue]) -> Bool {
        guard rows.count < limit, known.insert(row).inserted else { return false }
        rows.append(row)
        return true
    }
}
