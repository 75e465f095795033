import CEL
import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Reading requests")
struct RequestReadingTests {
    @Test("The string form is a method and a URL")
    func stringForm() throws {
        let request = try loadRequest("request: DELETE   /books/7?a=b c")
        #expect(request.method == "DELETE")
        #expect(request.url.constantText == "/books/7?a=b c")
        #expect(request.urlRange.text == "/books/7?a=b c")
        #expect(request.range.text == "DELETE   /books/7?a=b c")
        #expect(request.queryStyle == .brackets)
        #expect(request.maximumRedirects == 10)
        #expect(request.body == nil)
    }

    @Test(
        "Expressions in a URL have locations",
        arguments: [
            ("request: GET /books/${x}?y=${ y }", ["x", " y "]),
            ("request: { url: 'it''s/${x}' }", ["x"]),
            ("request: { url: \"\\u00e9/${y}\" }", ["y"]),
            ("request:\n  url: >-\n    /a/${x}/\n    ${y}", ["x", "y"]),
            ("request: { url: \"/${'a}' + y}\" }", ["'a}' + y"]),
        ])
    func locations(lines: String, sources: [String]) throws {
        let expressions = try loadRequest(lines).url.expressions
        #expect(expressions.map(\.expression.source) == sources)
        #expect(expressions.map(\.range.text) == sources)
    }

