/// Bounds on what a response may cost.
///
/// A body that is streamed costs no more memory than waits for its reader. Of a session's limits only ``headerBytes`` and
/// ``decompressionRatio`` apply to it; all of a request's own do.
public struct Limits: Sendable, Hashable {
    /// The largest status line and header section, and the largest trailer section, in bytes.
    public var headerBytes: Int
    /// The largest body as it is transferred, in bytes.
    public var bodyBytes: Int
    /// The largest body after decompression, in bytes.
    public var decodedBodyBytes: Int
    /// The largest decoded length as a multiple of the encoded; not checked below one mebibyte of output.
    public var decompressionRatio: Int

    /// Creates limits; without arguments 128 KiB of header, 64 MiB of body, 256 MiB decoded, a ratio of 200.
    public init(
        headerBytes: Int = 128 << 10, bodyBytes: Int = 64 << 20, decodedBodyBytes: Int = 256 << 20,
        decompressionRatio: Int = 200
    ) {
        self.headerBytes = headerBytes
        self.bodyBytes = bodyBytes
        self.decodedBodyBytes = decodedBodyBytes
        self.decompressionRatio = decompressionRatio
    }
}
