import Basics

/// A content coding that this library applies and undoes (RFC 9110 section 8.4.1).
public enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// The gzip format (RFC 1952).
    case gzip
    /// The zlib format (RFC 1950), which HTTP calls deflate.
    case deflate

    /// The coding that an element of `Content-Encoding` names; nil for `identity` and for one that is not known.
    /// - Parameter token: The name, in any case; `x-gzip` is `gzip`.
    public init?(token: some StringProtocol) {
        switch token.utf8.count {
        case 4 where ASCII.equalIgnoringCase(String(token), "gzip"): self = .gzip
        case 6 where ASCII.equalIgnoringCase(String(token), "x-gzip"): self = .gzip
        case 7 where ASCII.equalIgnoringCase(String(token), "deflate"): self = .deflate
        default: return nil
        }
    }

    /// The codings that a header says were applied, in that order; nil if it names one that is not known.
    /// - Parameter headers: The header of a message; `identity` in its `Content-Encoding` counts for nothing.
    public static func applied(in headers: HTTPHeaders) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for token in headers.tokens("Content-Encoding") where token != "identity" {
            guard let coding = ContentCoding(token: token) else { return nil }
            codings.append(coding)
        }
        return codings
    }
}

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
