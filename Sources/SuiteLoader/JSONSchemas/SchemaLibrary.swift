import Basics
import Diagnostics
import FileSystem
import SuiteModel
import Synchronization
import YAML

/// The schemas of one load: each file is read once, and each schema compiled once, whatever suites use it.
final class SchemaLibrary: Sendable {
    /// What a schema was compiled from.
    struct Key: Hashable, Sendable {
        /// Where a schema stands.
        enum Source: Hashable, Sendable {
            /// A file's URI, or another one, with its fragment.
            case reference(String)
            /// A part of a suite.
            case inline(SourceRange)
        }

        /// Where the schema stands.
        var source: Source
        /// What it was compiled with.
        var settings: SchemaSettings
    }

    private struct State {
        var documents: [String: LocatedDocument.Reading] = [:]
        /// Schemas that were compiled; nil for one with a mistake, which was reported.
        var compiled: [Key: CompiledSchema?] = [:]
    }

    /// The contracts of the load.
    let contracts = ContractLibrary()
    private let root: String
    private let namedRoot: String
    private let shownPath: ShownPath
    private let state = Mutex(State())

    /// Creates an empty library.
    init(options: LoaderOptions) {
        namedRoot = options.fileRoot
        root = FileSystem.realPath(options.fileRoot) ?? options.fileRoot
        shownPath = ShownPath(options: options)
    }

    /// The schema of a key, compiled at its first use; nil when it has a mistake.
    func schema(_ key: Key, compile: () -> CompiledSchema?) -> CompiledSchema? {
        if let known = state.withLock({ $0.compiled[key] }) { return known }
        let schema = compile()
        state.withLock { $0.compiled[key] = .some(schema) }
        return schema
    }

    /// The document of a file, read at its first use.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - what: What messages call the document.
    func document(at path: String, as what: String = "schema") -> LocatedDocument.Reading {
        if let known = state.withLock({ $0.documents[path] }) { return known }
        let reading = read(path, as: what)
        state.withLock { $0.documents[path] = reading }
        return reading
    }

    private func read(_ path: String, as what: String) -> LocatedDocument.Reading {
        let shown = shownPath.name(of: path)
        let real = FileSystem.realPath(path)
        let resolved = real ?? Path.normalized(path)
        guard
            Path.isInside(resolved, root) || (real == nil && Path.isInside(resolved, namedRoot))
        else {
            return .problems([
                Diagnostic(
                    id: "file-outside-root", message: "\"\(shown)\" lies outside of the project folder",
                    suggestion: "move the file, or choose a wider folder with --file-root")
            ])
        }
        guard let real else {
            let names = FileSystem.names(inFolder: Path.parent(of: path)) ?? []
            let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names)
            return .problems([
                Diagnostic(
                    id: "missing-file", message: "there is no file \"\(shown)\"",
                    suggestion: nearest.map { "did you mean \"\($0)\"?" })
            ])
        }
        switch FileSystem.kind(of: real) {
        case .folder:
            return .problems([Diagnostic(id: "missing-file", message: "\"\(shown)\" is a folder, not a file")])
        case .other:
            return .problems([Diagnostic(id: "unreadable-file", message: "\"\(shown)\" is no regular file")])
        case .file, nil: break
        }
        do {
            return LocatedDocument.read(SourceFile(name: shown, text: try FileSystem.bytes(ofFile: real)), as: what)
        } catch {
            return .problems([
                Diagnostic(
                    id: "unreadable-file", message: "the file \"\(shown)\" cannot be read: \(error.reason)")
            ])
        }
    }
}
