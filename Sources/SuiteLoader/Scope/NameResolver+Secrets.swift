import RunModel
import SuiteModel

extension NameResolver {
    /// Records that a test, or the suite itself, uses a variable, if any secrets are the output of programs.
    mutating func noteUse(of variable: Int, at location: Location) {
        guard !scope.commandVariables.isEmpty else { return }
        switch location {
        case .suite: usesOfSuite.insert(variable)
        case .test(let test, _): usesOfTests[test, default: []].insert(variable)
        case .anywhere: break
        }
    }

    /// Sets the secrets that each test needs, and marks those that the suite always needs.
    mutating func resolveSecrets(_ commands: inout [SecretCommand]) {
        guard !commands.isEmpty else { return }
        var always = secrets(usedBy: usesOfSuite)
        let all = commands.map(\.name)
        for index in tests.indices {
            // A fragment of the suite may use all of its variables.
            let callsFragment = tests[index].steps.contains { $0.call != nil }
            let needed = callsFragment ? Set(all) : secrets(usedBy: usesOfTests[index] ?? [])
            if tests[index].kind == .test {
                tests[index].neededSecrets = needed.sorted()
            } else {
                always.formUnion(needed)
            }
        }
        for index in commands.indices where always.contains(commands[index].name) {
            commands[index].isAlwaysNeeded = true
        }
    }

    /// Returns the names of the secrets among variables, and among those that their values use.
    private func secrets(usedBy variables: Set<Int>) -> Set<String> {
        var names: Set<String> = []
        var seen = variables
        var pending = Array(variables)
        while let variable = pending.popLast() {
            if scope.commandVariables.contains(variable) { names.insert(scope.variables[variable].name) }
            for use in context.uses[scope.variables[variable].uses] {
                if let other = suiteVariables[use.name], seen.insert(other).inserted { pending.append(other) }
            }
        }
        return names
    }
}
