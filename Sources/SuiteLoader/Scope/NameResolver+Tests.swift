import Diagnostics
import SuiteModel

/// What tests read of each other's exchanges, and what they need of each other.
extension NameResolver {
    // MARK: Earlier exchanges

    mutating func resolveExchange(of use: NameUse, at place: Place) {
        guard use.path.count > 1 else {
            report(use, "undefined-test", "\"tests\" needs the id of a test", suggestion: "write tests.ID")
            return
        }
        let id = use.path[1]
        if let other = ids[id], scope.tests[other].data != nil {
            report(
                use, "undefined-test", "the test \"\(id)\" runs once for each row, and so has no single exchange",
                suggestion: "capture what is needed: a capture of such a test is the list of the rows' values")
            return
        }
        guard let other = ids[id] else {
            let isName = tests.contains { $0.name == id && $0.id == nil }
            let nearest = context.nearest(to: id, among: ids.keys.sorted())
            report(
                use, "undefined-test", "no test has the id \"\(id)\"",
                suggestion: nearest.map { "did you mean \"\($0)\"?" }
                    ?? (isName ? "give the test with that name an \"id\"" : nil))
            return
        }
        switch place {
        case .suite:
            report(use, "undefined-test", "no test has run where this is evaluated")
        case .anywhere: tests[other].isReferenced = true
        case .test(let test, let step):
            if test == other {
                report(
                    use, "undefined-test", "a test cannot read its own exchange",
                    suggestion: "use the parts of the response, or steps.NAME")
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

    mutating func resolveStep(_ use: NameUse, at place: Place) {
        guard use.path.count > 1 else {
            report(use, "undefined-step", "\"steps\" needs the name of a step", suggestion: "write steps.NAME")
            return
        }
        let name = use.path[1]
        switch place {
        case .suite: report(use, "undefined-step", "no step has run where this is evaluated")
        case .anywhere: break
        case .test(let test, let step):
            if let found = tests[test].steps.prefix(step).lastIndex(where: { $0.name == name }) {
                tests[test].steps[found].isReferenced = true
                noteCapture(
                    "steps.\(name)", test: test, step: step,
                    isUncertain: tests[test].steps[found].mayLeaveNothing)
                return
            }
            let isLater = tests[test].steps.dropFirst(step).contains { $0.name == name }
            report(
                use, "undefined-step",
                isLater ? "the step \"\(name)\" is not done yet" : "no earlier step is named \"\(name)\"",
                suggestion: isLater
                    ? nil
                    : context.nearest(to: name, among: tests[test].steps.prefix(step).compactMap(\.name)).map {
                        "did you mean \"\($0)\"?"
                    })
        }
    }

    private mutating func report(_ use: NameUse, _ id: String, _ message: String, suggestion: String? = nil) {
        let range = use.selectionRange
        if reported.insert(range.start).inserted { context.report(id, message, range, suggestion: suggestion) }
    }

    // MARK: Edges

    mutating func addEdge(to other: Int, _ reason: SuiteTest.Reason, from test: Int) {
        let edge = SuiteTest.Dependency(test: other, reason: reason)
        if edges.insert(edge).inserted { tests[test].dependencies.append(edge) }
    }

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
                    context.report("dependency-cycle", "a test cannot need itself", need.range)
                } else if seen.insert(other).inserted {
                    tests[index].dependencies.append(SuiteTest.Dependency(test: other, reason: .needs))
                }
            }
        }
    }

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
                suggestion: "give the one that is meant an \"id\"")
            return nil
        }
        return sites.first
    }
}
