/// The body of a request.
public enum RequestBody: Sendable, Hashable {
    /// No body.
    case none
    /// Bytes in memory.
    case bytes([UInt8])
    /// The contents of a file at a path, read while it is sent.
    case file(path: String)

    /// The UTF-8 bytes of a text.
    public static func text(_ text: String) -> RequestBody { .bytes(Array(text.utf8)) }
}
