import Basics
public import Diagnostics
import FileSystem
import OpenAPI
public import SuiteModel
import YAML

/// Loads mock files and OpenAPI descriptions as a ``MockDefinition``; every problem becomes a located diagnostic.
public struct MockLoader: Sendable {
    private let options: LoaderOptions
    /// Whether an error in a part of a description makes the whole description unusable; otherwise, it is a warning.
    public var isStrict = false

    /// The maximum number of problems to report for a description that is usable nevertheless.
    private static let maximumWarnings = 20

    /// Creates a loader.
    public init(options: LoaderOptions) {
        self.options = options
    }

    /// Loads a mock file that may reference files in its own directory and below.
    ///
    /// - Parameter path: The path of the mock file, absolute or relative to the working directory of the process.
    /// - Returns: The definition, or nil if there is an error; and all diagnostics in source order.
    public static func load(path: String) -> (definition: MockDefinition?, diagnostics: [Diagnostic]) {
        let directory = Path.parent(of: File.realPath(path) ?? path)
        return MockLoader(
            options: LoaderOptions(fileRoot: directory, workingDirectory: File.realPath(".") ?? "/")
        ).load(path: path)
    }

    /// Loads a mock file.
    ///
    /// - Parameter path: The path, as passed by the user; a relative one resolves against the working directory.
    /// - Returns: The definition, or nil if there is an error; and all diagnostics in source order.
    public func load(path: String) -> (definition: MockDefinition?, diagnostics: [Diagnostic]) {
        let absolute = Path.absolute(path, in: options.workingDirectory)
        let bytes: [UInt8]
        switch File.kind(of: absolute) {
        case nil:
            let suggestion = OutsideSource(path)?.suggestion("run apitest mock openapi.yaml")
            let problem = suggestion == nil ? "does not exist" : "is not a file"
            return (
                nil,
                [
                    Diagnostic(
                        id: "missing-file", message: "\"\(path)\" \(problem)", suggestion: suggestion)
                ]
            )
        case .directory:
            return (nil, [Diagnostic(id: "missing-file", message: "\"\(path)\" is a directory, not a mock file")])
        case .file, .other:
            do {
                bytes = try File.bytes(at: absolute)
            } catch {
                let message: MessageText = "the file \"\(path)\" cannot be read: \(error.reason)"
                return (nil, [Diagnostic(id: "unreadable-file", message: message)])
            }
        }
        var source = DescriptionSource(
            description: path, workingDirectory: options.workingDirectory, fileRoot: chosenRoot)
        for entry in options.schemas { source.add(entry.file, forURI: entry.uri) }
        return load(
            SourceFile(name: path, text: bytes),
            directory: Path.parent(of: File.realPath(absolute) ?? absolute),
            schemas: SchemaLibrary(options: options), descriptions: source, location: source.location(of: path))
    }

    /// The directory that must contain the files of descriptions; nil if the user did not choose one.
    private var chosenRoot: String? { options.fileRoot == options.workingDirectory ? nil : options.fileRoot }

    /// Loads the contents of a mock file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - directory: The absolute path of the directory that the file's paths resolve against.
    public func load(
        _ file: SourceFile, directory: String
    ) -> (definition: MockDefinition?, diagnostics: [Diagnostic]) {
        load(file, directory: directory, schemas: SchemaLibrary(options: options))
    }

    /// Loads the contents of a mock file as a part of a load, whose schemas it shares.
    func load(
        _ file: SourceFile, directory: String, schemas: SchemaLibrary, settings: SchemaSettings = SchemaSettings()
    ) -> (definition: MockDefinition?, diagnostics: [Diagnostic]) {
        let source = DescriptionSource(options: options, library: schemas, schemas: settings)
        let name = Path.lastComponent(of: file.name)
        return load(
            file, directory: directory, schemas: schemas, descriptions: source,
            location: source.location(of: name, in: directory))
    }

