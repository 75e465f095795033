import Basics
import Diagnostics
import FileSystem
import OpenAPI
import SuiteModel
import YAML

/// Reads `contract`, of a suite and under `expect`.
struct ContractReader {
    /// How many problems of a description are reported with a suite.
    private static let mostProblems = 20

    /// What the readers share.
    let context: LoadContext

    /// The contract of a suite: its own, otherwise that of the command line; nil for none.
    ///
    /// - Parameter root: The suite's document.
    func contract(_ root: YAMLNode) -> SuiteContract? {
        guard let node = root["contract"] else { return chosenContract() }
        if let scalar = node.scalar {
            if scalar.isString { return contract(path: node, ContractSettings(), key: nil, basePath: nil, node) }
            // `false` takes no part in what the command line says; nothing else is of use.
            if node.isTrue {
                context.report(
                    "wrong-type", "a contract names its description", node.range,
                    suggestion: "write \"contract: openapi.yaml\"")
            }
            return nil
        }
        guard node.kind == .mapping else { return nil }
        var settings = ContractSettings()
        var path: YAMLNode?
        var key = ContractLibrary.Key(path: "")
        let templates = TemplateReader(context)
        MapReader(context, ContractKey.schema).read(node) { name, _, value in
            switch name {
            case .file: path = value
            case .request: settings.checksRequests = value.isTrue
            case .ignore: for rule in rules(value) { settings.severities[rule] = .off }
            case .stop: settings.stops = value.isTrue
            case .severity: settings.severities.merge(severities(value)) { $1 }
            case .format: key.assertsFormat = context.choice(value, SchemaKey.Format.self) == .assert
            case .basePath: key.basePath = templates.constant(value, what: "a path")
            }
        }
        guard let path else { return nil }
        return contract(path: path, settings, key: key, basePath: key.basePath, path)
    }

    private func contract(
        path node: YAMLNode, _ settings: ContractSettings, key: ContractLibrary.Key?, basePath: String?,
        _ place: YAMLNode
    ) -> SuiteContract? {
        let problems = context.diagnostics.count
        let text = TemplateReader(context).constant(node, what: "a path")
        guard context.diagnostics.count == problems, !text.isEmpty else {
            if text.isEmpty, context.diagnostics.count == problems {
                context.report("missing-file", "a contract names its description", node.range)
            }
            return nil
        }
        var key = key ?? ContractLibrary.Key(path: "")
        let use = "write \"contract: openapi.yaml\""
        guard let path = self.path(of: text, in: context.folder, node.range, use: use) else { return nil }
        key.path = path
        return contract(key, range: node.range).map { contract in
            SuiteContract(contract: contract, settings: settings, range: node.range)
        }
    }

    /// The contract that the command line names.
    private func chosenContract() -> SuiteContract? {
        guard let text = context.options.contract,
            let path = self.path(
                of: text, in: context.options.workingDirectory, nil, use: "give --contract openapi.yaml")
        else { return nil }
        return contract(ContractLibrary.Key(path: path), range: nil).map { SuiteContract(contract: $0) }
    }

    /// The absolute path of a description; nil, and reported, for one that is not a file.
    ///
    /// - Parameter use: What to do with the file that takes its place.
    private func path(of text: String, in folder: String, _ range: SourceRange?, use: String) -> String? {
        if let path = context.schemaSettings.path(of: text) { return path }
        let path = Path.normalized(Path.absolute(text, in: folder))
        guard let source = OutsideSource(text) else { return path }
        if source.isRemote {
            context.report(
                "remote-contract", "a contract is a file, and \"\(text)\" is not loaded from the network", range,
                suggestion: source.suggestion(use))
        } else if File.kind(of: path) != nil {
            return path
        } else {
            context.report(
                "missing-file", "there is no file \"\(text)\"", range, suggestion: source.suggestion(use))
        }
        return nil
    }

    private func contract(_ key: ContractLibrary.Key, range: SourceRange?) -> Contract? {
        let library = context.schemas.contracts
        var key = key
        key.schemas = context.schemaSettings.paths
        let description = library.description(of: key) {
            let source = DescriptionSource(
                options: context.options, library: context.schemas, schemas: context.schemaSettings)
            let (description, problems) = OpenAPILoader(source: source).load(key.path)
            report(problems, isUsable: description != nil, usedAt: range)
            return description
        }
        guard let description else {
            // The reason is told once; no suite that names the same file may run all the same.
            if let range, !context.diagnostics.hasErrors {
                context.report("invalid-contract", "the contract cannot be used", range)
            }
            return nil
        }
        return library.contract(key) {
            Contract(
                description, name: description.root.file.name, assertsFormat: key.assertsFormat,
                basePath: key.basePath)
        }
    }

