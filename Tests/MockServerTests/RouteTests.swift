import JSON
import Testing

@Suite struct RouteTests {
    private static func status(_ yaml: String, _ method: String, _ target: String) async throws -> TestResponse {
        var response = TestResponse(status: 0)
        try await MockRun.connected(yaml) { response = try $0.send(method, target) }
        return response
    }

    private static let routes = """
        defaults: { headers: { Server: shop, X-Kind: default } }
        routes:
          - { request: GET /a, respond: 201 }
          - { request: "GET /a/{id}", respond: { text: "one ${request.params.id}" } }
          - { request: "GET /a/special", respond: { text: never } }
          - { request: POST /a, respond: { status: 202, headers: { X-Kind: [own, second], Server: null } } }
          - { request: /any/**, respond: { json: { method: "${request.method}" } } }
          - { request: "GET /r-*", respond: { body: [1, 2.50] } }
          - { request: GET /bytes, respond: { base64: aGk= } }
        """

    @Test(arguments: [
        ("GET", "/a", 201, ""),
        ("GET", "/a?x=1", 201, ""),
        ("HEAD", "/a", 201, ""),
        ("GET", "/a/7", 200, "one 7"),
        ("GET", "/a/a%20b%2Fc", 200, "one a b/c"),
        // The first matching route in the file responds.
        ("GET", "/a/special", 200, "one special"),
        ("POST", "/a", 202, ""),
        ("PURGE", "/any/x/y", 200, #"{"method":"PURGE"}"#),
        ("GET", "/any", 200, #"{"method":"GET"}"#),
        ("GET", "/r-x", 200, "[1,2.50]"),
        ("GET", "/bytes", 200, "hi"),
        ("GET", "http://localhost/a/8?x", 200, "one 8"),
    ])
    func answers(_ method: String, _ target: String, _ status: Int, _ body: String) async throws {
        let response = try await Self.status(Self.routes, method, target)
        #expect(response.status == status)
        #expect(response.body == body)
    }

    @Test(arguments: [
        ("GET", "/nothing/here/at/all", 404, "no route matches GET"),
        ("GET", "/b/7", 404, "closest match is GET /a/{id}"),
        ("GET", "/anny/x", 404, "closest match is /any/**"),
        ("DELETE", "/a", 405, "supported methods: GET, HEAD, POST, OPTIONS"),
    ])
    func explainsWhatIsUnmatched(_ method: String, _ target: String, _ status: Int, _ detail: String) async throws {
        let response = try await Self.status(Self.routes, method, target)
        #expect(response.status == status)
        #expect(response.header("content-type") == "application/problem+json")
        #expect(response.detail.contains(detail), "\(response.detail)")
    }

    @Test func setsHeaders() async throws {
        try await MockRun.connected(Self.routes) { connection throws in
            let inherited = try connection.send("GET", "/a/1")
            #expect(inherited.header("server") == "shop")
            #expect(inherited.header("x-kind") == "default")
            #expect(inherited.header("content-type") == "text/plain; charset=utf-8")
            #expect(inherited.header("date")?.hasSuffix(" GMT") == true)
            let own = try connection.send("POST", "/a")
            #expect(own.header("server") == nil)
            #expect(own.headers.filter { $0.name == "x-kind" }.map(\.value) == ["own", "second"])
            #expect(try connection.send("GET", "/nowhere").header("server") == "shop")
        }
    }

    @Test func allowsMethods() async throws {
        let response = try await Self.status(Self.routes, "OPTIONS", "/a")
        #expect(response.status == 204)
        #expect(response.header("allow") == "GET, HEAD, POST, OPTIONS")
    }

    private static let conditions = """
        routes:
          - { request: POST /q, when: { query: { page: 2, kind: { oneOf: [a, b] } } }, respond: { text: query } }
          - { request: POST /h, when: { headers: { x-key: { startsWith: k } } }, respond: { text: header } }
          - { request: POST /c, when: { cookies: { s: { length: 3 } } }, respond: { text: cookie } }
          - { request: POST /f, when: { form: { user: ada, word: "a b&c" } }, respond: { text: form } }
          - { request: POST /j, when: { json: { $.n: { gt: 2 }, "$.list[*]": [1, 2] } }, respond: { text: json } }
          - { request: POST /b, when: { body: { like: { ok: true } } }, respond: { text: body } }
          - { request: POST /b, when: { body: { contains: hello } }, respond: { text: greeting } }
          - { request: POST /e, when: { query: { token: { exists: false } } }, respond: { text: without } }
          - { request: "POST /p/{id}", when: { query: { id: "${request.params.id}" } }, respond: { text: same } }
        """

    @Test(arguments: [
        ("/q?page=2&kind=b", "", "", "", "query"),
        ("/q?kind=c&kind=a&page=2", "", "", "", "query"),
        ("/q?page=3&kind=a", "", "", "", "query page: expected 2"),
        ("/q?kind=a", "", "", "", "query page: "),
        ("/h", "X-Key", "k1", "", "header"),
        ("/h", "X-Key", "x", "", "header x-key: "),
        ("/c", "Cookie", "a=b; s=123", "", "cookie"),
        ("/c", "Cookie", "s=12", "", "cookie s: "),
        ("/f", "Content-Type", "application/x-www-form-urlencoded; charset=UTF-8", "user=ada&word=a+b%26c", "form"),
        ("/f", "Content-Type", "application/x-www-form-urlencoded", "user=bob", "form user: "),
        ("/f", "Content-Type", "text/plain", "user=ada&word=a+b%26c", "the body is not a form"),
        ("/j", "Content-Type", "application/json", #"{"n":3,"list":[1,2]}"#, "json"),
        ("/j", "Content-Type", "application/json", #"{"n":2,"list":[1,2]}"#, "json $.n: "),
        ("/j", "Content-Type", "application/json", "{", "not JSON"),
        ("/j", "", "", "", "no body"),
        ("/b", "Content-Type", "application/json", #"{"ok":true,"x":1}"#, "body"),
        ("/b", "Content-Type", "text/plain", "say hello", "greeting"),
        ("/e", "", "", "", "without"),
        ("/e?token=", "", "", "", "query token: "),
        ("/p/7?id=7", "", "", "", "same"),
    ])
    func matchesConditions(
        _ target: String, _ name: String, _ value: String, _ body: String, _ expected: String
    ) async throws {
        try await MockRun.connected(Self.conditions) { connection throws in
            let response = try connection.send(
                "POST", target, headers: name.isEmpty ? [] : [(name, value)], body: body)
            if response.status == 200 {
                #expect(response.body == expected)
            } else {
                #expect(response.status == 404)
                #expect(response.detail.contains(expected), "\(response.detail)")
            }
        }
    }

    @Test(arguments: [
        ("", ["503", "202 b", "200 c", "200 c", "200 c"]),
        ("cycle: true, ", ["503", "202 b", "200 c", "503", "202 b"]),
    ])
    func givesSequences(_ cycle: String, _ expected: [String]) async throws {
        let yaml = """
            routes:
              - request: GET /s
                respond: { \(cycle)sequence: [503, { status: 202, text: b }, { text: c }] }
            """
        try await MockRun.connected(yaml) { connection throws in
            var found: [String] = []
            for _ in expected {
                let response = try connection.send("GET", "/s")
                found.append("\(response.status) \(response.body)")
            }
            #expect(found.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 } == expected)
        }
    }

    @Test func rendersTemplates() async throws {
        let yaml = """
            routes:
              - request: POST /echo/{id}
                respond:
                  status: ${int(request.query.status)}
                  headers: { X-Agent: "${request.headers['user-agent']}", X-Host: "${request.headers.host}" }
                  json:
                    id: ${int(request.params.id)}
                    body: ${request.body}
                    method: ${request.method}
                    url: ${request.url}
                    path: ${request.path}
                    list: ${request.query.tag}
                    cookie: ${request.cookies.c}
                    text: "n=${request.body.n} $${x}"
            """
        try await MockRun.connected(yaml) { connection throws in
            let response = try connection.send(
                "POST", "/echo/7?status=207&tag=a&tag=b%20c", json: #"{"n":1.10}"#,
                headers: [("User-Agent", "test"), ("Cookie", "c=d")])
            #expect(response.status == 207)
            #expect(response.header("x-agent") == "test")
            #expect(response.header("x-host") == "localhost")
            #expect(
                response.body
                    == #"{"id":7,"body":{"n":1.10},"method":"POST","url":"/echo/7?status=207&tag=a&tag=b%20c","#
                    + #""path":"/echo/7","list":["a","b c"],"cookie":"d","text":"n=1.10 ${x}"}"#)
            let failed = try connection.send("POST", "/echo/seven?status=200&tag=a", json: "{}")
            #expect(failed.status == 500)
            #expect(failed.detail.contains("the response of POST /echo/{id} cannot be created: "))
            #expect(failed.json["place"]?.stringValue?.hasPrefix("test.mock.yaml:") == true)
        }
    }
}
