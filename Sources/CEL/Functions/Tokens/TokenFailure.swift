import Basics
import JSON

/// A reason why a JSON Web Token is not accepted or cannot be created.
enum TokenFailure: Error, Equatable {
    /// A part of a token.
    enum Part: String {
        case header
        case claims
        case signature

        /// The part as the subject of a sentence, with its verb.
        var subject: String { "the \(rawValue) of the token \(self == .claims ? "are" : "is")" }
    }

    /// The token does not have three parts.
    case partCount(Int)
    /// The token is encrypted (RFC 7516).
    case encrypted
    /// A part is not base64url without padding.
    case encoding(Part)
    /// A part is not a JSON object.
    case notAnObject(Part)
    /// The header does not name an algorithm.
    case noAlgorithm
    /// The header names the algorithm `none`.
    case unsigned
    case unsupportedAlgorithm(String)
    /// The token has another algorithm than the caller requires.
    case otherAlgorithm(TokenAlgorithm, expected: TokenAlgorithm)
    /// The header has critical extensions (RFC 7515, section 4.1.11).
    case criticalExtensions
    case emptyKey
    /// The algorithm needs a shared secret, but the key is a PEM key.
    case keyIsNotSecret(TokenAlgorithm)
    /// The algorithm needs a PEM key that can be read.
    case keyIsUnreadable(TokenAlgorithm)
    /// The PEM key has another type or curve.
    case keyIsOther(TokenAlgorithm)
    /// The key cannot sign, for example because it is too short.
    case keyCannotSign(TokenAlgorithm)
    /// The program is linked without RSA and ECDSA.
    case unavailable(TokenAlgorithm)
    case signature
    case expired(String)
    case notYetValid(String)
    /// A claim has a value of the wrong type.
    case claimType(String, expected: String)
    case issuer(String?, expected: String)
    case audience(expected: String)

    /// The description of the failure.
    var message: MessageText {
        switch self {
        case .partCount(let count): "the token must have three parts between dots, but has \(count)"
        case .encrypted: "the token is encrypted (JWE), which is not supported"
        case .encoding(let part): "\(part.subject) not base64url without padding"
        case .notAnObject(let part): "\(part.subject) not a JSON object"
        case .noAlgorithm: "the header of the token has no algorithm (alg)"
        case .unsigned: "the token is not signed: its algorithm is none"
        case .unsupportedAlgorithm(let name):
            "unsupported algorithm \(CELValue.string(name).brief); expected \(TokenAlgorithm.names)"
        case .otherAlgorithm(let algorithm, let expected):
            "expected the algorithm \(expected.rawValue), but the token has \(algorithm.rawValue)"
        case .criticalExtensions: "the token has critical extensions (crit), which are not supported"
        case .emptyKey: "the key is empty"
        case .keyIsNotSecret(let algorithm):
            "\(algorithm.rawValue) requires a shared secret, but the key is in PEM; to use its text as a secret, write"
                + " bytes(key)"
        case .keyIsUnreadable(let algorithm): "\(algorithm.rawValue) requires an unencrypted key in PEM"
        case .keyIsOther(let algorithm): "\(algorithm.rawValue) requires \(algorithm.keyDescription)"
        case .keyCannotSign(let algorithm): "the key cannot sign with \(algorithm.rawValue); it may be too short"
        case .unavailable(let algorithm): "\(algorithm.rawValue) is not available in this program"
        case .signature: "the signature of the token does not match the key"
        case .expired(let time): "the token expired at \(time) (exp)"
        case .notYetValid(let time): "the token is not valid before \(time) (nbf)"
        case .claimType(let name, let expected): "the claim \(name) of the token must be \(expected)"
        case .issuer(let issuer, let expected):
            "expected the issuer \(CELValue.string(expected).brief), but the token has"
                + " \(issuer.map { CELValue.string($0).brief } ?? "no issuer") (iss)"
        case .audience(let expected):
            "the token is not for the audience \(CELValue.string(expected).brief) (aud)"
        }
    }
}
