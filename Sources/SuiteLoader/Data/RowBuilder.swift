import CEL
import Diagnostics
import JSON
import SuiteModel

/// Makes the rows of a test from what was read and what its expressions give.
struct RowBuilder {
    /// What the readers share.
    let context: LoadContext
    /// What expressions of the rows see.
    let scope: StaticScope

    /// The rows that the value of an expression is, or nil when it is none, which is reported.
    func table(_ computed: DataDraft.Computed) -> RowTable? {
        let range = computed.expression.range
        guard let elements = list(computed, what: "the rows are a list of maps") else { return nil }
        var columns: [String] = []
        var known: Set<String> = []
        let problems = context.diagnostics.count
        for (index, element) in elements.enumerated() {
            guard case .object(let object) = element else {
                context.report("invalid-cases", "row \(index + 1) is no map, but \(element.typeName)", range)
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

    /// The list that an expression gives, or nil when it gives none, which is reported.
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
            context.report("invalid-cases", "\(what), and the expression gives \(value.typeName)", range)
            return nil
        }
        if elements.isEmpty {
            context.report("no-rows", "the expression gives an empty list", range)
            return nil
        }
        return elements
    }

    /// The sources that a matrix is, or nil when something is wrong with it, which is reported.
    func sources(_ matrix: DataDraft.Matrix) -> [RowSource]? {
        var matrix = matrix
        for index in matrix.axes.indices {
            guard let computed = matrix.axes[index].computed else { continue }
            guard let elements = list(computed, what: "the values of \"\(matrix.axes[index].name)\" are a list") else {
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

    /// The combinations that are left and added.
    private func combined(_ matrix: DataDraft.Matrix) -> RowTable? {
        guard let count = TestData.count(of: matrix.axes.map(\.values.count)) else {
            reportTooMany(matrix.axes[0].range)
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
                "unknown-combination", "the matrix has no such combination to leave out", combination.range)
        }
        for combination in matrix.included {
            rows.append(
                matrix.axes.map { axis in
                    combination.members.first { $0.name == axis.name }?.value ?? .constant(.null)
                })
        }
        if rows.isEmpty {
            context.report("no-rows", "no combination of the matrix is left", matrix.axes[0].range)
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
    func reportTooMany(_ range: SourceRange) {
        context.report(
            "too-many-rows", "the test has more than \(TestData.maximumCount) rows", range,
            suggestion: "make several tests of it")
    }

    /// The name of the test for each row, or nil when one of them cannot be made, which is reported.
    func names(_ template: Template, of data: TestData, variables: [Variable]) -> NameList? {
        var names = NameList()
        scope.begin(variables)
        scope.begin(columns: data.columns)
        defer { scope.begin([]) }
        var columns: [ValueTemplate] = []
        // Rows of a file are read once for all that they are crossed with.
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
                            context.report("unreadable-file", error.message, template.expressions.first?.range)
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
                    "invalid-name", "the name of the test for row \(row + 1): \(error.message)", error.range)
                return nil
            }
        }
        names.finish()
        return names
    }
}

/// Where the rows of a file are, in a byte or two each: they follow one another, mostly each like the one before it.
struct RowIndex: Sendable {
    /// So many rows are gone through at most to find one.
    private static let blockLength = 32

    /// What is known where a block begins.
    private struct Block {
        var offset: Int64
        var line: Int32
        /// Where the block's rows are described.
        var start: Int32
    }

    /// How far a row is from the one before it.
    private struct Step: Equatable {
        /// The bytes between them.
        var gap: Int64 = 0
        /// From the line of the one before to its own.
        var lines: Int32 = 1
    }

    /// For each row its length, doubled, and 1 more where the step to it is not like the one before; then that follows.
    private var bytes: [UInt8] = []
    private var blocks: [Block] = []
    private var end: Int64 = 0
    private var line: Int32 = 0
    private var step = Step()
    /// The number of rows.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a row, which is behind the one before it.
    mutating func append(_ row: DataFile.Row) {
        if count % Self.blockLength == 0 {
            // A row takes at most 20 bytes, and there are at most a million.
            blocks.append(Block(offset: row.offset, line: row.line, start: Int32(clamping: bytes.count)))
            step = Step()
            Varint.append(Int(row.length) << 1, to: &bytes)
        } else {
            let next = Step(gap: row.offset - end, lines: row.line - line)
            Varint.append(Int(row.length) << 1 | (next == step ? 0 : 1), to: &bytes)
            if next != step {
                Varint.append(Int(next.gap), to: &bytes)
                Varint.append(Int(next.lines), to: &bytes)
                step = next
            }
        }
        end = row.offset + Int64(row.length)
        line = row.line
        count += 1
    }

    /// Gives back the memory that was set aside for further rows.
    mutating func finish() {
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
        blocks = blocks.withUnsafeBufferPointer { Array($0) }
    }

    /// The place of a row, or nil when there is none with the index.
    subscript(index: Int) -> DataFile.Row? {
        guard index >= 0, index < count else { return nil }
        let block = blocks[index / Self.blockLength]
        return bytes.withUnsafeBufferPointer { bytes in
            var place = Int(block.start)
            var row = DataFile.Row(offset: block.offset, length: 0, line: block.line)
            row.length = Int32(truncatingIfNeeded: Varint.read(bytes, &place) >> 1)
            var step = Step()
            for _ in 0..<index % Self.blockLength {
                let length = Varint.read(bytes, &place)
                if length & 1 == 1 {
                    step.gap = Int64(Varint.read(bytes, &place))
                    step.lines = Int32(truncatingIfNeeded: Varint.read(bytes, &place))
                }
                row.offset += Int64(row.length) + step.gap
                row.line += step.lines
                row.length = Int32(truncatingIfNeeded: length >> 1)
            }
            return row
        }
    }
}
