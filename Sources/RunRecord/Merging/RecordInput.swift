package import FileSystem
import Output

/// A record to read.
public struct RecordInput: Sendable {
    /// The file of a record.
    enum Source: Sendable, Equatable {
        case path(String)
        case file(SharedFile)

        static func == (left: Source, right: Source) -> Bool {
            switch (left, right) {
            case (.path(let left), .path(let right)): left == right
            case (.file(let left), .file(let right)): left === right
            case (.path, .file), (.file, .path): false
            }
        }
    }

    private static let standardInput = "-"

    /// The name of the record in messages.
    public let name: String
    let source: Source

    /// Whether the record is standard input, which can be read only once.
    package var isStandardInput: Bool { source == .path(Self.standardInput) }

    /// The name of the record in a sentence.
    package var title: String { isStandardInput ? name : "\"\(name)\"" }

    /// Creates an input for a path, or `-` for standard input.
    public init(path: String) {
        name = path == Self.standardInput ? "standard input" : path
        source = .path(path)
    }

    /// Creates an input for an open file.
    ///
    /// - Parameter name: The name of the record in messages.
    package init(_ file: SharedFile, name: String) {
        self.name = name
        source = .file(file)
    }
}
