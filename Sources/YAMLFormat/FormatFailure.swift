/// Why a text cannot be formatted; it is to be left as it is.
public struct FormatFailure: Error, Sendable, Hashable {
    /// The reason, in words that continue "it cannot be formatted:".
    public var reason: String
    /// The byte of the text at which it was found, or nil when there is no such place.
    public var offset: Int?

    init(_ reason: String, at offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}
