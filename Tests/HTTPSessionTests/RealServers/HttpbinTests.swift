import HTTPSession
import TestSupport
import Testing

/// Tests of exchanges with httpbin through the public API.
@Suite("httpbin", .enabled(if: HttpbinServer.isAvailable, "requires httpbin in the Python at APITEST_PYTHON"))
struct HttpbinTests {
    /// The server shared by all tests.
    private static let server = Task { await HttpbinServer.start() }

    static func serve(
        _ configure: (inout SessionConfiguration) -> Void = { _ in },
        _ body: (Session, HttpbinServer) async throws -> Void
    ) async throws {
        let server = try #require(await Self.server.value)
        var configuration = SessionConfiguration(baseURL: server.url)
        configure(&configuration)
        try await withSession(configuration) { session in try await body(session, server) }
    }

    static func failure(_ body: () async throws(SessionError) -> some Any) async -> SessionError? {
        do throws(SessionError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Authentication

    @Test("Basic credentials are sent preemptively or after a challenge")
    func basic() async throws {
        try await Self.serve { session, _ in
            let path = "basic-auth/ada/lovelace%21"
            let echo = try await session.get(path).adapt(with: .basic(username: "ada", password: "lovelace!"))
                .validate().decode(HttpbinEcho.self)
            #expect(echo.authenticated == true)
            #expect(echo.user == "ada")

            let onDemand = BasicAuthentication(username: "ada", password: "lovelace!", mode: .challenged)
            let first = try await session.get(path).intercept(with: onDemand).validate().response()
            #expect(first.attempts.count == 1)
            let second = try await session.get(path).intercept(with: onDemand).validate().response()
            #expect(second.attempts.isEmpty)

            let wrong = BasicAuthentication(username: "ada", password: "byron", mode: .challenged)
            let refused = try await session.get(path).intercept(with: wrong).response()
            #expect(refused.status == 401)
            #expect(refused.attempts.count == 1)
        }
    }

    @Test("A server that requires a password without a challenge receives it only preemptively")
    func hiddenBasic() async throws {
        try await Self.serve { session, _ in
            let path = "hidden-basic-auth/ada/lovelace"
            let asked = BasicAuthentication(username: "ada", password: "lovelace", mode: .challenged)
            let hidden = try await session.get(path).intercept(with: asked).response()
            #expect(hidden.status == 404)
            #expect(hidden.attempts.isEmpty)
            let shown = try await session.get(path).adapt(with: .basic(username: "ada", password: "lovelace"))
                .response()
            #expect(shown.status == 200)
        }
    }

    @Test(
        "Digest authentication succeeds with each algorithm and quality of protection",
        arguments: ["auth", "auth-int", "both"], ["MD5", "SHA-256"])
    func digest(_ protection: String, _ algorithm: String) async throws {
        try await Self.serve { session, _ in
            let path = "digest-auth/\(protection)/ada/lovelace/\(algorithm)"
            for prefersIntegrity in protection == "both" ? [false, true] : [protection == "auth-int"] {
                let right = DigestAuthentication(
                    username: "ada", password: "lovelace", prefersIntegrity: prefersIntegrity)
                let first = try await session.get(path).intercept(with: right).validate().response()
                #expect(first.attempts.count == 1)
                if let field = first.request.headers["Authorization"] {
                    #expect(field.contains("algorithm=\(algorithm)"))
                    #expect(field.contains("qop=\(prefersIntegrity ? "auth-int" : "auth")"))
                    #expect(field.contains("nc=00000001"))
                } else {
                    Issue.record("the request has no Authorization field")
                }
                let second = try await session.get(path).intercept(with: right).validate().response()
                #expect(second.attempts.isEmpty)
                #expect(second.request.headers["Authorization"]?.contains("nc=00000002") == true)
            }
            let wrong = DigestAuthentication(username: "ada", password: "byron")
            let refused = try await session.get(path).intercept(with: wrong).response()
            #expect(refused.status == 401)
            #expect(refused.attempts.count == 1)
        }
    }

    @Test("A stale nonce is replaced along with the cookies that accompany it")
    func staleNonce() async throws {
        try await Self.serve({ $0.cookies = CookieJar() }) { session, _ in

            let digest = DigestAuthentication(username: "ada", password: "lovelace")
            let stale = "digest-auth/auth/ada/lovelace/SHA-256/1"
            let first = try await session.get(stale).intercept(with: digest).validate().response()
            #expect(first.attempts.count == 1)
            let second = try await session.get(stale).intercept(with: digest).validate().response()
            #expect(second.attempts.count == 1)
            #expect(second.request.headers["Authorization"]?.contains("nc=00000001") == true)
        }
    }

    @Test("A bearer token is accepted")
    func bearer() async throws {
        try await Self.serve { session, _ in
            let refused = try await session.get("bearer").response()
            #expect(refused.status == 401)
            #expect(refused.headers["WWW-Authenticate"] == "Bearer")
            let echo = try await session.get("bearer").adapt(with: .bearer("t0k.en-1")).decode(HttpbinEcho.self)
            #expect(echo.authenticated == true)
            #expect(echo.token == "t0k.en-1")
        }
    }

    // MARK: Requests

    struct Order: Codable, Sendable, Equatable {
        var name: String
        var count: Int
        var tags: [String]
    }

    struct OrderEcho: Decodable, Sendable {
        var json: Order
        var headers: [String: String]
    }

    @Test("JSON is sent with every method that has a body")
    func json() async throws {
        try await Self.serve { session, _ in
            let order = Order(name: "Zoë \"Z\" 🐷", count: -3, tags: ["a/b", ""])
            for exchange in [
                session.post("post", json: order), session.put("put", json: order),
                session.patch("patch", json: order), session.delete("delete").json(order),
            ] {
                let echo = try await exchange.validate().decode(OrderEcho.self)
                #expect(echo.json == order)
                #expect(echo.headers["Content-Type"] == "application/json")
            }
        }
    }

    @Test("A URL-encoded form is received intact")
    func form() async throws {
        try await Self.serve { session, _ in
            let echo = try await session.post(
                "post",
                form: [
                    "name": "Ada & Zoë", "tags": ["1 + 1", "=%&;"], "phone": ["home": "", "work": 7] as Parameters,
                ]
            ).validate().decode(HttpbinEcho.self)
            #expect(
                echo.form == [
                    "name": "Ada & Zoë", "tags[]": ["1 + 1", "=%&;"], "phone[home]": "", "phone[work]": "7",
                ])
            #expect(echo.data == "")
            #expect(echo.headers?["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
        }
    }

    @Test("A multipart form of text, bytes, and files is sent with its length")
    func multipart() async throws {
        let directory = try ScratchDirectory()
        directory.make("notes.txt", Array("first\r\n--second".utf8))
        try await Self.serve { session, _ in
            var form = MultipartFormData()
            form.append("Ada", name: "name")
            form.append("Zoë", name: "name")
            form.append("", name: "empty \"quoted\"")
            form.append([0xFF, 0x00, 0x0D, 0x0A], name: "raw", fileName: "raw.bin")
            form.append(Array("<a/>".utf8), name: "paper", fileName: "Zoë \"1\".xml", contentType: "text/xml")
            form.append(file: directory.file("notes.txt"), name: "notes")
            let response = try await session.post("post", multipart: form).validate().response()
            let echo = try response.decode(HttpbinEcho.self)
            #expect(echo.form?["name"] == ["Ada", "Zoë"])
            #expect(echo.form?.count == 2)
            #expect(
                echo.files == [
                    "raw": "data:application/octet-stream;base64,/wANCg==", "paper": "<a/>",
                    "notes": "first\r\n--second",
                ])
            #expect(echo.headers?["Transfer-Encoding"] == nil)
            #expect(echo.headers?["Content-Length"] != nil)
        }
    }

