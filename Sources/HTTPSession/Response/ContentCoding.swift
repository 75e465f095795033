public import Basics

/// A content coding that the library can decode (RFC 9110, section 8.4.1).
public enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// The gzip format (RFC 1952).
    case gzip
    /// The zlib format (RFC 1950), which HTTP calls "deflate".
    case deflate
    /// The Brotli format (RFC 7932), decoded by libbrotlidec, which is loaded when it is first needed.
    case brotli = "br"
    /// The Zstandard format (RFC 8878), decoded by libzstd, which is loaded when it is first needed.
    case zstd

    /// The codings that the library can also encode.
    public static let encodable: [ContentCoding] = [.gzip, .deflate]

    /// Creates a coding from an element of `Content-Encoding`, or returns nil for `identity` and unknown codings.
    /// - Parameter token: The name, in any case. `x-gzip` is the same as `gzip`.
    public init?(token: some StringProtocol) {
        switch token.utf8.count {
        case 2 where ASCII.equalIgnoringCase(String(token), "br"): self = .brotli
        case 4 where ASCII.equalIgnoringCase(String(token), "zstd"): self = .zstd
        case 4 where ASCII.equalIgnoringCase(String(token), "gzip"): self = .gzip
        case 6 where ASCII.equalIgnoringCase(String(token), "x-gzip"): self = .gzip
        case 7 where ASCII.equalIgnoringCase(String(token), "deflate"): self = .deflate
        default: return nil
        }
    }

    /// Returns the codings that a header declares, in the order in which they were applied; nil if one is unknown.
    /// - Parameter headers: The header of a message. `identity` in its `Content-Encoding` is ignored.
    public static func applied(in headers: HTTPHeaders) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for token in headers.tokens("Content-Encoding") where token != "identity" {
            guard let coding = ContentCoding(token: token) else { return nil }
            codings.append(coding)
        }
        return codings
    }
}

/// An error that occurs when a body is decoded or encoded.
public struct ContentCodingError: Error, Sendable, Hashable {
    /// The coding that failed; nil if the error concerns the codings as a whole.
    public var coding: ContentCoding?
    /// The reason: invalid data, an exceeded limit, or a missing library.
    public var reason: SessionError.Reason
    /// A description of the error that continues "the gzip body".
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public var wording: MessageText

    /// Creates an error.
    /// - Parameters:
    ///   - coding: The coding that failed; nil if the error concerns the codings as a whole.
    ///   - reason: The reason: invalid data, an exceeded limit, or a missing library.
    ///   - message: A description of the error that continues "the gzip body".
    public init(
        coding: ContentCoding?, reason: SessionError.Reason = .invalidContentCoding, message: MessageText
    ) {
        self.coding = coding
        self.reason = reason
        wording = message
    }
}

extension ContentCodingError: CustomStringConvertible {
    /// A complete sentence, such as "the gzip body is incomplete".
    public var description: String { sentence.text }

    /// The description with the distinction of words and data.
    var sentence: MessageText {
        if reason == .unavailableContentCoding { return "the body \(wording)" }
        return "the \(coding.map { "\(MessageText(words: $0.rawValue)) " } ?? "")body \(wording)"
    }
}
