import Basics
import Diagnostics
import SuiteModel
import YAML

/// Reads `environments`.
struct EnvironmentReader {
    /// The selected environment.
    struct Chosen {
        var baseURL: Template?
        /// The names that the base URL uses, as a range of ``LoadContext/uses``.
        var baseURLUses = 0..<0
        var variables: [Variable] = []
        var dotenv: [DotenvReader.Reference] = []
    }

    /// The environments of a suite.
    struct Environments {
        /// The names, in file order.
        var names: [String] = []
        /// The selected environment; nil if none was selected or it does not exist.
        var chosen: Chosen?
        /// The variables of all environments.
        var variables: [Variable] = []
        /// The secrets of all environments.
        var secrets = LocatedSecrets()
        /// The names of the environments with a base URL.
        var withBaseURL: [String] = []
    }

    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the environments of a suite, and adds the variables of the selected one to the scope after those of the
    /// suite.
    ///
    /// An environment that several files define has the values of all of them; of equal names, the last wins.
    ///
    /// - Parameters:
    ///   - entries: The keys and values of `environments` in the settings files and the suite.
    ///   - scope: The scope of the suite.
    ///   - baseURL: A closure that reads a base URL.
    func environments(
        _ entries: [SuiteReader.Entry], scope: inout SuiteScope, baseURL: (YAMLNode) -> Template
    ) -> Environments {
        var found = Environments()
        for entry in entries {
            context.reading(in: entry.directory) {
                read(entry.value, into: &found, scope: &scope, baseURL: baseURL)
            }
        }
        if let wanted = context.options.environment, let key = entries.last?.key, !found.names.contains(wanted) {
            context.report(
                "unknown-environment", "the suite has no environment \"\(wanted)\"", key.range,
                suggestion: Spelling.suggestion(for: wanted, among: found.names)
                    ?? (found.names.isEmpty ? nil : "it has \(EnvironmentNames.list(found.names))"))
        }
        return found
    }

    private func read(
        _ node: YAMLNode, into found: inout Environments, scope: inout SuiteScope, baseURL: (YAMLNode) -> Template
    ) {
        let wanted = context.options.environment
        context.readMembers(node, .map(EnvironmentKey.schema.description.name)) { name, nameNode, value in
            if name.isEmpty { context.report("empty-name", "the name of an environment is empty", nameNode.range) }
            if !found.names.contains(name) { found.names.append(name) }
            if name == wanted {
                let inherited = found.chosen ?? Chosen()
                found.chosen = environment(
                    value, name: name, inherited: inherited, scope: &scope, found: &found, baseURL: baseURL)
                return
            }
            // An environment that is not selected must be well-formed, but its names need not be known.
            let firstUse = context.uses.count
            var unused = SuiteScope()
            let other = environment(
                value, name: name, inherited: Chosen(), scope: &unused, found: &found, baseURL: baseURL)
            context.uses.removeLast(context.uses.count - firstUse)
            for variable in other.variables { scope.otherEnvironments[variable.name, default: []].append(name) }
        }
    }

    private func environment(
        _ node: YAMLNode, name: String, inherited: Chosen, scope: inout SuiteScope, found: inout Environments,
        baseURL: (YAMLNode) -> Template
    ) -> Chosen {
        var environment = inherited
        MapReader(context, EnvironmentKey.schema).read(node) { key, _, value in
            switch key {
            case .baseURL:
                (environment.baseURL, environment.baseURLUses) = context.recordingUses { baseURL(value) }
                if !found.withBaseURL.contains(name) { found.withBaseURL.append(name) }
            case .variables:
                let variables = VariableReader(context).variables(value, scope: &scope).0
                environment.variables.replace(with: variables)
                found.variables += variables
            case .secrets: found.secrets.add(SecretReader(context).names(value))
            case .dotenv: environment.dotenv += DotenvReader(context).files(value)
            }
        }
        return environment
    }
}

extension [Variable] {
    /// Adds other variables in place of those with the same names.
    mutating func replace(with others: [Variable]) {
        let replaced = Set(others.map(\.name))
        removeAll { replaced.contains($0.name) }
        self += others
    }
}
