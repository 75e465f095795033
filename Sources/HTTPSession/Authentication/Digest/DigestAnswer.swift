/// The `Authorization` field that answers a digest challenge (RFC 7616 section 3.4).
struct DigestAnswer {
    var challenge: DigestChallenge
    var username: String
    var password: String
    var method: HTTPMethod
    /// The target as it is in the request line.
    var uri: String
    /// The client's nonce.
    var clientNonce: String
    /// How often the nonce has been used, with this time.
    var count: UInt32
    /// What the response covers; nil for a server that does not know of it (RFC 2069).
    var protection: DigestChallenge.Protection?
    /// The body's hash in hexadecimal, for ``DigestChallenge/Protection/integrity``.
    var bodyHash = ""

    private func hash(_ text: String) -> String { MessageDigest.hex(challenge.algorithm.hash, text) }

    private var countText: String {
        let text = String(count, radix: 16)
        return String(repeating: "0", count: max(0, 8 - text.utf8.count)) + text
    }

    /// The proof that the password is known.
    var response: String {
        var key = hash(username + ":" + challenge.realm + ":" + password)
        if challenge.algorithm.isSession { key = hash(key + ":" + challenge.nonce + ":" + clientNonce) }
        var covered = method.rawValue + ":" + uri
        if protection == .integrity { covered += ":" + bodyHash }
        guard let protection else { return hash(key + ":" + challenge.nonce + ":" + hash(covered)) }
        let middle = [challenge.nonce, countText, clientNonce, protection.rawValue].joined(separator: ":")
        return hash(key + ":" + middle + ":" + hash(covered))
    }

    /// The value of the field.
    var field: String {
        var parts = [userName, "realm=" + Self.quoted(challenge.realm), "uri=" + Self.quoted(uri)]
        if let name = challenge.algorithmName { parts.append("algorithm=" + name) }
        parts.append("nonce=" + Self.quoted(challenge.nonce))
        if let protection {
            parts += ["nc=" + countText, "cnonce=" + Self.quoted(clientNonce), "qop=" + protection.rawValue]
        } else if challenge.algorithm.isSession {
            parts.append("cnonce=" + Self.quoted(clientNonce))
        }
        parts.append("response=" + Self.quoted(response))
        if let opaque = challenge.opaque { parts.append("opaque=" + Self.quoted(opaque)) }
        if challenge.hashesUserName { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// The user name, hashed or with its characters beyond ASCII encoded where the server can read that.
    private var userName: String {
        if challenge.hashesUserName { return "username=" + Self.quoted(hash(username + ":" + challenge.realm)) }
        if challenge.isUTF8, username.utf8.contains(where: { $0 > 127 }) {
            return "username*=UTF-8''" + FormText.encode(username, space: "%20")
        }
        return "username=" + Self.quoted(username)
    }

    /// A quoted string (RFC 9110 section 5.6.4).
    private static func quoted(_ text: String) -> String {
        var result: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        result.append(UInt8(ascii: "\""))
        return String(decoding: result, as: UTF8.self)
    }
}
