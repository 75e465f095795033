import Basics
public import Diagnostics
import FileSystem
import YAML

/// A configuration file (`.apitest.yaml`) with a project's defaults for command-line options.
public struct ConfigurationFile: Sendable {
    /// The name of configuration files.
    public static let name = ".apitest.yaml"

    /// The parsed contents of a configuration file.
    public struct Contents: Sendable {
        /// The options that the file sets, in file order; those of the command follow the general ones.
        public var entries: [ConfigurationEntry]
        /// The diagnostics of the file.
        public var diagnostics: [Diagnostic]
    }

    /// The path of the file, for messages.
    public let path: String
    /// The prefix that makes relative paths in the file relative to the working directory; empty or ending in `/`.
    public let prefix: String

    /// Creates a reference to the file that the user specified.
    public init(path: String) {
        self.path = path
        prefix = path.utf8.contains(UInt8(ascii: "/")) ? Path.parent(of: path).appendingSlash : ""
    }

    private init(path: String, prefix: String) {
        self.path = path
        self.prefix = prefix
    }

    /// Returns the nearest file in a directory or one of its parents, up to the root of the repository.
    ///
    /// Outside of a repository, which is recognized by `.git`, only the directory itself is searched: its parents, such
    /// as `/tmp`, may belong to others.
    ///
    /// - Parameter directory: The absolute path of the directory.
    public static func find(from directory: String) -> ConfigurationFile? {
        if exists(directory + "/" + name) { return ConfigurationFile(path: name, prefix: "") }
        var found: ConfigurationFile?
        var current = Path.normalized(directory)
        var prefix = ""
        while File.kind(of: current + "/.git") == nil {
            let parent = Path.parent(of: current)
            // The root directory has no parent that could be a repository.
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
    ///   - directory: The absolute path of the working directory.
    ///   - options: The options of each command, by command name.
    ///   - command: The command whose options to return.
    public func contents(in directory: String, options: [String: [ConfigurationOption]], command: String) -> Contents {
        let bytes: [UInt8]
        do throws(File.Failure) {
            bytes = try File.bytes(at: Path.absolute(path, in: directory))
        } catch {
            let isThere = File.kind(of: Path.absolute(path, in: directory)) != nil
            let diagnostic = Diagnostic(
                id: isThere ? "unreadable-file" : "missing-file",
                message: isThere
                    ? "the file \"\(path)\" cannot be read: \(error.reason)"
                    : "--config: \"\(path)\" does not exist")
            return Contents(entries: [], diagnostics: [diagnostic])
        }
        var reader = ConfigurationReader(options: options, command: command, prefix: prefix)
        return reader.read(SourceFile(name: path, text: bytes))
    }
}

extension String {
    fileprivate var appendingSlash: String { hasSuffix("/") ? self : self + "/" }
}

/// An option that a configuration file sets, with the equivalent command-line arguments.
public struct ConfigurationEntry: Sendable {
    /// The long name of the option, or `paths`.
    public var name: String
    /// The equivalent command-line arguments.
    public var arguments: [String]
    /// The source range of the value.
    public var range: SourceRange
}

/// A command-line option that a configuration file can set.
public struct ConfigurationOption: Sendable, Hashable {
    /// The kind of value that an option takes.
    public enum Kind: Sendable, Hashable {
        /// No value: the option is a flag.
        case flag
        /// No value: the option is a flag that can be repeated.
        case count
        /// One value.
        case value
        /// One value per occurrence; the option can be repeated.
        case values
    }

    /// The long name, without the leading `--`.
    public var name: String
    /// The kind of value.
    public var kind: Kind
    /// The allowed values; empty if any value is allowed.
    public var choices: [String]
    /// The part of the value that is a path.
    public var path: PathForm
    /// The description in one sentence.
    public var documentation: String

    /// The position of a path in a value.
    public enum PathForm: Sendable, Hashable {
        /// The value contains no path.
        case none
        /// The whole value is a path.
        case whole
        /// The part after the first `=` is a path, as in `junit=report.xml`.
        case afterEquals
        /// The part after the last `=` is a path, as in `https://example.com/?id=1=book.json`.
        case afterLastEquals
    }

    /// Creates an option.
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
