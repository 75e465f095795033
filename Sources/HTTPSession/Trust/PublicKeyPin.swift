import Digests

/// The SHA-256 hash of a certificate's public key (its SubjectPublicKeyInfo, RFC 7469 section 2.4).
///
/// It is written `sha256/` and the hash in base 64, as curl and OkHttp do. A command that prints the hash of a server's key:
///
/// ```sh
/// openssl s_client -connect HOST:443 </dev/null 2>/dev/null | openssl x509 -pubkey -noout |
///     openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
public struct PublicKeyPin: Sendable, Hashable {
    /// The 32 bytes of the hash.
    public let hash: [UInt8]

    /// Reads a pin in the form `sha256/BASE64`; `sha256//BASE64`, `pin-sha256="BASE64"` and bare base 64 are understood too.
    /// - Throws: ``ConnectionSettingError`` if it is not one.
    public init(_ text: String) throws(ConnectionSettingError) {
        var rest = text[...]
        for prefix in ["sha256/", "pin-sha256="] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            break
        }
        if rest.count > 1, rest.hasPrefix("\""), rest.hasSuffix("\"") { rest = rest.dropFirst().dropLast() }
        // The base 64 may itself begin with a slash, so only its length tells whether a second one belongs to it.
        if rest.utf8.count == 45, rest.hasPrefix("/") { rest = rest.dropFirst() }
        guard let hash = Base64.decode(rest.utf8), hash.count == 32 else {
            throw ConnectionSettingError(
                message: "the pin \"\(text)\" is not \"sha256/\" and 32 bytes in base 64 (44 characters)")
        }
        self.hash = hash
    }

    /// The pin of a key.
    /// - Parameter subjectPublicKeyInfo: The key as it is in a certificate, in DER (RFC 5280 section 4.1.2.7).
    public init(subjectPublicKeyInfo: some Collection<UInt8>) {
        hash = SHA256.hash(Array(subjectPublicKeyInfo))
    }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin in the form `sha256/BASE64`.
    public var description: String { "sha256/" + Base64.encode(hash) }
}
