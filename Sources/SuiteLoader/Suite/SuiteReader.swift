import Diagnostics
import FileSystem
import JSON
import RunModel
import SuiteModel
import YAML

/// Reads one document of a file as a suite.
struct SuiteReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The fragments of the load.
    let fragments: FragmentLibrary
    /// The contracts of the load.
    let contracts: ContractLibrary
    /// The file.
    let file: SourceFile
    /// The path of the file, for messages.
    let path: String

    /// Returns the suite of a document; reports an error and returns nil if it is not a suite.
    func suite(_ node: YAMLNode, documentIndex: Int) -> Suite? {
        guard let mapping = node.mapping else {
            reportRoot(node)
            return nil
        }
        if isFragmentFile(node) { return nil }
        context.begin(settings(node))
        var suite = Suite(
            file: file, path: path, directory: context.directory, documentIndex: documentIndex,
            name: Self.name(of: path),
            range: mapping.first?.key.range ?? node.range)
        var scope = SuiteScope()
        suite.contract = context.settings.contract
        var secrets = LocatedSecrets()
        // Keys that depend on others regardless of their order, such as tests, which need the defaults.
        var later: [SuiteKey: (key: YAMLNode, value: YAMLNode)] = [:]
        var dotenv: [(text: String, node: YAMLNode)] = []
        var (description, owner): (String?, String?) = (nil, nil)
        let templates = TemplateReader(context)
        let found = MapReader(context, SuiteKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .name:
                suite.name = templates.name(value, what: "the name of a suite")
                suite.range = value.range
            case .description: description = value.scalar?.text
            case .owner: owner = value.scalar?.text
            // Expectations refer to its operations, so it was read before everything else.
            case .contract: break
            case .tags: suite.tags = context.strings(value, what: "a tag").map(\.text)
            case .baseURL: (suite.baseURL, scope.baseURLUses) = context.recordingUses { baseURL(value) }
            case .mode: context.choice(value, Suite.Mode.self).map { suite.mode = $0 }
            case .serve:
                (suite.serve, scope.serveUses) = context.recordingUses { ServeReader(context).serve(value) }
                scope.hasServe = true
            case .variables:
                (suite.variables, scope.suiteVariables) = VariableReader(context).variables(value, scope: &scope)
            case .secrets:
                if value.kind == .mapping {
                    later[key] = (keyNode, value)
                } else {
                    secrets.add(SecretReader(context).names(value))
                }
            case .dotenv: dotenv = context.strings(value, what: "a path")
            // XPath expressions need them wherever they are, so they were read before everything else.
            case .namespaces: break
            case .schemas: context.readMembers(value, .string) { _, _, _ in }
            case .environments, .defaults, .use, .fragments, .setup, .tests, .teardown: later[key] = (keyNode, value)
            }
        }
        suite.annotations = Annotations(
            description: description, owner: owner,
            properties: found.hasExtensions ? ExtensionReader.properties(ofSuite: node) : [])
        if let (_, value) = later[.secrets] {
            SecretCommandReader(context).read(value, into: &suite, names: &secrets, scope: &scope)
        }
        let read = later[.environments].map {
            EnvironmentReader(context).environments($0.value, key: $0.key, scope: &scope, baseURL: baseURL)
        }
        suite.secrets = secrets.names
        if let read {
            secrets.add(read.secrets)
            apply(read, to: &suite, scope: &scope)
        }
        suite.dotenv = DotenvReader(context).values(of: dotenv + (read?.chosen?.dotenv ?? []))
        let defaults = (later[.defaults]?.value).map(DefaultsReader(context: context).defaults) ?? SuiteDefaults()
        let callees = readFragments(
            later[.fragments]?.value, use: later[.use]?.value, defaults: defaults, scope: scope, into: &suite)
        let reader = TestReader(
            context, defaults: defaults, suiteTags: suite.tags, suiteOwner: owner, callees: callees)
        var tests: [SuiteTest] = []
        if let (key, value) = later[.setup] {
            tests.append(reader.sequence(.setup, value, key, index: 0, scope: &scope))
        }
        if let (key, value) = later[.tests] { append(value, key, to: &tests, reader: reader, scope: &scope) }
        if let (key, value) = later[.teardown] {
            tests.append(reader.sequence(.teardown, value, key, index: tests.count, scope: &scope))
        }
        // The jar of the suite belongs to the setup and the teardown, too.
        if tests.contains(where: { $0.cookieJar == .keep }) {
            for index in tests.indices where tests[index].kind != .test { tests[index].cookieJar = .keep }
        }
        if !found.contains(.baseURL), !found.contains(.serve), suite.baseURL == nil {
            reportMissingBaseURL(environments: read?.withBaseURL ?? [])
        }
        let withRows = scope.tests.indices.filter { scope.tests[$0].data != nil }
        let staticScope = withRows.isEmpty ? nil : StaticScope(suite, context: context)
        // The resolver must be the only owner of the tests, so that it modifies them in place.
        var resolver = NameResolver(
            context, scope: scope, mode: suite.mode, tests: tests, staticScope: staticScope)
        suite.tests = resolver.resolve(&suite.secretCommands)
        ForeignTemplate.report(context.foreignTemplates, context) { resolver.defines($0) }
        var snapshotNames = SnapshotNames(context)
        snapshotNames.check(suite)
        // Rows that could not be created before the run may have any columns.
        let hasUnknownColumns = withRows.contains { suite.tests[$0].data == nil }
        SecretReader(context).collect(
            into: &suite, named: secrets, environments: read?.variables ?? [], hasUnknownColumns: hasUnknownColumns)
        return suite
    }

    /// Returns the settings that all parts of a suite need.
    private func settings(_ node: YAMLNode) -> SuiteSettings {
        let schemas = SchemaSettingsReader(context: context).settings(node)
        return SuiteSettings(
            schemas: schemas, contract: ContractReader(context, library: contracts, schemas: schemas).contract(node),
            lacksContract: context.options.contract == nil && node["contract"] == nil,
            namespaces: context.namespaces(node))
    }

    /// Applies the values of the selected environment to a suite.
    private func apply(_ read: EnvironmentReader.Environments, to suite: inout Suite, scope: inout SuiteScope) {
        suite.environments = read.names
        suite.secrets.add(read.secrets.names)
        guard let chosen = read.chosen else { return }
        suite.environment = context.options.environment
        if let baseURL = chosen.baseURL {
            suite.baseURL = baseURL
            scope.baseURLUses = chosen.baseURLUses
            // The environment's server is already running, so none is started.
            if !context.uses[chosen.baseURLUses].contains(where: { $0.name == "port" }) {
                suite.serve = nil
                scope.hasServe = false
                scope.serveUses = 0..<0
            }
        }
        let replaced = Set(chosen.variables.map(\.name))
        suite.variables.removeAll { replaced.contains($0.name) }
        suite.secretCommands.removeAll { replaced.contains($0.name) }
        suite.variables += chosen.variables
        // So far, only the variables of the suite and of the environment were read. Of equal names, the later one wins.
        scope.suiteVariables = 0..<scope.variables.count
    }

    /// Appends the tests of a sequence.
    private func append(
        _ node: YAMLNode, _ key: YAMLNode, to tests: inout [SuiteTest], reader: TestReader, scope: inout SuiteScope
    ) {
        guard let sequence = node.sequence else { return }
        if sequence.isEmpty {
            context.report(
                "empty-suite", "the suite has no tests", key.range,
                suggestion: "for example, add \"- { name: home, request: GET / }\"")
        }
        tests.reserveCapacity(sequence.count + 2)
        scope.tests.reserveCapacity(sequence.count)
        scope.steps.reserveCapacity(sequence.count)
        for element in sequence {
            if let test = reader.test(element, index: tests.count, scope: &scope) { tests.append(test) }
        }
    }

    // MARK: Fragments

    /// Returns whether a document is a fragment file instead of a suite, and reports that.
    private func isFragmentFile(_ node: YAMLNode) -> Bool {
        guard let key = node.mapping?.first(where: { $0.key.scalar?.text == "fragments" })?.key,
            node["tests"] == nil, node["setup"] == nil, node["baseURL"] == nil
        else { return false }
        context.report(
            "fragment-file", "this is a fragment file, not a suite", key.range,
            suggestion: "include it under \"use\" in the suites that call its fragments")
        return true
    }

    /// Returns the fragments that a suite defines and uses, which must be read before its tests.
    private func readFragments(
        _ node: YAMLNode?, use: YAMLNode?, defaults: SuiteDefaults, scope: SuiteScope, into suite: inout Suite
    ) -> FragmentSource? {
        guard node != nil || use != nil else { return nil }
        let source = fragments.add(
            suite: suite, context: context, fragments: node, use: use, defaults: defaults, scope: scope)
        suite.fragments = source.entries.indices.compactMap {
            fragments.fragment(FragmentSource.Target(source: source.index, entry: $0))
        }
        suite.fragmentFiles = fragments.files(usedBy: source)
        return source
    }

    // MARK: Suite

    private func baseURL(_ node: YAMLNode) -> Template {
        let template = TemplateReader(context).template(node)
        if let text = template.constantText, !text.hasPrefix("http://"), !text.hasPrefix("https://") {
            context.report(
                "invalid-url", "\"baseURL\" must start with \"http://\" or \"https://\"", node.range,
                suggestion: text.contains("://") ? nil : "write \"http://\(text)\"")
        } else {
            URLCheck(context).check(template, in: node, at: 0)
        }
        return template
    }

    /// Reports a relative URL without a base URL.
    ///
    /// - Parameter environments: The environments that have a base URL.
    private func reportMissingBaseURL(environments: [String]) {
        guard let relative = context.relativeURL else { return }
        let verb = environments.count == 1 ? "has" : "have"
        context.report(
            "missing-base-url", "\"\(relative.text)\" is a relative URL, but the suite has no \"baseURL\"",
            relative.range,
            suggestion: environments.isEmpty
                ? "add \"baseURL: http://…\" or \"serve\" to the suite"
                : "\(EnvironmentNames.phrase(environments)) \(verb) one; select it with --environment")
    }

    private func reportRoot(_ node: YAMLNode) {
        if node.isNull {
            context.report(
                "empty-suite", "the document is empty", node.range,
                suggestion: "a suite must be a mapping with \"tests\"")
            return
        }
        context.reportType(
            node, expected: "a mapping", suggestion: node.kind == .sequence ? "move the sequence under \"tests\"" : nil)
    }

    /// Returns the default name of a suite: the file name without its extensions.
    private static func name(of path: String) -> String {
        let name = Path.lastComponent(of: path)
        for ending in SuiteFinder.extensions + [".yaml", ".yml"] where name.hasSuffix(ending) && name != ending {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}
