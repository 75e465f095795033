import Basics
import Diagnostics
import FileSystem
import SuiteModel
import YAML

/// The fragments of one load. Each fragment file is read once, regardless of how many suites and files use it.
final class FragmentLibrary {
    /// The maximum depth of files that use each other.
    private static let maximumUses = 64

    /// The sources of fragments, in the order in which they were found.
    private(set) var sources: [FragmentSource] = []
    private let options: LoaderOptions
    private let schemas: SchemaLibrary
    private let shownPath: ShownPath
    /// The sources by real file path, or the reason why a file is not a valid fragment file.
    private var files: [String: FileState] = [:]
    private var depth = 0
    /// The first source that may contain fragments that have not been compiled.
    private var nextToCompile = 0

    /// The result of reading a fragment file: its source, or the reason why it is not one.
    private enum FileState {
        case source(Int)
        case broken
        case other(problem: MessageText, suggestion: MessageText?)
    }

    /// Creates an empty library.
    init(options: LoaderOptions, schemas: SchemaLibrary) {
        self.options = options
        self.schemas = schemas
        shownPath = ShownPath(options: options)
    }

    /// The diagnostics of all fragment files.
    var diagnostics: [Diagnostic] {
        sources.filter { !$0.origin.isInSuite }.flatMap(\.context.diagnostics.sorted)
    }

    /// Returns the absolute paths of the fragment files that a source uses, directly or through others.
    func files(usedBy source: FragmentSource) -> [String] {
        var seen: Set<Int> = []
        var pending = source.used
        while let index = pending.popLast() {
            if seen.insert(index).inserted { pending += sources[index].used }
        }
        return seen.sorted().compactMap { sources[$0].path }
    }

    // MARK: Reading

    /// Adds the fragments that a suite defines and uses, and returns the source in which its calls are looked up.
    func add(
        suite: Suite, context: LoadContext, fragments: YAMLNode?, use: [SuiteReader.Entry], defaults: SuiteDefaults,
        scope: SuiteScope
    ) -> FragmentSource {
        let origin = Fragment.Origin(
            file: suite.file, directory: suite.directory, isInSuite: true, secrets: suite.secrets)
        let source = newSource(context, origin)
        source.defaults = defaults
        source.scope = scope
        if let fragments { source.addEntries(fragments) }
        for entry in use { context.reading(in: entry.directory) { self.use(entry.value, in: source) } }
        compileAll()
        return source
    }

    private func newSource(_ context: LoadContext, _ origin: Fragment.Origin) -> FragmentSource {
        let source = FragmentSource(index: sources.count, context: context, origin: origin) { [unowned self] target in
            fragment(target)
        }
        sources.append(source)
        return source
    }

    /// Adds the fragments of the files under `use` to a source.
    private func use(_ node: YAMLNode, in source: FragmentSource) {
        if let elements = node.sequence {
            for element in elements {
                if element.kind == .mapping {
                    useNamed(element, in: source)
                } else if element.scalar?.isString == true {
                    use(element, as: nil, in: source)
                } else {
                    source.context.reportType(element, expected: "a path")
                }
            }
        } else if node.kind == .mapping {
            useNamed(node, in: source)
        } else {
            use(node, as: nil, in: source)
        }
    }

    private func useNamed(_ node: YAMLNode, in source: FragmentSource) {
        source.context.readMembers(node, .string) { name, key, value in
            source.context.checkName(name, key, what: "a fragment file")
            use(value, as: name, in: source)
        }
    }

    /// Makes the fragments of a file visible in a source, with an optional prefix for their names.
    private func use(_ path: YAMLNode, as prefix: String?, in source: FragmentSource) {
        let text = TemplateReader(source.context).name(path, what: "a path")
        guard let file = file(text, path, source.context) else {
            source.isComplete = false
            return
        }
        if file.index == source.index {
            source.context.report("fragment-file", "the file includes itself", path.range, suggestion: "remove it")
            return
        }
        if !source.used.contains(file.index) { source.used.append(file.index) }
        if !file.isComplete, file.entries.isEmpty { source.isComplete = false }
        for (index, entry) in file.entries.enumerated() {
            let name = prefix.map { "\($0).\(entry.name)" } ?? entry.name
            let target = FragmentSource.Target(source: file.index, entry: index)
            guard let other = source.visible[name] else {
                source.visible[name] = target
                continue
            }
            if other == target { continue }
            let first = sources[other.source].entries[other.entry]
            let short = NameRules.identifier(like: String(Path.lastComponent(of: text).prefix { $0 != "." }))
            source.context.report(
                "duplicate-fragment", "duplicate fragment \"\(name)\"", path.range,
                related: [first, entry].map {
                    Diagnostic.Related(message: "one of them is here", range: $0.range)
                },
                suggestion: "write \"use: { \(short): \(text) }\", and call \"\(short).\(entry.name)\"")
        }
    }

