public import FoundationEssentials

/// Where certificates or a key come from: a file or bytes, in PEM (RFC 7468) or DER.
public enum CertificateSource: Sendable, Hashable {
    /// A file.
    case file(String)
    /// The contents of such a file.
    case bytes([UInt8])

    /// The text of such a file.
    public static func pem(_ text: String) -> CertificateSource { .bytes(Array(text.utf8)) }

    /// The contents of such a file.
    public static func data(_ data: Data) -> CertificateSource { .bytes(Array(data)) }

    /// How it is called in messages.
    var name: String {
        switch self {
        case .file(let path): path
        case .bytes: "the given bytes"
        }
    }
}

extension CertificateSource: ExpressibleByStringLiteral {
    /// A file.
    public init(stringLiteral path: String) { self = .file(path) }
}
