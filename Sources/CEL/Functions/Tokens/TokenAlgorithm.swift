import CSignatures
import Digests

/// A signature algorithm of JSON Web Tokens (RFC 7518, section 3).
enum TokenAlgorithm: String, CaseIterable {
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"

    /// All names, for messages.
    static var names: String {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// The name of the key that the algorithm requires.
    var keyDescription: String {
        switch self {
        case .hs256, .hs384, .hs512: "a shared secret"
        case .rs256, .rs384, .rs512: "an RSA key"
        case .es256: "a key on the curve P-256"
        case .es384: "a key on the curve P-384"
        case .es512: "a key on the curve P-521"
        }
    }

    /// The cost of creating a signature, in steps. With a long RSA key, it takes tens of milliseconds.
    var signatureSteps: Int { scheme == nil ? 100 : 200_000 }

    /// The signature scheme; nil for a shared secret.
    private var scheme: csg_kind? {
        switch self {
        case .hs256, .hs384, .hs512: nil
        case .rs256, .rs384, .rs512: CSG_RSA
        case .es256, .es384, .es512: CSG_ECDSA
        }
    }

    private func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .hs256, .rs256, .es256: SHA256.hash(bytes)
        case .hs384, .rs384, .es384: SHA384.hash(bytes)
        case .hs512, .rs512, .es512: SHA512.hash(bytes)
        }
    }

    private func authenticationCode(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        switch self {
        case .hs256, .rs256, .es256: HMAC<SHA256>.authenticationCode(for: bytes, key: key)
        case .hs384, .rs384, .es384: HMAC<SHA384>.authenticationCode(for: bytes, key: key)
        case .hs512, .rs512, .es512: HMAC<SHA512>.authenticationCode(for: bytes, key: key)
        }
    }

    /// Returns the signature of bytes.
    func sign(_ bytes: [UInt8], _ key: TokenKey) throws(TokenFailure) -> [UInt8] {
        guard let scheme else { return authenticationCode(bytes, try key.secret(for: self)) }
        let digest = digest(bytes)
        let pem = try key.pem(for: self)
        var signature: [UInt8] = []
        let result = withUnsafeMutablePointer(to: &signature) { signature in
            csg_sign(scheme, digest, digest.count, pem, pem.count, Self.receive, signature)
        }
        try check(result, orThrow: .keyCannotSign(self))
        return signature
    }

    /// Copies a signature to the array that the context points to.
    private static let receive: csg_receiver = { context, bytes, count in
        context?.assumingMemoryBound(to: [UInt8].self).pointee = Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Verifies the signature of bytes.
    func verify(_ signature: [UInt8], of bytes: [UInt8], _ key: TokenKey) throws(TokenFailure) {
        guard let scheme else {
            guard authenticationCode(bytes, try key.secret(for: self)) == signature else { throw .signature }
            return
        }
        let digest = digest(bytes)
        let pem = try key.pem(for: self)
        let result = csg_verify(
            scheme, digest, digest.count, signature, signature.count, pem, pem.count)
        try check(result, orThrow: .signature)
    }

    private func check(_ result: csg_result, orThrow failure: TokenFailure) throws(TokenFailure) {
        switch result {
        case CSG_OK: return
        case CSG_UNREADABLE_KEY: throw .keyIsUnreadable(self)
        case CSG_OTHER_KEY: throw .keyIsOther(self)
        case CSG_UNAVAILABLE: throw .unavailable(self)
        default: throw failure
        }
    }
}

/// The key of a token: a shared secret, or a key in PEM.
struct TokenKey {
    private let bytes: [UInt8]
    /// Whether the key is a string rather than bytes.
    private let isText: Bool

    /// Creates a key from a string or bytes; nil for a value of another type.
    init?(_ value: CELValue) {
        switch value {
        case .string(let text):
            bytes = Array(text.utf8)
            isText = true
        case .bytes(let data):
            bytes = data
            isText = false
        default: return nil
        }
    }

    private var isPEM: Bool { String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ") }

    /// Returns the shared secret, which is never a string in PEM.
    ///
    /// Otherwise, a token that is signed with the text of a public key would be accepted.
    func secret(for algorithm: TokenAlgorithm) throws(TokenFailure) -> [UInt8] {
        guard !isText || !isPEM else { throw .keyIsNotSecret(algorithm) }
        guard !bytes.isEmpty else { throw .emptyKey }
        return bytes
    }

    /// Returns the key in PEM.
    func pem(for algorithm: TokenAlgorithm) throws(TokenFailure) -> [UInt8] {
        guard !bytes.isEmpty else { throw .emptyKey }
        guard isPEM else { throw .keyIsUnreadable(algorithm) }
        return bytes
    }
}
