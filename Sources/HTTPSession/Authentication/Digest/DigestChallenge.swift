/// What a server asks for with a `Digest` challenge (RFC 7616 section 3.3).
struct DigestChallenge: Sendable, Hashable {
    /// What the response covers.
    enum Protection: String, Sendable, Hashable {
        /// The request line.
        case auth
        /// The request line and the body.
        case integrity = "auth-int"
    }

    var realm: String
    var nonce: String
    var opaque: String?
    var algorithm: DigestAlgorithm
    /// The algorithm as it was written; nil where none was.
    var algorithmName: String?
    /// What the server accepts; none before RFC 2617.
    var protections: [Protection]
    var isStale: Bool
    var hashesUserName: Bool
    var isUTF8: Bool
    /// The URIs of the protection space, as they were written.
    var domain: [String]

    /// Reads a challenge; nil if it is not of digest authentication, or asks for what there is not.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isScheme("Digest"), let nonce = challenge["nonce"],
            let algorithm = DigestAlgorithm(name: challenge["algorithm"])
        else { return nil }
        protections = []
        if let qop = challenge["qop"] {
            for part in qop.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == 32 || $0 == 9 }) {
                let name = String(decoding: part.map(ByteClass.lowercased), as: UTF8.self)
                if let protection = Protection(rawValue: name) { protections.append(protection) }
            }
            guard !protections.isEmpty else { return nil }
        }
        realm = challenge.realm ?? ""
        self.nonce = nonce
        opaque = challenge["opaque"]
        self.algorithm = algorithm
        algorithmName = challenge["algorithm"]
        isStale = Self.isTrue(challenge["stale"])
        hashesUserName = Self.isTrue(challenge["userhash"])
        isUTF8 = challenge["charset"].map { ByteClass.equalIgnoringCase($0, "UTF-8") } ?? false
        domain = (challenge["domain"] ?? "").utf8.split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The strongest of several challenges that can be answered; the first among equals.
    static func strongest(_ challenges: [AuthenticationChallenge]) -> DigestChallenge? {
        var best: DigestChallenge?
        for challenge in challenges.compactMap({ DigestChallenge($0) })
        where best.map({ challenge.algorithm.strength > $0.algorithm.strength }) ?? true {
            best = challenge
        }
        return best
    }

    private static func isTrue(_ value: String?) -> Bool {
        value.map { ByteClass.equalIgnoringCase($0, "true") } ?? false
    }
}
