import Basics
import Diagnostics
import OpenAPI
import SuiteModel
import YAML

/// Reads `contract` under `expect`.
struct ContractExpectationReader {
    private let context: LoadContext
    private let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context, phase: .expectation)
    }

    /// Returns the contract validation of an exchange; nil to use the settings of the suite.
    func expectation(_ node: YAMLNode) -> ContractExpectation? {
        var expectation = ContractExpectation(range: node.range)
        if node.scalar != nil {
            if let template = expression(node, instead: "false, or a mapping such as { request: false }") {
                warnWithoutContract(node.range)
                expectation.condition = template
                return expectation
            }
            expectation.isOff = !node.isTrue
            if !expectation.isOff { warnWithoutContract(node.range) }
            return expectation.isOff ? expectation : nil
        }
        warnWithoutContract(node.range)
        MapReader(context, ExpectedContractKey.schema).read(node) { name, _, value in
            switch name {
            case .operation:
                if let template = template(value) {
                    expectation.chosenOperation = template
                    return
                }
                let text = templates.constant(value, what: "the name of an operation")
                expectation.operation = text
                check(operation: text, value.range)
            case .request:
                expectation.requestCondition = expression(value, instead: "true or false")
                if expectation.requestCondition == nil { expectation.checksRequest = value.isTrue }
            case .ignore: for rule in context.contractRules(value) { expectation.severities[rule] = .off }
            case .severity: expectation.severities.merge(context.contractSeverities(value)) { $1 }
            }
        }
        return expectation
    }

    /// Returns the template of a scalar that contains an expression; nil for any other scalar.
    private func template(_ node: YAMLNode) -> Template? {
        guard ExpressionScan.mayHoldExpression(node) else { return nil }
        let template = templates.template(node)
        return template.constantText == nil ? template : nil
    }

    /// Returns the template of a scalar that is not a Boolean; reports an error if it contains no expression.
    private func expression(_ node: YAMLNode, instead: String) -> Template? {
        guard let scalar = node.scalar, scalar.isString else { return nil }
        if let template = template(node) { return template }
        context.report(
            "wrong-type", "expected true, false or an expression, got \"\(scalar.text)\"", node.range,
            suggestion: "write \(instead)")
        return nil
    }

    /// Warns about an expectation on a contract that the suite does not have.
    private func warnWithoutContract(_ range: SourceRange) {
        guard context.settings.lacksContract else { return }
        context.report(
            "missing-contract", "the suite has no contract to validate against", range,
            suggestion: "add \"contract: openapi.yaml\" at the top level, or pass one with --contract",
            severity: .warning)
    }

    /// Reports an unknown operation. Fragments are not checked, because suites with other contracts may use them.
    private func check(operation name: String, _ range: SourceRange) {
        guard let contract = context.settings.contract?.contract, contract.operation(named: name) == nil else { return }
        let names = contract.operationNames
        context.report(
            "unknown-operation", "the contract has no operation \"\(name)\"", range,
            suggestion: Spelling.suggestion(for: name, among: names)
                ?? "it has \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "")")
    }
}

extension LoadContext {
    /// Returns the rules that a string or a sequence names.
    func contractRules(_ node: YAMLNode) -> [ContractRule] {
        guard let sequence = node.sequence else { return choice(node, ContractRule.self).map { [$0] } ?? [] }
        return sequence.compactMap { element in
            guard element.scalar?.isString == true else {
                reportType(element, expected: "the id of a check")
                return nil
            }
            return choice(element, ContractRule.self)
        }
    }

    /// Returns the severities by rule.
    func contractSeverities(_ node: YAMLNode) -> [ContractRule: ContractSettings.Severity] {
        var severities: [ContractRule: ContractSettings.Severity] = [:]
        readMembers(node, .choice(ContractSettings.Severity.allCases.map(\.rawValue))) { _, key, value in
            let severity = choice(value, ContractSettings.Severity.self)
            guard let rule = choice(key, ContractRule.self), let severity else { return }
            severities[rule] = severity
        }
        return severities
    }
}
