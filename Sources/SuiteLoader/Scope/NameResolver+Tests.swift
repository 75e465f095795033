import Basics
import Diagnostics
import RunModel
import SuiteModel

/// Resolution of exchanges of other tests, and of dependencies between tests.
extension NameResolver {
    // MARK: Earlier exchanges

    /// Resolves a use of `tests.ID`, and makes the test depend on the other one.
    mutating func resolveExchange(of use: NameUse, at location: Location) {
        guard use.path.count > 1 else {
            report(use, "undefined-test", "\"tests\" needs the id of a test", suggestion: "write tests.ID")
            return
        }
        let id = use.path[1]
        if let other = ids[id], scope.tests[other].data != nil {
            report(
                use, "undefined-test", "the test \"\(id)\" runs once per row, so it has no single exchange",
                suggestion: "use a capture instead: a capture of such a test is the array of the values of all rows")
            return
        }
        guard let other = ids[id] else {
            let isName = tests.contains { $0.name == id && $0.id == nil }
            let nearest = context.nearest(to: id, among: ids.keys.sorted())
            report(
                use, "undefined-test", "no test has the id \"\(id)\"",
                suggestion: nearest.map { "did you mean \"\($0)\"?" }
                    ?? (isName ? "add an \"id\" to the test with that name" : nil))
            return
        }
        switch location {
        case .suite:
            report(use, "undefined-test", "no test has run yet at this point")
        case .anywhere: tests[other].isReferenced = true
        case .test(let test, let step):
            if test == other {
                report(
                    use, "undefined-test", "a test cannot refer to its own exchange",
                    suggestion: "use the members of the response, or steps.NAME")
                return
            }
            if tests[test].kind == .setup {
                report(use, "undefined-test", "the setup runs before all tests")
                return
            }
            tests[other].isReferenced = true
            addEdge(to: other, .exchange(id: id), from: test)
            if tests[test].kind == .teardown { noteCapture("tests.\(id)", test: test, step: step) }
        }
    }

    /// Resolves a use of `steps.NAME`, and marks the earlier step as referenced.
    mutating func resolveStep(_ use: NameUse, at location: Location) {
        guard use.path.count > 1 else {
            report(use, "undefined-step", "\"steps\" needs the name of a step", suggestion: "write steps.NAME")
            return
        }
        let name = use.path[1]
        switch location {
        case .suite: report(use, "undefined-step", "no step has run yet at this point")
        case .anywhere: break
        case .test(let test, let step):
            if let found = tests[test].steps.prefix(step).lastIndex(where: { $0.name == name && $0.group == nil }) {
                tests[test].steps[found].isReferenced = true
                noteCapture(
                    "steps.\(name)", test: test, step: step,
                    isUncertain: tests[test].steps[found].mayLeaveNothing
                        || tests[test].steps.hasGroup(around: found, where: \.mayLeaveNothing))
                return
            }
            let isLater = tests[test].steps.dropFirst(step).contains { $0.name == name }
            let isGroup = tests[test].steps.prefix(step).contains { $0.name == name }
            if isGroup {
                report(
                    use, "undefined-step", "the group \"\(name)\" has no exchange of its own",
                    suggestion: "write the name of one of its steps")
                return
            }
            report(
                use, "undefined-step",
                isLater ? "the step \"\(name)\" has not run yet" : "no earlier step is named \"\(name)\"",
                suggestion: isLater
                    ? nil
                    : context.nearest(to: name, among: tests[test].steps.prefix(step).compactMap(\.name)).map {
                        "did you mean \"\($0)\"?"
                    })
        }
    }

    private mutating func report(_ use: NameUse, _ id: String, _ message: MessageText, suggestion: MessageText? = nil) {
        let range = use.selectionRange
        if reported.insert(range.start).inserted { context.report(id, message, range, suggestion: suggestion) }
    }

    // MARK: Edges

    /// Adds a dependency to the current test, unless it already exists.
    mutating func addEdge(to other: Int, _ reason: SuiteTest.Reason, from test: Int) {
        let edge = SuiteTest.Dependency(test: other, reason: reason)
        if edges.insert(edge).inserted { tests[test].dependencies.append(edge) }
    }

