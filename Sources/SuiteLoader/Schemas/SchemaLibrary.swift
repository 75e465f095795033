import Basics
import Diagnostics
import FileSystem
import JSON
import SuiteModel
import Synchronization
import YAML

/// The schemas of one load. Each file is read once and each schema compiled once, regardless of how many suites use it.
final class SchemaLibrary: Sendable {
    /// The source and the settings of a schema.
    struct Key: Hashable, Sendable {
        /// The source of a schema.
        enum Source: Hashable, Sendable {
            /// A URI with its fragment, usually of a file.
            case reference(String)
            /// A part of a suite.
            case inline(SourceRange)
        }

        /// The source of the schema.
        var source: Source
        /// The settings for compiling the schema.
        var settings: SchemaSettings
    }

    private struct State {
        var files: ProjectFiles
        var documents: [String: LocatedDocument.Reading] = [:]
        /// The compiled schemas; nil for an invalid one, which was reported.
        var compiled: [Key: CompiledSchema?] = [:]
    }

    private let shownPath: ShownPath
    private let state: Mutex<State>

    /// Creates an empty library.
    init(options: LoaderOptions) {
        state = Mutex(State(files: ProjectFiles(root: options.fileRoot, directory: options.workingDirectory)))
        shownPath = ShownPath(options: options)
    }

    /// Returns the schema for a key, which is compiled on first use; nil if it is invalid.
    func schema(_ key: Key, compile: () -> CompiledSchema?) -> CompiledSchema? {
        if let known = state.withLock({ $0.compiled[key] }) { return known }
        let schema = compile()
        state.withLock { $0.compiled[key] = .some(schema) }
        return schema
    }

    /// Returns the document of a file, which is read on first use.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - what: The name of the document in messages.
    func document(at path: String, as what: String = "schema") -> LocatedDocument.Reading {
        if let known = state.withLock({ $0.documents[path] }) { return known }
        let reading = read(path, as: what)
        state.withLock { $0.documents[path] = reading }
        return reading
    }

    private func read(_ path: String, as what: String) -> LocatedDocument.Reading {
        let shown = shownPath.name(of: path)
        if let problem = state.withLock({ $0.files.problem(ofReading: path, shown: shown) }) {
            return .problems([Diagnostic(id: problem.id, message: problem.message, suggestion: problem.suggestion)])
        }
        do {
            let text = try File.bytes(at: File.realPath(path) ?? path)
            return LocatedDocument.read(SourceFile(name: shown, text: text), as: what)
        } catch {
            return .problems([
                Diagnostic(
                    id: "unreadable-file", message: "the file \"\(shown)\" cannot be read: \(error.reason)")
            ])
        }
    }
}

/// The documents that one schema references, by URI. They are read from files, and never from a network.
final class SchemaSources: Sendable {
    /// A part of a document that has its own URI.
    private struct Resource {
        var document: LocatedDocument
        var tokens: [String]
    }

    private struct State {
        var documents: [(uri: String, document: LocatedDocument)] = []
        var problems: [Diagnostic] = []
        /// Requested URIs that could not be resolved.
        var missing: Set<String> = []
        /// The resources that locations refer to by their own identifiers.
        var resources: [String: Resource] = [:]
    }

    private let library: SchemaLibrary
    private let settings: SchemaSettings
    private let state = Mutex(State())

    /// Creates an empty collection.
    init(library: SchemaLibrary, settings: SchemaSettings) {
        self.library = library
        self.settings = settings
    }

    /// Adds a document.
    func add(_ document: LocatedDocument, uri: String) {
        state.withLock { $0.documents.append((uri, document)) }
    }

    /// Returns the document with a URI; nil if there is none, which is added to ``problems``.
    func document(_ uri: String) -> JSONValue? {
        if let known = state.withLock({ state in state.documents.first { $0.uri == uri } }) {
            return known.document.value
        }
        guard let path = settings.path(of: uri) ?? FileURI.path(of: uri) else {
            add([Self.unknown(uri)], of: uri)
            return nil
        }
        switch library.document(at: path) {
        case .document(let document):
            add(document, uri: uri)
            return document.value
        case .problems(let problems):
            add(problems, of: uri)
            return nil
        }
    }

