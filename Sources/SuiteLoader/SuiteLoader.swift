public import Diagnostics
import FileSystem
public import SuiteModel
import YAML

/// Loads suites from YAML files; every problem becomes a diagnostic with its place.
public struct SuiteLoader: Sendable {
    /// What loading needs to know besides the paths.
    package let options: LoaderOptions

    /// Creates a loader.
    public init(options: LoaderOptions) {
        self.options = options
    }

    /// Loads the suites that paths stand for: files, and folders with `*.apitest.yaml` and `*.apitest.yml` below them.
    ///
    /// - Parameter paths: Paths as the user gave them.
    /// - Returns: The suites, and all problems of all files. When one is an error, nothing may be run.
    public func load(paths: [String]) -> LoadResult {
        var finder = SuiteFinder(workingDirectory: options.workingDirectory)
        for path in paths { finder.add(path) }
        var result = LoadResult()
        result.diagnostics = finder.diagnostics
        let schemas = SchemaLibrary(options: options)
        let fragments = FragmentLibrary(options: options, schemas: schemas)
        let contracts = ContractLibrary()
        for found in finder.files {
            let bytes: [UInt8]
            do {
                bytes = try File.bytes(at: found.absolutePath)
            } catch {
                result.diagnostics.append(
                    Diagnostic(
                        id: "unreadable-file", message: "the file \"\(found.path)\" cannot be read: \(error.reason)"))
                continue
            }
            let file = SourceFile(name: found.path, text: bytes)
            let loaded = load(
                file, absolutePath: found.absolutePath, schemas: schemas, fragments: fragments, contracts: contracts)
            result.suites += loaded.suites
            result.diagnostics += loaded.diagnostics
        }
        result.diagnostics += fragments.diagnostics
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
    ///   - file: The text, with the path that the user is shown.
    ///   - absolutePath: Where the text is or would be, for relative paths in it.
    package func load(_ file: SourceFile, absolutePath: String) -> LoadResult {
        let schemas = SchemaLibrary(options: options)
        let fragments = FragmentLibrary(options: options, schemas: schemas)
        var result = load(
            file, absolutePath: absolutePath, schemas: schemas, fragments: fragments, contracts: ContractLibrary())
        result.diagnostics += fragments.diagnostics
        return result
    }

    private func load(
        _ file: SourceFile, absolutePath: String, schemas: SchemaLibrary, fragments: FragmentLibrary,
        contracts: ContractLibrary
    ) -> LoadResult {
        let parsed = YAMLStream.parse(file)
        let folder = Path.normalized(Path.parent(of: absolutePath))
        let context = LoadContext(options: options, folder: folder, schemas: schemas)
        let hasSyntaxErrors = parsed.diagnostics.contains { $0.severity == .error }
        context.diagnostics.add(contentsOf: parsed.diagnostics)
        let reader = SuiteReader(
            context: context, fragments: fragments, contracts: contracts, file: file, path: file.name)
        var suites: [Suite] = []
        for (index, document) in parsed.documents.enumerated() {
            if let suite = reader.suite(document, documentIndex: index) { suites.append(suite) }
        }
        if parsed.documents.isEmpty, !hasSyntaxErrors {
            context.report(
                "empty-suite", "the file holds no suite",
                SourceRange(file: file, bytes: 0..<0), suggestion: "a suite is a map with \"tests\"")
        }
        return LoadResult(suites: suites, diagnostics: context.diagnostics.sorted)
    }
}

/// The suites that were loaded, and every problem that was found.
public struct LoadResult: Sendable {
    /// The suites in the order of the paths; one with an error may be incomplete.
    public var suites: [Suite]
    /// The problems of all files, by file and position.
    public var diagnostics: [Diagnostic]

    /// Creates a result.
    public init(suites: [Suite] = [], diagnostics: [Diagnostic] = []) {
        self.suites = suites
        self.diagnostics = diagnostics
    }

    /// The values that every output masks, as far as they are known before anything runs.
    public var secretValues: [String] { suites.flatMap(\.secretValues) }

    /// Whether a problem is an error, so that nothing may be sent.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
