/// The ASCII characters that are written as they are in a query or form; all others are percent-encoded as UTF-8.
public struct AllowedCharacters: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set of the ASCII characters of a text; others in it are never written as they are.
    public init(_ characters: String) {
        for byte in characters.utf8 where byte < 128 { insert(byte) }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }

    /// Whether a byte is written as it is.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
        return byte < 128 && high & (1 << UInt64(byte - 64)) != 0
    }

    /// ASCII letters and digits, and the characters of a text.
    public static func alphanumerics(and others: String) -> AllowedCharacters {
        AllowedCharacters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + others)
    }

    /// The unreserved characters, "/" and "?" (RFC 3986 sections 2.3 and 3.4): what both models leave as it is.
    public static let query = alphanumerics(and: "-._~/?")
    /// The unreserved characters (RFC 3986 section 2.3).
    public static let unreserved = alphanumerics(and: "-._~")
    /// What browsers leave as it is in forms (WHATWG URL standard, application/x-www-form-urlencoded percent-encode set).
    public static let form = alphanumerics(and: "*-._")
}
