import Basics
import Synchronization
import Testing

@testable import HTTPSession

@Suite("OAuth 2")
struct OAuth2Tests {
    static func session(
        _ interceptor: AuthenticationInterceptor<OAuth2Authenticator>, _ transport: AnswerTransport,
        _ clock: SettableClock = SettableClock(1000)
    ) -> Session {
        var configuration = SessionConfiguration(baseURL: "http://api.test/")
        configuration.clock = clock.clock
        configuration.intercept(with: interceptor)
        return Session(configuration: configuration, transport: transport)
    }

    /// A shareable counter.
    final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    static let json: HTTPHeaders = ["Content-Type": "application/json"]

    /// Returns a server that issues tokens "t1", "t2", … at `/token` and accepts only the newest elsewhere.
    static func server(
        _ answer: @escaping @Sendable (Int, String) -> (Int, String) = { number, _ in
            (200, "{\"access_token\":\"t\(number)\",\"token_type\":\"Bearer\",\"expires_in\":3600}")
        }
    ) -> (AnswerTransport, Counter) {
        let tokens = Counter()
        let transport = AnswerTransport { request, _ in
            await Task.yield()
            guard request.url.path == "/token" else {
                let newest = "Bearer t\(tokens.value.load(ordering: .relaxed))"
                return AnswerTransport.response(request.headers["Authorization"] == newest ? 200 : 401)
            }
            guard case .bytes(let body) = request.body else { return AnswerTransport.response(400) }
            let number = tokens.value.add(1, ordering: .relaxed).newValue
            let (status, text) = answer(number, String(decoding: body, as: UTF8.self))
            return AnswerTransport.response(status, json, text)
        }
        return (transport, tokens)
    }

    static func tokenRequests(_ transport: AnswerTransport) -> [String] {
        transport.requests.filter { $0.url.path == "/token" }.map { request in
            guard case .bytes(let body) = request.body else { return "" }
            return String(decoding: body, as: UTF8.self)
        }
    }

    static func client(_ grant: OAuth2Grant = .clientCredentials) -> OAuth2Authenticator {
        OAuth2Authenticator(tokenURL: "/token", grant: grant, clientID: "id", clientSecret: "secret")
    }

    // MARK: Token requests

    /// Settings, `Authorization`, and body.
    static let requests: [(OAuth2Authenticator, String?, String)] = [
        (client(), "Basic aWQ6c2VjcmV0", "grant_type=client_credentials"),
        (
            OAuth2Authenticator(
                tokenURL: "/token", grant: .clientCredentials, clientID: "a b:c", clientSecret: "\u{E9}+&",
                scopes: ["read", "write:x"], audience: "https://api.test/", parameters: [("resource", "a b")]),
            // "a+b%3Ac:%C3%A9%2B%26"
            "Basic YStiJTNBYzolQzMlQTklMkIlMjY=",
            "grant_type=client_credentials&scope=read+write%3Ax&audience=https%3A%2F%2Fapi.test%2F&resource=a+b"
        ),
        (
            OAuth2Authenticator(
                tokenURL: "/token", grant: .password(username: "u@x", password: "p w+"), clientID: "id",
                clientSecret: "s", clientAuthentication: .body),
            nil, "grant_type=password&username=u%40x&password=p+w%2B&client_id=id&client_secret=s"
        ),
        (
            OAuth2Authenticator(tokenURL: "/token", grant: .refreshToken("r/t"), clientID: "public"), nil,
            "grant_type=refresh_token&refresh_token=r%2Ft&client_id=public"
        ),
    ]

    @Test("Token requests conform to RFC 6749", arguments: requests.indices)
    func tokenRequest(index: Int) async throws {
        let (authenticator, authorization, body) = Self.requests[index]
        let (transport, _) = Self.server()
        let session = Self.session(.oauth2(authenticator), transport)
        #expect(try await session.get("x").response().status == 200)
        let request = try #require(transport.requests.first)
        #expect(request.method == .post)
        #expect(request.url.description == "http://api.test/token")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request.headers["Authorization"] == authorization)
        #expect(Self.tokenRequests(transport) == [body])
        #expect(transport.authorizations.last == "Bearer t1")
    }

    // MARK: Token lifetime

    @Test("Concurrent requests share a token, which is renewed before it expires or after it is rejected")
    func life() async throws {
        let clock = SettableClock(1000)
        let (transport, tokens) = Self.server()
        let session = Self.session(.oauth2(Self.client()), transport, clock)
        #expect(try await AuthenticationInterceptorTests.statuses(200, session).allSatisfy { $0 == 200 })
        #expect(tokens.value.load(ordering: .relaxed) == 1)
        clock.advance(3569)
        #expect(try await session.get("x").response().status == 200)
        #expect(tokens.value.load(ordering: .relaxed) == 1)
        clock.advance(1)
        #expect(try await AuthenticationInterceptorTests.statuses(200, session).allSatisfy { $0 == 200 })
        #expect(tokens.value.load(ordering: .relaxed) == 2)
        // The server invalidates the token.
        tokens.value.add(10, ordering: .relaxed)
        #expect(try await AuthenticationInterceptorTests.statuses(200, session).allSatisfy { $0 == 200 })
        #expect(tokens.value.load(ordering: .relaxed) == 13)
    }

