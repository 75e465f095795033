import Basics
import Synchronization
import TestSupport
import Testing

@testable import HTTPSession

@Suite("Digest authentication")
struct DigestTests {
    static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    static func challenge(_ text: String) throws -> DigestChallenge {
        try #require(AuthenticationChallenge.parse([text]).first.flatMap { DigestChallenge($0) })
    }

    // MARK: Responses

    /// Algorithm, protection, and response.
    ///
    /// With `auth`, MD5 and SHA-256 are the examples of RFC 7616, section 3.9.1. The others were computed with Python's
    /// hashlib from the same values, with "body" as the body.
    static let responses: [(String, String?, String)] = [
        ("MD5", "auth", "8ca523f5e9506fed4657c9700eebdbec"),
        ("MD5", "auth-int", "9aaa3cbaec2406853a7cb784c6813d11"),
        ("MD5", nil, "7b2cc3b30e75b4777ea31027084363fd"),
        ("md5-SESS", "auth", "e783283f46242139c486a698fec7211d"),
        ("MD5-sess", "auth-int", "a0dd1fdc2cda57809f734f0b1f089e7b"),
        ("MD5-sess", nil, "37a7f42db2090a3fcac4e26e747d4fc8"),
        ("SHA-256", "auth", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("SHA-256", "auth-int", "2fa9fd5a55eaefc542900085331c15a0d8dcebeb505811bdd82a5b1f49ae156e"),
        ("SHA-256", nil, "a1306b0595a6c7fe96c448631fb5cfbd5107bd1fe1da729d978dd7446b812363"),
        ("SHA-256-sess", "auth", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
        ("SHA-256-sess", "auth-int", "351cf1de6df8006b29344896ed8e41148d9922c94d1aedab40833924f92d49c2"),
        ("SHA-512-256", "auth", "430d05014cecc49cab6fbe03176d41a1da86cbfe24a16580e22aaad928d960d0"),
        ("SHA-512-256", "auth-int", "f4a77dcffe7f8d5d98ca279329559e1e5457b701639d422e8c29293d79fcfeb8"),
        ("SHA-512-256-sess", "auth", "3f2a34f923c38b0fb26dce2fdfc2ce326c23cecf86fbb1444f3e51fbbc2cb92e"),
    ]

    @Test("Responses are correct for every algorithm and quality of protection", arguments: responses)
    func response(algorithm: String, protection: String?, expected: String) throws {
        let qop = protection.map { ", qop=\"\($0)\"" } ?? ""
        let challenge = try Self.challenge(
            "Digest realm=\"http-auth@example.org\"\(qop), algorithm=\(algorithm), nonce=\"\(Self.nonce)\"")
        let answer = DigestAnswer(
            challenge: challenge, username: "Mufasa", password: "Circle of Life", method: .get,
            uri: "/dir/index.html", clientNonce: Self.clientNonce, count: 1,
            protection: challenge.protections.first, bodyHash: MessageDigest.hex(challenge.algorithm.hash, "body"))
        #expect(answer.response == expected)
    }

    @Test("The Authorization field matches the example in RFC 7616, section 3.9.1")
    func field() throws {
        let challenge = try Self.challenge(
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=SHA-256, "
                + "nonce=\"\(Self.nonce)\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")
        let answer = DigestAnswer(
            challenge: challenge, username: "Mufasa", password: "Circle of Life", method: .get,
            uri: "/dir/index.html", clientNonce: Self.clientNonce, count: 1, protection: .auth)
        #expect(
            answer.field == "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", uri=\"/dir/index.html\", "
                + "algorithm=SHA-256, nonce=\"\(Self.nonce)\", nc=00000001, cnonce=\"\(Self.clientNonce)\", qop=auth, "
                + "response=\"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1\", "
                + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")
    }

    @Test("A non-ASCII user name is hashed as in RFC 7616, section 3.9.2")
    func userHash() throws {
        // The RFC contains values for truncated SHA-512 (erratum 4897). These were computed with hashlib.
        let challenge = try Self.challenge(
            "Digest realm=\"api@example.org\", qop=\"auth\", algorithm=SHA-512-256, "
                + "nonce=\"5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK\", "
                + "opaque=\"HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS\", charset=UTF-8, userhash=true")
        let answer = DigestAnswer(
            challenge: challenge, username: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?", method: .get,
            uri: "/doe.json", clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm", count: 1, protection: .auth)
        let field = answer.field
        #expect(
            field.hasPrefix(
                "Digest username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\", "))
        #expect(answer.response == "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c")
        #expect(field.hasSuffix(", userhash=true"))
    }

    @Test("Responses match the examples of RFC 2617 and RFC 2069")
    func older() throws {
        let text = "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""
        var answer = DigestAnswer(
            challenge: try Self.challenge(text + ", qop=auth"), username: "Mufasa", password: "Circle Of Life",
            method: .get, uri: "/dir/index.html", clientNonce: "0a4f113b", count: 1, protection: .auth)
        #expect(answer.response == "6629fae49393a05397450978507c4ef1")
        answer.challenge = try Self.challenge(text)
        answer.protection = nil
        answer.password = "CircleOfLife"
        #expect(answer.response == "1949323746fe6a43ef61f9606e7febea")
        #expect(!answer.field.contains("cnonce") && !answer.field.contains("qop") && !answer.field.contains("nc="))
    }

    @Test(
        "User names are quoted, or percent-encoded if the server accepts UTF-8",
        arguments: [
            ("a\"b\\c", "", "username=\"a\\\"b\\\\c\""),
            ("J\u{E4}s\u{F8}n Doe", "", "username=\"J\u{E4}s\u{F8}n Doe\""),
            ("J\u{E4}s\u{F8}n Doe", ", charset=utf-8", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"),
            ("plain", ", charset=UTF-8", "username=\"plain\""),
        ])
    func userNames(name: String, extra: String, expected: String) throws {
        let answer = DigestAnswer(
            challenge: try Self.challenge("Digest realm=\"a \\\"b\\\"\", nonce=n" + extra), username: name,
            password: "p", method: .get, uri: "/", clientNonce: "c", count: 1)
        #expect(answer.field.hasPrefix("Digest \(expected), realm=\"a \\\"b\\\"\", uri="))
    }

    @Test(
        "The strongest supported challenge is answered",
        arguments: [
            (["Digest nonce=a", "Digest nonce=b, algorithm=SHA-256", "Basic realm=x"], "b"),
            (["Digest nonce=a, algorithm=SHA-256, Digest nonce=b, algorithm=SHA-512-256, Digest nonce=c"], "b"),
            (["Digest nonce=a, algorithm=SHA-3, Digest nonce=b, algorithm=MD5"], "b"),
            (["Digest nonce=a, Digest nonce=b"], "a"), (["Digest nonce=a, qop=other, Digest nonce=b, qop=AUTH"], "b"),
            (["Digest realm=a", "Basic realm=b", "Digest nonce=a, algorithm=none"], nil),
        ] as [([String], String?)])
    func choice(fields: [String], nonce: String?) {
        #expect(DigestChallenge.strongest(AuthenticationChallenge.parse(fields))?.nonce == nonce)
    }

    @Test(
        "SHA-512/256 digests are correct for inputs of various lengths",
        arguments: [
            (0, "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            (1, "455e518824bc0601f9fb858ff5c37d417d67c2f8e0df2babe4808858aea830f8"),
            (111, "0239e429f98d0ed61ee8e2a7c30afe98c1c3a80ce5dff62a107e9c538f7632ce"),
            (112, "9216b5303edb66504570bee90e48ea5beaa5e9fe9f760bbd3e0460559fc005f6"),
            (120, "2e6ca4d879d367d7708701ed2e448540d04a6b8fcd2b0806278cf36090b9ba2b"),
            (127, "2fe3b2a6ee7e12f6fe4ba82166541ad9b4ed882c493581cbe300d68f3757b778"),
            (128, "b88f97e274f9c1d49f181c8cbd01a9c74930ad055a46ac4499a1d601f1c80bf2"),
            (129, "fb9035c9009ed4a60e37510339ebdb1c771339f30aa581d5dea3690a524c23f1"),
            (1000, "40eb4a70d4d69815407a9e272f0101cd67e3d11262a4a0bfc087712749c7fb53"),
        ])
    func sha512Over256(count: Int, expected: String) {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        #expect(MessageDigest.hex(.sha512Over256, bytes) == expected)
        var pieces = MessageDigest(.sha512Over256)
        for byte in bytes { withUnsafeBytes(of: byte) { pieces.update($0) } }
        #expect(Hexadecimal.encode(pieces.finalize()) == expected)
    }

    // MARK: Exchanges

    static func session(_ digest: DigestAuthentication, _ transport: AnswerTransport) -> Session {
        var configuration = SessionConfiguration(baseURL: "http://a.test/")
        configuration.intercept(with: digest)
        configuration.random = SessionRandom { 0x0123_4567_89AB_CDEF }
        return Session(configuration: configuration, transport: transport)
    }

    static let cnonce = "efcdab8967452301efcdab8967452301"

    /// Returns the parameters of an `Authorization` field.
    static func parameters(_ request: TransportRequest) -> AuthenticationChallenge? {
        request.headers["Authorization"].flatMap { AuthenticationChallenge.parse([$0]).first }
    }

    /// The nonce that a server accepts.
    final class Nonce: Sendable {
        private let current: Mutex<String>

        init(_ value: String) {
            current = Mutex(value)
        }

        var value: String {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }
    }

    /// Returns a server that knows the password and sends challenges with a nonce.
    static func server(
        _ current: Nonce, extra: String = ", qop=\"auth,auth-int\"", password: String = "p"
    ) -> AnswerTransport {
        AnswerTransport { request, _ in
            let nonce = current.value
            let challenge = "Digest realm=\"r\", nonce=\"\(nonce)\"" + extra
            guard let given = parameters(request) else { return AnswerTransport.challenge(challenge) }
            guard given["nonce"] == nonce else { return AnswerTransport.challenge(challenge + ", stale=TRUE") }
            var answer = DigestAnswer(
                challenge: try DigestTests.challenge(challenge), username: "u", password: password,
                method: request.method, uri: request.url.target, clientNonce: given["cnonce"] ?? "",
                count: given["nc"].flatMap { UInt32($0, radix: 16) } ?? 0,
                protection: given["qop"].flatMap { DigestChallenge.Protection(rawValue: $0) })
            answer.bodyHash = try await MessageDigest.hex(answer.challenge.algorithm.hash, body: request.body) ?? ""
            let isRight = given["response"] == answer.response && given["uri"] == request.url.target
            return isRight ? AnswerTransport.response(200) : AnswerTransport.challenge(challenge)
        }
    }

    @Test("The nonce count increases with each request, and a stale nonce is replaced")
    func flow() async throws {
        let nonce = Nonce("n1")
        let transport = Self.server(nonce)
        let session = Self.session(DigestAuthentication(username: "u", password: "p"), transport)
        #expect(try await session.get("a?b=c%20d").response().status == 200)
        #expect(try await session.put("b", body: .text("x")).response().status == 200)
        nonce.value = "n2"
        #expect(try await session.get("c").response().status == 200)
        #expect(
            transport.requests.map { request in
                Self.parameters(request).map { "\($0["nonce"] ?? "") \($0["nc"] ?? "") \($0["qop"] ?? "")" }
            } == [
                nil, "n1 00000001 auth", "n1 00000002 auth", "n1 00000003 auth", "n2 00000001 auth",
            ])
        #expect(Self.parameters(transport.requests[1])?["uri"] == "/a?b=c%20d")
        #expect(Self.parameters(transport.requests[1])?["cnonce"] == Self.cnonce)
    }

    @Test("A challenge is answered over the same connection")
    func wire() async throws {
        let server = FaultyServer([
            .receive,
            .send(
                "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=b, Digest realm=\"r\", nonce=\"n\"\r\n"
                    + "WWW-Authenticate: Digest realm=\"r\", nonce=\"m\", algorithm=SHA-256, qop=auth\r\n"
                    + "Content-Length: 2\r\n\r\nno"),
            .receive, .send(ExchangeTests.ok),
        ])
        var configuration = SessionConfiguration()
        configuration.intercept(with: .digest(username: "u", password: "p"))
        try await ExchangeTests.with(server, configuration) { server, session in
            let response = try await session.post(server.url + "x", body: .text("body")).response()
            #expect(response.status == 200)
            #expect(response.attempts.count == 1)
            #expect(server.connections == 1)
            let (first, second) = (server.requestTexts[0], server.requestTexts[1])
            #expect(!first.contains("Authorization"))
            #expect(second.contains("\r\nAuthorization: Digest username=\"u\", realm=\"r\", uri=\"/x\", "))
            #expect(second.contains(", algorithm=SHA-256, nonce=\"m\", nc=00000001, "))
            #expect(second.hasSuffix("\r\n\r\nbody"))
        }
    }

    @Test("A rejected password is not retried indefinitely")
    func wrongPassword() async throws {
        let transport = Self.server(Nonce("n"))
        let session = Self.session(DigestAuthentication(username: "u", password: "wrong"), transport)
        #expect(try await session.get("a").response().status == 401)
        #expect(transport.requests.count == 2)
        let stale = AnswerTransport { _, number in
            AnswerTransport.challenge("Digest realm=r, nonce=\(number), stale=true")
        }
        #expect(
            try await Self.session(DigestAuthentication(username: "u", password: "p"), stale).get("a").response()
                .status == 401)
        #expect(stale.requests.count == 6)
    }

    @Test("Concurrent requests have distinct nonce counts")
    func concurrent() async throws {
        let transport = Self.server(Nonce("n"))
        let session = Self.session(DigestAuthentication(username: "u", password: "p"), transport)
        #expect(try await session.get("first").response().status == 200)
        let statuses = try await AuthenticationInterceptorTests.statuses(200, session)
        #expect(statuses.allSatisfy { $0 == 200 })
        let counts = transport.requests.compactMap { Self.parameters($0)?["nc"] }
        #expect(counts.count == 201)
        #expect(Set(counts).count == 201)
    }

    /// The offered protections, the preference, the body, and the protection that is used.
    static let protections: [(String, Bool, RequestBody, String?)] = [
        (", qop=\"auth,auth-int\"", false, .text("body"), "auth"),
        (", qop=\"auth,auth-int\"", true, .text("body"), "auth-int"), (", qop=auth-int", false, .empty, "auth-int"),
        (", qop=\"auth,auth-int\"", true, .stream(BodySource(isReplayable: true) { { nil } }), "auth"),
        (", qop=\"auth\"", true, .text("body"), "auth"), ("", true, .text("body"), nil),
        (", qop=auth, algorithm=SHA-256-sess", false, .text("body"), "auth"),
        (", qop=auth-int, algorithm=SHA-512-256", false, .text("body"), "auth-int"),
    ]

    @Test("The response covers the body if the server requires it or the client prefers it", arguments: protections)
    func protection(extra: String, prefers: Bool, body: RequestBody, expected: String?) async throws {
        let transport = Self.server(Nonce("n"), extra: extra)
        let session = Self.session(
            DigestAuthentication(username: "u", password: "p", prefersIntegrity: prefers), transport)
        #expect(try await session.post("a", body: body).response().status == 200)
        #expect(transport.requests.last.flatMap { Self.parameters($0)?["qop"] } == expected)
    }

    @Test("Integrity protection covers file contents and the compressed form of a body")
    func integrityOfFiles() async throws {
        let transport = Self.server(Nonce("n"), extra: ", qop=auth-int")
        let session = Self.session(DigestAuthentication(username: "u", password: "p"), transport)
        let file = try TemporaryFile(Array("some text".utf8))
        #expect(try await session.post("a", body: .file(path: file.path)).response().status == 200)
        let compressed = session.post("a", body: .text("some text")).with { $0.compression = .gzip }
        #expect(try await compressed.response().status == 200)
        #expect(transport.requests.last?.headers["Content-Encoding"] == "gzip")
        let error = await ExchangeTests.failure {
            try await session.post("a", body: .file(path: "/nonexistent/file")).response()
        }
        guard case .unreadableBody = error?.underlying as? AuthenticationError else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Requiring integrity protection for a streamed body is a specific error")
    func streamedIntegrity() async throws {
        let transport = Self.server(Nonce("n"), extra: ", qop=auth-int")
        let session = Self.session(DigestAuthentication(username: "u", password: "p"), transport)
        let error = await ExchangeTests.failure {
            try await session.post("a", body: .stream(BodySource(isReplayable: true) { { nil } })).response()
        }
        #expect(error?.underlying as? AuthenticationError == .integrityNeedsWholeBody)
    }

    @Test("Preemptive authentication is limited to the protection domain")
    func domain() async throws {
        let transport = Self.server(Nonce("n"), extra: ", domain=\"/in http://other.test/ /also/in\", qop=auth")
        let session = Self.session(DigestAuthentication(username: "u", password: "p"), transport)
        for path in ["in/a", "in", "also/in/b", "into", "in/c"] {
            #expect(try await session.get(path).response().status == 200)
        }
        #expect(
            transport.requests.map { Self.parameters($0) == nil } == [
                true, false, false, false, true, false, false,
            ])
    }

    @Test("A same-origin redirect is authenticated again, and a cross-origin redirect is not")
    func redirects() async throws {
        let server = Self.server(Nonce("n"))
        let transport = AnswerTransport { request, number in
            let answer = try await server.send(request)
            guard answer.head.status == 200 else { return answer }
            switch request.url.description {
            case "http://a.test/1": return AnswerTransport.redirect("/2")
            case "http://a.test/2": return AnswerTransport.redirect("http://b.test/3")
            default: return answer
            }
        }
        let session = Self.session(DigestAuthentication(username: "u", password: "p"), transport)
        #expect(try await session.get("1").response().status == 401)
        #expect(
            transport.requests.map { Self.parameters($0)?["uri"] } == [nil, "/1", "/2", nil])
        #expect(transport.requests.last?.url.host == "b.test")
    }

    @Test("A request with its own Authorization field is left unchanged")
    func own() async throws {
        let transport = Self.server(Nonce("n"))
        let session = Self.session(DigestAuthentication(username: "u", password: "p"), transport)
        #expect(try await session.get("a", headers: ["Authorization": "Own x"]).response().status == 401)
        #expect(transport.authorizations == ["Own x"])
    }
}
