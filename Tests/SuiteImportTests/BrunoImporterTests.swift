import Diagnostics
import Testing

@testable import SuiteImport

/// Collections of Bruno: files, requests, variables, assertions and scripts.
struct BrunoImporterTests {
    /// Imports files, and returns the result.
    private func importing(_ files: [(String, String)]) -> ImportResult {
        ImportRun.run(
            files.map { SourceFile(name: $0.0, text: $0.1) },
            options: ImportOptions(workingDirectory: "/", outputDirectory: "/"))
    }

    private func text(_ result: ImportResult) -> String {
        result.files.first.map { String(decoding: $0.suite.text, as: UTF8.self) } ?? ""
    }

    /// Imports a request, and returns the lines of its request.
    private func request(
        _ blocks: String, _ files: [String: String] = [:], _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let imported = try SuiteImportTests.importing(
            "meta {\n  name: a\n  type: http\n  seq: 1\n}\n\n" + blocks + "\n", as: "a.bru", files: files, location)
        let lines = imported.text.split(separator: "\n").drop { !$0.hasPrefix("    request:") }
        return lines.map { String($0.dropFirst(4)) }.joined(separator: "\n")
    }

    @Test func entries() throws {
        var context = ImportContext(ImportOptions(workingDirectory: "/", outputDirectory: "/"))
        let file = SourceFile(
            name: "a.bru",
            text: """
                headers {
                  a: b: c
                  ~d: e
                  "f g:\\"": h
                  @description("x")
                  i: '''
                    one
                      two
                  '''
                  ~@j: k
                }

                vars:secret [
                  x,
                  y
                ]

                body:json {
                  {
                    "a": 1
                  }
                }
                """)
        let bru = try #require(BruFile(file, &context))
        #expect(bru.blocks.map(\.name) == ["headers", "vars:secret", "body:json"])
        let entries = bru.entries("headers")
        #expect(entries.map(\.key) == ["a", "d", "f g:\"", "i", "j"])
        #expect(entries.map(\.value) == ["b: c", "e", "h", "one\n  two", "k"])
        #expect(entries.map(\.isEnabled) == [true, false, true, true, false])
        #expect(entries.map(\.line) == [2, 3, 4, 6, 10])
        #expect(bru.block("vars:secret")?.words == ["x", "y"])
        #expect(bru.block("body:json")?.text == "{\n  \"a\": 1\n}")
    }

    @Test(arguments: [
        ("get {\n  url: https://example.org/a?b=c\n  body: none\n  auth: none\n}", "request: GET /a?b=c"),
        ("http {\n  method: PURGE\n  url: example.org/a\n}", "request: PURGE /a"),
        ("delete {\n  url: https://example.org/a/:id\n}\n\nparams:path {\n  id: 7\n}", "request: DELETE /a/7"),
        (
            "get {\n  url: https://example.org/a\n}\n\nheaders {\n  X: 1\n  ~Y: 2\n}",
            "request: { url: /a, headers: { X: 1 } }"
        ),
        (
            "post {\n  url: https://example.org/a\n  body: json\n}\n\nbody:json {\n  { \"a\": 1 }\n}",
            "request: { method: POST, url: /a, json: { a: 1 } }"
        ),
        (
            "post {\n  url: https://example.org/a\n  body: formUrlEncoded\n}\n\nbody:form-urlencoded {\n  a: 1\n  ~b: 2\n}",
            "request: { method: POST, url: /a, form: { a: 1 } }"
        ),
        (
            "post {\n  url: https://example.org/a\n  body: multipartForm\n}\n\nbody:multipart-form {\n  a: 1\n  f: @file(data.csv) @contentType(text/csv)\n}",
            "request: { method: POST, url: /a, multipart: { a: 1, f: { file: data.csv, type: text/csv } } }"
        ),
        (
            "post {\n  url: https://example.org/a\n  body: graphql\n}\n\nbody:graphql {\n  { a }\n}\n\nbody:graphql:vars {\n  { \"n\": 1 }\n}",
            "request: { url: /a, graphql: { query: \"{ a }\", variables: { \"n\": 1 } } }"
        ),
        (
            "get {\n  url: https://example.org/a\n  auth: basic\n}\n\nauth:basic {\n  username: ada\n  password: {{pw}}\n}",
            "request: { url: /a, auth: { basic: { username: ada, password: \"${pw}\" } } }"
        ),
        (
            "get {\n  url: https://example.org/a\n  auth: apikey\n}\n\nauth:apikey {\n  key: k\n  value: {{v}}\n  placement: queryparams\n}",
            "request: { url: /a, auth: { apiKey: { query: k, value: \"${v}\" } } }"
        ),
        ("get {\n  url: https://example.org/{{process.env.ID}}\n}", "request: GET /${env(\"ID\")}"),
        (
            "get {\n  url: https://example.org/a\n}\n\nsettings {\n  followRedirects: false\n  timeout: 2000\n}",
            "request: { url: /a, timeout: 2s }"
        ),
    ])
    func requests(_ blocks: String, _ expected: String) throws {
        let text = try request(blocks, ["data.csv": "a,b\n"])
        #expect(text.hasPrefix(expected), "\(text)")
    }