    /// Adds the dependencies of all tests from their `needs`.
    mutating func resolveNeeds() {
        if scope.needs.isEmpty { return }
        var names: [String: CaptureSites] = [:]
        for index in tests.indices where tests[index].kind == .test {
            if names[tests[index].name]?.add(index) == nil { names[tests[index].name] = CaptureSites(index) }
        }
        for index in tests.indices {
            var seen: Set<Int> = []
            for need in scope.needs[scope.tests[index].needs] {
                guard let other = needed(need, names: names) else { continue }
                if other == index {
                    context.report("dependency-cycle", "a test cannot depend on itself", need.range)
                } else if seen.insert(other).inserted {
                    tests[index].dependencies.append(SuiteTest.Dependency(test: other, reason: .needs))
                }
            }
        }
    }

    /// Returns the test with an id or a unique name; reports an error and returns nil if there is none.
    private func needed(_ need: SuiteScope.Need, names: [String: CaptureSites]) -> Int? {
        if let test = ids[need.name] { return test }
        guard let sites = names[need.name] else {
            let nearest = context.nearest(to: need.name, among: ids.keys.sorted() + names.keys.sorted())
            context.report(
                "unknown-test", "no test has the id or name \"\(need.name)\"", need.range,
                suggestion: nearest.map { "did you mean \"\($0)\"?" })
            return nil
        }
        if let second = sites.rest.first {
            context.report(
                "ambiguous-test", "several tests are named \"\(need.name)\"", need.range,
                related: [sites.first, second].map {
                    Diagnostic.Related(message: "one of them is here", range: tests[$0].range)
                },
                suggestion: "add an \"id\" to the one you mean")
            return nil
        }
        return sites.first
    }
}

extension NameResolver {
    private static let hint: MessageText =
        "rows are computed before the run; use \"forEach\" in a step for captured values"

    /// Resolves the rows of all tests that have some, and defines their columns.
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
            tests[index].data = TestData(sources: sources)
            checkColumns(of: index)
        }
    }

    /// Returns the sources of the rows of a test; errors are reported, and the result is nil then.
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
            case .generated(let generated):
                guard isKnown(generated.uses), let table = builder.table(generated) else { return nil }
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

    /// Returns whether an expression can be evaluated before any request: its names are known, and no variable is too
    /// deep.
    ///
    /// Unknown names are reported.
    private mutating func isKnown(_ uses: Range<Int>) -> Bool {
        let problems = context.diagnostics.count
        walk.beginLocation()
        visit(uses, at: .suite(hasPort: false, hint: Self.hint))
        return context.diagnostics.count == problems && !walk.depths.isExceeded
    }

    private func checkColumns(of test: Int) {
        var seen: [String: SourceRange] = [:]
        for index in scope.tests[test].data?.columns ?? [] {
            let column = scope.variables[index]
            if let other = seen[column.name] {
                context.report(
                    "duplicate-column", "duplicate column \"\(column.name)\"", column.range,
                    related: [Diagnostic.Related(message: "the other one is here", range: other)])
            }
            seen[column.name] = column.range
        }
    }

    /// Defines the columns of a test for its expressions.
    mutating func beginRows(of test: Int) {
        rowVariables = [:]
        hasUnknownColumns = false
        guard let draft = scope.tests[test].data else { return }
        hasUnknownColumns = draft.hasUnknownColumns
        for index in draft.columns { rowVariables[scope.variables[index].name] = index }
        for step in tests[test].steps {
            for (name, range) in step.definedNames where rowVariables[name] != nil {
                context.report(
                    "hidden-capture", "the rows have a column \"\(name)\" that hides this capture", range,
                    suggestion: "choose another name")
            }
        }
    }

    /// Resolves the names in the column values and in the name of the test, and renders the names of its rows.
    mutating func finishRows(of test: Int) {
        defer {
            rowVariables = [:]
            hasUnknownColumns = false
        }
        guard let draft = scope.tests[test].data else { return }
        walk.beginLocation()
        for index in draft.columns {
            visit(scope.variables[index].uses, at: .test(test, step: scope.tests[test].steps.count), from: index)
        }
        guard let template = draft.name, isKnown(draft.nameUses), !hasUnknownColumns,
            let data = tests[test].data, let staticScope
        else { return }
        let builder = RowBuilder(context: context, scope: staticScope)
        guard let names = builder.names(template, of: data, variables: tests[test].variables) else { return }
        tests[test].data = TestData(sources: data.sources, names: names)
    }
}