    static let dialects: [(QueryEncoder, [String: HttpbinEcho.Values])] = [
        (
            .alamofire,
            [
                "name": "Ada & Zoë", "tags[]": ["a b", "/?#[]"], "phone[home]": "1+1", "yes": "1", "half": "0.5",
                "pig": "🐷",
            ]
        ),
        (
            .afNetworking,
            [
                "name": "Ada & Zoë", "tags[]": ["a b", "/?#[]"], "phone[home]": "1+1", "yes": "1", "half": "0.5",
                "pig": "🐷",
            ]
        ),
        (
            .form,
            [
                "name": "Ada & Zoë", "tags": ["a b", "/?#[]"], "phone[home]": "1+1", "yes": "true", "half": "0.5",
                "pig": "🐷",
            ]
        ),
    ]

    @Test("A query in each dialect is received intact", arguments: 0..<3)
    func query(_ number: Int) async throws {
        let (encoder, expected) = Self.dialects[number]
        let parameters: Parameters = [
            "name": "Ada & Zoë", "tags": ["a b", "/?#[]"], "phone": ["home": "1+1"], "yes": true, "half": 0.5,
            "pig": "🐷",
        ]
        try await Self.serve { session, _ in
            let echo = try await session.get("get").query(parameters, encoder: encoder).decode(HttpbinEcho.self)
            #expect(echo.args == expected)
            let more = try await session.post("post?first=1#end").query(parameters, encoder: encoder)
                .decode(HttpbinEcho.self)
            #expect(more.args == expected.merging(["first": "1"]) { $1 })
            #expect(more.form == [:])
        }
    }

