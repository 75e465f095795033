/// A body of which only the beginning is kept: what is known of the whole.
public struct MeasuredBody: Sendable, Hashable {
    /// The number of bytes.
    public var size: Int
    /// The SHA-256 digest.
    public var sha256: [UInt8]

    /// Creates what is known of a body.
    public init(size: Int, sha256: [UInt8]) {
        self.size = size
        self.sha256 = sha256
    }
}
