import Diagnostics
import SuiteModel

/// Finds tests that wait for each other.
struct DependencyCycles {
    /// What the readers share.
    let context: LoadContext

    /// Creates a check.
    init(_ context: LoadContext) {
        self.context = context
    }

    /// Reports a cycle of each group of tests that wait for each other.
    func check(_ tests: [SuiteTest]) {
        let remaining = blockedTests(tests)
        if remaining.allSatisfy({ !$0 }) { return }
        // From a test that never starts, waiting leads round a cycle; a walk that meets an earlier one found nothing new.
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

    /// For each test, whether it waits for ever: what is left when all that can start has been taken away.
    private func blockedTests(_ tests: [SuiteTest]) -> [Bool] {
        // By index, as a test that is handed to a closure is copied whole.
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
        // The cycle is told from the test that comes first in the file.
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
            "dependency-cycle", "tests wait for each other: \(names.joined(separator: " → "))",
            tests[ordered[0]].range, related: related)
    }

    private static func phrase(_ reason: SuiteTest.Reason, _ other: String) -> String {
        switch reason {
        case .capture(let name): "uses \"\(name)\", which \"\(other)\" captures"
        case .exchange(let id): "reads tests.\(id)"
        case .needs: "needs \"\(other)\""
        case .setup: "runs after the setup"
        case .order: "runs after \"\(other)\", as the suite is serial"
        }
    }
}

/// How deep variables use each other: each is evaluated in the middle of the evaluation of the one that uses it.
struct VariableDepths {
    /// So many variables may follow one another, when neither their expressions nor their values are nested.
    static let maximum = 250
    /// The levels of a variable that is nothing but the name of another.
    private static let levelsOfVariable = 2

    /// The levels of each variable that was looked at, those of what it uses included.
    private var levels: [Int: Int] = [:]
    /// Whether some variable is too deep, so that nothing that uses it may be evaluated.
    private(set) var isExceeded = false

    /// The levels of a variable; none when it was not looked at yet.
    func levels(of variable: Int) -> Int {
        levels[variable] ?? 0
    }

    /// Notes a variable whose uses have all been looked at.
    ///
    /// - Parameters:
    ///   - nesting: How deep its expressions and values are nested.
    ///   - deepest: The levels of the deepest variable that it uses.
    /// - Returns: Whether it is too deep while nothing that it uses is.
    mutating func note(_ variable: Int, nesting: Int, deepest: Int) -> Bool {
        let limit = Self.maximum * Self.levelsOfVariable
        // What one variable may nest is bounded where it is read, so that alone it is never too deep.
        let sum = deepest + min(Self.levelsOfVariable + nesting, limit)
        levels[variable] = sum
        guard sum > limit else { return false }
        isExceeded = true
        return deepest <= limit
    }

    /// Reports a variable that is too deep.
    static func report(_ variable: SuiteScope.VariableEntry, in context: LoadContext) {
        context.report(
            "too-deep", "the variable \"\(variable.name)\" uses others more than \(maximum) deep", variable.range,
            suggestion: "let fewer variables use one another; nested values and expressions count as well")
    }
}
