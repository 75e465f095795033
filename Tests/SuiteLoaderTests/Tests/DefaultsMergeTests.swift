import JSON
import SuiteLoader
import SuiteModel
import SuiteTestSupport
import Testing

/// Tests of merging a step's own keys with the defaults of its file, one for each row of the reference's table.
struct DefaultsMergeTests {
    /// Loads a suite with defaults and one test, and returns the test's step.
    private func step(_ defaults: String, _ test: String) throws -> SuiteStep {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults:
              \(defaults)
            tests:
              - name: a
                \(test)
            """)
        return try #require(suite.tests.first?.steps.first)
    }

    private func request(_ defaults: String, _ request: String) throws -> RequestSpec {
        try #require(step(defaults, "request: { url: /, \(request) }").request)
    }

    @Test func headersByNameInAnyCase() throws {
        let headers = try request(
            "headers: { Accept: a, X-One: b, X-Two: c }", "headers: { accept: d, X-ONE: null, X-Three: e }"
        ).headers
        #expect(
            headers.known?.map { "\($0.name)=\($0.values.compactMap(\.constantText).joined())" } == [
                "X-Two=c", "accept=d", "X-Three=e",
            ])
    }

    /// Null removes a default. A cookie remains, so that the one of the jar is withheld, too.
    @Test(
        arguments: [
            ("query", ["c=three", "a=four", "d=five"]), ("cookies", ["c=three", "a=four", "b=null", "d=five"]),
        ])
    func namedValues(_ key: String, _ expected: [String]) throws {
        let spec = try request("\(key): { a: one, b: two, c: three }", "\(key): { a: four, b: null, d: five }")
        let values = (key == "query" ? spec.query : spec.cookies).known?.map { parameter in
            guard case .constant(let value) = parameter.value else { return "" }
            return "\(parameter.name.constantText ?? "")=\(value.stringValue ?? value.serialized())"
        }
        #expect(values == expected)
    }

    @Test func timeoutsPartByPart() throws {
        let timeout = try request("timeout: { connect: 1s, total: 10s }", "timeout: { total: 30s }").timeout
        #expect(timeout == RequestSpec.Timeout(connect: 1_000_000_000, total: 30_000_000_000))
    }

    @Test func tlsAndResolveKeyByKey() throws {
        let tls = try request("tls: { verify: false, serverName: a }", "tls: { serverName: b }").extras?.tls
        #expect(tls?.verifies == false && tls?.serverName?.constantText == "b")
        let resolutions =
            try request(
                "resolve: { 'a:80': 127.0.0.1, 'b:80': 127.0.0.2 }", "resolve: { 'b:80': 127.0.0.3 }"
            ).extras?.resolutions ?? []
        let last = Dictionary(
            resolutions.map { ($0.target.constantText ?? "", $0.address.constantText ?? "") }, uniquingKeysWith: { $1 })
        #expect(last == ["a:80": "127.0.0.1", "b:80": "127.0.0.3"])
    }

    @Test func plainValuesAreReplaced() throws {
        let defaults = "{ queryStyle: repeat, redirects: false, maxBodySize: 1KB, http: 1.1, trace: true }"
        func spec(_ keys: String) throws -> RequestSpec {
            let suite = try loadGood(
                "baseURL: http://localhost\ndefaults: \(defaults)\ntests: [{ name: a, request: { url: / \(keys) } }]")
            return try #require(suite.tests.first?.steps.first?.request)
        }
        let kept = try spec("")
        #expect(kept.queryStyle == .repeat && kept.maximumRedirects == 0 && kept.maximumBodySize == 1000)
        #expect(kept.extras?.httpVersion == .http11 && kept.extras?.isTraced == true)
        let own = try spec(", queryStyle: comma, redirects: 3, maxBodySize: 2KB, http: 2, trace: false")
        #expect(own.queryStyle == .comma && own.maximumRedirects == 3 && own.maximumBodySize == 2000)
        #expect(own.extras?.httpVersion == .http2 && own.extras?.isTraced == false)
    }

    @Test func wholesAreReplacedOrRemoved() throws {
        let defaults = "compress: gzip\n  auth: { bearer: a }\n  proxy: http://localhost:1\n  unixSocket: /a"
        let kept = try #require(request(defaults, "method: GET").extras)
        #expect(kept.compression == .gzip && kept.authentication != nil && kept.unixSocket != nil)
        let removed = try request(defaults, "compress: null, auth: null, proxy: null, unixSocket: null").extras
        #expect(removed == nil)
        let own = try #require(
            request(defaults, "compress: deflate, auth: { basic: { username: a, password: b } }, unixSocket: /b")
                .extras)
        #expect(own.compression == .deflate && own.unixSocket?.constantText == "/b")
        guard case .basic? = own.authentication?.method else {
            return #expect(Bool(false), "expected basic authentication")
        }
    }

    @Test func retriesOfTestsAreReplaced() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { retry: { times: 3, delay: 1s } }
            tests:
              - { name: a, request: GET / }
              - { name: b, retry: 1, steps: [{ request: GET / }] }
            """)
        #expect(suite.tests[0].retry?.known == RetryRule(times: 3, delay: 1_000_000_000))
        #expect(suite.tests[1].retry?.known == RetryRule(times: 1))
        #expect(suite.tests[1].steps[0].retry == nil)
    }

    @Test func expectationsKeyByKey() throws {
        let defaults = "expect: { status: 2xx, headers: { A: a, B: b }, json: { $.a: 1 }, duration: { lt: 2s } }"
        let own = try step(
            defaults, "request: GET /\n    expect: { headers: { C: c }, json: null, duration: null, size: { lt: 1KB } }"
        ).expectations
        #expect(own.status?.text == "2xx")
        #expect(own.headers.map(\.name) == ["C"])
        #expect(own.json.isEmpty && own.duration == nil && own.size != nil)
        let status = try step(defaults, "request: GET /\n    expect: 201").expectations
        #expect(status.status?.text == "201" && status.headers.count == 2 && status.json.count == 1)
    }

    @Test func callsHaveTheDefaultsOfTheirOwnFile() throws {
        let directory = try ProjectDirectory([
            "shared.yaml": """
            defaults: { headers: { X-File: a }, expect: 200 }
            fragments: { f: { steps: [{ request: GET http://localhost/ }] } }
            """,
            "a.yaml": """
            use: shared.yaml
            defaults: { headers: { X-Suite: b }, expect: { duration: { lt: 1s } } }
            fragments: { g: { steps: [{ request: GET http://localhost/ }] } }
            tests: [{ name: a, steps: [{ call: f }, { call: g }] }]
            """,
        ])
        let result = directory.load("a.yaml")
        #expect(result.diagnostics.isEmpty)
        let steps = result.suites.first?.tests.first?.steps.compactMap { $0.call?.fragment.steps.first } ?? []
        #expect(steps.map { $0.request?.headers.known?.map(\.name) ?? [] } == [["X-File"], ["X-Suite"]])
        #expect(steps.map { $0.expectations.duration != nil } == [false, true])
        #expect(steps.map { $0.expectations.status?.text } == ["200", nil])
    }
}