    /// Returns the source for a file; reports an error and returns nil if it is not a valid fragment file.
    private func file(_ path: String, _ node: YAMLNode, _ user: LoadContext) -> FragmentSource? {
        if path.isEmpty { return nil }
        let problems = user.diagnostics.count
        let absolute = user.existingFile(path, node.range)
        guard user.diagnostics.count == problems, let real = File.realPath(absolute) else { return nil }
        let state = files[real] ?? read(real)
        switch state {
        case .source(let index): return sources[index]
        case .broken: return nil
        case .other(let problem, let suggestion):
            user.report("fragment-file", "\"\(path)\" \(problem)", node.range, suggestion: suggestion)
            return nil
        }
    }

    private func read(_ path: String) -> FileState {
        let state = readFile(path)
        files[path] = state
        return state
    }

    /// Reads a fragment file, including the files that it uses.
    private func readFile(_ path: String) -> FileState {
        if depth >= Self.maximumUses {
            return .other(
                problem: "is part of a chain of more than \(Self.maximumUses) files that include each other",
                suggestion: nil)
        }
        let bytes: [UInt8]
        do {
            bytes = try File.bytes(at: path)
        } catch {
            return .other(problem: "cannot be read: \(error.reason)", suggestion: nil)
        }
        let file = SourceFile(name: shownPath.name(of: path), text: bytes)
        let parsed = YAMLStream.parse(file)
        let root = parsed.documents.first
        let isSound = !parsed.diagnostics.contains { $0.severity == .error }
        if isSound, let other = Self.otherKind(of: root, count: parsed.documents.count) { return other }
        let directory = Path.normalized(Path.parent(of: path))
        let context = LoadContext(options: options, directory: directory, schemas: schemas)
        context.diagnostics.add(contentsOf: parsed.diagnostics)
        let source = newSource(context, Fragment.Origin(file: file, directory: directory, isInSuite: false))
        source.path = path
        files[path] = .source(source.index)
        guard let root else {
            source.isComplete = false
            return .source(source.index)
        }
        depth += 1
        defer { depth -= 1 }
        read(root, into: source)
        if !isSound { source.isComplete = false }
        return .source(source.index)
    }

    /// Returns the state of a file that is not a fragment file; nil if it is one.
    private static func otherKind(of root: YAMLNode?, count: Int) -> FileState? {
        guard let root, !root.isNull else { return .other(problem: "is empty", suggestion: nil) }
        if count > 1 {
            return .other(
                problem: "has several documents, but a fragment file must contain a single one",
                suggestion: "write all fragments under one \"fragments\"")
        }
        if root.kind == .sequence {
            return .other(problem: "is a sequence", suggestion: "a fragment file is a mapping with \"fragments\"")
        }
        if root["tests"] != nil {
            return .other(
                problem: "is a suite, but \"use\" includes fragment files",
                suggestion: root["fragments"] == nil ? nil : "move its \"fragments\" to a separate file")
        }
        if root["routes"] != nil || root["collections"] != nil {
            return .other(
                problem: "is a mock file, but \"use\" includes fragment files",
                suggestion: "a suite names it in \"serve: { mock: … }\"")
        }
        return nil
    }

    private func read(_ root: YAMLNode, into source: FragmentSource) {
        let context = source.context
        context.begin(
            SuiteSettings(
                schemas: SchemaSettingsReader(context: context).settings(root), namespaces: context.namespaces(root)))
        var use: YAMLNode?
        var defaults: YAMLNode?
        var scope = SuiteScope()
        MapReader(context, FragmentFileKey.schema).read(root) { key, _, value in
            switch key {
            case .description: break
            case .use: use = value
            case .variables:
                let variables = VariableReader(context)
                (source.origin.variables, scope.suiteVariables) = variables.variables(value, scope: &scope)
            case .secrets: source.origin.secrets.add(SecretReader(context).names(value).names)
            // XPath expressions need them wherever they are, so they were read before everything else.
            case .namespaces: break
            case .schemas: context.readMembers(value, .string) { _, _, _ in }
            case .defaults: defaults = value
            case .fragments: source.addEntries(value)
            }
        }
        if let defaults {
            if let retry = defaults.mapping?.first(where: { $0.key.scalar?.text == "retry" }) {
                context.report(
                    "unknown-key", "\"retry\" applies to tests, and a fragment file has none", retry.key.range,
                    suggestion: "write it in the steps or at the calls")
            }
            source.defaults = DefaultsReader(context: context).defaults(defaults)
        }
        // The variables of the file can use each other and those of the command line. They are checked once for all
        // fragments.
        var resolver = NameResolver(context, scope: scope, mode: .concurrent, tests: [])
        var noSecrets: [SecretCommand] = []
        _ = resolver.resolve(&noSecrets)
        source.scope = scope
        source.depths = resolver.walk.depths
        if let use { self.use(use, in: source) }
    }

