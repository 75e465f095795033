/// Values for the empty variables that URLs need: those of the first environment that has one, or those of
/// environment variables.
///
/// Tools export the current values of variables only on request, so a collection often names its server in a variable
/// whose exported value is empty. No URL is valid without its host.
struct EmptyOrigins {
    /// Replaces the empty values of the variables with which the origins of URLs begin.
    static func replace(in suite: inout ImportedSuite) {
        var texts: [ImportedText] = [suite.baseURL].compactMap(\.self) + suite.environments.compactMap(\.baseURL)
        texts += suite.steps.map(\.request.url)
        let variables = suite.variables + suite.environments.flatMap(\.variables)
        var names: Set<String> = []
        while let text = texts.popLast() {
            guard let name = origin(of: text), names.insert(name).inserted else { continue }
            // The value may begin with another variable.
            for case .text(let value) in variables.filter({ $0.name == name }).map(\.value) { texts.append(value) }
        }
        guard !names.isEmpty else { return }
        // Like the variables that only environments have, so that the suite also runs without one.
        let others = suite.environments.flatMap(\.variables).filter { !$0.isEmpty }
        replace(names, in: &suite.variables, by: others)
        for index in suite.environments.indices { replace(names, in: &suite.environments[index].variables, by: []) }
    }

    /// - Parameter others: The variables whose values are used instead of the environment.
    private static func replace(
        _ names: Set<String>, in variables: inout [ImportedVariable], by others: [ImportedVariable]
    ) {
        for (index, variable) in variables.enumerated() where names.contains(variable.name) && variable.isEmpty {
            let other = others.first { $0.name == variable.name }
            variables[index] =
                other
                ?? ImportedVariable(
                    variable.name, environment: ImportedNames.environmentName(variable.name),
                    isSecret: variable.isSecret)
        }
    }

    /// Returns the expression that is the host or the whole origin of a URL, or `nil` if there is none.
    private static func origin(of url: ImportedText) -> String? {
        var parts = url.parts[...]
        if case .literal(let scheme)? = parts.first, scheme.hasSuffix("://") { parts.removeFirst() }
        guard case .expression(let source)? = parts.popFirst() else { return nil }
        switch parts.first {
        case nil: return source
        case .literal(let rest): return rest.first.map { "/:?#".contains($0) } ?? true ? source : nil
        case .expression: return nil
        }
    }
}

extension ImportedVariable {
    /// Whether the value is an empty text.
    fileprivate var isEmpty: Bool { if case .text(let text) = value { text.isEmpty } else { false } }
}