    @Test("Null removes a header that is sent by default")
    func leftOutHeaders() throws {
        let request = try loadRequest(
            "request: { url: /, headers: { accept-encoding: null, Content-Type: ~, X-None: null }, text: a }")
        #expect(request.headers.known?.isEmpty == true)
        #expect(request.extras?.leftOutHeaders == ["accept-encoding", "content-type"])
        #expect(try loadRequest("request: { url: /, headers: { X-None: null } }").extras == nil)
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { headers: { user-agent: a } }
            tests: [{ name: a, request: { url: /, headers: { User-Agent: null } } }]
            """)
        #expect(suite.tests.first?.steps.first?.request?.headers.known?.isEmpty == true)
    }

    @Test("Null in a sequence leaves out a value of a header")
    func leftOutValues() throws {
        let request = try loadRequest("request: { url: /, headers: { X: [a, null, \"${x}\", ~] } }")
        #expect(request.headers.known?.first?.values.map(\.source) == ["a", "${x}"])
    }

    @Test("Cookies are strings, null withholds one, and `none` sends no cookies, not even those of the defaults")
    func cookies() throws {
        let request = try loadRequest("request: { url: /, cookies: { a: 1.10, b: null, c: ~ } }")
        #expect(request.cookies.known?.map { $0.name.source } == ["a", "b", "c"])
        let values: [JSONValue] = try #require(request.cookies.known).map { cookie in
            if case .constant(let value) = cookie.value { return value }
            return "an expression"
        }
        #expect(values == ["1.10", .null, .null])
        #expect(request.extras == nil)
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { cookies: { theme: dark, lang: sv } }
            tests:
              - { name: a, request: { url: /, cookies: none } }
              - { name: b, request: { url: /, cookies: { theme: null } } }
              - { name: c, request: GET / }
            """)
        let requests = suite.tests.compactMap { $0.steps.first?.request }
        #expect(
            requests.map { $0.cookies.known?.map { $0.name.source } } == [[], ["lang", "theme"], ["theme", "lang"]])
        #expect(requests.map { $0.extras?.sendsNoCookies ?? false } == [true, false, false])
    }

    @Test("The mapping form has keys for all parts of a request")
    func mapForm() throws {
        let request = try loadRequest(
            """
            request:
              method: POST
              url: /books
              query: { page: 2, tags: [a, "${x}"], "n${x}": null, "m${x}": 1 }
              queryStyle: comma
              headers: { Accept: [text/html, text/plain], X-Count: 1.10, X-None: null, "X-Id": "${x}-${y}" }
              cookies: { session: "${x}", theme: 1.50 }
              json: { title: Dune, n: 1.10, x: "${x}", nested: [{ a: "$${y}" }] }
              contentType: application/vnd.books+json
              timeout: { connect: 500ms, firstByte: 1s, total: 2s }
              redirects: false
              maxBodySize: 5MiB
            """
        )
        #expect(request.method == "POST")
        #expect(request.url.constantText == "/books")
        #expect(request.query.known?.map(\.name.constantText) == ["page", "tags", nil])
        #expect(request.queryStyle == .comma)
        #expect(request.headers.known?.map(\.name) == ["Accept", "X-Count", "X-Id"])
        #expect(request.headers.known?[0].values.map(\.constantText) == ["text/html", "text/plain"])
        #expect(request.headers.known?[1].values.map(\.constantText) == ["1.10"])
        #expect(request.headers.known?[2].values[0].expressions.count == 2)
        #expect(request.cookies.known?.map(\.name.constantText) == ["session", "theme"])
        guard case .constant(.string("1.50"))? = request.cookies.known?[1].value else {
            Issue.record("expected a cookie with a text value")
            return
        }
        guard case .json(let body)? = request.body else {
            Issue.record("expected a JSON body")
            return
        }
        let scope = CELVariables(["x": .int(1)])
        #expect(
            try body.json(in: scope, context: CELContext())
                == ["title": "Dune", "n": 1.1, "x": 1, "nested": [["a": "${y}"]]])
        #expect(request.contentType?.constantText == "application/vnd.books+json")
        #expect(request.timeout == .init(connect: 500_000_000, firstByte: 1_000_000_000, total: 2_000_000_000))
        #expect(request.maximumRedirects == 0)
        #expect(request.maximumBodySize?.known == 5 << 20)
    }

    @Test("Form, text, and JSON bodies are read")
    func bodies() throws {
        if case .form(let fields)? = try loadRequest("request: { url: /, form: { a: 1, b: [x, y] } }").body {
            #expect(fields.known?.map(\.name.constantText) == ["a", "b"])
        } else {
            Issue.record("expected a form body")
        }
        if case .text(let text)? = try loadRequest("request: { url: /, text: 1.10 }").body {
            #expect(text.constantText == "1.10")
        } else {
            Issue.record("expected a text body")
        }
        if case .json(.constant(let value))? = try loadRequest("request: { url: /, json: null }").body {
            #expect(value == .null)
        } else {
            Issue.record("expected null")
        }
        if case .file(let path, let range)? = try loadRequest("request: { url: /, file: '${y}.bin' }").body {
            #expect(path.expressions.count == 1)
            #expect(range.text == "'${y}.bin'")
        } else {
            Issue.record("expected a file body")
        }
        #expect(try loadRequest("request: { url: /, redirects: 3, timeout: 1m }").maximumRedirects == 3)
        #expect(try loadRequest("request: { url: /, redirects: true }").maximumRedirects == 10)
    }

    @Test("Defaults are merged: a request's keys replace them, and null removes them")
    func defaults() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            variables: { token: ticket }
            defaults:
              headers: { Accept: application/json, Authorization: "Bearer ${token}" }
              query: { v: 2, lang: de }
              cookies: { a: b }
              queryStyle: repeat
              timeout: { connect: 1s, total: 10s }
              redirects: 2
              maxBodySize: 1MB
            tests:
              - name: all
                request: GET /
              - name: some
                request:
                  url: /
                  headers: { accept: text/html, authorization: null, X-A: 1 }
                  query: { lang: null, v: 3 }
                  cookies: { c: d }
                  queryStyle: indices
                  timeout: 2s
                  redirects: 0
                  maxBodySize: 2MB
            """)
        let all = try #require(suite.tests[0].steps[0].request)
        #expect(all.headers.known?.map(\.name) == ["Accept", "Authorization"])
        #expect(all.query.known?.map(\.name.constantText) == ["v", "lang"])
        #expect(all.cookies.known?.map(\.name.constantText) == ["a"])
        #expect(all.queryStyle == .repeat)
        #expect(all.timeout == .init(connect: 1_000_000_000, total: 10_000_000_000))
        #expect(all.maximumRedirects == 2)
        #expect(all.maximumBodySize == 1_000_000)
        let some = try #require(suite.tests[1].steps[0].request)
        #expect(some.headers.known?.map(\.name) == ["accept", "X-A"])
        #expect(some.query.known?.map(\.name.constantText) == ["v"])
        #expect(some.cookies.known?.map(\.name.constantText) == ["a", "c"])
        #expect(some.queryStyle == .indices)
        #expect(some.timeout == .init(connect: 1_000_000_000, total: 2_000_000_000))
        #expect(some.maximumRedirects == 0)
        #expect(some.maximumBodySize == 2_000_000)
    }
}
