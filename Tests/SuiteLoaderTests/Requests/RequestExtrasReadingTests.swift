import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Reading rarely used request keys")
struct RequestExtrasReadingTests {
    private func extras(_ request: String) throws -> RequestExtras {
        try #require(loadRequest("request: { url: /, \(request) }").extras)
    }

    private func method(_ auth: String) throws -> Authentication.Method {
        try #require(extras("auth: \(auth)").authentication?.method)
    }

    @Test("A request without rarely used keys has no extras")
    func none() throws {
        #expect(try loadRequest("request: GET /").extras == nil)
        #expect(try loadRequest("request: { url: /, auth: none, compress: null }").extras == nil)
    }

    @Test(
        "An address under resolve may have a port",
        arguments: ["127.0.0.1", "::1", "127.0.0.1:8443", "'[::1]:8443'", "${y}:1"])
    func addresses(_ address: String) throws {
        let resolutions = try extras("resolve: { 'api.example.org:443': \"\(address.filter { $0 != "'" })\" }")
            .resolutions
        #expect(resolutions.map(\.address.source) == [address.filter { $0 != "'" }])
    }

    @Test("Authentication methods may contain expressions")
    func authentication() throws {
        guard case .basic(let basic) = try method("{ basic: { username: ada, password: \"${y}\" } }") else {
            Issue.record("expected basic authentication")
            return
        }
        #expect(basic.username.constantText == "ada")
        #expect(basic.password.source == "${y}")
        guard case .bearer(let token) = try method("{ bearer: 1.10 }") else {
            Issue.record("expected a bearer token")
            return
        }
        #expect(token.constantText == "1.10")
        guard case .apiKey(let key) = try method("{ apiKey: { query: key, value: abc } }") else {
            Issue.record("expected an API key")
            return
        }
        #expect(key.location == .query)
        guard
            case .oauth2(let oauth) = try method(
                "{ oauth2: { tokenURL: /token, clientID: a, clientSecret: b, scopes: [read, write] } }")
        else {
            Issue.record("expected OAuth 2")
            return
        }
        #expect(oauth.grant == .clientCredentials)
        #expect(oauth.scopes.map(\.source) == ["read", "write"])
        guard
            case .awsSigV4(let signature) = try method(
                "{ awsSigV4: { accessKey: a, secretKey: b, region: eu-central-1, service: s3 } }")
        else {
            Issue.record("expected an AWS signature")
            return
        }
        #expect(signature.service.constantText == "s3")
        #expect(signature.sessionToken == nil)
    }

    @Test("Connection keys are read")
    func connections() throws {
        let extras = try extras(
            #"""
            http: 2, proxy: "socks5://127.0.0.1:1080", unixSocket: /run/a.sock, compress: gzip, stream: sse,
            resolve: { "API.example.org:443": "::1" }
            """#.split(separator: "\n").joined())
        #expect(extras.httpVersion == .http2)
        guard case .url(let proxy, _) = extras.proxy else {
            Issue.record("expected a proxy")
            return
        }
        #expect(proxy.constantText == "socks5://127.0.0.1:1080")
        #expect(extras.unixSocket?.constantText == "/run/a.sock")
        #expect(extras.compression == .gzip)
        #expect(extras.stream == .sse)
        #expect(extras.resolutions.map(\.target.source) == ["API.example.org:443"])
        #expect(extras.resolutions.map(\.address.source) == ["::1"])
    }

    @Test(
        "HTTP versions are read as written, quoted or not",
        arguments: [("1.0", RequestExtras.HTTPVersion.http10), ("\"1.1\"", .http11), ("2", .http2), ("auto", .auto)])
    func versions(_ text: String, _ version: RequestExtras.HTTPVersion) throws {
        #expect(try extras("http: \(text)").httpVersion == version)
    }

    @Test("A request's keys replace the defaults, and its tls keys replace them one by one")
    func defaults() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults:
              auth: { bearer: abc }
              http: 1.1
              tls: { verify: false, minVersion: 1.2 }
              proxy: http://127.0.0.1:3128
              retry: 2
            tests:
              - name: as it is
                request: GET /
              - name: replaced
                retry: 0
                request: { url: /, auth: none, tls: { minVersion: 1.3 }, proxy: false }
              - name: retried otherwise
                retry: null
                request: GET /
            """)
        let first = try #require(suite.tests[0].steps[0].request?.extras)
        #expect(first.tls?.verifies == false && first.tls?.minimumVersion == .tls12)
        #expect(suite.tests[0].retry?.known?.times == 2)
        let second = try #require(suite.tests[1].steps[0].request?.extras)
        #expect(second.authentication == nil)
        #expect(second.httpVersion == .http11)
        #expect(second.tls?.verifies == false && second.tls?.minimumVersion == .tls13)
        guard case .some(.none) = second.proxy else {
            Issue.record("unexpected proxy: \(String(describing: second.proxy))")
            return
        }
        #expect(suite.tests[1].retry?.known?.times == 0)
        #expect(suite.tests[2].retry?.known?.times == 0)
    }

    @Test("A test depends on the test that captures the token in its defaults")
    func dependencies() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { auth: { bearer: "${token}" } }
            tests:
              - name: log in
                request: { url: /login, auth: none }
                capture: { token: $.token }
              - name: uses it
                request: GET /
              - name: does not
                request: { url: /, auth: { bearer: other } }
            """)
        #expect(suite.tests.map { $0.dependencies.map(\.test) } == [[], [0], []])
    }

    @Test("Multipart, GraphQL, and XML bodies are read")
    func bodies() throws {
        let request = try loadRequest(
            """
            request:
              url: /
              multipart:
                title: Dune
                pages: 412
                tag: [a, { json: { n: "${x}" }, type: application/x }]
                none: null
                note: { text: hello, filename: note.txt, headers: { X-A: 1 } }
            """
        )
        guard case .multipart(let parts) = request.body else {
            Issue.record("expected a multipart body")
            return
        }
        #expect(parts.map(\.name.source) == ["title", "pages", "tag", "tag", "note"])
        #expect(parts[3].contentType?.constantText == "application/x")
        #expect(parts[4].fileName?.constantText == "note.txt")
        #expect(parts[4].headers.known?.map(\.name) == ["X-A"])
        #expect(request.method == "GET")
        let graphQL = try loadRequest("request: { url: /, graphql: { query: '{ a }', variables: { n: 1 } } }")
        #expect(graphQL.method == "POST")
        #expect(try loadRequest("request: { url: /, method: GET, graphql: { query: '{ a }' } }").method == "GET")
        guard case .xml(let xml) = try loadRequest("request: { url: /, xml: <a/> }").body else {
            Issue.record("expected an XML body")
            return
        }
        #expect(xml.constantText == "<a/>")
    }

    @Test("Retries of steps and tests are read")
    func retries() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - name: a
                retry:
                  times: 3
                  delay: 100ms
                  backoff: exponential
                  jitter: true
                  maxDelay: 2s
                  on: [429, 5xx, 401-403, timeout, connect, expect]
                  honourRetryAfter: false
                steps:
                  - request: GET /
                    retry: { times: 1, on: 503 }
                  - request: GET /
            """)
        let test = try #require(suite.tests.first)
        #expect(
            test.retry?.known
                == RetryRule(
                    times: 3, delay: 100_000_000, backoff: .exponential, jitter: 1, maximumDelay: 2_000_000_000,
                    conditions: [
                        .status(429...429), .status(500...599), .status(401...403), .timeout, .connect, .expect,
                    ], honorsRetryAfter: false))
        #expect(test.steps[0].retry?.known == RetryRule(times: 1, conditions: [.status(503...503)]))
        #expect(test.steps[1].retry == nil)
    }

    @Test(
        "IP addresses are distinguished from other strings",
        arguments: [
            ("127.0.0.1", true), ("255.255.255.255", true), ("256.0.0.1", false), ("1.2.3", false), ("01.2.3.4", false),
            ("::1", true), ("::", true), ("1::", true), ("fe80::1%eth0", true), ("::ffff:127.0.0.1", true),
            ("1:2:3:4:5:6:7:8", true), ("1:2:3:4:5:6:7", false), ("1::2::3", false), (":1", false), ("1:", false),
            ("12345::", false), ("localhost", false), ("", false),
        ])
    func addresses(_ text: String, _ isAddress: Bool) {
        #expect(IPAddressText.isAddress(text) == isAddress)
    }
}
