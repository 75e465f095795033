import Basics
import Diagnostics
import FileSystem
import OpenAPI
import SuiteModel
import YAML

/// Reads the `contract` of a suite.
struct ContractReader {
    /// The maximum number of problems of a description to report with a suite.
    private static let maximumProblems = 20

    /// The shared state of the readers.
    let context: LoadContext
    /// The contracts of the load.
    let library: ContractLibrary
    /// The shared settings of the suite's schemas.
    let schemas: SchemaSettings

    init(_ context: LoadContext, library: ContractLibrary, schemas: SchemaSettings) {
        self.context = context
        self.library = library
        self.schemas = schemas
    }

    /// Returns the contract of a suite, or that of the command line if the suite has none; nil if neither exists.
    ///
    /// - Parameter layers: The documents whose settings apply to the suite.
    func contract(_ layers: [SettingsLayer]) -> SuiteContract? {
        guard let layer = layers.last(where: { $0.root["contract"] != nil }), let node = layer.root["contract"] else {
            return chosenContract()
        }
        return context.reading(in: layer.directory) { contract(node) }
    }

    private func contract(_ node: YAMLNode) -> SuiteContract? {
        if let scalar = node.scalar {
            if scalar.isString { return contract(path: node, ContractSettings(), key: nil, basePath: nil, node) }
            // `false` opts out of the contract of the command line. Other values are not useful.
            if node.isTrue {
                context.report(
                    "wrong-type", "a contract needs the path of its description", node.range,
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
            case .ignore: for rule in context.contractRules(value) { settings.severities[rule] = .off }
            case .stop: settings.stops = value.isTrue
            case .severity: settings.severities.merge(context.contractSeverities(value)) { $1 }
            case .format: key.assertsFormat = context.choice(value, SchemaKey.Format.self) == .assert
            case .basePath: key.basePath = templates.constant(value, what: "a path")
            }
        }
        guard let path else { return nil }
        return contract(path: path, settings, key: key, basePath: key.basePath, path)
    }

    private func contract(
        path node: YAMLNode, _ settings: ContractSettings, key: ContractLibrary.Key?, basePath: String?,
        _ location: YAMLNode
    ) -> SuiteContract? {
        let problems = context.diagnostics.count
        let text = TemplateReader(context).constant(node, what: "a path")
        guard context.diagnostics.count == problems, !text.isEmpty else {
            if text.isEmpty, context.diagnostics.count == problems {
                context.report("missing-file", "a contract needs the path of its description", node.range)
            }
            return nil
        }
        var key = key ?? ContractLibrary.Key(path: "")
        let use: MessageText = "write \"contract: openapi.yaml\""
        guard let path = self.path(of: text, in: context.directory, node.range, use: use) else { return nil }
        key.path = path
        return contract(key, range: node.range).map { contract in
            SuiteContract(contract: contract, settings: settings, range: node.range)
        }
    }

    /// Returns the contract that the command line names.
    private func chosenContract() -> SuiteContract? {
        guard let text = context.options.contract,
            let path = self.path(
                of: text, in: context.options.workingDirectory, nil, use: "pass --contract openapi.yaml")
        else { return nil }
        return contract(ContractLibrary.Key(path: path), range: nil).map { SuiteContract(contract: $0) }
    }

    /// Returns the absolute path of a description; reports an error and returns nil if it is not a file.
    ///
    /// - Parameters:
    ///   - text: The path as written.
    ///   - directory: The absolute path of the directory that a relative path resolves against.
    ///   - range: The source range of the path; nil for the command line.
    ///   - use: The suggestion for using a file instead.
    private func path(of text: String, in directory: String, _ range: SourceRange?, use: MessageText) -> String? {
        if let path = schemas.path(of: text) { return path }
        let path = Path.normalized(Path.absolute(text, in: directory))
        guard let source = OutsideSource(text) else { return path }
        if source.isRemote {
            context.report(
                "remote-contract", "a contract must be a file, and \"\(text)\" is not loaded from the network", range,
                suggestion: source.suggestion(use))
        } else if File.kind(of: path) != nil {
            return path
        } else {
            context.report(
                "missing-file", "\"\(text)\" is not a file", range, suggestion: source.suggestion(use))
        }
        return nil
    }

    private func contract(_ key: ContractLibrary.Key, range: SourceRange?) -> Contract? {
        var key = key
        key.schemas = schemas.paths
        let description = library.description(of: key) {
            let source = DescriptionSource(
                options: context.options, library: context.schemas, schemas: schemas)
            let (description, problems) = OpenAPILoader(source: source).load(key.path)
            report(problems, isUsable: description != nil, usedAt: range)
            return description
        }
        guard let description else {
            // The cause is reported only once, but no suite that names the same file may run.
            if let range, !context.diagnostics.hasErrors {
                context.report("invalid-contract", "the contract is not usable", range)
            }
            return nil
        }
        return library.contract(key) {
            Contract(
                description, name: description.root.file.name, assertsFormat: key.assertsFormat,
                basePath: key.basePath)
        }
    }

    /// Reports the problems of a description. They are warnings if the rest of the description is usable.
    private func report(_ problems: [Diagnostic], isUsable: Bool, usedAt range: SourceRange?) {
        for var problem in problems.prefix(Self.maximumProblems) {
            if isUsable { problem.severity = .warning }
            if problem.range == nil {
                problem.range = range
                if range == nil { problem.wording = "--contract: \(problem.wording)" }
            } else if let range, problem.range?.file != range.file {
                problem.related.append(Diagnostic.Related(message: "the contract is used here", range: range))
            }
            context.diagnostics.add(problem)
        }
        let rest = problems.count - Self.maximumProblems
        guard rest > 0 else { return }
        context.report(
            "invalid-openapi", "\(rest) more problems in the contract are not shown", range,
            suggestion: "run \"apitest contract check\" on the description", severity: .warning)
    }
}
