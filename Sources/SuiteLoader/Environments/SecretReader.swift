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
            let isName = text.utf8.allSatisfy { ExpressionScan.isNamePart($0) || $0 == UInt8(ascii: "*") }
            if !isName, !text.isEmpty {
                context.report(
                    "invalid-name", "\"\(text)\" is not a valid variable name", node.range,
                    suggestion: "use letters, digits, \"_\", and \"*\" for any characters")
                continue
            }
            names.add(text, node.range)
        }
        return names
    }

    /// Collects the values of a suite's secrets, and reports unknown names and values that cannot be masked well.
    ///
    /// - Parameters:
    ///   - suite: The suite to update.
    ///   - named: The names under `secrets`, with their locations.
    ///   - environments: The variables of all environments.
    ///   - hasUnknownColumns: Whether rows may have columns with unknown names.
    func collect(
        into suite: inout Suite, named: LocatedSecrets, environments: [Variable], hasUnknownColumns: Bool = false
    ) {
        let options = context.options
        for (name, value) in suite.dotenv {
            suite.secretValues.append(value)
            // The process environment overrides the file, and may contain the secret instead.
            if let value = options.processEnvironment[name] { suite.secretValues.append(value) }
        }
        var fragments = FragmentSecrets()
        for test in suite.tests.indices { fragments.add(suite.tests[test].steps) }
        suite.secretValues += fragments.values
        guard !suite.secrets.isEmpty else { return }
        var known = fragments.names
        // The variables of the selected environment are included in those of the suite.
        var warned: Set<SourcePosition> = []
        func collect(_ variables: [Variable]) {
            for variable in variables {
                known.insert(variable.name)
                guard suite.secrets.contains(variable.name), case .constant(let value) = variable.value else {
                    continue
                }
                let texts = SecretText.leaves(of: value)
                suite.secretValues += texts
                if texts.contains(where: SecretText.isShort), warned.insert(variable.range.start).inserted {
                    context.report(
                        "short-secret",
                        "the secret \"\(variable.name)\" is so short that it is masked only as a whole value",
                        variable.range, severity: .warning)
                }
            }
        }
        collect(suite.variables)
        collect(environments)
        for test in suite.tests.indices {
            collect(suite.tests[test].variables)
            known.formUnion(suite.tests[test].data?.columns ?? [])
            for step in suite.tests[test].steps.indices {
                collect(suite.tests[test].steps[step].variables)
                if let loop = suite.tests[test].steps[step].flow?.forEach {
                    known.formUnion([loop.elementName, loop.indexName])
                }
                for capture in suite.tests[test].steps[step].captures.indices {
                    let name = suite.tests[test].steps[step].captures[capture].name
                    known.insert(name)
                    if suite.secrets.contains(name) {
                        suite.tests[test].steps[step].captures[capture].isSecret = true
                    }
                }
                guard let webSocket = suite.tests[test].steps[step].webSocket else { continue }
                for capture in webSocket.captures { known.insert(capture.name) }
                let marked = webSocket.markingSecret(suite.secrets.contains)
                suite.tests[test].steps[step].webSocket = marked
            }
        }
        for values in [options.variables, options.processEnvironment] {
            for (name, value) in values {
                known.insert(name)
                if suite.secrets.contains(name) { suite.secretValues.append(value) }
            }
        }
        known.formUnion(suite.dotenv.keys)
        if hasUnknownColumns { return }
        for (name, range) in named.locations where !name.utf8.contains(UInt8(ascii: "*")) && !known.contains(name) {
            context.report(
                "unknown-secret", "the secret name \"\(name)\" matches nothing, so it masks nothing", range,
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