    @Test("A 401 for a newly fetched token is the final response")
    func refused() async throws {
        let transport = AnswerTransport { request, _ in
            request.url.path == "/token"
                ? AnswerTransport.response(200, Self.json, "{\"access_token\":\"x\",\"token_type\":\"bearer\"}")
                : AnswerTransport.response(401)
        }
        let session = Self.session(.oauth2(Self.client()), transport)
        #expect(try await session.get("x").response().status == 401)
        #expect(transport.requests.map(\.url.path) == ["/token", "/x", "/token", "/x"])
    }

    @Test("A token whose lifetime is shorter than the leeway is used for half its lifetime")
    func shortLife() async throws {
        let clock = SettableClock(1000)
        let (transport, tokens) = Self.server { number, _ in
            (200, "{\"access_token\":\"t\(number)\",\"token_type\":\"bearer\",\"expires_in\":\"20\"}")
        }
        let session = Self.session(.oauth2(Self.client()), transport, clock)
        for _ in 0..<3 { #expect(try await session.get("x").response().status == 200) }
        #expect(tokens.value.load(ordering: .relaxed) == 1)
        clock.advance(10)
        #expect(try await session.get("x").response().status == 200)
        #expect(tokens.value.load(ordering: .relaxed) == 2)
    }

    @Test("Refresh tokens are rotated, and a rejected refresh token falls back to the initial grant")
    func rotation() async throws {
        let clock = SettableClock(1000)
        let (transport, tokens) = Self.server { number, body in
            if number == 4 { return (400, "{\"error\":\"invalid_grant\"}") }
            let refresh = number == 3 ? "" : ",\"refresh_token\":\"r\(number)\""
            return (200, "{\"access_token\":\"t\(number)\",\"token_type\":\"bearer\",\"expires_in\":100\(refresh)}")
        }
        let session = Self.session(
            .oauth2(Self.client(.password(username: "u", password: "p"))), transport, clock)
        for _ in 0..<4 {
            #expect(try await session.get("x").response().status == 200)
            clock.advance(100)
        }
        #expect(
            Self.tokenRequests(transport) == [
                "grant_type=password&username=u&password=p", "grant_type=refresh_token&refresh_token=r1",
                "grant_type=refresh_token&refresh_token=r2", "grant_type=refresh_token&refresh_token=r2",
                "grant_type=password&username=u&password=p",
            ])
        #expect(tokens.value.load(ordering: .relaxed) == 5)
    }

    // MARK: Errors

    static let errors: [(Int, String, OAuth2Error)] = [
        (
            400, "{\"error\":\"invalid_scope\",\"error_description\":\"no such\",\"error_uri\":\"http://e/\"}",
            .refused(code: "invalid_scope", description: "no such", uri: "http://e/", status: 400)
        ),
        (
            401, "{\"error\":\"invalid_client\"}",
            .refused(code: "invalid_client", description: nil, uri: nil, status: 401)
        ),
        (500, "<html>", .invalidResponse("it is not JSON", status: 500)),
        (302, "{}", .invalidResponse("it has no \"error\"", status: 302)),
        (200, "{\"token_type\":\"bearer\"}", .invalidResponse("it has no \"access_token\"", status: 200)),
        (200, "{\"access_token\":\"x\",\"token_type\":\"mac\"}", .unsupportedTokenType("mac")),
    ]

    @Test("Error responses from the token endpoint are reported without secrets", arguments: errors)
    func serverErrors(status: Int, body: String, expected: OAuth2Error) async throws {
        let (transport, _) = Self.server { _, _ in (status, body) }
        let session = Self.session(.oauth2(Self.client()), transport)
        let error = await ExchangeTests.failure { try await session.get("x").response() }
        #expect(error?.reason == .adapterFailed)
        #expect(error?.underlying as? OAuth2Error == expected)
        #expect(error?.message.contains("secret") == false)
        #expect(transport.requests.map(\.url.path) == ["/token"])
    }

    @Test("Failing to reach the token endpoint fails the request, and redirects from it are not followed")
    func unreachable() async throws {
        let refused = AnswerTransport { request, _ in
            throw SessionError(
                phase: .connect, reason: .connectionRefused, message: "refused", url: request.url.description)
        }
        let error = await ExchangeTests.failure {
            try await Self.session(.oauth2(Self.client()), refused).get("x").response()
        }
        #expect(error?.reason == .connectionRefused)
        #expect(error?.url == "http://api.test/token")
        let redirecting = AnswerTransport { _, _ in AnswerTransport.redirect("http://evil.test/", 307) }
        let other = await ExchangeTests.failure {
            try await Self.session(.oauth2(Self.client()), redirecting).get("x").response()
        }
        #expect(other?.underlying as? OAuth2Error == .invalidResponse("it is not JSON", status: 307))
        #expect(redirecting.requests.count == 1)
    }
}
