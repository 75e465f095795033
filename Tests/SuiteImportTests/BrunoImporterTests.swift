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

    /// The brace at the end of a block may have space after it.
    @Test func spaceAfterBlocks() throws {
        let result = importing([
            ("a.bru", "get {\n  url: https://example.org/a\n} \n\nassert {\n  res.status: eq 201\n}\t")
        ])
        #expect(result.diagnostics.isEmpty)
        #expect(text(result).contains("expect: 201"), "\(text(result))")
    }

    /// The base URL cannot be a variable that requests set.
    @Test func variablesOfRequestsInOrigins() throws {
        func request(_ name: String, _ value: String) -> (String, String) {
            let blocks = "get {\n  url: {{base}}/\(name)\n}\n\nvars:pre-request {\n  base: https://\(value)\n}\n"
            return ("\(name).bru", "meta {\n  name: \(name)\n}\n\n" + blocks)
        }
        let result = importing([request("a", "example.org"), request("b", "example.com"), request("c", "example.org")])
        #expect(result.diagnostics.isEmpty)
        #expect(text(result).contains("/a") && !text(result).contains("baseURL"), "\(text(result))")
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
            "put {\n  url: https://example.org/a\n  body: formUrlEncoded\n}",
            "request: { method: PUT, url: /a, headers: { Content-Type: application/x-www-form-urlencoded } }"
        ),
        (
            "post {\n  url: https://example.org/a\n  body: json\n}\n\nbody:json {\n  // b\n  { \"a\": \"//\" /* c */ } // d\n}",
            "request: { method: POST, url: /a, json: { a: // } }"
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
            "post {\n  url: https://example.org/a\n  body: graphql\n}\n\nbody:graphql {\n  { a }\n}",
            "request: { url: /a, graphql: { query: \"{ a }\", variables: {} } }"
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
        ("res.body: length 2", "expect: { body: { type: [array, string], length: 2 } }"),
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

    @Test func collectionsInCollectionsAreDirectories() {
        let request = "meta {\n  name: a\n}\n\nget {\n  url: {{base}}/a\n}\n"
        let result = importing([
            ("shop/bruno.json", #"{ "version": "1", "name": "Bookshop", "type": "collection" }"#),
            ("shop/environments/local.bru", "vars {\n  base: http://127.0.0.1:8080\n}\n"),
            ("shop/flow/bruno.json", #"{ "version": "1", "name": "Flow", "type": "collection" }"#),
            ("shop/flow/a.bru", request), ("other/bruno.json", #"{ "version": "1", "name": "Other" }"#),
            ("other/a.bru", request),
        ])
        #expect(result.files.map(\.name) == ["shop.apitest.yaml", "other.apitest.yaml"])
        #expect(result.files.allSatisfy { $0.suite.testCount == 1 })
        let shop = result.files.first.map { String(decoding: $0.suite.text, as: UTF8.self) } ?? ""
        #expect(
            shop.contains("name: Bookshop\n") && shop.contains("base: http://127.0.0.1:8080")
                && shop.contains("# flow\n"))
    }

    @Test(arguments: [
        ("b a C", "a b C"), ("b2 b10 B _a 1", "_a 1 B b10 b2"), ("a:2 b c", "b a c"), ("a b:1 c:1 d", "b c a d"),
        ("a:7 b:7 c", "c a b"), ("c:1 b:3 a", "c a b"), ("a:0 b:-1 c", "a b c"),
    ])
    func directories(_ names: String, _ expected: String) {
        let files = names.split(separator: " ").flatMap { entry -> [(String, String)] in
            let parts = entry.split(separator: ":")
            let position = parts.count > 1 ? "\n  seq: \(parts[1])" : ""
            return [
                ("shop/\(parts[0])/folder.bru", "meta {\n  name: x\(position)\n}\n"),
                (
                    "shop/\(parts[0])/r.bru",
                    "meta {\n  name: \(parts[0])\n}\n\nget {\n  url: https://example.org/a\n}\n"
                ),
            ]
        }
        let text = text(importing([("shop/bruno.json", #"{ "version": "1", "name": "Bookshop" }"#)] + files))
        let found = text.split(separator: "\n").filter { $0.hasPrefix("  - name: ") }.map { $0.dropFirst(10) }
        #expect(found.map { $0.filter { $0 != "\"" } }.joined(separator: " ") == expected)
    }

    @Test(arguments: [
        ("expect(req.getMethod()).to.equal('POST')", ""),
        ("expect(req.method).to.equal('POST')", ""),
        ("expect(req.getUrl()).to.equal('https://example.org/a')", ""),
        ("expect(req.url).to.include('/a')", ""),
        ("expect(req.url).to.equal(res.body.self)", "assert:\n  - '\"https://example.org/a\" == body.self'"),
    ])
    func requestInTests(_ statement: String, _ expected: String) throws {
        let text = try request(
            "post {\n  url: https://example.org/a\n}\n\ntests {\n  test(\"a\", () => {\n    \(statement);\n  });\n}")
        #expect(text == "request: POST /a" + (expected.isEmpty ? "" : "\n\(expected)"))
    }

    @Test(arguments: [
        ("inherit", "bearer: \"${token}\""), ("none", "bearer: \"${token}\""), ("digest", "digest:"),
    ])
    func directoryWithoutCredentials(_ mode: String, _ expected: String) {
        let text = text(
            importing([
                (
                    "shop/collection.bru",
                    "auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{token}}\n}\n"
                ),
                (
                    "shop/books/folder.bru",
                    "auth {\n  mode: \(mode)\n}\n\nauth:digest {\n  username: ada\n  password: {{pw}}\n}\n"
                ),
                (
                    "shop/books/a.bru",
                    "meta {\n  name: a\n}\n\nget {\n  url: https://example.org/a\n  auth: inherit\n}\n"
                ),
            ]))
        #expect(text.contains(expected), "\(text)")
    }

    @Test(arguments: [
        ("", []), ("token_placement: header\n  token_header_prefix: Bearer", []),
        ("token_placement: url", ["oauth2 with the token in the url (1)"]),
        ("token_header_prefix: Token", ["oauth2 with another prefix than Bearer (1)"]),
        ("token_header_prefix:", ["oauth2 with another prefix than Bearer (1)"]),
    ])
    func tokenPlacement(_ entries: String, _ expected: [String]) throws {
        let imported = try SuiteImportTests.importing(
            """
            meta {
              name: a
            }

            get {
              url: https://example.org/a
              auth: oauth2
            }

            auth:oauth2 {
              grant_type: client_credentials
              access_token_url: https://example.org/token
              client_id: shop
              client_secret: {{secret}}
              \(entries)
            }
            """, as: "a.bru")
        #expect(imported.untranslated == expected)
        #expect(imported.text.contains("oauth2: {") == expected.isEmpty, "\(imported.text)")
    }

    @Test(arguments: [
        ("c", "a c c (2) d | b", []), ("d", "a d | b c c (2)", []),
        ("x", "a b c c (2) d |", ["setNextRequest with an unknown name"]),
    ])
    func nextRequests(_ name: String, _ expected: String, _ untranslated: [String]) {
        let files = ["a", "b", "c", "c", "d"].enumerated().map { index, title in
            let script = index == 0 ? "\nscript:post-response {\n  bru.runner.setNextRequest('\(name)');\n}\n" : ""
            return (
                "shop/\(index).bru",
                "meta {\n  name: \(title)\n  seq: \(index)\n}\n\nget {\n  url: https://example.org/a\n}\n" + script
            )
        }
        let result = importing([("shop/bruno.json", #"{ "version": "1", "name": "Bookshop" }"#)] + files)
        var found: [String] = []
        for line in text(result).split(separator: "\n") {
            if line.hasPrefix("  - name: ") { found.append(String(line.dropFirst(10))) }
            if line.hasPrefix("    skip:"), let name = found.popLast() { found.append("-\(name)") }
        }
        let runs = found.filter { !$0.hasPrefix("-") }.joined(separator: " ")
        let skipped = found.filter { $0.hasPrefix("-") }.map { $0.dropFirst() }.joined(separator: " ")
        #expect("\(runs) | \(skipped)" == expected + (skipped.isEmpty ? " " : ""))
        #expect(result.counts.untranslated.entries.map(\.name) == untranslated)
    }

    @Test(arguments: [
        ("{ \"a\": 1 }", "{ \"a\": 1 }", 0), ("// a\n{}", "{}", 1), ("{}\n  // a", "{}\n", 1),
        ("{ // a\n}", "{ \n}", 1),
        ("[1, /* a\n b */\n 2]", "[1, \n 2]", 1), ("  /* a */  \n{}", "{}", 1),
        ("\"//\" '/*' \"\\\"//\"", "\"//\" '/*' \"\\\"//\"", 0),
        ("/* a", "/* a", 0), ("\"a\n// b", "\"a\n", 1), ("/", "/", 0), ("/*/", "/*/", 0),
    ])
    func comments(_ text: String, _ expected: String, _ count: Int) {
        let result = JSONComments(removedFrom: text)
        #expect(result.text == expected)
        #expect(result.count == count)
    }

    @Test(.timeLimit(.minutes(1))) func manyOpenComments() {
        #expect(JSONComments(removedFrom: String(repeating: "/* ", count: 500_000)).count == 0)
    }

    @Test func otherRequestsAreCounted() {
        let result = importing([
            ("a.bru", "meta {\n  name: a\n}\n\ngrpc {\n  url: example.org\n}\n"),
            ("b.bru", "meta {\n  name: b\n}\n\nget {\n  url: https://example.org/b\n  auth: ntlm\n}\n"),
        ])
        #expect(result.counts.omitted.entries.map(\.name) == ["files without an HTTP request"])
        #expect(result.counts.untranslated.entries.map(\.name) == ["ntlm authentication"])
    }

    @Test func documentationMayShowCommands() {
        let request =
            "meta {\n  name: a\n}\n\nget {\n  url: https://example.org/a\n}\n\ndocs {\n  curl https://b.org\n}\n"
        #expect(ImportRun.recognized(SourceFile(name: "a.bru", text: request)) == .bruno)
        let notes = SourceFile(name: "Shop/README.md", text: "# Shop\n\ncurl https://b.org\n")
        #expect(ImportRun.recognized(notes) == .curl)
        #expect(ImportRun.recognizedInDirectory(notes) == nil)
        #expect(ImportRun.recognizedInDirectory(SourceFile(name: "a.sh", text: "curl https://b.org\n")) == .curl)
    }

    @Test func openBlock() {
        let result = importing([("a.bru", "meta {\n  name: a\n}\nget {\n  url: x\n")])
        #expect(result.diagnostics.map(\.id) == ["invalid-bru"])
        #expect(result.diagnostics.first?.range?.start.line == 4)
    }
}
