import FileSystem
public import OpenAPI
import Synchronization
public import YAML

/// The contracts of one load: each description is read once, whatever suites name it.
final class ContractLibrary: Sendable {
    /// What a contract is made of.
    struct Key: Hashable, Sendable {
        /// The absolute path of the description.
        var path: String
        /// Whether formats are checked.
        var assertsFormat = false
        /// What precedes the documented paths.
        var basePath: String?
        /// The files that stand for URIs.
        var schemas: [String: String] = [:]

        /// What the description depends on.
        fileprivate var reading: Reading { Reading(path: path, schemas: schemas) }
    }

    /// What a description depends on.
    fileprivate struct Reading: Hashable {
        var path: String
        var schemas: [String: String]
    }

    private struct State {
        /// Descriptions; nil for one that cannot be used, which was reported.
        var descriptions: [Reading: OpenAPIDescription?] = [:]
        var contracts: [Key: Contract] = [:]
    }

    private let state = Mutex(State())

    /// The description of a file, read at its first use; nil when it cannot be used.
    func description(of key: Key, read: () -> OpenAPIDescription?) -> OpenAPIDescription? {
        if let known = state.withLock({ $0.descriptions[key.reading] }) { return known }
        let description = read()
        state.withLock { $0.descriptions[key.reading] = .some(description) }
        return description
    }

    /// The contract of a key, made at its first use.
    func contract(_ key: Key, make: () -> Contract) -> Contract {
        if let known = state.withLock({ $0.contracts[key] }) { return known }
        let contract = make()
        state.withLock { $0.contracts[key] = contract }
        return contract
    }
}

/// The files of OpenAPI descriptions: each is read once, and only inside of the folder that the options allow.
public struct DescriptionSource: DocumentSource {
    private let library: SchemaLibrary
    private let workingDirectory: String
    /// The files that stand for URIs.
    private var schemas = SchemaSettings()

    /// Creates a source of its own.
    ///
    /// - Parameter options: Of these, the file root and the folder against which paths resolve.
    public init(options: LoaderOptions) {
        self.init(options: options, library: SchemaLibrary(options: options))
    }

    /// Creates a source that shares what a load of suites reads.
    init(options: LoaderOptions, library: SchemaLibrary, schemas: SchemaSettings = SchemaSettings()) {
        self.library = library
        self.schemas = schemas
        workingDirectory = options.workingDirectory
    }

    /// Creates a source for a description that the user names: in it may be named what is in the file root or, unless one
    /// was chosen, in the folder of the description.
    ///
    /// - Parameters:
    ///   - path: The path of the description, absolute, or relative to the working directory.
    ///   - workingDirectory: The folder, absolute, against which relative paths resolve.
    ///   - fileRoot: The folder, absolute, that was chosen; nil for the working directory when the description is in it,
    ///     otherwise the description's own folder.
    public init(description path: String, workingDirectory: String, fileRoot: String? = nil) {
        var root = fileRoot ?? workingDirectory
        if fileRoot == nil {
            let absolute = Path.normalized(Path.absolute(path, in: workingDirectory))
            let real = File.realPath(absolute) ?? absolute
            let realRoot = File.realPath(root) ?? root
            if !Path.isInside(real, realRoot) { root = Path.parent(of: real) }
        }
        self.init(options: LoaderOptions(fileRoot: root, workingDirectory: workingDirectory))
    }

    /// Lets a file stand for a URI, or a folder for all URIs that begin with one that ends with a slash.
    ///
    /// - Parameter path: The path, absolute, or relative to the working directory.
    public mutating func add(_ path: String, forURI uri: String) {
        schemas.paths[uri] = Path.normalized(Path.absolute(path, in: workingDirectory))
    }

    /// The path of the file that stands for a URI.
    public func location(ofURI uri: String) -> String? { schemas.path(of: uri) }

    /// The location of a file: its absolute path.
    ///
    /// - Parameters:
    ///   - path: The path, absolute or relative.
    ///   - folder: The folder, absolute, against which a relative one resolves; nil for the working directory.
    public func location(of path: String, in folder: String? = nil) -> String {
        Path.normalized(Path.absolute(path, in: folder ?? workingDirectory))
    }

    /// The document of a file, read at its first use.
    public func document(at location: String) -> LocatedDocument.Reading {
        library.document(at: location, as: "description")
    }
}
