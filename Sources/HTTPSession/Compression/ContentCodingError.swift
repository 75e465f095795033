/// Why a body cannot be decoded or encoded.
public struct ContentCodingError: Error, Sendable, Hashable {
    /// The coding that failed; nil if all of them together did.
    public var coding: ContentCoding?
    /// Whether the data are wrong or a limit was reached.
    public var reason: SessionError.Reason
    /// The reason in words that continue "the gzip body".
    public var message: String

    /// Creates an error.
    /// - Parameters:
    ///   - coding: The coding that failed; nil if all of them together did.
    ///   - reason: Whether the data are wrong or a limit was reached.
    ///   - message: The reason in words that continue "the gzip body".
    public init(
        coding: ContentCoding?, reason: SessionError.Reason = .invalidContentCoding, message: String
    ) {
        self.coding = coding
        self.reason = reason
        self.message = message
    }
}

extension ContentCodingError: CustomStringConvertible {
    /// The whole sentence, such as "the gzip body is incomplete".
    public var description: String { "the \(coding.map { $0.rawValue + " " } ?? "")body \(message)" }
}
