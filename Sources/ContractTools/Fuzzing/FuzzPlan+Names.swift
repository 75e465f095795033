import JSON
import OpenAPI

/// The names of resources that requests choose.
extension FuzzPlan {
    /// Returns a change of a resource that repeats the name in its path.
    func repeatingName(_ test: GeneratedTest) -> GeneratedTest {
        guard test.intent.isValid, let (member, variable) = generator.repeatedNames[test.operation],
            test.request.variables.contains(variable), let body = test.request.body, body.key == "json",
            case .members(let map) = body.node
        else { return test }
        var test = test
        let entries = map.entries.map { $0.0 == member ? (member, SuiteNode.text("${\(variable)}")) : $0 }
        test.request.body = (body.key, .map(entries))
        return test
    }

    /// Returns tests that choose names, with the variables of the names.
    ///
    /// - Parameter name: Returns a name that no other test has.
    func named(
        _ tests: [GeneratedTest], _ name: (ChosenName) -> SuiteNode
    ) -> (tests: [GeneratedTest], variables: [(String, SuiteNode)]) {
        var variables: [(String, SuiteNode)] = []
        var defined: Set<String> = []
        let named = tests.map { test in
            guard let chosen = test.chosen else { return test }
            var test = test
            if test.definesName, defined.insert(chosen.variable).inserted {
                variables.append((chosen.variable, name(chosen)))
                if let member = chosen.member {
                    test.request.replace(member, chosen.value, with: .text("${\(chosen.variable)}"))
                }
            } else if let member = chosen.member {
                test.request.replace(member, chosen.value, with: name(chosen))
            }
            return test
        }
        return (named, variables)
    }
}

extension RequestParts {
    /// The variables that the path uses.
    fileprivate var variables: Set<String> { SuiteNode.text(path).variables }
}
