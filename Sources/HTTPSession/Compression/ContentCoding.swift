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
        case 4 where ByteClass.equalIgnoringCase(String(token), "gzip"): self = .gzip
        case 6 where ByteClass.equalIgnoringCase(String(token), "x-gzip"): self = .gzip
        case 7 where ByteClass.equalIgnoringCase(String(token), "deflate"): self = .deflate
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

    /// Compresses a whole body.
    /// - Parameters:
    ///   - bytes: The body.
    ///   - level: From 0, stored without compression, to 9, smallest; a number beyond is taken as the nearest.
    /// - Returns: The encoded body; the same for the same bytes and level.
    /// - Throws: ``ContentCodingError`` if there is not enough memory.
    public func encode(
        _ bytes: [UInt8], level: Int = ContentEncoder.defaultLevel
    ) throws(ContentCodingError) -> [UInt8] {
        let stream = try DeflateStream(self, level: level)
        return try stream.encodeWhole(bytes)
    }
}
