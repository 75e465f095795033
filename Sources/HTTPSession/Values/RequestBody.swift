/// The body of a request.
public enum RequestBody: Sendable, Hashable {
    /// No body.
    case empty
    /// Bytes in memory.
    case bytes([UInt8])
    /// The contents of a file at a path, read while it is sent.
    case file(path: String)
    /// A body that is made while it is sent.
    case stream(BodySource)

    /// The UTF-8 bytes of a text.
    public static func text(_ text: String) -> RequestBody { .bytes(Array(text.utf8)) }

    /// Whether the body can be sent more than once.
    public var isReplayable: Bool {
        if case .stream(let source) = self { return source.isReplayable }
        return true
    }

    /// The number of bytes, where it is known without opening a file.
    var knownLength: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file: nil
        case .stream(let source): source.length
        }
    }
}