    // MARK: Compilation

    /// Compiles all fragments that have not been compiled.
    private func compileAll() {
        while nextToCompile < sources.count {
            let source = nextToCompile
            nextToCompile += 1
            for entry in sources[source].entries.indices {
                compile(FragmentSource.Target(source: source, entry: entry), callers: [])
            }
        }
    }

    /// Returns the fragment that a call names; nil if it cannot be called, which was reported.
    func fragment(_ target: FragmentSource.Target) -> Fragment? {
        if case .read(let fragment) = sources[target.source].entries[target.entry].state { return fragment }
        return nil
    }

    /// A call whose target is being compiled.
    private struct Caller {
        var target: FragmentSource.Target
        var call: YAMLNode
    }

    /// Compiles a fragment after those that it calls. The limit for nested calls bounds the recursion.
    private func compile(_ target: FragmentSource.Target, callers: [Caller]) {
        let source = sources[target.source]
        guard case .unread(let node) = source.entries[target.entry].state else { return }
        source.entries[target.entry].state = .open
        for call in Self.calls(in: node) {
            guard let name = call.scalar?.text, let callee = source.visible[name] else { continue }
            let path = callers + [Caller(target: target, call: call)]
            switch sources[callee.source].entries[callee.entry].state {
            case .open: reportCycle(path, back: callee)
            case .unread:
                if path.count >= Fragment.maximumDepth {
                    source.context.report(
                        "fragment-depth", "calls are nested more than \(Fragment.maximumDepth) levels deep", call.range)
                } else {
                    compile(callee, callers: path)
                }
            case .read, .broken: break
            }
        }
        let entry = source.entries[target.entry]
        let fragment = FragmentReader(source).fragment(node, name: entry.name, range: entry.range)
        source.entries[target.entry].state = check(fragment, in: source.context) ? .read(fragment) : .broken
    }

    private func check(_ fragment: Fragment, in context: LoadContext) -> Bool {
        if fragment.depth > Fragment.maximumDepth {
            context.report(
                "fragment-depth",
                "calls are nested more than \(Fragment.maximumDepth) levels deep below \"\(fragment.name)\"",
                fragment.range)
            return false
        }
        if fragment.stepCount > Fragment.maximumSteps {
            context.report(
                "fragment-size",
                "a call of \"\(fragment.name)\" runs more than \(Fragment.maximumSteps) steps, including nested calls",
                fragment.range)
            return false
        }
        var savedPaths = SavedPaths(context)
        savedPaths.check(fragment.steps)
        return true
    }

    /// Returns the nodes of the fragment names that the steps of a fragment call.
    private static func calls(in node: YAMLNode) -> [YAMLNode] {
        guard let steps = node["steps"]?.sequence else { return [] }
        return steps.compactMap { $0["call"] }
    }

    private func reportCycle(_ path: [Caller], back: FragmentSource.Target) {
        guard let start = path.firstIndex(where: { $0.target == back }), let last = path.last else { return }
        let cycle = path[start...]
        func name(_ target: FragmentSource.Target) -> String { sources[target.source].entries[target.entry].name }
        let names = (cycle.map { name($0.target) } + [name(back)]).map { "\"\($0)\"" }
        let related = cycle.dropLast().enumerated().map { index, caller in
            let next = cycle[cycle.startIndex + index + 1].target
            return Diagnostic.Related(
                message: "\"\(name(caller.target))\" calls \"\(name(next))\" here", range: caller.call.range)
        }
        sources[last.target.source].context.report(
            "fragment-cycle",
            names.count == 2
                ? "the fragment \"\(name(back))\" calls itself"
                : "fragments call each other: \(names.joined(separator: " → "))",
            last.call.range, related: related)
    }
}
