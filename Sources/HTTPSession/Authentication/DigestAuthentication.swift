import Basics
import Synchronization

/// Digest authentication (RFC 7616), which proves knowledge of a password without sending it.
///
/// The server responds to the first request to a protection space with 401 and a nonce, and the request is retried with
/// a digest. Later requests send a digest preemptively, each with the next nonce count. A nonce that the server reports
/// as stale is replaced by the new one. Of several challenges, the strongest is used: SHA-512-256, SHA-256, MD5, and
/// their `-sess` variants.
///
/// A request that has its own `Authorization` field is left unchanged. The user name and password are encoded in UTF-8.
///
/// The digest covers the body (`qop=auth-int`) if the server requires it, or if the server offers it and
/// `prefersIntegrity` is true. This is impossible for a streamed body. If the server requires it, such a request fails
/// with ``AuthenticationError/integrityNeedsWholeBody``.
///
/// ```swift
/// configuration.intercept(with: .digest(username: "ada", password: "secret"))
/// ```
public final class DigestAuthentication: RequestInterceptor {
    /// The user name.
    public let username: String
    private let secret: Secret
    /// Whether the digest covers the body if the server offers a choice.
    public let prefersIntegrity: Bool
    /// The servers that the credentials are used for.
    public let scope: CredentialScope

    /// A known protection space.
    private struct Known {
        var space: ProtectionSpace
        var challenge: DigestChallenge
        /// The number of uses of the nonce.
        var count: UInt32 = 0
        /// The client nonce for algorithms whose key depends on it, which is kept as long as the server's nonce.
        var clientNonce: String
    }

    private let known = Mutex<[Known]>([])

    /// The maximum number of protection spaces that are remembered.
    private static let maximumSpaces = 64
    /// The maximum number of retries of a request; usually, a retry is due to a stale nonce.
    private static let maximumAnswers = 5

    /// The password.
    public var password: String { secret.value }

    /// Creates an interceptor.
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - prefersIntegrity: Whether the digest covers the body if the server offers a choice.
    ///   - scope: The servers that the credentials are used for.
    public init(
        username: String, password: String, prefersIntegrity: Bool = false, scope: CredentialScope = .everywhere
    ) {
        self.username = username
        secret = Secret(password)
        self.prefersIntegrity = prefersIntegrity
        self.scope = scope
    }

    // MARK: Adapting

    /// Adds the `Authorization` field if a nonce of the server is known.
    /// - Throws: ``AuthenticationError`` if the body must be hashed and cannot be.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        let note = context.memory.note(of: self)
        let isOurs = context.redirects > 0 && note.generation != nil
        if request.headers.contains("Authorization"), !isOurs { return request }
        var adapted = request
        adapted.headers.remove("Authorization")
        guard try scope.includes(request, context) else { return adapted }
        let url = try context.url(of: request)
        let random = context.session.configuration.random
        guard let found = use(of: url) else { return adapted }
        var answer = DigestAnswer(
            challenge: found.challenge, username: username, password: password, method: request.method,
            uri: url.target, clientNonce: found.clientNonce, count: found.count)
        if !found.challenge.algorithm.isSession { answer.clientNonce = Self.clientNonce(random) }
        try await protect(&answer, request)
        adapted.headers.append(name: "Authorization", value: answer.field)
        context.memory.change(self) { $0.generation = 1 }
        return adapted
    }

    private static func clientNonce(_ random: SessionRandom) -> String { Hexadecimal.encode(random.bytes(16)) }

    /// Returns the protection space of a URL, and counts one more use of its nonce.
    private func use(of url: HTTPURL) -> Known? {
        known.withLock { known in
            guard let index = known.lastIndex(where: { $0.space.contains(url) }) else { return nil }
            known[index].count &+= 1
            return known[index]
        }
    }

    /// Selects the quality of protection, and hashes the body if necessary.
    private func protect(_ answer: inout DigestAnswer, _ request: Request) async throws {
        let offered = answer.challenge.protections
        guard let first = offered.first else { return }
        answer.protection = offered.contains(.auth) ? .auth : first
        guard offered.contains(.integrity), prefersIntegrity || !offered.contains(.auth) else { return }
        if let hash = try await MessageDigest.hex(answer.challenge.algorithm.hash, body: request.body) {
            answer.protection = .integrity
            answer.bodyHash = hash
        } else if !offered.contains(.auth) {
            throw AuthenticationError.integrityNeedsWholeBody
        }
    }

    // MARK: Retrying

    /// Stores a challenge, and retries the request to answer it.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        guard let response = failure.response, response.status == 401, scope.includes(response.url),
            let challenge = DigestChallenge.strongest(response.challenges)
        else { return .doNotRetry }
        do throws(SessionError) {
            guard try response.url.hasSameOrigin(as: context.url(of: failure.request)) else { return .doNotRetry }
        } catch {
            return .doNotRetry
        }
        let note = context.memory.note(of: self)
        if response.request.headers.contains("Authorization"), note.generation == nil { return .doNotRetry }
        // A second rejection means that the password is wrong, unless the server reports the nonce as stale.
        guard note.count == 0 || (challenge.isStale && note.count < Self.maximumAnswers) else { return .doNotRetry }
        context.memory.change(self) { $0.count += 1 }
        remember(challenge, from: response.url, random: context.session.configuration.random)
        return .retry
    }

    private func remember(_ challenge: DigestChallenge, from url: HTTPURL, random: SessionRandom) {
        let space = Self.space(challenge, url)
        let clientNonce = Self.clientNonce(random)
        known.withLock { known in
            let location = known.firstIndex { entry in
                entry.challenge.realm == challenge.realm && entry.space.origin.hasSameOrigin(as: url)
                    && entry.space.prefixes == space.prefixes
            }
            var entry = Known(space: space, challenge: challenge, clientNonce: clientNonce)
            if let location {
                if known[location].challenge.nonce == challenge.nonce {
                    // The count of a nonce must never decrease, because the server would detect a replay.
                    entry.count = known[location].count
                    entry.clientNonce = known[location].clientNonce
                }
                known.remove(at: location)
            } else if known.count >= Self.maximumSpaces {
                known.removeFirst()
            }
            known.append(entry)
        }
    }

    /// Returns the protection space of a challenge: the URIs of its `domain` with the same origin, or the whole server.
    private static func space(_ challenge: DigestChallenge, _ url: HTTPURL) -> ProtectionSpace {
        var space = ProtectionSpace(origin: url.withTarget("/"), prefixes: [])
        guard !challenge.domain.isEmpty else { return space }
        for text in challenge.domain {
            do throws(HTTPURLError) {
                let uri = try url.resolving(text)
                if uri.hasSameOrigin(as: url) { space.prefixes.append(uri.path) }
            } catch {
                continue
            }
        }
        if space.prefixes.isEmpty || !space.contains(url) { space.prefixes.append(url.path) }
        return space
    }
}

