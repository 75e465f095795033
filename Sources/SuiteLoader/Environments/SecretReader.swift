import Basics
import Diagnostics
import RunModel
import SuiteModel
import YAML

/// The names under `secrets`, with their locations.
struct LocatedSecrets {
    /// The names.
    private(set) var names = SecretNames()
    /// The names with their source ranges.
    private(set) var locations: [(name: String, range: SourceRange)] = []

    /// Adds a name.
    mutating func add(_ name: String, _ range: SourceRange) {
        names.add(name)
        locations.append((name, range))
    }

    /// Returns the source range of the first entry that makes a name secret.
    func range(of name: String) -> SourceRange? {
        locations.first { entry in
            var names = SecretNames()
            names.add(entry.name)
            return names.lists(name)
        }?.range
    }

    /// Adds other names.
    mutating func add(_ other: LocatedSecrets) {
        names.add(other.names)
        locations += other.locations
    }
}

/// Reads `secrets`, and collects the secret values that are known before the run.
struct SecretReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the names in a sequence.
    func names(_ node: YAMLNode) -> LocatedSecrets {
        var names = LocatedSecrets()
        for (text, node) in context.strings(node, what: "the name of a secret") {
            let name = Self.name(in: text)
            let isName = name.utf8.allSatisfy { ExpressionScan.isNamePart($0) || $0 == UInt8(ascii: "*") }
            if !isName || (name.isEmpty && !text.isEmpty) {
                context.report(
                    "invalid-name", "\"\(text)\" is not a valid variable name", node.range,
                    suggestion:
                        "use letters, digits, \"_\", and \"*\" for any characters, after \"!\" to exclude the name")
                continue
            }
            names.add(text, node.range)
        }
        return names
    }

    /// Returns a name or a pattern without the `!` before those that are not secret.
    private static func name(in text: String) -> String {
        text.first == SecretNames.exclusion ? String(text.dropFirst()) : text
    }

    /// Collects the values of a suite's secrets, and reports unknown names and values that are not masked.
    ///
    /// - Parameters:
    ///   - suite: The suite to update.
    ///   - named: The names under `secrets`, with their locations.
    ///   - environments: The variables of all environments.
    ///   - dotenvRange: The source range of the first `dotenv` file.
    ///   - hasUnknownColumns: Whether rows may have columns with unknown names.
    func collect(
        into suite: inout Suite, named: LocatedSecrets, environments: [Variable], dotenvRange: SourceRange?,
        hasUnknownColumns: Bool = false
    ) {
        let options = context.options
        var fragments = FragmentSecrets()
        for test in suite.tests.indices { fragments.add(suite.tests[test].steps) }
        suite.secretValues += fragments.values
        func add(_ values: [String], of name: String, _ range: @autoclosure () -> SourceRange) {
            suite.secretValues += values
            guard let warning = SecretText.warning(about: name, values), suite.unmaskedSecrets.insert(name).inserted
            else { return }
            context.report(
                "short-secret", warning, range(), suggestion: suite.secrets.advice(about: name), severity: .warning)
        }
        // The variables of the selected environment are included in those of the suite.
        func collect(_ variables: [Variable]) {
            for variable in variables where suite.secrets.contains(variable.name) {
                guard case .constant(let value) = variable.value else { continue }
                add(SecretText.leaves(of: value), of: variable.name, variable.range)
            }
        }
        collect(suite.variables)
        collect(environments)
        for test in suite.tests.indices {
            collect(suite.tests[test].variables)
            for step in suite.tests[test].steps.indices {
                collect(suite.tests[test].steps[step].variables)
                for capture in suite.tests[test].steps[step].captures.indices
                where suite.secrets.contains(suite.tests[test].steps[step].captures[capture].name) {
                    suite.tests[test].steps[step].captures[capture].isSecret = true
                }
                guard let webSocket = suite.tests[test].steps[step].webSocket else { continue }
                suite.tests[test].steps[step].webSocket = webSocket.markingSecret(suite.secrets.contains)
            }
        }
        for (name, value) in suite.dotenv.sorted(by: { $0.key < $1.key }) where suite.secrets.contains(name) {
            add([value], of: name, dotenvRange ?? suite.range)
        }
        for (name, value) in options.variables.sorted(by: { $0.key < $1.key }) where suite.secrets.contains(name) {
            add([value], of: name, suite.range)
        }
        for (name, value) in options.processEnvironment where suite.secrets.contains(name) && !value.isEmpty {
            // Most variables of the process environment have nothing to do with the suite, so only listed names are
            // worth a warning.
            if suite.secrets.lists(name) || suite.dotenv[name] != nil {
                add([value], of: name, named.range(of: name) ?? suite.range)
            } else {
                suite.secretValues.append(value)
            }
        }
        checkNames(named, in: suite, fragments: fragments, environments, hasUnknownColumns: hasUnknownColumns)
    }

    /// Reports names under `secrets` that nothing defines.
    private func checkNames(
        _ named: LocatedSecrets, in suite: Suite, fragments: FragmentSecrets, _ environments: [Variable],
        hasUnknownColumns: Bool
    ) {
        if named.locations.isEmpty || hasUnknownColumns { return }
        var known = fragments.names
        known.formUnion((suite.variables + environments).map(\.name))
        for test in suite.tests.indices {
            known.formUnion(suite.tests[test].variables.map(\.name))
            known.formUnion(suite.tests[test].data?.columns ?? [])
            for step in suite.tests[test].steps.indices {
                known.formUnion(suite.tests[test].steps[step].variables.map(\.name))
                known.formUnion(suite.tests[test].steps[step].captures.map(\.name))
                known.formUnion(suite.tests[test].steps[step].webSocket?.captures.map(\.name) ?? [])
                if let loop = suite.tests[test].steps[step].flow?.forEach {
                    known.formUnion([loop.elementName, loop.indexName])
                }
            }
        }
        known.formUnion(context.options.variables.keys)
        known.formUnion(context.options.processEnvironment.keys)
        known.formUnion(suite.dotenv.keys)
        for (text, range) in named.locations {
            let name = Self.name(in: text)
            if name.utf8.contains(UInt8(ascii: "*")) || known.contains(name) { continue }
            let effect = text == name ? "masks" : "excludes"
            context.report(
                "unknown-secret", "the secret name \"\(text)\" matches nothing, so it \(effect) nothing", range,
                suggestion: Spelling.suggestion(for: name, among: known.sorted()),
                severity: .warning)
        }
    }
}

/// The secret values of fragments that are known before the run.
struct FragmentSecrets {
    /// The values, in the order in which they were found.
    private(set) var values: [String] = []
    /// The names that calls define in the suite.
    private(set) var names: Set<String> = []
    private var seen: Set<ObjectIdentifier> = []

    /// Adds the fragments that steps call, directly or through other fragments.
    mutating func add(_ steps: [SuiteStep]) {
        // Accesses steps by index, because iterating would copy each step as a whole.
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