    /// The reasons why documents could not be resolved.
    var problems: [Diagnostic] { state.withLock { $0.problems } }

    private func add(_ problems: [Diagnostic], of uri: String) {
        state.withLock { state in
            if state.missing.insert(uri).inserted { state.problems += problems }
        }
    }

    private static func unknown(_ uri: String) -> Diagnostic {
        let isRemote = uri.hasPrefix("http://") || uri.hasPrefix("https://")
        return Diagnostic(
            id: "unknown-schema",
            message: isRemote
                ? "\"\(uri)\" is not loaded from the network" : "no file is given for the schema \"\(uri)\"",
            suggestion: "map it to a file at the top level: schemas: { \"\(uri)\": FILE }")
    }

    // MARK: Locations

    /// Returns the source range of a part of a document, given a URI with a JSON Pointer as its fragment.
    func location(of uri: String) -> SourceRange? {
        guard let hash = uri.utf8.lastIndex(of: UInt8(ascii: "#")) else { return location(uri: uri, []) }
        let fragment = String(uri[uri.index(after: hash)...])
        guard let pointer = try? JSONPointer(uriFragment: fragment) else { return nil }
        return location(uri: String(uri[..<hash]), pointer.tokens)
    }

    /// Returns the source range of a member name.
    func keyLocation(uri: String, _ tokens: [String]) -> SourceRange? {
        let documents = state.withLock { $0.documents }
        return documents.first { $0.uri == uri }?.document.keyLocation(of: tokens)
    }

    /// Returns the source range of a part of a document.
    func location(uri: String, _ tokens: [String]) -> SourceRange? {
        let documents = state.withLock { $0.documents }
        if let known = documents.first(where: { $0.uri == uri }), let location = known.document.location(of: tokens) {
            return location
        }
        guard let resource = resource(uri, in: documents.map(\.document)) else { return nil }
        return resource.document.location(of: resource.tokens + tokens)
    }

    private func resource(_ uri: String, in documents: [LocatedDocument]) -> Resource? {
        if let known = state.withLock({ $0.resources[uri] }) { return known }
        for document in documents {
            guard let tokens = document.pointer(toResource: uri) else { continue }
            let resource = Resource(document: document, tokens: tokens)
            state.withLock { $0.resources[uri] = resource }
            return resource
        }
        return nil
    }
}

/// The shared settings of the schemas of a suite.
struct SchemaSettings: Hashable, Sendable {
    /// Whether `format` is validated in schemas that do not specify it themselves.
    var assertsFormat = false
    /// Absolute paths that replace URIs; a URI that ends with `/` is replaced by a directory.
    var paths: [String: String] = [:]

    /// Returns the absolute path that replaces a URI: by exact match, otherwise by the longest prefix with a directory.
    func path(of uri: String) -> String? {
        if let path = paths[uri] { return path }
        var maximumLength: (uri: String, path: String)?
        for (beginning, path) in paths
        where beginning.hasSuffix("/") && uri.hasPrefix(beginning) && beginning.count > maximumLength?.uri.count ?? 0 {
            maximumLength = (beginning, path)
        }
        guard let maximumLength else { return nil }
        let rest = uri.dropFirst(maximumLength.uri.count)
        return FileURI.path(of: FileURI.uri(ofPath: maximumLength.path) + "/" + rest)
    }
}

/// Converts absolute paths to `file` URIs (RFC 8089) and back.
enum FileURI {
    private static let prefix = "file://"

    /// Returns the URI of an absolute path.
    static func uri(ofPath path: String) -> String {
        prefix + encode(path)
    }

    /// Returns a relative reference to a path; for an absolute path, it starts with a slash.
    static func reference(toPath path: String) -> String {
        encode(path)
    }

    /// Returns the path of a `file` URI; nil for any other URI.
    static func path(of uri: String) -> String? {
        guard uri.hasPrefix(prefix) else { return nil }
        let rest = uri.dropFirst(prefix.count)
        guard rest.hasPrefix("/") else { return nil }
        return Path.normalized(PercentEncoding.decode(rest))
    }

    /// Returns a path with percent-encoded segments.
    private static func encode(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode($0) }
            .joined(separator: "/")
    }
}
