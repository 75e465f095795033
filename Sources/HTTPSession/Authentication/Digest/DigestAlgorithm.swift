/// An algorithm of digest authentication (RFC 7616 section 3.3), weakest first.
enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512Over256 = "SHA-512-256"
    case sha512Over256Session = "SHA-512-256-sess"

    /// The algorithm of a name, without regard to case; MD5 where there is none.
    init?(name: String?) {
        guard let name else {
            self = .md5
            return
        }
        guard let found = Self.allCases.first(where: { ByteClass.equalIgnoringCase($0.rawValue, name) }) else {
            return nil
        }
        self = found
    }

    /// The hash function.
    var hash: MessageDigest.Algorithm {
        switch self {
        case .md5, .md5Session: .md5
        case .sha256, .sha256Session: .sha256
        case .sha512Over256, .sha512Over256Session: .sha512Over256
        }
    }

    /// Whether the key depends on the nonce.
    var isSession: Bool {
        switch self {
        case .md5Session, .sha256Session, .sha512Over256Session: true
        case .md5, .sha256, .sha512Over256: false
        }
    }

    /// Where it stands among the others, the strongest last.
    var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
