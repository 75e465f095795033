import Basics
import Diagnostics
import SuiteModel
import YAML

/// Reads a fragment after all fragments that it calls.
struct FragmentReader {
    /// An output and the names that it uses.
    private struct ReadOutput {
        var output: Fragment.Output
        var uses: Range<Int>
    }

    /// The source that contains the fragment.
    let source: FragmentSource
    private let context: LoadContext
    private let templates: TemplateReader

    init(_ source: FragmentSource) {
        self.source = source
        context = source.context
        templates = TemplateReader(source.context)
    }

    /// Returns the fragment of a node, and reports its errors.
    func fragment(_ node: YAMLNode, name: String, range: SourceRange) -> Fragment {
        // The first relative URL is recorded for each fragment of a file, and for a suite as a whole.
        let previousURL = context.relativeURL
        context.relativeURL = nil
        var scope = source.scope
        let reader = TestReader(context, defaults: source.defaults, callees: source)
        var description: String?
        var parameters: [Fragment.Parameter] = []
        var defaultUses = 0..<0
        var variables: [Variable] = []
        var scopeVariables = scope.variables.count..<scope.variables.count
        var outputsNode: YAMLNode?
        var stepsNode: (key: YAMLNode, value: YAMLNode)?
        MapReader(context, FragmentKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .description: description = value.scalar?.text
            case .parameters: (parameters, defaultUses) = context.recordingUses { self.parameters(value) }
            case .outputs: outputsNode = value
            case .variables: (variables, scopeVariables) = VariableReader(context).variables(value, scope: &scope)
            case .steps: stepsNode = (keyNode, value)
            }
        }
        let firstStep = scope.steps.count
        let steps = stepsNode.map { reader.steps($0.value, $0.key, of: "a fragment", scope: &scope) } ?? []
        let outputs = outputsNode.map(self.outputs) ?? []
        checkNames(parameters, steps: steps)
        refuseSnapshots(in: steps)
        let relativeURL = context.relativeURL?.text ?? steps.lazy.compactMap { $0.call?.fragment.relativeURL }.first
        if let previousURL { context.relativeURL = previousURL }
        var resolver = FragmentResolver(
            context, name: name, range: range, isInSuite: source.origin.isInSuite, scope: scope,
            depths: source.depths, parameters: parameters, variables: scopeVariables, steps: steps,
            entries: Array(scope.steps[firstStep...]))
        resolver.resolve(parameterDefaults: defaultUses, outputs: outputs.map(\.uses))
        for index in parameters.indices {
            let parameter = parameters[index].name
            parameters[index].isUsed = resolver.usedParameters.contains(parameter)
            if source.origin.secrets.contains(parameter) { parameters[index].isSecret = true }
        }
        return Fragment(
            name: name, description: description, origin: source.origin, parameters: parameters,
            outputs: outputs.map(\.output), variables: variables, steps: masked(resolver.steps),
            relativeURL: relativeURL, range: range)
    }

    /// Returns steps in which captures with secret names are marked as secret.
    private func masked(_ steps: [SuiteStep]) -> [SuiteStep] {
        var steps = steps
        for step in steps.indices {
            for capture in steps[step].captures.indices
            where source.origin.secrets.contains(steps[step].captures[capture].name) {
                steps[step].captures[capture].isSecret = true
            }
            if let webSocket = steps[step].webSocket {
                steps[step].webSocket = webSocket.markingSecret(source.origin.secrets.contains)
            }
        }
        return steps
    }

    // MARK: Parameters

    private func parameters(_ node: YAMLNode) -> [Fragment.Parameter] {
        var parameters: [Fragment.Parameter] = []
        if node.kind == .sequence {
            for (name, node) in context.strings(node, what: "a parameter") {
                context.checkName(name, node, what: "a parameter")
                if let other = parameters.first(where: { $0.name == name }) {
                    reportTwice(name, node, other.range)
                } else {
                    parameters.append(Fragment.Parameter(name: name, range: node.range))
                }
            }
            return parameters
        }
        context.readMembers(node, .value) { name, key, value in
            context.checkName(name, key, what: "a parameter")
            var parameter = Fragment.Parameter(name: name, range: key.range)
            if value.kind == .mapping {
                MapReader(context, ParameterKey.schema).read(value) { key, _, value in
                    switch key {
                    case .description: parameter.description = value.scalar?.text
                    case .default: parameter.defaultValue = templates.value(value)
                    case .secret: parameter.isSecret = value.isTrue
                    }
                }
            } else if !value.isNull {
                parameter.defaultValue = templates.value(value)
            }
            parameters.append(parameter)
        }
        return parameters
    }

    private func reportTwice(_ name: String, _ node: YAMLNode, _ other: SourceRange) {
        context.report(
            "duplicate-name", "duplicate name \"\(name)\"", node.range,
            related: [Diagnostic.Related(message: "the first one is here", range: other)])
    }

    /// Reports captures and outputs of calls with the name of a parameter.
    private func checkNames(_ parameters: [Fragment.Parameter], steps: [SuiteStep]) {
        if parameters.isEmpty { return }
        for step in steps {
            for (name, range) in step.definedNames {
                guard let parameter = parameters.first(where: { $0.name == name }) else { continue }
                context.report(
                    "conflicting-names", "\"\(name)\" is a parameter of the fragment and cannot also be a capture",
                    range,
                    related: [Diagnostic.Related(message: "the parameter is here", range: parameter.range)],
                    suggestion: "choose another name")
            }
        }
    }

    /// Reports snapshots, which only the tests of a suite can have.
    private func refuseSnapshots(in steps: [SuiteStep]) {
        for step in steps {
            guard let snapshot = step.expectations.extras?.snapshot else { continue }
            context.report(
                "invalid-snapshot", "a snapshot belongs to a single test, but many tests can call a fragment",
                snapshot.range,
                suggestion:
                    "compare an output of the fragment instead, or write \"snapshot: false\" to remove a default")
        }
    }

    // MARK: Outputs

    private func outputs(_ node: YAMLNode) -> [ReadOutput] {
        var outputs: [ReadOutput] = []
        func add(_ name: String, _ key: YAMLNode, _ value: () -> ValueTemplate?) {
            context.checkName(name, key, what: "an output")
            if let other = outputs.first(where: { $0.output.name == name }) {
                return reportTwice(name, key, other.output.range)
            }
            let (read, uses) = context.recordingUses(value)
            guard let read else { return }
            outputs.append(
                ReadOutput(output: Fragment.Output(name: name, value: read, range: key.range), uses: uses))
        }
        if node.kind == .sequence {
            for (name, node) in context.strings(node, what: "an output") where !name.isEmpty {
                add(name, node) {
                    guard NameRules.isIdentifier(name) else { return nil }
                    return templates.embedded(name, in: node, at: 0).map { .template(.expression($0)) }
                }
            }
            return outputs
        }
        context.readMembers(node, .value) { name, key, value in
            add(name, key) { templates.value(value) }
        }
        return outputs
    }
}