    @Test(arguments: [
        ("res.status: eq 200", "expect: 200"), ("res.status: 200", "expect: 200"),
        ("res.status: in [200, 201]", "expect: { status: [200, 201] }"),
        ("res.body.title: eq Dune", "expect: { json: { $.title: Dune } }"),
        ("res.body.title: neq Emma", "expect: { json: { $.title: { not: Emma } } }"),
        ("res.body.tags: length 2", "expect: { json: { $.tags: { length: 2 } } }"),
        ("res.body.price: between 1, 5", "expect: { json: { $.price: { between: [1, 5] } } }"),
        ("res.body.ok: isTruthy", "expect: { json: { $.ok: { not: { oneOf: [null, false, 0, \"\"] } } } }"),
        ("res.body.none: isNull", "expect: { json: { $.none: null } }"),
        ("res.body.mail: matches ^\\w+@x$", "expect: { json: { $.mail: { matches: '^\\w+@x$' } } }"),
        ("res.body: isArray", "expect: { body: { type: array } }"), ("res.body: eq pong", "expect: { body: pong }"),
        ("res.headers['content-type']: contains json", "expect: { headers: { content-type: { contains: json } } }"),
        ("res.responseTime: lt 2000", "expect: { duration: { lt: 2s } }"),
        ("res('a.b[0]'): isDefined", "expect: { json: { \"$.a.b[0]\": { exists: true } } }"),
    ])
    func assertions(_ line: String, _ expected: String) throws {
        let text = try request("get {\n  url: https://example.org/a\n}\n\nassert {\n  \(line)\n  ~res.body: isEmpty\n}")
        #expect(text == "request: GET /a\n\(expected)")
    }

    @Test func tests() throws {
        let text = try request(
            """
            get {
              url: https://example.org/a
            }

            tests {
              test("a", function() {
                const data = res.getBody();
                expect(res.getStatus()).to.equal(200);
                expect(data.items).to.be.an('array').that.is.not.empty;
                expect(res.getHeader('etag')).to.exist;
                expect(res.body).to.eql({ a: 1 });
              });
            }
            """)
        #expect(
            text == """
                request: GET /a
                expect:
                  status: 200
                  headers: { etag: { exists: true } }
                  json: { $.items: { type: array, empty: false } }
                  body: { equals: { a: 1 } }
                """)
    }

    @Test func collection() throws {
        let result = importing([
            ("shop/bruno.json", #"{ "version": "1", "name": "Bookshop", "type": "collection" }"#),
            (
                "shop/collection.bru",
                "headers {\n  X-Client: tests\n}\n\nauth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{token}}\n}\n"
            ),
            ("shop/environments/local.bru", "vars {\n  base: http://127.0.0.1:8080\n}\nvars:secret [\n  token\n]\n"),
            ("shop/environments/staging.bru", "vars {\n  base: https://staging.example.org\n}\n"),
            (
                "shop/last.bru",
                "meta {\n  name: last\n  seq: 1\n}\n\nget {\n  url: {{base}}/books/{{id}}\n  auth: inherit\n}\n"
            ),
            ("shop/books/folder.bru", "meta {\n  name: Books\n}\n\nheaders {\n  X-Folder: books\n}\n"),
            (
                "shop/books/second.bru",
                "meta {\n  name: second\n  seq: 2\n}\n\nget {\n  url: {{base}}/books\n  auth: none\n}\n"
            ),
            (
                "shop/books/first.bru",
                """
                meta {
                  name: first
                  seq: 1
                }

                post {
                  url: {{base}}/books
                  body: json
                  auth: inherit
                }

                body:json {
                  { "title": "{{title}}" }
                }

                vars:pre-request {
                  title: Dune
                }

                vars:post-response {
                  id: res.body.id
                }

                """
            ),
        ])
        #expect(result.diagnostics.isEmpty && result.counts.untranslated.isEmpty)
        #expect(result.files.first?.name == "shop.apitest.yaml")
        let text = text(result)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.contains("- name:") } == ["  - name: first", "  - name: second", "  - name: last"])
        #expect(text.contains("name: Bookshop\n") && text.contains("baseURL: ${base}\n"))
        #expect(text.contains("  # Books\n") && text.contains("X-Folder: books") && text.contains("X-Client: tests"))
        #expect(text.contains("  title: Dune\n") && text.contains("      id: $.id\n"))
        #expect(text.contains("bearer: \"${token}\"") && text.contains("secrets: [token]"))
        #expect(text.contains("staging: { variables: { base: https://staging.example.org } }"), "\(text)")
    }

    @Test func otherRequestsAreCounted() {
        let result = importing([
            ("a.bru", "meta {\n  name: a\n}\n\ngrpc {\n  url: example.org\n}\n"),
            ("b.bru", "meta {\n  name: b\n}\n\nget {\n  url: https://example.org/b\n  auth: ntlm\n}\n"),
        ])
        #expect(result.counts.omitted.entries.map(\.name) == ["files without an HTTP request"])
        #expect(result.counts.untranslated.entries.map(\.name) == ["ntlm authentication"])
    }

    @Test func openBlock() {
        let result = importing([("a.bru", "meta {\n  name: a\n}\nget {\n  url: x\n")])
        #expect(result.diagnostics.map(\.id) == ["invalid-bru"])
        #expect(result.diagnostics.first?.range?.start.line == 4)
    }
}
