import Basics
import Diagnostics
import SuiteModel

/// Finds cycles in the dependencies of tests.
struct DependencyCycles {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Reports one cycle of each group of tests that depend on each other.
    func check(_ tests: [SuiteTest]) {
        let remaining = blockedTests(tests)
        if remaining.allSatisfy({ !$0 }) { return }
        // The dependencies of a blocked test lead to a cycle. A walk that meets an earlier one finds nothing new.
        var walk = [Int](repeating: 0, count: tests.count)
        for start in tests.indices where remaining[start] && walk[start] == 0 {
            var path: [Int] = []
            var index = start
            while walk[index] == 0 {
                walk[index] = start + 1
                path.append(index)
                guard let next = tests[index].dependencies.first(where: { remaining[$0.test] }) else { break }
                index = next.test
            }
            if walk[index] == start + 1, let first = path.firstIndex(of: index) {
                report(Array(path[first...]), tests, remaining)
            }
        }
    }

    /// Returns whether each test can never start: those that remain after removing all tests that can start.
    private func blockedTests(_ tests: [SuiteTest]) -> [Bool] {
        // Accesses tests by index, because passing one to a closure would copy it as a whole.
        var waiting = tests.indices.map { tests[$0].dependencies.count }
        var pending = tests.indices.filter { waiting[$0] == 0 }
        var blocked = [Bool](repeating: false, count: tests.count)
        if pending.count == tests.count { return blocked }
        var dependents = [[Int]](repeating: [], count: tests.count)
        for index in tests.indices {
            for dependency in tests[index].dependencies { dependents[dependency.test].append(index) }
        }
        for index in tests.indices { blocked[index] = true }
        while let index = pending.popLast() {
            blocked[index] = false
            for dependent in dependents[index] {
                waiting[dependent] -= 1
                if waiting[dependent] == 0 { pending.append(dependent) }
            }
        }
        return blocked
    }

    private func report(_ cycle: [Int], _ tests: [SuiteTest], _ remaining: [Bool]) {
        // The message starts with the test of the cycle that comes first in the file.
        let turn = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
        let ordered = Array(cycle[turn...] + cycle[..<turn])
        let names = (ordered + [ordered[0]]).map { "\"\(tests[$0].name)\"" }
        var related: [Diagnostic.Related] = []
        for index in ordered {
            guard let edge = tests[index].dependencies.first(where: { remaining[$0.test] }) else { continue }
            related.append(
                Diagnostic.Related(
                    message: "\"\(tests[index].name)\" \(Self.phrase(edge.reason, tests[edge.test].name))",
                    range: tests[index].range))
        }
        context.report(
            "dependency-cycle", "tests depend on each other: \(names.joined(separator: " → "))",
            tests[ordered[0]].range, related: related)
    }

    private static func phrase(_ reason: SuiteTest.Reason, _ other: String) -> String {
        switch reason {
        case .capture(let name): "uses \"\(name)\", which \"\(other)\" captures"
        case .exchange(let id): "refers to tests.\(id)"
        case .needs: "needs \"\(other)\""
        case .setup: "runs after the setup"
        case .order: "runs after \"\(other)\" because the suite is serial"
        }
    }
}
