/// The variables of the tool that scripts read and set.
extension ScriptTranslator {
    /// Returns the result of a function that reads or sets a variable.
    mutating func variable(
        _ function: ScriptDialect.Function, _ path: String, _ values: [ScriptValue], _ range: Range<Int>
    ) -> ScriptValue {
        guard let first = values.first, case .text(let text) = first, var source = text.literal, !source.isEmpty else {
            if case .replace = function, let text = values.first?.importedText { return .text(text) }
            return .opaque(values.first?.opaqueReason ?? path)
        }
        if variables.hidden.contains(source), dialect.outerScopes.contains(where: path.hasPrefix) {
            source = "collection_\(source)"
        }
        switch function {
        case .get:
            if let constant = variables.constants[source] { return constant }
            let name = variables.name(source)
            let value = ScriptValue.computed(name, .any)
            return .selected(
                ScriptValue.Selection(
                    source: name, existence: ScriptCondition.claim(ScriptClaim(value, .equals(.null))).negated,
                    truth: .truth(value), isScalarText: variables.isScalarText(name)))
        case .exists: return .condition(.expression("\(variables.name(source)) != null"))
        case .unset:
            variables.constants[source] = nil
            outcome.omitted.append("unset variables")
            return .undefined
        case .replace: return .text(ScriptTemplate.text(source, &variables))
        default: break
        }
        let value = values.count > 1 ? values[1] : .undefined
        if case .undefined = value {
            outcome.omitted.append("unset variables")
            return .undefined
        }
        if value.opaqueReason != nil { return .opaque(value.opaqueReason ?? path) }
        if case .body(let root) = value, root.isPlural { return .opaque(path) }
        guard value.expression.map(ScriptCondition.compiles) ?? false else { return .opaque(path) }
        variables.constants[source] = guards.isEmpty && value.isCollection && value.constant != nil ? value : nil
        let old = variables.name(source)
        // A value that depends on the variable itself needs a new name.
        let isRecursive = value.expression.map { uses.names(in: $0).contains(old) } ?? false
        let name = isRecursive ? variables.renewed(source) : old
        variables.note(value, of: name)
        outcome.assignments.append(
            ScriptOutcome.Assignment(source: source, name: name, previous: old, value: value, condition: condition))
        return .undefined
    }
}
