/// What is left out of HAR entries, and what is hidden in them.
public struct HAROptions: Sendable, Hashable {
    /// What is hidden; nil hides nothing.
    public var redaction: Redaction?
    /// The largest body that is kept, in bytes; of a larger one only the size is told.
    public var maximumBodyBytes: Int

    /// Creates options.
    /// - Parameters:
    ///   - redaction: What is hidden; nil hides nothing.
    ///   - maximumBodyBytes: The largest body that is kept, in bytes.
    public init(redaction: Redaction? = .standard, maximumBodyBytes: Int = 1 << 20) {
        self.redaction = redaction
        self.maximumBodyBytes = maximumBodyBytes
    }
}
