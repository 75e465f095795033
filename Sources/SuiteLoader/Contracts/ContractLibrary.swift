import FileSystem
public import OpenAPI
import Synchronization
public import YAML

/// The cache of contracts of one load. Each description is read once, regardless of how many suites name it.
final class ContractLibrary: Sendable {
    /// The settings that identify a contract.
    struct Key: Hashable, Sendable {
        /// The absolute path of the description.
        var path: String
        /// Whether the `format` keyword is validated.
        var assertsFormat = false
        /// The prefix of the documented paths.
        var basePath: String?
        /// The files that replace URIs.
        var schemas: [String: String] = [:]

        /// The part of the key that the description depends on.
        fileprivate var reading: Reading { Reading(path: path, schemas: schemas) }
    }

    /// The settings that a description depends on.
    fileprivate struct Reading: Hashable {
        var path: String
        var schemas: [String: String]
    }

    private struct State {
        /// The descriptions; nil for an invalid one, which was reported.
        var descriptions: [Reading: OpenAPIDescription?] = [:]
        var contracts: [Key: Contract] = [:]
    }

    private let state = Mutex(State())

    /// Returns the description of a file, which is read on first use; nil if it is invalid.
    func description(of key: Key, read: () -> OpenAPIDescription?) -> OpenAPIDescription? {
        if let known = state.withLock({ $0.descriptions[key.reading] }) { return known }
        let description = read()
        state.withLock { $0.descriptions[key.reading] = .some(description) }
        return description
    }

    /// Returns the contract for a key, which is created on first use.
    func contract(_ key: Key, make: () -> Contract) -> Contract {
        if let known = state.withLock({ $0.contracts[key] }) { return known }
        let contract = make()
        state.withLock { $0.contracts[key] = contract }
        return contract
    }
}

/// Reads the files of OpenAPI descriptions, each one once, and only those inside the allowed directory.
public struct DescriptionSource: DocumentSource {
    private let library: SchemaLibrary
    private let workingDirectory: String
    /// The files that replace URIs.
    private var schemas = SchemaSettings()

    /// Creates a source with its own cache.
    ///
    /// - Parameter options: The options. Only the file root and the working directory are used.
    public init(options: LoaderOptions) {
        self.init(options: options, library: SchemaLibrary(options: options))
    }

    /// Creates a source that shares the cache of a load.
    init(options: LoaderOptions, library: SchemaLibrary, schemas: SchemaSettings = SchemaSettings()) {
        self.library = library
        self.schemas = schemas
        workingDirectory = options.workingDirectory
    }

    /// Creates a source for a description that the user specified.
    ///
    /// The description may reference files in the file root. Without an explicit file root, it may reference files in
    /// the working directory if it is located there, otherwise files in its own directory.
    ///
    /// - Parameters:
    ///   - path: The path of the description, absolute or relative to the working directory.
    ///   - workingDirectory: The absolute path of the directory that relative paths resolve against.
    ///   - fileRoot: The absolute path of the file root; nil if the user did not choose one.
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

    /// Maps a URI to a file, or all URIs with a prefix that ends with a slash to a directory.
    ///
    /// - Parameters:
    ///   - path: The path, absolute or relative to the working directory.
    ///   - uri: The URI or the prefix.
    public mutating func add(_ path: String, forURI uri: String) {
        schemas.paths[uri] = Path.normalized(Path.absolute(path, in: workingDirectory))
    }

    /// Returns the path of the file that replaces a URI; nil if there is none.
    public func location(ofURI uri: String) -> String? { schemas.path(of: uri) }

    /// Returns the location of a file, which is its absolute path.
    ///
    /// - Parameters:
    ///   - path: The path, absolute or relative.
    ///   - directory: The absolute path of the directory that a relative path resolves against; nil for the working
    ///     directory.
    public func location(of path: String, in directory: String? = nil) -> String {
        Path.normalized(Path.absolute(path, in: directory ?? workingDirectory))
    }

    /// Returns the document of a file, which is read on first use.
    public func document(at location: String) -> LocatedDocument.Reading {
        library.document(at: location, as: "description")
    }
}
