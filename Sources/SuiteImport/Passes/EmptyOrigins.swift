/// Values for the empty variables that URLs need: those of the only environment of the suite, or those of environment
/// variables.
///
/// Tools export the current values of variables only on request, so a collection often names its server in a variable
/// whose exported value is empty. No URL is valid without its host.
enum EmptyOrigins {
    /// Replaces the empty values of the variables with which the origins of URLs begin.
    static func replace(in suite: inout ImportedSuite) {
        var texts: [ImportedText] = [suite.baseURL].compactMap(\.self) + suite.environments.compactMap(\.baseURL)
        texts += suite.steps.map(\.request.url)
        let variables = Dictionary(grouping: suite.variables + suite.environments.flatMap(\.variables), by: \.name)
        var names: Set<String> = []
        while let text = texts.popLast() {
            guard let name = origin(of: text), names.insert(name).inserted else { continue }
            // The value may begin with another variable.
            for case .text(let value) in (variables[name] ?? []).map(\.value) { texts.append(value) }
        }
        guard !names.isEmpty else { return }
        // The suite then also runs without `--environment`. The values of several environments must not be mixed.
        let only = suite.environments.count == 1 ? suite.environments[0].variables : []
        let others = Dictionary(only.filter { !$0.isEmpty }.map { ($0.name, $0) }) { first, _ in first }
        replace(names, in: &suite.variables, by: others)
        for index in suite.environments.indices { replace(names, in: &suite.environments[index].variables, by: [:]) }
    }

    /// Replaces the empty values of variables with some names.
    ///
    /// - Parameter others: The variables whose values are used instead of environment variables.
    private static func replace(
        _ names: Set<String>, in variables: inout [ImportedVariable], by others: [String: ImportedVariable]
    ) {
        for (index, variable) in variables.enumerated() where names.contains(variable.name) && variable.isEmpty {
            variables[index] =
                others[variable.name]
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
        let authority = ImportedText(parts).template.prefix { !"/?#".contains($0) }
        // The text before an @ is a user.
        guard authority.isEmpty || authority.hasPrefix(":"), !authority.contains("@") else { return nil }
        return source
    }
}
