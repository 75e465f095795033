import SuiteModel

/// The secret values of fragments that are known before anything runs.
struct FragmentSecrets {
    /// The values, in the order in which they were found.
    private(set) var values: [String] = []
    /// The names that calls add to what a suite sees.
    private(set) var names: Set<String> = []
    private var seen: Set<ObjectIdentifier> = []

    /// Adds what the steps of a suite call, and what that calls.
    mutating func add(_ steps: [SuiteStep]) {
        // By index, as a step that is taken out of its array is copied whole.
        var pending = steps.indices.compactMap { steps[$0].call }
        for call in pending { names.formUnion(call.fragment.outputs.map(\.name)) }
        while let call = pending.popLast() {
            let fragment = call.fragment
            for parameter in fragment.parameters where parameter.isSecret {
                for argument in call.arguments where argument.name == parameter.name { add(argument.value) }
            }
            guard seen.insert(ObjectIdentifier(fragment)).inserted else { continue }
            for parameter in fragment.parameters where parameter.isSecret {
                if let value = parameter.defaultValue { add(value) }
            }
            for variable in fragment.variables + fragment.origin.variables + fragment.steps.flatMap(\.variables)
            where fragment.origin.secrets.contains(variable.name) {
                add(variable.value)
            }
            pending += fragment.steps.compactMap(\.call)
        }
    }

    private mutating func add(_ value: ValueTemplate) {
        if case .constant(let value) = value { values += SecretText.leaves(of: value) }
    }
}
