import Basics
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
    /// The settings files of the load.
    let settingsFiles: SettingsFiles
    /// The file.
    let file: SourceFile
    /// The path of the file, for messages.
    let path: String

    /// A key of the suite or of a settings file, with its value.
    struct Entry {
        let key: YAMLNode
        let value: YAMLNode
        /// The absolute path of the directory that relative paths in the value resolve against.
        let directory: String
    }

    /// Returns the suite of a document; reports an error and returns nil if it is not a suite.
    func suite(_ node: YAMLNode, documentIndex: Int) -> Suite? {
        guard let mapping = node.mapping else {
            reportRoot(node)
            return nil
        }
        if isFragmentFile(node) { return nil }
        let (layers, settingsPaths) = settingsFiles.layers(of: node, context)
        context.begin(settings(layers))
        var suite = Suite(
            file: file, path: path, directory: context.directory, documentIndex: documentIndex,
            name: Self.name(of: path),
            range: mapping.first?.key.range ?? node.range)
        var scope = SuiteScope()
        suite.contract = context.settings.contract
        suite.settingsFiles = settingsPaths
        var secrets = LocatedSecrets()
        // Keys that depend on others regardless of their order, such as tests, which need the defaults.
        var later: [SuiteKey: [Entry]] = [:]
        var dotenv: [DotenvReader.Reference] = []
        var (description, owner): (String?, String?) = (nil, nil)
        var hasInheritedServer = false
        let templates = TemplateReader(context)
        func read(_ key: SuiteKey, _ keyNode: YAMLNode, _ value: YAMLNode, _ layer: SettingsLayer) {
            switch key {
            // The settings files were read before everything else.
            case .extends: break
            case .name:
                suite.name = templates.name(value, what: "the name of a suite")
                suite.range = value.range
            case .description: if layer.isOwn { description = value.scalar?.text }
            case .owner: owner = value.scalar?.text
            // Expectations refer to its operations, so it was read before everything else.
            case .contract: break
            case .tags:
                suite.tags += context.strings(value, what: "a tag").map(\.text).filter { !suite.tags.contains($0) }
            case .baseURL:
                let (template, uses) = context.recordingUses { baseURL(value) }
                set(template, uses, replacingServer: hasInheritedServer, in: &suite, scope: &scope)
            case .mode: context.choice(value, Suite.Mode.self).map { suite.mode = $0 }
            case .serve:
                (suite.serve, scope.serveUses) = context.recordingUses {
                    ServeReader(context).serve(value, isShared: &suite.sharesServer)
                }
                scope.hasServe = !value.isNull
                hasInheritedServer = false
            case .variables:
                let (variables, _) = VariableReader(context).variables(value, scope: &scope)
                suite.variables.replace(with: variables)
                scope.suiteVariables = 0..<scope.variables.count
            case .secrets:
                if value.kind == .mapping {
                    later[key, default: []].append(Entry(key: keyNode, value: value, directory: layer.directory))
                } else {
                    secrets.add(SecretReader(context).names(value))
                }
            case .dotenv: dotenv += DotenvReader(context).files(value)
            // XPath expressions need them wherever they are, so they were read before everything else.
            case .namespaces: break
            case .schemas: context.readMembers(value, .string) { _, _, _ in }
            case .load: suite.loadProfiles = LoadReader(context).profiles(value)
            case .environments, .defaults, .use, .fragments, .setup, .tests, .teardown:
                later[key, default: []].append(Entry(key: keyNode, value: value, directory: layer.directory))
            }
        }
        for layer in layers where !layer.isOwn {
            context.reading(in: layer.directory) {
                MapReader(context, SuiteKey.settings).read(layer.root) { read($0, $1, $2, layer) }
            }
            hasInheritedServer = suite.serve != nil
        }
        let own = layers[layers.count - 1]
        let found = MapReader(context, SuiteKey.schema).read(node) { read($0, $1, $2, own) }
        suite.annotations = Annotations(
            description: description, owner: owner,
            properties: found.hasExtensions ? ExtensionReader.properties(ofSuite: node) : [])
        for entry in later[.secrets] ?? [] {
            context.reading(in: entry.directory) {
                SecretCommandReader(context).read(
                    entry.value, into: &suite, names: &secrets, scope: &scope, files: layers.map(\.root.file))
            }
        }
        let environments = later[.environments].map {
            EnvironmentReader(context).environments($0, scope: &scope, baseURL: baseURL)
        }
        suite.secrets = secrets.names
        if let environments {
            secrets.add(environments.secrets)
            apply(environments, to: &suite, scope: &scope)
        }
        dotenv += environments?.chosen?.dotenv ?? []
        suite.dotenv = DotenvReader(context).values(of: dotenv)
        let defaults = DefaultsReader(context: context).defaults(later[.defaults] ?? [])
        let callees = readFragments(
            later[.fragments]?.last?.value, use: later[.use] ?? [], defaults: defaults, scope: scope, into: &suite)
        let reader = TestReader(
            context, defaults: defaults, suiteTags: suite.tags, suiteOwner: owner, callees: callees)
        var tests: [SuiteTest] = []
        for entry in later[.setup] ?? [] {
            tests.append(reader.sequence(.setup, entry.value, entry.key, index: 0, scope: &scope))
        }
        for entry in later[.tests] ?? [] { append(entry.value, entry.key, to: &tests, reader: reader, scope: &scope) }
        for entry in later[.teardown] ?? [] {
            tests.append(reader.sequence(.teardown, entry.value, entry.key, index: tests.count, scope: &scope))
        }
        // The jar of the suite belongs to the setup and the teardown, too.
        if tests.contains(where: { $0.cookieJar == .keep }) {
            for index in tests.indices where tests[index].kind != .test { tests[index].cookieJar = .keep }
        }
        let hasServer = layers.contains { $0.root["serve"] != nil || $0.root["baseURL"] != nil }
        if !found.contains(.baseURL), !found.contains(.serve), suite.baseURL == nil, !hasServer {
            reportMissingBaseURL(environments: environments?.withBaseURL ?? [])
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
        var savedPaths = SavedPaths(context)
        for test in suite.tests.indices { savedPaths.check(suite.tests[test].steps) }
        // Rows that could not be created before the run may have any columns.
        let hasUnknownColumns = withRows.contains { suite.tests[$0].data == nil }
        SecretReader(context).collect(
            into: &suite, named: secrets, environments: environments?.variables ?? [],
            dotenvRange: dotenv.first?.node.range, hasUnknownColumns: hasUnknownColumns)
        return suite
    }

    /// Returns the settings that all parts of a suite need.
    private func settings(_ layers: [SettingsLayer]) -> SuiteSettings {
        let schemas = SchemaSettingsReader(context: context).settings(layers)
        return SuiteSettings(
            schemas: schemas, contract: ContractReader(context, library: contracts, schemas: schemas).contract(layers),
            lacksContract: context.options.contract == nil && layers.allSatisfy { $0.root["contract"] == nil },
            namespaces: context.namespaces(layers))
    }

    /// Applies the values of the selected environment to a suite.
    private func apply(_ read: EnvironmentReader.Environments, to suite: inout Suite, scope: inout SuiteScope) {
        suite.environments = read.names
        suite.secrets.add(read.secrets.names)
        guard let chosen = read.chosen else { return }
        suite.environment = context.options.environment
        if let baseURL = chosen.baseURL {
            set(baseURL, chosen.baseURLUses, replacingServer: true, in: &suite, scope: &scope)
        }
        let replaced = Set(chosen.variables.map(\.name))
        suite.secretCommands.removeAll { replaced.contains($0.name) }
        suite.variables.replace(with: chosen.variables)
        // So far, only the variables of the suite and of the environment were read. Of equal names, the later one wins.
        scope.suiteVariables = 0..<scope.variables.count
    }

    /// Sets the base URL of a suite.
    ///
    /// - Parameter replacingServer: Whether the suite starts no server if the URL does not use the port of one, because
    ///   the server of the URL is already running.
    private func set(
        _ baseURL: Template, _ uses: Range<Int>, replacingServer: Bool, in suite: inout Suite, scope: inout SuiteScope
    ) {
        suite.baseURL = baseURL
        scope.baseURLUses = uses
        if replacingServer, !context.uses[uses].contains(where: { $0.name == "port" }) {
            suite.serve = nil
            scope.hasServe = false
            scope.serveUses = 0..<0
        }
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
        _ node: YAMLNode?, use: [Entry], defaults: SuiteDefaults, scope: SuiteScope, into suite: inout Suite
    ) -> FragmentSource? {
        guard node != nil || !use.isEmpty else { return nil }
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
