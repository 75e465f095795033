/// A version of TLS.
public enum TLSVersion: String, Sendable, Hashable, CaseIterable {
    /// TLS 1.0 (RFC 2246), deprecated by RFC 8996.
    case tls10 = "1.0"
    /// TLS 1.1 (RFC 4346), deprecated by RFC 8996.
    case tls11 = "1.1"
    /// TLS 1.2 (RFC 5246).
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "1.3"

    /// The version with a name such as `1.2`, `TLS 1.2` or `TLSv1.2`, in any case; nil if there is none.
    public init?(name: String) {
        var text = name.lowercased()[...]
        if text.hasPrefix("tls") {
            text = text.dropFirst(3)
            if text.hasPrefix("v") || text.hasPrefix(" ") { text = text.dropFirst() }
        }
        if text == "1" { text = "1.0" }
        self.init(rawValue: String(text))
    }
}

extension TLSVersion: Comparable {
    /// Whether the first version is the older one.
    public static func < (first: TLSVersion, second: TLSVersion) -> Bool { first.rawValue < second.rawValue }
}

extension TLSVersion: CustomStringConvertible {
    /// The version as in `TLS 1.3`.
    public var description: String { "TLS \(rawValue)" }
}
