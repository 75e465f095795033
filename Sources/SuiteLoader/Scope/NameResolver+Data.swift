import Diagnostics
import SuiteModel

extension NameResolver {
    private static let hint = "rows are known before anything is sent; \"forEach\" of a step takes what was captured"

    /// Finds the rows of all tests that have some, and makes their columns known.
    mutating func resolveRows() {
        for index in tests.indices {
            guard let draft = scope.tests[index].data else { continue }
            let sources = resolve(draft, of: index)
            if sources == nil { scope.tests[index].data?.hasUnknownColumns = true }
            guard let sources, let staticScope else { continue }
            guard TestData.count(of: sources.map(\.count)) != nil else {
                RowBuilder(context: context, scope: staticScope).reportTooMany(draft.range)
                continue
            }
            tests[index].data = Boxed(TestData(sources: sources))
            checkColumns(of: index)
        }
    }

    private mutating func resolve(_ draft: DataDraft, of test: Int) -> [RowSource]? {
        guard let staticScope, !draft.hasUnknownColumns else { return nil }
        let builder = RowBuilder(context: context, scope: staticScope)
        var sources: [RowSource] = []
        for source in draft.sources {
            switch source {
            case .rows(let rows): sources.append(rows)
            case .computed(let computed):
                guard isKnown(computed.uses), let table = builder.table(computed) else { return nil }
                for name in table.columns {
                    scope.tests[test].data?.columns.append(scope.variables.count)
                    scope.variables.append(
                        SuiteScope.VariableEntry(name: name, range: computed.expression.range, uses: 0..<0))
                }
                sources.append(.table(table))
            case .matrix(let matrix):
                for axis in matrix.axes {
                    if let computed = axis.computed, !isKnown(computed.uses) { return nil }
                }
                guard let crossed = builder.sources(matrix) else { return nil }
                sources += crossed
            }
        }
        return sources
    }

    /// Whether an expression can be evaluated before anything is sent: its names are known, and no variable is too deep.
    ///
    /// Names that are not known are reported.
    private mutating func isKnown(_ uses: Range<Int>) -> Bool {
        let problems = context.diagnostics.count
        isOpen = [:]
        visit(uses, at: .suite(hasPort: false, hint: Self.hint))
        return context.diagnostics.count == problems && !depths.isExceeded
    }

    private func checkColumns(of test: Int) {
        var seen: [String: SourceRange] = [:]
        for index in scope.tests[test].data?.columns ?? [] {
            let column = scope.variables[index]
            if let other = seen[column.name] {
                context.report(
                    "duplicate-column", "two columns are named \"\(column.name)\"", column.range,
                    related: [Diagnostic.Related(message: "the other one is here", range: other)])
            }
            seen[column.name] = column.range
        }
    }

    /// Makes the columns of a test known to its expressions.
    mutating func beginRows(of test: Int) {
        rowVariables = [:]
        hasUnknownColumns = false
        guard let draft = scope.tests[test].data else { return }
        hasUnknownColumns = draft.hasUnknownColumns
        for index in draft.columns { rowVariables[scope.variables[index].name] = index }
        for step in tests[test].steps {
            for (name, range) in step.definedNames where rowVariables[name] != nil {
                context.report(
                    "hidden-capture", "the rows have a column \"\(name)\", which hides what is captured here", range,
                    suggestion: "choose another name")
            }
        }
    }

    /// Resolves what the values of the columns and the name of the test use, and makes the names.
    mutating func finishRows(of test: Int) {
        defer {
            rowVariables = [:]
            hasUnknownColumns = false
        }
        guard let draft = scope.tests[test].data else { return }
        isOpen = [:]
        for index in draft.columns {
            visit(scope.variables[index].uses, at: .test(test, step: scope.tests[test].steps.count), from: index)
        }
        guard let template = draft.name, isKnown(draft.nameUses), !hasUnknownColumns,
            let data = tests[test].data?.value, let staticScope
        else { return }
        let builder = RowBuilder(context: context, scope: staticScope)
        guard let names = builder.names(template, of: data, variables: tests[test].variables) else { return }
        tests[test].data = Boxed(TestData(sources: data.sources, names: names))
    }
}
