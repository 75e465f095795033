/// A variable of a collection or an environment with its initial value.
struct ScriptVariable {
    /// The name.
    var key: String
    /// The value, which may contain other variables.
    var value: String
    /// Whether the source marks the value as secret.
    var isSecret: Bool

    /// Notes the types of values, so that uses in bodies get the right notation.
    static func note(_ list: [ScriptVariable], _ variables: inout ScriptVariables) {
        for variable in list {
            let name = variables.name(variable.key)
            if case .plain = ImportedValue(readable: ImportedText(variable.value)), !variable.isSecret {
                variables.noteScalarText(of: name)
            } else {
                variables.note(.string, of: name)
            }
        }
    }

    /// Returns the variables of a suite.
    ///
    /// - Parameter cyclic: The names of variables whose values refer to themselves, which stay text.
    static func imported(
        _ list: [ScriptVariable], cyclic: Set<String>, _ variables: inout ScriptVariables
    ) -> [ImportedVariable] {
        var result: [ImportedVariable] = []
        // Of several variables with a name, the last one counts.
        for variable in list {
            let name = variables.name(variable.key)
            let text =
                cyclic.contains(variable.key)
                ? ImportedText(variable.value) : ScriptTemplate.text(variable.value, &variables)
            let isNumber = variables.kind(name) == .scalar && !variable.isSecret
            let value = isNumber ? ImportedValue(readable: text) : .text(text)
            result.removeAll { $0.name == name }
            result.append(ImportedVariable(name, value, isSecret: variable.isSecret))
        }
        return result
    }

    /// Returns the names of the variables whose values contain themselves, directly or through others.
    static func cyclic(_ list: [ScriptVariable]) -> Set<String> {
        var names = ScriptVariables()
        var keys: [String: String] = [:]
        for variable in list { keys[names.name(variable.key)] = variable.key }
        var references: [String: Set<String>] = [:]
        var users: [String: [String]] = [:]
        for variable in list where variable.value.contains("{{") {
            let text = ScriptTemplate.text(variable.value, &names)
            for other in text.expressions.compactMap({ keys[$0] })
            where references[variable.key, default: []].insert(other).inserted {
                users[other, default: []].append(variable.key)
            }
        }
        // Variables without references are removed, then those whose references are removed. What is left is cyclic.
        var left = Set(list.map(\.key))
        var next = list.map(\.key).filter { references[$0] == nil }
        while let name = next.popLast() {
            guard left.remove(name) != nil else { continue }
            for user in users[name] ?? [] {
                references[user]?.remove(name)
                if references[user]?.isEmpty == true { next.append(user) }
            }
        }
        return left
    }
}