    @Test("Encodable parameters are sent in the query or the body, depending on the method")
    func encodable() async throws {
        let order = Order(name: "a=b", count: 2, tags: ["x", "y"])
        let expected: [String: HttpbinEcho.Values] = ["name": "a=b", "count": "2", "tags[]": ["x", "y"]]
        try await Self.serve { session, _ in
            for method in [HTTPMethod.get, .delete, .post, .put, .patch] {
                let echo = try await session.request(method, url: "anything/x", parameters: order).validate()
                    .decode(HttpbinEcho.self)
                let isQuery = method == .get || method == .delete
                #expect(echo.method == method.rawValue)
                #expect(echo.args == (isQuery ? expected : [:]))
                #expect(echo.form == (isQuery ? [:] : expected))
            }
        }
    }

    @Test("Header fields, including repeated ones, are sent and received")
    func headers() async throws {
        try await Self.serve({ $0.headers = ["X-Session": "s", "X-Name": "session"] }) { session, server in
            let echo = try await session.get("headers", headers: ["x-list": "one", "X-List": "two", "X-Name": "own"])
                .decode(HttpbinEcho.self)
            #expect(echo.headers?["X-List"]?.filter { $0 != " " } == "one,two")
            #expect(echo.headers?["X-Session"] == "s")
            #expect(echo.headers?["X-Name"] == "own")
            #expect(echo.headers?["Host"] == "127.0.0.1:\(server.port)")
            let response = try await session.get("response-headers?X-A=1&X-A=2%2C%203&X-B=").response()
            #expect(response.headers.values("x-a") == ["1", "2, 3"])
            #expect(response.headers.combined("X-A") == "1, 2, 3")
            #expect(response.headers["X-B"] == "")
        }
    }

    // MARK: Redirects and cookies

    @Test(
        "Relative and absolute redirects are followed",
        arguments: ["redirect", "relative-redirect", "absolute-redirect"])
    func redirects(_ kind: String) async throws {
        try await Self.serve { session, server in
            let response = try await session.get("\(kind)/3").validate().response()
            #expect(response.history.map(\.status) == [302, 302, 302])
            #expect(response.url.description == server.url + "/get")
            let stopped = try await session.get("\(kind)/3").with { $0.redirects = .never }.response()
            #expect(stopped.status == 302)
            #expect(stopped.history.isEmpty)
            let tooMany = await Self.failure { () async throws(SessionError) in
                try await session.get("\(kind)/3").with { $0.redirects = .follow(maximum: 2) }.response()
            }
            #expect(tooMany?.reason == .tooManyRedirects(2))
            #expect(tooMany?.history.map(\.status) == [302, 302])
        }
    }

    @Test(
        "A redirected POST keeps or changes its method according to the status",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func redirectedPost(_ status: Int, _ method: String) async throws {
        try await Self.serve { session, _ in
            let response = try await session.post("redirect-to", form: ["name": "Ada"])
                .query(["url": "/anything?x=1", "status_code": .int(status)]).validate().response()
            #expect(response.history.map(\.status) == [status])
            let echo = try response.decode(HttpbinEcho.self)
            #expect(echo.method == method)
            #expect(echo.form == (method == "POST" ? ["name": "Ada"] : [:]))
            #expect(echo.args == ["x": "1"])
            #expect((echo.headers?["Content-Type"] != nil) == (method == "POST"))
        }
    }

    @Test("Credentials follow a same-origin redirect but not a cross-origin one")
    func redirectedCredentials() async throws {
        try await Self.serve { session, server in
            for (target, isSame) in [("/headers", true), ("http://localhost:\(server.port)/headers", false)] {
                let echo = try await session.get("redirect-to", headers: ["Cookie": "a=1", "X-Other": "x"])
                    .query(["url": .string(target)]).adapt(with: .bearer("secret")).validate()
                    .decode(HttpbinEcho.self)
                #expect(echo.headers?["Authorization"] == (isSame ? "Bearer secret" : nil))
                #expect(echo.headers?["Cookie"] == (isSame ? "a=1" : nil))
                #expect(echo.headers?["X-Other"] == "x")
            }
        }
    }

    @Test("Cookies are stored, sent, and deleted, including during redirects")
    func cookies() async throws {
        let jar = CookieJar()
        try await Self.serve({ $0.cookies = jar }) { session, _ in
            let one = try await session.get("cookies/set/first/1").validate().decode(HttpbinEcho.self)
            #expect(one.cookies == ["first": "1"])
            let three = try await session.get("cookies/set", query: ["second": "2", "third": "a=b"])
                .decode(HttpbinEcho.self)
            #expect(three.cookies == ["first": "1", "second": "2", "third": "a=b"])
            #expect(jar.cookies.map(\.name).sorted() == ["first", "second", "third"])
            let left = try await session.get("cookies/delete?first&third").decode(HttpbinEcho.self)
            #expect(left.cookies == ["second": "2"])
            #expect(jar.cookies.map(\.name) == ["second"])
            let stranger = try await session.get("cookies").with { $0.cookies = .jar(CookieJar()) }.decode(
                HttpbinEcho.self)
            #expect(stranger.cookies == [:])
        }
    }
}
