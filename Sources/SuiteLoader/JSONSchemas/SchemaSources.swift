import Diagnostics
import JSON
import Synchronization
import YAML

/// The documents that one schema reaches, by URI: they are read from files, and never from a network.
final class SchemaSources: Sendable {
    /// A part of a document that has a URI of its own.
    private struct Resource {
        var document: LocatedDocument
        var tokens: [String]
    }

    private struct State {
        var documents: [(uri: String, document: LocatedDocument)] = []
        var problems: [Diagnostic] = []
        /// URIs that were asked for and lead nowhere.
        var missing: Set<String> = []
        /// Where the resources are that locations name by an identifier of their own.
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

    /// The document with a URI; nil when there is none, which becomes one of ``problems``.
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

    /// Why documents are not there.
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
                ? "\"\(uri)\" is not loaded from the network" : "no file is known for the schema \"\(uri)\"",
            suggestion: "name the file that stands for it, at the top level: schemas: { \"\(uri)\": FILE }")
    }

    // MARK: Places

    /// The place of a part of a document: a URI and a JSON Pointer as its fragment.
    func place(of location: String) -> SourceRange? {
        guard let hash = location.utf8.lastIndex(of: UInt8(ascii: "#")) else { return place(uri: location, []) }
        let fragment = String(location[location.index(after: hash)...])
        guard let pointer = try? JSONPointer(uriFragment: fragment) else { return nil }
        return place(uri: String(location[..<hash]), pointer.tokens)
    }

    /// The place of the name of a member.
    func keyPlace(uri: String, _ tokens: [String]) -> SourceRange? {
        let documents = state.withLock { $0.documents }
        return documents.first { $0.uri == uri }?.document.keyPlace(of: tokens)
    }

    /// The place of a part of a document.
    func place(uri: String, _ tokens: [String]) -> SourceRange? {
        let documents = state.withLock { $0.documents }
        if let known = documents.first(where: { $0.uri == uri }), let place = known.document.place(of: tokens) {
            return place
        }
        guard let resource = resource(uri, in: documents.map(\.document)) else { return nil }
        return resource.document.place(of: resource.tokens + tokens)
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
