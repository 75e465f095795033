/// Why a multipart form could not be read to its end while it was sent.
///
/// The request fails with ``SessionError/Reason/unreadableBody``, and this is its ``SessionError/underlying``.
public struct MultipartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in plain words, one line.
    public let message: String

    init(message: String) {
        self.message = message
    }

    /// The reason.
    public var description: String { message }
}