    /// Reports what is wrong with a description; what concerns a part of it is a warning, as the rest can be used.
    private func report(_ problems: [Diagnostic], isUsable: Bool, usedAt range: SourceRange?) {
        for var problem in problems.prefix(Self.mostProblems) {
            if isUsable { problem.severity = .warning }
            if problem.range == nil {
                problem.range = range
                if range == nil { problem.message = "--contract: \(problem.message)" }
            } else if let range, problem.range?.file != range.file {
                problem.related.append(Diagnostic.Related(message: "the contract is named here", range: range))
            }
            context.diagnostics.add(problem)
        }
        let rest = problems.count - Self.mostProblems
        guard rest > 0 else { return }
        context.report(
            "invalid-openapi", "\(rest) more problems of the contract are not shown", range,
            suggestion: "run apitest contract check with the description", severity: .warning)
    }

    // MARK: Under `expect`

    /// How an exchange is held against the contract; nil for as the suite says.
    func expectation(_ node: YAMLNode) -> ContractExpectation? {
        var expectation = ContractExpectation(range: node.range)
        if node.scalar != nil {
            if let template = expression(node, instead: "false, or a map such as { request: false }") {
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
                let text = TemplateReader(context).constant(value, what: "the name of an operation")
                expectation.operation = text
                check(operation: text, value.range)
            case .request:
                expectation.requestCondition = expression(value, instead: "true or false")
                if expectation.requestCondition == nil { expectation.checksRequest = value.isTrue }
            case .ignore: for rule in rules(value) { expectation.severities[rule] = .off }
            case .severity: expectation.severities.merge(severities(value)) { $1 }
            }
        }
        return expectation
    }

    /// The text of a scalar that holds an expression; nil for any other.
    private func template(_ node: YAMLNode) -> Template? {
        guard ExpressionScan.mayHoldExpression(node) else { return nil }
        let template = TemplateReader(context).template(node)
        return template.constantText == nil ? template : nil
    }

    /// The text of a scalar that is no boolean, which must hold an expression then; what is wrong is reported.
    private func expression(_ node: YAMLNode, instead: String) -> Template? {
        guard let scalar = node.scalar, scalar.isString else { return nil }
        if let template = template(node) { return template }
        context.report(
            "wrong-type", "expected true, false or an expression, got \"\(scalar.text)\"", node.range,
            suggestion: "write \(instead)")
        return nil
    }

    /// Says that there is no contract that an expectation could be about.
    private func warnWithoutContract(_ range: SourceRange) {
        guard context.lacksContract else { return }
        context.report(
            "missing-contract", "nothing is held against a contract: the suite names none", range,
            suggestion: "add \"contract: openapi.yaml\" at the top level, or give one with --contract",
            severity: .warning)
    }

    /// Reports an operation that the suite's contract does not have; fragments are used by suites with other contracts.
    private func check(operation name: String, _ range: SourceRange) {
        guard let contract = context.contract?.contract, contract.operation(named: name) == nil else { return }
        let names = contract.operationNames
        context.report(
            "unknown-operation", "the contract has no operation \"\(name)\"", range,
            suggestion: Spelling.suggestion(for: name, among: names)
                ?? "it has \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "")")
    }

    private func rules(_ node: YAMLNode) -> [ContractRule] {
        guard let sequence = node.sequence else { return context.choice(node, ContractRule.self).map { [$0] } ?? [] }
        return sequence.compactMap { element in
            guard element.scalar?.isString == true else {
                context.reportType(element, expected: "the id of a check")
                return nil
            }
            return context.choice(element, ContractRule.self)
        }
    }

    private func severities(_ node: YAMLNode) -> [ContractRule: ContractSettings.Severity] {
        var severities: [ContractRule: ContractSettings.Severity] = [:]
        context.readMembers(node, .choice(ContractSettings.Severity.allCases.map(\.rawValue))) { _, key, value in
            let severity = context.choice(value, ContractSettings.Severity.self)
            guard let rule = context.choice(key, ContractRule.self), let severity else { return }
            severities[rule] = severity
        }
        return severities
    }
}
