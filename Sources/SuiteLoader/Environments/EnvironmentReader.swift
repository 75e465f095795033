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
        var dotenv: [(text: String, node: YAMLNode)] = []
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
    /// - Parameters:
    ///   - node: The value of `environments`.
    ///   - key: The key node.
    ///   - scope: The scope of the suite.
    ///   - baseURL: A closure that reads a base URL.
    func environments(
        _ node: YAMLNode, key: YAMLNode, scope: inout SuiteScope, baseURL: (YAMLNode) -> Template
    ) -> Environments {
        var found = Environments()
        let wanted = context.options.environment
        context.readMembers(node, .map(EnvironmentKey.schema.description.name)) { name, nameNode, value in
            if name.isEmpty { context.report("empty-name", "the name of an environment is empty", nameNode.range) }
            found.names.append(name)
            if name == wanted {
                found.chosen = environment(value, name: name, scope: &scope, found: &found, baseURL: baseURL)
                return
            }
            // An environment that is not selected must be well-formed, but its names need not be known.
            let firstUse = context.uses.count
            var unused = SuiteScope()
            let other = environment(value, name: name, scope: &unused, found: &found, baseURL: baseURL)
            context.uses.removeLast(context.uses.count - firstUse)
            for variable in other.variables { scope.otherEnvironments[variable.name, default: []].append(name) }
        }
        if let wanted, !found.names.contains(wanted) {
            context.report(
                "unknown-environment", "the suite has no environment \"\(wanted)\"", key.range,
                suggestion: Spelling.suggestion(for: wanted, among: found.names)
                    ?? (found.names.isEmpty ? nil : "it has \(EnvironmentNames.list(found.names))"))
        }
        return found
    }

    private func environment(
        _ node: YAMLNode, name: String, scope: inout SuiteScope, found: inout Environments,
        baseURL: (YAMLNode) -> Template
    ) -> Chosen {
        var environment = Chosen()
        MapReader(context, EnvironmentKey.schema).read(node) { key, _, value in
            switch key {
            case .baseURL:
                (environment.baseURL, environment.baseURLUses) = context.recordingUses { baseURL(value) }
                found.withBaseURL.append(name)
            case .variables:
                environment.variables = VariableReader(context).variables(value, scope: &scope).0
                found.variables += environment.variables
            case .secrets: found.secrets.add(SecretReader(context).names(value))
            case .dotenv: environment.dotenv = context.strings(value, what: "a path")
            }
        }
        return environment
    }
}
