public import JSON

/// A response as it is stored in a file beside the suite: what is compared of it, and nothing that is not.
public struct Snapshot: Sendable, Hashable {
    /// What is kept of a body.
    public enum Content: Sendable, Hashable {
        /// Nothing: the body is empty, or left out.
        case none
        /// A value of JSON.
        case json(JSONValue)
        /// The events of a stream, in order.
        case events([JSONValue])
        /// A text, its lines ended by line feeds, without the last line feed.
        case text(String)
        /// Bytes that are no text, of which the size and the SHA-256 digest in hexadecimal digits are kept.
        case binary(size: Int, sha256: String)
    }

    /// The endings of the files, of which a snapshot has one, as its content is JSON or not.
    public static let fileExtensions = ["snap.json", "snap.txt"]

    /// The status code.
    public var status: Int
    /// `Content-Type` as it was sent.
    public var contentType: String?
    /// What is kept of the body.
    public var content: Content

    /// Creates a snapshot.
    public init(status: Int, contentType: String?, content: Content) {
        self.status = status
        self.contentType = contentType
        self.content = content
    }

    /// The ending of the snapshot's file, without the full stop before it.
    public var fileExtension: String {
        switch content {
        case .json, .events: Self.fileExtensions[0]
        case .none, .text, .binary: Self.fileExtensions[1]
        }
    }
}