extension RequestInterceptor where Self == DigestAuthentication {
    /// Returns an interceptor for digest authentication, which proves knowledge of a password without sending it (RFC
    /// 7616).
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - prefersIntegrity: Whether the digest covers the body if the server offers a choice.
    ///   - scope: The servers that the credentials are used for.
    public static func digest(
        username: String, password: String, prefersIntegrity: Bool = false, scope: CredentialScope = .everywhere
    ) -> DigestAuthentication {
        DigestAuthentication(
            username: username, password: password, prefersIntegrity: prefersIntegrity, scope: scope)
    }
}

/// A `Digest` challenge of a server (RFC 7616, section 3.3).
struct DigestChallenge: Sendable, Hashable {
    /// The quality of protection, which determines the parts of a request that the digest covers.
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
    /// The algorithm as written; nil if the challenge has none.
    var algorithmName: String?
    /// The qualities of protection that the server accepts; empty for servers older than RFC 2617.
    var protections: [Protection]
    var isStale: Bool
    var hashesUserName: Bool
    var isUTF8: Bool
    /// The URIs of the protection space, as written.
    var domain: [String]

    /// Creates a digest challenge, or returns nil if the challenge has another scheme or unsupported values.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isScheme("Digest"), let nonce = challenge["nonce"],
            let algorithm = DigestAlgorithm(name: challenge["algorithm"])
        else { return nil }
        protections = []
        if let qop = challenge["qop"] {
            for part in qop.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == 32 || $0 == 9 }) {
                let name = String(decoding: part.map(ASCII.lowercased), as: UTF8.self)
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
        isUTF8 = challenge["charset"].map { ASCII.equalIgnoringCase($0, "UTF-8") } ?? false
        domain = (challenge["domain"] ?? "").utf8.split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the strongest of the supported challenges; the first one among equals.
    static func strongest(_ challenges: [AuthenticationChallenge]) -> DigestChallenge? {
        var best: DigestChallenge?
        for challenge in challenges.compactMap({ DigestChallenge($0) })
        where best.map({ challenge.algorithm.strength > $0.algorithm.strength }) ?? true {
            best = challenge
        }
        return best
    }

    private static func isTrue(_ value: String?) -> Bool {
        value.map { ASCII.equalIgnoringCase($0, "true") } ?? false
    }
}

/// The `Authorization` field in response to a digest challenge (RFC 7616, section 3.4).
struct DigestAnswer {
    var challenge: DigestChallenge
    var username: String
    var password: String
    var method: HTTPMethod
    /// The request target as in the request line.
    var uri: String
    /// The client nonce.
    var clientNonce: String
    /// The number of uses of the nonce, including this one.
    var count: UInt32
    /// The quality of protection; nil for a server without support for it (RFC 2069).
    var protection: DigestChallenge.Protection?
    /// The hash of the body in hexadecimal, for ``DigestChallenge/Protection/integrity``.
    var bodyHash = ""

    private func hash(_ text: String) -> String { MessageDigest.hex(challenge.algorithm.hash, text) }

    private var countText: String { Hexadecimal.padded(UInt64(count), 8) }

    /// The digest that proves knowledge of the password.
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

    /// The user name: hashed if the server asks for it, or with non-ASCII characters encoded if the server supports it.
    private var userName: String {
        if challenge.hashesUserName { return "username=" + Self.quoted(hash(username + ":" + challenge.realm)) }
        if challenge.isUTF8, username.utf8.contains(where: { $0 > 127 }) {
            return "username*=UTF-8''" + PercentEncoding.encode(username)
        }
        return "username=" + Self.quoted(username)
    }

    /// Returns a quoted string (RFC 9110, section 5.6.4).
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

/// An algorithm of digest authentication (RFC 7616, section 3.3), weakest first.
enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512Over256 = "SHA-512-256"
    case sha512Over256Session = "SHA-512-256-sess"

    /// Creates an algorithm from its name, compared case-insensitively; MD5 without a name.
    init?(name: String?) {
        guard let name else {
            self = .md5
            return
        }
        guard let found = Self.allCases.first(where: { ASCII.equalIgnoringCase($0.rawValue, name) }) else {
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

    /// The rank among the algorithms; a higher rank is stronger.
    var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
