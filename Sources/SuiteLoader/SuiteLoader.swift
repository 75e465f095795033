import Basics
public import Diagnostics
import FileSystem
public import SuiteModel
import YAML

/// Loads suites from YAML files; every problem becomes a located diagnostic.
public struct SuiteLoader: Sendable {
    /// The options for loading.
    package let options: LoaderOptions

    /// Creates a loader.
    public init(options: LoaderOptions) {
        self.options = options
    }

    /// Loads the suites of files, and of `*.apitest.yaml` and `*.apitest.yml` files in directories.
    ///
    /// - Parameter paths: Paths of files or directories, as passed by the user.
    /// - Returns: The suites and the diagnostics of all files. If any diagnostic is an error, no suite may be run.
    public func load(paths: [String]) -> LoadResult {
        var finder = SuiteFinder(workingDirectory: options.workingDirectory)
        for path in paths { finder.add(path) }
        var result = LoadResult()
        result.diagnostics = finder.diagnostics
        let schemas = SchemaLibrary(options: options)
        let fragments = FragmentLibrary(options: options, schemas: schemas)
        let contracts = ContractLibrary()
        let settings = SettingsFiles(options: options)
        // Settings files can have the names of suites. They are known after the suites that extend them.
        var withoutTests: [SuiteFinder.Found] = []
        func load(_ found: SuiteFinder.Found, isLast: Bool) {
            let bytes: [UInt8]
            do {
                bytes = try File.bytes(at: found.absolutePath)
            } catch {
                result.diagnostics.append(
                    Diagnostic(
                        id: "unreadable-file", message: "the file \"\(found.path)\" cannot be read: \(error.reason)"))
                return
            }
            let file = SourceFile(name: found.path, text: bytes)
            let parsed = YAMLStream.parse(file)
            if !isLast, found.isInDirectory, SettingsFiles.mayBeSettings(parsed.documents) {
                withoutTests.append(found)
                return
            }
            let loaded = self.load(
                file, parsed, absolutePath: found.absolutePath, schemas: schemas, fragments: fragments,
                contracts: contracts, settings: settings)
            result.suites += loaded.suites
            result.diagnostics += loaded.diagnostics
        }
        for found in finder.files { load(found, isLast: false) }
        for found in withoutTests
        where !settings.paths.contains(File.realPath(found.absolutePath) ?? found.absolutePath) {
            load(found, isLast: true)
        }
        result.diagnostics += fragments.diagnostics
        if !settings.paths.isEmpty { result.diagnostics = SettingsFiles.withoutRepetitions(result.diagnostics) }
        if let environment = options.environment, !result.hasErrors, !result.suites.isEmpty,
            result.suites.allSatisfy(\.environments.isEmpty)
        {
            result.diagnostics.append(
                Diagnostic(
                    id: "unknown-environment",
                    message: "--environment \(environment): no suite has \"environments\""))
        }
        return result
    }

    /// Loads the suites of a text.
    ///
    /// - Parameters:
    ///   - file: The text, with its path for messages.
    ///   - absolutePath: The actual or assumed path of the text, for resolving its relative paths.
    package func load(_ file: SourceFile, absolutePath: String) -> LoadResult {
        let schemas = SchemaLibrary(options: options)
        let fragments = FragmentLibrary(options: options, schemas: schemas)
        var result = load(
            file, YAMLStream.parse(file), absolutePath: absolutePath, schemas: schemas, fragments: fragments,
            contracts: ContractLibrary(), settings: SettingsFiles(options: options))
        result.diagnostics += fragments.diagnostics
        return result
    }

    private func load(
        _ file: SourceFile, _ parsed: (documents: [YAMLNode], diagnostics: [Diagnostic]), absolutePath: String,
        schemas: SchemaLibrary, fragments: FragmentLibrary, contracts: ContractLibrary, settings: SettingsFiles
    ) -> LoadResult {
        let directory = Path.normalized(Path.parent(of: absolutePath))
        let context = LoadContext(options: options, directory: directory, schemas: schemas)
        // A marker at the end of the file, where another document could follow, does not start a suite.
        var documents = parsed.documents
        while documents.count > 1, documents.last?.isAbsent == true { documents.removeLast() }
        let hasSyntaxErrors = parsed.diagnostics.contains { $0.severity == .error }
        context.diagnostics.add(contentsOf: parsed.diagnostics)
        let reader = SuiteReader(
            context: context, fragments: fragments, contracts: contracts, settingsFiles: settings, file: file,
            path: file.name)
        var suites: [Suite] = []
        for (index, document) in documents.enumerated() {
            if let suite = reader.suite(document, documentIndex: index) { suites.append(suite) }
        }
        if documents.isEmpty, !hasSyntaxErrors {
            context.report(
                "empty-suite", "the file contains no suite",
                SourceRange(file: file, bytes: 0..<0), suggestion: "a suite must be a mapping with \"tests\"")
        }
        return LoadResult(suites: suites, diagnostics: context.diagnostics.sorted.map(context.locatedInSettings))
    }
}

/// The loaded suites and all diagnostics.
public struct LoadResult: Sendable {
    /// The suites, in the order of the paths; a suite with an error may be incomplete.
    public var suites: [Suite]
    /// The diagnostics of all files, sorted by file and position.
    public var diagnostics: [Diagnostic]

    /// Creates a result.
    public init(suites: [Suite] = [], diagnostics: [Diagnostic] = []) {
        self.suites = suites
        self.diagnostics = diagnostics
    }

    /// The secret values that are known before the run and masked in all output.
    public var secretValues: [String] { suites.flatMap(\.secretValues) }

    /// Whether any diagnostic is an error, so that no request may be sent.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
