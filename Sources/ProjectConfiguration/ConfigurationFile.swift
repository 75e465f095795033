public import Diagnostics
import FileSystem
import YAML

/// The file of a project's defaults, `.apitest.yaml`.
public struct ConfigurationFile: Sendable {
    /// What the file is called.
    public static let name = ".apitest.yaml"

    /// What was found in a file.
    public struct Contents: Sendable {
        /// The options that it sets, in file order; a command's own behind those of all.
        public var entries: [ConfigurationEntry]
        /// What is wrong with it.
        public var diagnostics: [Diagnostic]
    }

    /// The path as it is shown.
    public let path: String
    /// What stands before relative paths of the file so that they hold in the working folder; empty or ending in `/`.
    public let prefix: String

    /// A file that the user named.
    public init(path: String) {
        self.path = path
        prefix = path.utf8.contains(UInt8(ascii: "/")) ? Path.parent(of: path).appendingSlash : ""
    }

    private init(path: String, prefix: String) {
        self.path = path
        self.prefix = prefix
    }

    /// The nearest file in a folder or one above it, up to the folder of the repository.
    ///
    /// Outside of a repository, which is told by `.git`, only the folder itself is looked at: what lies above, such as
    /// `/tmp`, may be others'.
    ///
    /// - Parameter folder: The folder, absolute.
    public static func find(from folder: String) -> ConfigurationFile? {
        if exists(folder + "/" + name) { return ConfigurationFile(path: name, prefix: "") }
        var found: ConfigurationFile?
        var current = Path.normalized(folder)
        var prefix = ""
        while File.kind(of: current + "/.git") == nil {
            let parent = Path.parent(of: current)
            // The root has no repository above it.
            if parent == current || current == "/" { return nil }
            current = parent
            prefix += "../"
            if found == nil, exists(current + "/" + name) {
                found = ConfigurationFile(path: prefix + name, prefix: prefix)
            }
        }
        return found
    }

    private static func exists(_ path: String) -> Bool { File.kind(of: path) == .file }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - folder: The working folder, absolute.
    ///   - options: The options of each command, by the command's name.
    ///   - command: The command whose options are wanted.
    public func contents(in folder: String, options: [String: [ConfigurationOption]], command: String) -> Contents {
        let bytes: [UInt8]
        do throws(File.Failure) {
            bytes = try File.bytes(at: Path.absolute(path, in: folder))
        } catch {
            let isThere = File.kind(of: Path.absolute(path, in: folder)) != nil
            let diagnostic = Diagnostic(
                id: isThere ? "unreadable-file" : "missing-file",
                message: isThere
                    ? "the file \"\(path)\" cannot be read: \(error.reason)"
                    : "--config: there is no file \"\(path)\"")
            return Contents(entries: [], diagnostics: [diagnostic])
        }
        var reader = ConfigurationReader(options: options, command: command, prefix: prefix)
        return reader.read(SourceFile(name: path, text: bytes))
    }
}

extension String {
    fileprivate var appendingSlash: String { hasSuffix("/") ? self : self + "/" }
}

/// An option that a configuration file sets, with the arguments that stand for it.
public struct ConfigurationEntry: Sendable {
    /// The option's long name, or `paths`.
    public var name: String
    /// What would be written on the command line.
    public var arguments: [String]
    /// The place of the value.
    public var range: SourceRange
}

/// An option of the command line as a configuration file may set it.
public struct ConfigurationOption: Sendable, Hashable {
    /// What an option takes.
    public enum Kind: Sendable, Hashable {
        /// Nothing: it is there or not.
        case flag
        /// Nothing, and it may be there several times.
        case count
        /// A value.
        case value
        /// A value each time that it is there.
        case values
    }

    /// The long name, without the two hyphens.
    public var name: String
    /// What it takes.
    public var kind: Kind
    /// The words that it knows; empty when it takes others too.
    public var choices: [String]
    /// Whether its value, or what follows a `=` in it, is a path.
    public var path: PathForm
    /// What it does, in one sentence.
    public var documentation: String

    /// Where the path stands in a value.
    public enum PathForm: Sendable, Hashable {
        /// Nowhere.
        case none
        /// It is the value.
        case whole
        /// Behind the first `=`, as in `junit=report.xml`.
        case behindEquals
        /// Behind the last `=`, as in `https://example.com/?id=1=book.json`.
        case behindLastEquals
    }

    /// Creates a description.
    public init(
        name: String, kind: Kind, choices: [String] = [], path: PathForm = .none, documentation: String = ""
    ) {
        self.name = name
        self.kind = kind
        self.choices = choices
        self.path = path
        self.documentation = documentation
    }
}