    private func load(
        _ file: SourceFile, directory: String, schemas: SchemaLibrary, descriptions: DescriptionSource, location: String
    ) -> (definition: MockDefinition?, diagnostics: [Diagnostic]) {
        let context = LoadContext(options: options, directory: directory, schemas: schemas)
        let (documents, problems) = YAMLStream.parse(file)
        if let root = documents.first, root["openapi"] ?? root["swagger"] != nil {
            return load(file, descriptions, location)
        }
        context.diagnostics.add(contentsOf: problems)
        var definition: MockDefinition?
        if let root = documents.first {
            definition = MockReader(context).definition(root)
        } else if !context.diagnostics.hasErrors {
            context.report("empty-file", "the mock file \"\(file.name)\" is empty", nil)
        }
        if documents.count > 1 {
            context.report(
                "several-documents", "a mock file must contain a single document", documents[1].range,
                suggestion: "move it to a separate file")
        }
        return (context.diagnostics.hasErrors ? nil : definition, context.diagnostics.sorted)
    }

    /// Loads an OpenAPI description and creates a mock of its operations.
    private func load(
        _ file: SourceFile, _ source: DescriptionSource, _ location: String
    ) -> (definition: MockDefinition?, diagnostics: [Diagnostic]) {
        let (description, problems) = OpenAPILoader(source: MainFile(file: file, location: location, others: source))
            .load(location, isStrict: isStrict)
        guard let description else { return (nil, problems) }
        if isStrict, problems.contains(where: { $0.severity == .error }) { return (nil, problems) }
        // Invalid parts are omitted; the operations that do not need them are served.
        var warnings = problems.prefix(Self.maximumWarnings).map { problem in
            var problem = problem
            problem.severity = min(problem.severity, .warning)
            return problem
        }
        if problems.count > warnings.count {
            warnings.append(
                Diagnostic(
                    id: "too-many-problems", severity: .warning,
                    message: "\(problems.count - warnings.count) more problems in \(file.name) are not shown",
                    suggestion: "run \"apitest contract check \(file.name)\""))
        }
        let name = description.title.isEmpty ? Path.lastComponent(of: file.name) : description.title
        return (MockDefinition(file: file, name: name, contract: ContractMock(description)), warnings)
    }

    /// A document source whose main file is already in memory.
    private struct MainFile: DocumentSource {
        let file: SourceFile
        let location: String
        let others: DescriptionSource

        func document(at location: String) -> LocatedDocument.Reading {
            location == self.location ? LocatedDocument.read(file) : others.document(at: location)
        }

        func location(ofURI uri: String) -> String? { others.location(ofURI: uri) }
    }
}

extension MockReader {
    /// The members of `request` in expressions.
    static let requestMembers = [
        "method", "url", "path", "params", "query", "headers", "cookies", "form", "body", "text",
    ]

    /// Checks the names that expressions use. In a mock file, only `request` is defined.
    ///
    /// - Parameters:
    ///   - firstUse: The position of the first use to check; this and all later uses are removed from the context.
    ///   - parameters: The names of the path parameters.
    func checkNames(from firstUse: Int, parameters: [String]) {
        for use in context.uses[firstUse...] where !use.isTypeName {
            guard use.name == "request" else {
                let member = Spelling.nearest(to: use.name, among: MockReader.requestMembers)
                context.report(
                    "undefined-variable", "unknown variable \"\(use.name)\" in a mock file", use.range,
                    suggestion: Spelling.suggestion(for: use.name, among: ["request"])
                        ?? member.map { "did you mean \"request.\($0)\"?" }
                        ?? "expressions of a mock file can use \"request\"")
                continue
            }
            guard use.path.count > 1 else { continue }
            let member = use.path[1]
            if !MockReader.requestMembers.contains(member) {
                context.report(
                    "undefined-variable", "\"request\" has no \"\(member)\"", use.range,
                    suggestion: Spelling.suggestion(for: member, among: MockReader.requestMembers)
                        ?? "it has \(MockReader.requestMembers.joined(separator: ", "))")
            } else if member == "params", use.path.count > 2, !parameters.contains(use.path[2]) {
                context.report(
                    "undefined-variable", "the route's path has no parameter \"\(use.path[2])\"", use.range,
                    suggestion: Spelling.suggestion(for: use.path[2], among: parameters))
            }
        }
        context.uses.removeSubrange(firstUse...)
    }
}
