import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads the `cases`, `matrix`, and `repeat` of a test.
struct DataReader {
    /// The nodes that define the rows of a test.
    struct Nodes {
        var cases: YAMLNode?
        var matrix: YAMLNode?
        var repetition: YAMLNode?

        /// The first of the nodes.
        var first: YAMLNode? { cases ?? matrix ?? repetition }
    }

    /// The shared state of the readers.
    let context: LoadContext
    let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context, phase: .variable)
    }

    /// Returns the rows of a test; errors are reported.
    func draft(_ nodes: Nodes, scope: inout SuiteScope) -> DataDraft? {
        guard let first = nodes.first else { return nil }
        var draft = DataDraft(range: first.range)
        if let node = nodes.cases { readCases(node, into: &draft, scope: &scope) }
        if let node = nodes.matrix { readMatrix(node, into: &draft, scope: &scope) }
        if let node = nodes.repetition {
            guard let count = count(node) else {
                draft.hasUnknownColumns = true
                return draft
            }
            draft.sources.append(.rows(.repetition(count)))
        }
        return draft
    }

    private func count(_ node: YAMLNode) -> Int? {
        guard let number = node.scalar?.value.numberValue, let count = number.int64, count >= 1,
            count <= Int64(TestData.maximumCount)
        else {
            context.report(
                "invalid-repeat", "\"repeat\" must be an integer from 1 to \(TestData.maximumCount)", node.range)
            return nil
        }
        return Int(count)
    }

    // MARK: Cases

    private func readCases(_ node: YAMLNode, into draft: inout DataDraft, scope: inout SuiteScope) {
        if let sequence = node.sequence {
            readRows(sequence, of: node, into: &draft, scope: &scope)
            return
        }
        if node.kind == .mapping {
            readSource(node, into: &draft, scope: &scope)
            return
        }
        guard let text = node.scalar?.text else { return }
        guard ExpressionScan.mayHoldExpression(text[...]) else {
            readFile(FileRequest(path: text, node: node), into: &draft, scope: &scope)
            return
        }
        if let computed = computed(node, what: "the rows must be a single expression or the path of a file") {
            draft.sources.append(.computed(computed))
        } else {
            draft.hasUnknownColumns = true
        }
    }

    /// Returns the single expression of a scalar; reports an error and returns nil for any other value.
    private func computed(_ node: YAMLNode, what: String) -> DataDraft.Computed? {
        let firstUse = context.uses.count
        let problems = context.diagnostics.count
        let template = templates.template(node)
        if case .expression(let expression) = template {
            return DataDraft.Computed(expression: expression, uses: firstUse..<context.uses.count)
        }
        context.uses.removeLast(context.uses.count - firstUse)
        if context.diagnostics.count == problems {
            context.report(
                "invalid-cases", "\(what), not a string that contains an expression", node.range,
                suggestion: "for example, write \"${books}\"")
        }
        return nil
    }

    /// Reads rows that are written in the suite.
    ///
    /// They are read by column, so that the names that the values of a column use are contiguous.
    private func readRows(
        _ sequence: YAMLSequence, of node: YAMLNode, into draft: inout DataDraft, scope: inout SuiteScope
    ) {
        var maps: [YAMLMapping] = []
        var ranges: [SourceRange] = []
        var first: YAMLMapping?
        for element in sequence {
            guard let mapping = element.mapping else {
                context.reportType(
                    element, expected: "a mapping of columns",
                    suggestion: element.kind == .scalar
                        ? "write \"- { name: … }\", or move the sequence under \"matrix\"" : nil)
                draft.hasUnknownColumns = true
                continue
            }
            if mapping.isEmpty {
                context.report(
                    "row-columns", "the row has no columns", element.range,
                    suggestion: "for example, write \"{ id: 1 }\"")
                draft.hasUnknownColumns = true
                continue
            }
            if let first {
                compare(mapping, with: first, of: element)
            } else {
                first = mapping
            }
            maps.append(mapping)
            ranges.append(element.range)
        }
        guard let first else {
            // Any name may be meant as a column.
            draft.hasUnknownColumns = true
            if sequence.isEmpty {
                context.report(
                    "no-rows", "\"cases\" has no rows", node.range, suggestion: "for example, add \"- { id: 1 }\""
                )
            }
            return
        }
        var rows = [[ValueTemplate]](repeating: [], count: maps.count)
        var columns: [String] = []
        for (keyNode, _) in first {
            guard let name = keyNode.scalar?.text else { continue }
            context.checkName(name, keyNode, what: "a column")
            let firstUse = context.uses.count
            var nesting = 0
            for index in maps.indices {
                let value = maps[index][name].map(templates.value) ?? .constant(.null)
                nesting = max(nesting, value.nesting)
                rows[index].append(value)
            }
            columns.append(name)
            add(name, keyNode.range, uses: firstUse..<context.uses.count, nesting: nesting, to: &draft, scope: &scope)
        }
        draft.sources.append(.rows(.table(RowTable(columns: columns, rows: rows, ranges: ranges))))
    }

    /// Reports columns that only a row or only the first row has.
    private func compare(_ mapping: YAMLMapping, with first: YAMLMapping, of element: YAMLNode) {
        var meant: Set<String> = []
        for (key, _) in mapping {
            guard let name = key.scalar?.text, first[name] == nil else { continue }
            let nearest = context.nearest(
                to: name, among: first.compactMap { $0.key.scalar?.text }.filter { mapping[$0] == nil })
            if let nearest { meant.insert(nearest) }
            context.report(
                "row-columns", "the row has a column \"\(name)\" that the first row does not have", key.range,
                suggestion: nearest.map { "did you mean \"\($0)\"?" } ?? "add \"\(name): null\" to the rows without it")
        }
        for (key, _) in first {
            guard let name = key.scalar?.text, mapping[name] == nil, !meant.contains(name) else { continue }
            context.report(
                "row-columns", "the row does not have the column \"\(name)\" of the first row",
                mapping.first?.key.range ?? element.range, suggestion: "add \"\(name): null\"")
        }
    }

    /// Defines a column.
    func add(
        _ name: String, _ range: SourceRange, uses: Range<Int>, nesting: Int = 0, to draft: inout DataDraft,
        scope: inout SuiteScope
    ) {
        draft.columns.append(scope.variables.count)
        scope.variables.append(SuiteScope.VariableEntry(name: name, range: range, uses: uses, nesting: nesting))
    }

    // MARK: Matrix

    private func readMatrix(_ node: YAMLNode, into draft: inout DataDraft, scope: inout SuiteScope) {
        guard let mapping = node.mapping else {
            context.reportType(
                node, expected: "a mapping", suggestion: "for example, write \"{ method: [GET, HEAD] }\"")
            draft.hasUnknownColumns = true
            return
        }
        var matrix = DataDraft.Matrix()
        for (key, value) in mapping {
            guard let name = key.scalar?.text, name != "exclude", name != "include" else { continue }
            context.checkName(name, key, what: "a column")
            let firstUse = context.uses.count
            var axis = DataDraft.Axis(name: name, range: key.range, values: [])
            if let sequence = value.sequence {
                axis.values = sequence.map(templates.value)
                if sequence.isEmpty {
                    context.report(
                        "no-rows", "\"\(name)\" has no values", value.range, suggestion: "write at least one")
                }
            } else if let text = value.scalar?.text, ExpressionScan.mayHoldExpression(text[...]) {
                axis.computed = computed(value, what: "the values must be a sequence or a single expression")
            } else {
                context.reportType(
                    value, expected: "a sequence", key: key,
                    suggestion: value.scalar.map { "write [\($0.text)]" })
            }
            let uses = axis.computed == nil ? firstUse..<context.uses.count : 0..<0
            let nesting = axis.values.reduce(0) { max($0, $1.nesting) }
            add(name, key.range, uses: uses, nesting: nesting, to: &draft, scope: &scope)
            matrix.axes.append(axis)
        }
        if matrix.axes.isEmpty {
            draft.hasUnknownColumns = true
            context.report(
                "no-rows", "a matrix needs at least one sequence", node.range,
                suggestion: "for example, write \"{ method: [GET, HEAD] }\"")
        }
        if let node = mapping["exclude"] { matrix.excluded = combinations(node, "exclude", of: matrix, isWhole: false) }
        if let node = mapping["include"] { matrix.included = combinations(node, "include", of: matrix, isWhole: true) }
        draft.sources.append(.matrix(matrix))
    }

    /// Returns the combinations of a sequence.
    ///
    /// - Parameters:
    ///   - node: The sequence.
    ///   - key: The key of the sequence.
    ///   - matrix: The matrix.
    ///   - isWhole: Whether a combination must have a value for every column.
    private func combinations(
        _ node: YAMLNode, _ key: String, of matrix: DataDraft.Matrix, isWhole: Bool
    ) -> [DataDraft.Combination] {
        guard let sequence = node.sequence else {
            context.reportType(
                node, expected: "a sequence of mappings", suggestion: "for example, write \"- { lang: sv }\"")
            return []
        }
        let names = matrix.axes.map(\.name)
        var combinations: [DataDraft.Combination] = []
        for element in sequence {
            guard let mapping = element.mapping else {
                context.reportType(
                    element, expected: "a mapping of columns",
                    suggestion: "\"\(key)\" is a sequence of combinations here and cannot name a column")
                continue
            }
            if mapping.isEmpty {
                context.report(
                    "row-columns", "the combination has no columns", element.range,
                    suggestion: names.first.map { "for example, write \"{ \($0): … }\"" })
                continue
            }
            var combination = DataDraft.Combination(members: [], range: element.range)
            for (key, value) in mapping {
                guard let name = key.scalar?.text else { continue }
                guard names.contains(name) else {
                    context.report(
                        "unknown-column", "the matrix has no column \"\(name)\"", key.range,
                        suggestion: context.nearest(to: name, among: names).map { "did you mean \"\($0)\"?" })
                    continue
                }
                let firstUse = context.uses.count
                combination.members.append((name, templates.value(value), value.range))
                if context.uses.count > firstUse {
                    context.uses.removeLast(context.uses.count - firstUse)
                    context.report(
                        "expression-not-allowed", "\"\(key.scalar?.text ?? "")\" cannot contain an expression here",
                        value.range)
                }
            }
            if isWhole, let missing = names.first(where: { mapping[$0] == nil }) {
                context.report(
                    "row-columns", "the combination has no \"\(missing)\"", element.range,
                    suggestion: "add \"\(missing): …\"")
            }
            combinations.append(combination)
        }
        return combinations
    }
}
