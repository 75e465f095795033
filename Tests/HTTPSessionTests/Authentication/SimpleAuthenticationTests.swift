import Testing

@testable import HTTPSession

/// Tests of Basic, bearer and API key authentication.
@Suite("Basic, bearer, and API key authentication")
struct SimpleAuthenticationTests {
    static func session(
        _ transport: AnswerTransport, _ adapter: some RequestAdapter
    ) -> Session {
        var configuration = SessionConfiguration(baseURL: "http://a.test/")
        configuration.adapters = [adapter]
        return Session(configuration: configuration, transport: transport)
    }

    static func session(_ transport: AnswerTransport, intercepting interceptor: some RequestInterceptor) -> Session {
        var configuration = SessionConfiguration(baseURL: "http://a.test/")
        configuration.intercept(with: interceptor)
        return Session(configuration: configuration, transport: transport)
    }

    static let ok = AnswerTransport { _, _ in AnswerTransport.response(200) }

    @Test(
        "Basic credentials match the examples of RFC 7617 and are encoded in UTF-8",
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="), ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
        ])
    func basic(username: String, password: String, field: String) async throws {
        let transport = AnswerTransport { _, _ in AnswerTransport.response(200) }
        let session = Self.session(transport, .basic(username: username, password: password))
        _ = try await session.get("x").response()
        _ = try await session.get("x", headers: ["authorization": "Own"]).response()
        #expect(transport.authorizations == [field, "Own"])
    }

    @Test(
        "A user name that contains a colon or a control character is rejected", arguments: ["a:b", "a\r\nb", "a\u{7F}"])
    func badUserName(name: String) async throws {
        let session = Self.session(Self.ok, .basic(username: name, password: "p"))
        let error = await ExchangeTests.failure { try await session.get("x").response() }
        #expect(error?.underlying as? AuthenticationError == .invalidUserName)
    }

    @Test("With challenged mode, a password is sent after a challenge and then preemptively in that directory")
    func challenged() async throws {
        let basic = BasicAuthentication(username: "u", password: "p", mode: .challenged)
        let transport = AnswerTransport { request, _ in
            guard request.url.path.hasPrefix("/in/"), !request.headers.contains("Authorization") else {
                return AnswerTransport.response(200)
            }
            return AnswerTransport.challenge("Negotiate, Basic realm=\"x\"")
        }
        let session = Self.session(transport, intercepting: basic)
        for path in ["out", "in/a", "in/b/c", "other"] {
            #expect(try await session.get(path).response().status == 200)
        }
        #expect(transport.authorizations.map { $0 != nil } == [false, false, true, true, false])
    }

    @Test("A rejected password is not sent again, and challenges of other schemes are not answered")
    func refused() async throws {
        let basic = BasicAuthentication(username: "u", password: "wrong", mode: .challenged)
        let transport = AnswerTransport { request, _ in
            AnswerTransport.challenge(request.url.path == "/d" ? "Digest nonce=x" : "Basic realm=x")
        }
        let session = Self.session(transport, intercepting: basic)
        #expect(try await session.get("a").response().status == 401)
        #expect(transport.requests.count == 2)
        #expect(try await session.get("http://c.test/d").response().status == 401)
        #expect(transport.requests.count == 3)
    }

    @Test("A bearer token is sent unchanged within its scope")
    func bearer() async throws {
        let transport = AnswerTransport { _, _ in AnswerTransport.response(200) }
        let session = Self.session(transport, .bearer("t0k.en+/==", scope: .origins("http://a.test:80/whatever")))
        for url in ["x", "http://a.test:81/", "https://a.test/", "http://b.test/"] {
            _ = try await session.get(url).response()
        }
        #expect(transport.authorizations == ["Bearer t0k.en+/==", nil, nil, nil])
    }

    /// Location, the URL and cookie of the request, the URL and cookie that are sent, and the value of `X-Key`.
    static let keys: [(APIKeyAuthentication.Location, String, String?, String, String?, String?)] = [
        (.header("X-Key"), "/a", nil, "http://a.test/a", nil, "k &/\u{E9}"),
        (.query("key"), "/a", nil, "http://a.test/a?key=k%20%26%2F%C3%A9", nil, nil),
        (.query("key"), "/a?b=c#f", nil, "http://a.test/a?b=c&key=k%20%26%2F%C3%A9#f", nil, nil),
        (
            .query("ke y"), "/a?ke%20y=old&keys=1&key", nil,
            "http://a.test/a?keys=1&key&ke%20y=k%20%26%2F%C3%A9", nil, nil
        ),
        (.cookie("key"), "/a", nil, "http://a.test/a", "key=k &/\u{E9}", nil),
        (.cookie("key"), "/a", "a=b; key=old;c=d", "http://a.test/a", "a=b; c=d; key=k &/\u{E9}", nil),
    ]

    @Test("An API key is sent in the configured location", arguments: keys)
    func apiKey(
        location: APIKeyAuthentication.Location, url: String, cookie: String?, sent: String, sentCookie: String?,
        header: String?
    ) async throws {
        let transport = AnswerTransport { _, _ in AnswerTransport.response(200) }
        let session = Self.session(transport, .apiKey(location, value: "k &/\u{E9}"))
        var request = Request(.get, url: url)
        request.headers["Cookie"] = cookie
        _ = try await session.send(request)
        let first = try #require(transport.requests.first)
        #expect(first.url.description == sent)
        #expect(first.headers["Cookie"] == sentCookie)
        #expect(first.headers["X-Key"] == header)
    }

    /// The adapters that carry a credential, which their descriptions must not reveal.
    static let stages: [any Sendable] = [
        BasicAuthentication(username: "u", password: "s3cret"), BearerAuthentication(token: "s3cret"),
        APIKeyAuthentication(.header("X-Key"), value: "s3cret"), APIKeyAuthentication(.query("key"), value: "s3cret"),
        APIKeyAuthentication(.cookie("key"), value: "s3cret"),
        AWSSignatureV4(
            credentials: .init(accessKey: "AK", secretKey: "x", sessionToken: "s3cret"), region: "r", service: "s3"),
        AuthenticationInterceptor(
            OAuth2Authenticator(tokenURL: "/token", grant: .clientCredentials, clientID: "c"),
            credential: OAuth2Token(accessToken: "s3cret")),
    ]

    static func hasCredential(_ request: TransportRequest) -> Bool {
        if request.headers.contains("Authorization") || request.url.query?.contains("s3cret") == true { return true }
        return request.headers.contains { $0.value.contains("s3cret") || $0.name.hasPrefix("X-Amz") }
    }

    @Test("Credentials follow redirects within the origin but not to other origins", arguments: stages.indices)
    func redirects(index: Int) async throws {
        let transport = AnswerTransport { request, _ in
            switch request.url.host + request.url.path {
            case "a.test/1": AnswerTransport.redirect("/2", 307)
            case "a.test/2": AnswerTransport.redirect("http://b.test/3")
            case "b.test/3": AnswerTransport.redirect("/4")
            case "b.test/4": AnswerTransport.redirect("https://a.test/5")
            case "a.test/5": AnswerTransport.redirect("http://a.test:8080/6")
            case "a.test/6" where request.url.port == 8080: AnswerTransport.redirect("http://a.test/7")
            default: AnswerTransport.response(200)
            }
        }
        var configuration = SessionConfiguration(baseURL: "http://a.test/")
        switch Self.stages[index] {
        case let adapter as any RequestAdapter: configuration.adapters = [adapter]
        case let interceptor as any RequestInterceptor: configuration.intercept(with: interceptor)
        default: Issue.record("expected an adapter or an interceptor")
        }
        let session = Session(configuration: configuration, transport: transport)
        #expect(try await session.get("1").response().status == 200)
        #expect(
            transport.requests.map(Self.hasCredential) == [true, true, false, false, false, false, true],
            "\(transport.requests.map(\.headers))")
        #expect(transport.requests.allSatisfy { $0.headers.values("Authorization").count <= 1 })
    }

    @Test("Descriptions and dumps of credential types do not reveal secrets")
    func secrets() {
        let values: [Any] =
            Self.stages + [
                AWSCredentials(accessKey: "AK", secretKey: "s3cret", sessionToken: "s3cret"),
                OAuth2Token(accessToken: "s3cret", refreshToken: "s3cret"),
                OAuth2Grant.password(username: "u", password: "s3cret"), OAuth2Grant.refreshToken("s3cret"),
                OAuth2Authenticator(
                    tokenURL: "t", grant: .password(username: "u", password: "s3cret"), clientID: "c",
                    clientSecret: "s3cret"),
                DigestAuthentication(username: "u", password: "s3cret"),
                Optional(BearerAuthentication(token: "s3cret")) as Any,
            ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, String(describing: value), String(reflecting: value)] {
                #expect(!text.contains("s3cret"), "\(type(of: value))")
            }
        }
    }
}
