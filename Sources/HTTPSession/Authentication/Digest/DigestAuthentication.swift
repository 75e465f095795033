import Synchronization

/// Proves that a password is known without sending it (RFC 7616): digest authentication.
///
/// The first request to a protection space is answered with 401 and a nonce, and sent again with the proof. Requests
/// after it carry a proof at once, each with the next nonce count. A nonce that the server calls stale is replaced by
/// the new one. Among several challenges the strongest is answered: SHA-512-256, SHA-256, MD5, and their `-sess` forms.
///
/// A request that has an `Authorization` field of its own is left alone. User name and password are encoded in UTF-8.
///
/// The proof covers the body (`qop=auth-int`) where the server wants nothing else, or where `prefersIntegrity` says so
/// and the server offers it. That is not possible for a body that is made while it is sent: such a request fails with
/// ``AuthenticationError/integrityNeedsWholeBody`` where the server wants nothing else.
public final class DigestAuthentication: RequestInterceptor {
    /// The user name.
    public let username: String
    private let secret: Secret
    /// Whether the proof covers the body where the server leaves it open.
    public let prefersIntegrity: Bool
    /// The servers that the password is for.
    public let scope: CredentialScope

    /// What is known of a protection space.
    private struct Known {
        var space: ProtectionSpace
        var challenge: DigestChallenge
        /// How often the nonce has been used.
        var count: UInt32 = 0
        /// The client's nonce for algorithms whose key depends on it, which stays the same as long as the server's.
        var clientNonce: String
    }

    private let known = Mutex<[Known]>([])

    /// The most protection spaces that are remembered.
    private static let maximumSpaces = 64
    /// How often a request is sent again for challenges, most of them for stale nonces.
    private static let maximumAnswers = 5

    /// The password.
    public var password: String { secret.value }

    /// Creates an interceptor.
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - prefersIntegrity: Whether the proof covers the body where the server leaves it open.
    ///   - scope: The servers that the password is for.
    public init(
        username: String, password: String, prefersIntegrity: Bool = false, scope: CredentialScope = .everywhere
    ) {
        self.username = username
        secret = Secret(password)
        self.prefersIntegrity = prefersIntegrity
        self.scope = scope
    }

    // MARK: Adapting

    /// Adds the `Authorization` field where the server's nonce is known.
    /// - Throws: ``AuthenticationError`` if the body has to be hashed and cannot be.
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

    private static func clientNonce(_ random: SessionRandom) -> String { MessageDigest.hex(random.bytes(16)) }

    /// What is known of the space that a URL is in, the nonce counted as used once more.
    private func use(of url: HTTPURL) -> Known? {
        known.withLock { known in
            guard let index = known.lastIndex(where: { $0.space.contains(url) }) else { return nil }
            known[index].count &+= 1
            return known[index]
        }
    }

    /// Chooses what the proof covers, and hashes the body for it.
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

    /// Takes note of a challenge, and sends the request again to answer it.
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
        // A second refusal means that the password is wrong, unless the server says that the nonce was too old.
        guard note.count == 0 || (challenge.isStale && note.count < Self.maximumAnswers) else { return .doNotRetry }
        context.memory.change(self) { $0.count += 1 }
        remember(challenge, from: response.url, random: context.session.configuration.random)
        return .retry
    }

    private func remember(_ challenge: DigestChallenge, from url: HTTPURL, random: SessionRandom) {
        let space = Self.space(challenge, url)
        let clientNonce = Self.clientNonce(random)
        known.withLock { known in
            let place = known.firstIndex { entry in
                entry.challenge.realm == challenge.realm && entry.space.origin.hasSameOrigin(as: url)
                    && entry.space.prefixes == space.prefixes
            }
            var entry = Known(space: space, challenge: challenge, clientNonce: clientNonce)
            if let place {
                if known[place].challenge.nonce == challenge.nonce {
                    // The count of a nonce never goes back: that would be taken for a replay.
                    entry.count = known[place].count
                    entry.clientNonce = known[place].clientNonce
                }
                known.remove(at: place)
            } else if known.count >= Self.maximumSpaces {
                known.removeFirst()
            }
            known.append(entry)
        }
    }

    /// The protection space of a challenge: the URIs of its `domain` at the same origin, or all of the server.
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
    /// Proves that a password is known without sending it (RFC 7616).
    public static func digest(
        username: String, password: String, prefersIntegrity: Bool = false, scope: CredentialScope = .everywhere
    ) -> DigestAuthentication {
        DigestAuthentication(
            username: username, password: password, prefersIntegrity: prefersIntegrity, scope: scope)
    }
}
