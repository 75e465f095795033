import FoundationEssentials
import HTTPSession
import JSON
import XML

/// The code of the articles about connections, authentication, adapters, responses and what is kept.
enum ConnectionSnippets {
    static func timeouts() {
        // snippet timeouts
        var configuration = SessionConfiguration()
        configuration.timeouts = Timeouts(
            connect: .seconds(3), firstByte: .seconds(10), idle: .seconds(10), total: .seconds(60))
        configuration.limits.bodyBytes = 8 << 20
        configuration.connection.version = .http2
        // end
    }

    static func proxies(_ environment: [String: String]) throws {
        // snippet proxies
        var configuration = SessionConfiguration()
        configuration.connection.proxy = try .environment(environment)
        configuration.connection.proxy = .proxy(
            try Proxy("socks5h://user:password@127.0.0.1:1080"), except: ["localhost", "10.0.0.0/8"])
        // end
        // snippet places
        configuration.connection.unixSocket = "/run/docker.sock"
        configuration.connection.resolve = [try ResolveOverride("api.example.org:443:127.0.0.1:8443")]
        // end
    }

    static func reachable(_ session: Session) async throws {
        // snippet reachable
        try await session.waitUntilReachable("127.0.0.1", port: 8080, within: .seconds(20))
        // end
    }

    static func trust() throws {
        // snippet trust
        var tls = TLSOptions()
        tls.trust = .perHost(
            [
                "api.example.org": .system.pinning(keys: [
                    try PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
                ]),
                "*.internal": .authorities(["/etc/ssl/internal.pem"]),
            ], otherwise: .system)
        tls.identity = ClientIdentity(certificate: "client.pem", key: "client.key", passphrase: "secret")
        tls.minimumVersion = .tls13
        if let problem = tls.problem() { print(problem) }

        var configuration = SessionConfiguration()
        configuration.connection.tls = tls
        // end
    }

    // MARK: Authentication

    static func authentication(_ session: Session) async throws {
        // snippet simple
        let own = try await session.get("me").adapt(with: .bearer("token")).response()
        let key = try await session.get("me").adapt(with: .apiKey(.header("X-API-Key"), value: "key")).response()
        let basic = try await session.get("me").adapt(with: .basic(username: "ada", password: "secret")).response()
        let digest = try await session.get("me").intercept(with: .digest(username: "ada", password: "secret"))
            .response()
        // end
        print(own, key, basic, digest)
    }

    static func oauth() async throws {
        // snippet oauth
        let client = OAuth2Authenticator(
            tokenURL: "https://login.example.org/token", grant: .clientCredentials, clientID: "books",
            clientSecret: "secret", scopes: ["books.read"])
        var configuration = SessionConfiguration(baseURL: "https://api.example.org/")
        configuration.intercept(with: .oauth2(client))
        // end
    }

    // snippet authenticator
    struct LoginCredential: AuthenticationCredential {
        var id: String
    }

    struct LoginAuthenticator: Authenticator {
        func apply(_ credential: LoginCredential, to request: inout Request) {
            request.headers.set("X-Session", credential.id)
            request.credentialFields = ["X-Session"]
        }

        func obtain(with session: Session) async throws -> LoginCredential {
            LoginCredential(id: try await session.post("login", form: ["user": "ada"]).validate().string())
        }

        func refresh(_ credential: LoginCredential, with session: Session) async throws -> LoginCredential {
            try await obtain(with: session)
        }

        func isRequest(_ request: Request, authenticatedWith credential: LoginCredential) -> Bool {
            request.headers["X-Session"] == credential.id
        }
    }
    // end

    static func aws() {
        // snippet aws
        let signature = AWSSignatureV4(
            credentials: AWSCredentials(accessKey: "AKIDEXAMPLE", secretKey: "secret"), region: "eu-central-1",
            service: "execute-api")
        var configuration = SessionConfiguration()
        configuration.adapters = [signature]
        // end
    }

    // MARK: Adapters and retries

    // snippet adapter
    struct LanguageAdapter: RequestAdapter {
        var language: String

        func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
            var request = request
            request.headers.set("Accept-Language", language)
            return request
        }
    }
    // end

    // snippet retrier
    struct MaintenanceRetrier: Retrier {
        func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
            guard failure.response?.headers["X-Maintenance"] == "1" else { return .doNotRetry }
            return context.attempt < 10 ? .retryAfter(.seconds(30)) : .doNotRetry
        }
    }
    // end

    static func retries() {
        // snippet retries
        var configuration = SessionConfiguration()
        configuration.adapters = [LanguageAdapter(language: "de")]
        configuration.retriers = [
            MaintenanceRetrier(), RetryPolicy(maximumRetries: 4, jitter: .full, budget: .seconds(60)),
            ReachabilityRetrier(within: .seconds(30)),
        ]
        // end
    }

    static func perRequest(_ session: Session) async throws {
        // snippet perRequest
        let response = try await session.get("books").adapt(with: LanguageAdapter(language: "fr"))
            .retry(with: .connectionLost).response()
        // end
        print(response)
    }

    // MARK: Responses

    static func responses(_ session: Session) async throws {
        // snippet serializers
        let feed = try await session.get("feed.xml").serialize(with: .xml)
        let cover = try await session.get("cover.png").serialize(with: .image)
        let list = try await session.get("settings.plist").serialize(with: .propertyList)
        // end
        // snippet compound
        let either = CompoundResponseSerializer<String>([
            JSONResponseSerializer().map { $0.serialized() }, StringResponseSerializer(),
        ])
        let text = try await session.get("anything").serialize(with: either)
        // end
        // snippet prefix
        let guarded = try await session.get("guarded").serialize(
            with: JSONResponseSerializer(removesNulls: true, preprocessors: [.xssiPrefix]))
        // end
        // snippet empty
        let nothing = try await session.delete("books/7").validate().decode(Empty.self)
        // end
        print(feed, cover.width, list, text, guarded, nothing)
    }

    static func refused(_ session: Session) async {
        // snippet refused
        do throws(SessionError) {
            _ = try await session.get("books/0").validate().response()
        } catch {
            // The response is there, its body can be decoded as any other.
            let detail = try? error.response?.json()["detail"]?.stringValue
            print(detail ?? error.message)
        }
        // end
    }

    // MARK: Redirects, cookies and cache

    static func redirects(_ session: Session) async throws {
        // snippet redirects
        let response = try await session.get("start").with { request in
            request.redirects = .ask(maximum: 5) { redirect in
                redirect.request.url.hasSameOrigin(as: redirect.response.url) ? .follow : .stop
            }
        }.response()
        for hop in response.history { print(hop.status, hop.url) }
        // end
    }

    static func cookies() async throws {
        // snippet cookies
        let jar = CookieJar()
        try await jar.load(from: "cookies.json")
        try await withSession(SessionConfiguration(cookies: jar)) { session in
            _ = try await session.get("https://example.org/").response()
        }
        for cookie in jar.cookies { print(cookie.name, cookie.domain, cookie.path) }
        jar.removeSessionCookies()
        try await jar.save(to: "cookies.json")
        // end
    }

    static func cache(_ request: Request) async throws {
        // snippet cache
        var configuration = SessionConfiguration()
        configuration.cache = ResponseCache(capacity: 32 << 20, preferredSize: 24 << 20)
        configuration.coalescesRequests = true
        let session = Session(configuration: configuration)
        let offline = try await session.get("https://example.org/").with { $0.cachePolicy = .cacheElseLoad }.response()
        print(offline.isFromCache)
        // end
    }
}
