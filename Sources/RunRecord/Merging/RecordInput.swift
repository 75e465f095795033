package import FileSystem
import Output

/// A record to merge.
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

    /// The name of the record in messages.
    public let name: String
    let source: Source

    /// Creates an input for a path.
    public init(path: String) {
        name = path
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
