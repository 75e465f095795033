import Diagnostics
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// Tests that Tavern files become tests with the same requests and verdicts.
struct TavernImporterTests {
    /// Imports a test with a single stage.
    private func stage(
        request: String = "url: http://a/b", response: String, test: String = "", files: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Imported {
        func indented(_ text: String) -> String { text.split(separator: "\n").map { "      \($0)\n" }.joined() }
        let source = """
            test_name: a
            \(test)stages:
              - name: b
                request:
            \(indented(request))    response:
            \(indented(response))
            """
        return try importing(source, as: "test_a.tavern.yaml", files: files, location)
    }

    @Test(arguments: [
        (
            "url: http://a/b\nmethod: POST\njson: { c: !int \"2\", d: !raw \"{e}\", f: no }",
            "json: { c: 2, d: \"{e}\", f: false }"
        ),
        ("url: http://a/b\nmethod: POST\njson: { c: !float \"1\", d: !float \"2.5\" }", "json: { c: 1.0, d: 2.5 }"),
        ("url: http://a/b\nparams: { c: 1, d: [2, 3] }", "query: { c: 1, d: [2, 3] }"),
        ("url: http://a/b\nmethod: POST\ndata: { c: d }", "form: { c: d }"),
        ("url: http://a/b\nauth: [ada, \"{c}\"]", "auth: { basic: { username: ada, password: \"${c}\" } }"),
        ("url: http://a/b\ntimeout: 2.5", "timeout: { connect: 2500ms, firstByte: 2500ms }"),
        ("url: http://a/b\nverify: false", "tls: { verify: false }"),
        (
            "url: http://a/b\nmethod: POST\nfiles: { c: { file_path: c.txt, content_type: text/csv } }",
            "multipart: { c: { file: c.txt, type: text/csv } }"
        ),
        ("url: http://a/b\nmethod: PUT\nfile_body: c.txt", "file: c.txt"),
        ("url: http://a/b\ncookies:\n  - c: d", "cookies: { c: d }"),
        ("url: http://a/b\nfollow_redirects: true", "redirects: 30"),
        (
            "url: http://a/b\nmethod: POST\nfiles: { c: c.json.gz }",
            "c: { file: c.json.gz, type: application/json, headers: { Content-Encoding: gzip } }"
        ),
    ])
    func requests(_ request: String, _ expected: String) throws {
        let imported = try stage(
            request: request, response: "status_code: 200", files: ["c.txt": "c", "c.json.gz": ""])
        #expect(imported.text.contains(expected), "\(imported.text)")
        #expect(imported.untranslated == [])
    }

    /// The type of a file with a variable in its name is that of the variable's value.
    @Test func typesOfFormattedFileNames() throws {
        let imported = try stage(
            request: "url: http://a/b\nmethod: PUT\nfile_body: \"{name}\"", response: "status_code: 200",
            test: "includes: [{ variables: { name: c.csv } }]\n", files: ["c.csv": "c"])
        #expect(imported.text.contains("contentType: text/csv") || imported.text.contains("Content-Type: text/csv"))
    }

    /// Of the cookies that the stages before are known to receive, only the selected ones are sent.
    @Test(arguments: [
        ("[one]", "cookies: { two: null }"), ("[]", "cookies: none"),
        ("[three: 3]", "cookies: { one: null, two: null, three: \"3\" }"),
        // The header is a secret, as everywhere in imports.
        ("[one: 1]", #"headers: { Cookie: "${cookie}" }, cookies: { two: null }"#),
    ])
    func cookies(_ selection: String, _ expected: String) throws {
        let source = """
            test_name: a
            stages:
              - name: login
                request: { url: http://a/b }
                response: { cookies: [one, two] }
              - name: read
                request: { url: http://a/c, cookies: \(selection) }
            """
        let imported = try importing(source, as: "test_a.tavern.yaml")
        #expect(imported.text.contains(expected), "\(imported.text)")
        #expect(imported.untranslated == [])
    }

    @Test func unknownCookies() throws {
        let imported = try stage(request: "url: http://a/b\ncookies: [one]", response: "status_code: 200")
        #expect(imported.untranslated == ["selection of cookies (1)"])
    }

    /// Parts of a suite with the same name follow each other.
    @Test func partsThatAlternate() throws {
        let file = "{ file_path: c.txt, form_field_name: "
        let imported = try stage(
            request: "url: http://a/b\nmethod: POST\nfiles: [\(file)a }, \(file)b }, \(file)a }]",
            response: "status_code: 200", files: ["c.txt": "c"])
        #expect(imported.untranslated == ["order of parts (1)"])
    }

    /// A made-up value with an anchor is the same in all its uses.
    @Test func madeUpValuesWithAnchors() throws {
        let imported = try stage(
            request: "url: http://a/b\nmethod: POST\ndata:\n  id: !uuid &sent\n  other: !uuid",
            response: "json:\n  id: *sent")
        #expect(imported.text.contains("sent: ${uuid()}"), "\(imported.text)")
        #expect(imported.text.contains("form: { id: \"${sent}\", other: \"${uuid()}\" }"), "\(imported.text)")
        #expect(imported.text.contains("$: { equals: { id: \"${sent}\" } }"), "\(imported.text)")
        #expect(imported.untranslated == [])
    }

    @Test func filesAsText() throws {
        let imported = try stage(response: "text: !include_raw c.txt", files: ["c.txt": "one\ntwo"])
        #expect(imported.text.contains("text: \"one\\ntwo\""), "\(imported.text)")
        #expect(imported.untranslated == [])
        let outside = try stage(response: "text: !include_raw ../../../../../../../../../../etc/hosts")
        #expect(outside.untranslated == ["tag !include_raw (1)"])
    }

    /// A variable that is known to be an integer is sent with a fraction, as Python sends it.
    @Test(arguments: [("c: 123", "e: 123.0"), ("c: -1", "e: -1.0"), ("c: 4.5", "e: \"${double(c)}\"")])
    func floatsOfVariables(_ variable: String, _ expected: String) throws {
        let imported = try stage(
            request: "url: http://a/b\nmethod: POST\njson: { d: \"{c}\", e: !float \"{c}\" }",
            response: "status_code: 200", test: "includes: [{ variables: { \(variable) } }]\n")
        #expect(imported.text.contains(expected), "\(imported.text)")
    }

    @Test(arguments: [
        ("status_code: 204", "expect: 204"),
        ("status_code: [200, 201]", "status: [200, 201]"),
        ("headers: { x-a: b }", "headers: { x-a: b }"),
        ("json: { c: 1 }", "$: { equals: { c: 1 } }"),
        ("json: { c: !anyint }", "$: { strictLike: { c: { $match: { type: integer } } } }"),
        (
            "json: { c: !anything , d: !anystr }",
            "strictLike: { c: { $match: { exists: true } }, d: { $match: { type: string } } }"
        ),
        ("json: !anylist", "$: { type: array }"),
        ("json: { c: !re_fullmatch \"[a-z]+\" }", "$match: { matches: \"^[a-z]+$\" }"),
        ("json: { c: !re_match a|b }", "$match: { matches: \"^(?:a|b)\" }"),
        ("json: { c: !re_search a }", "$match: { matches: a }"),
        ("json: { c: !approx 2.0 }", "$match: { closeTo: { value: 2.0, within: 0.000002000000 } }"),
        (
            "strict: false\njson: { c: 1, d: [2, 3] }",
            "json: { $.c: 1, $.d: { all: [{ type: array }, { includes: 2 }, { includes: 3 }] } }"
        ),
        ("strict: [\"json:off\"]\njson: { c: { d: 1 } }", "$: { like: { c: { d: 1 } } }"),
        ("strict: [\"json:list_any_order\"]\njson: [{ c: 1 }]", "$: { includes: { like: { c: 1 } } }"),
        ("strict: true\njson: { c: 1 }", "$: { equals: { c: 1 } }"),
        ("text: c", "text: c"),
        ("cookies: [c]", "cookies: { c: { exists: true } }"),
        ("redirect_query_params: { c: d }", "url.parse(headers[\"location\"]).parameters[\"c\"][0] == \"d\""),
        (
            "verify_response_with:\n  function: tavern.helpers:validate_regex\n  extra_kwargs: { expression: a+ }",
            "text: { matches: a+ }"
        ),
        (
            "verify_response_with:\n  function: tavern.helpers:validate_content\n  extra_kwargs:\n    comparisons:\n      - { jmespath: c.d, operator: greater_than, expected: 3 }",
            "json: { $.c.d: { gt: 3 } }"
        ),
    ])
    func responses(_ response: String, _ expected: String) throws {
        let imported = try stage(response: response)
        let text = imported.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(imported.text.contains(expected) || text.contains(expected), "\(imported.text)")
        #expect(imported.untranslated == [])
    }

    @Test func stagesShareSavedValues() throws {
        let source = """
            test_name: a book
            includes:
              - !include common.yaml
            marks:
              - slow
              - parametrize:
                  key: [title, price]
                  vals:
                    - [Emma, 7.5]
                    - [Ulysses, 12]
            stages:
              - name: add it
                max_retries: 2
                delay_after: 1
                request:
                  url: "{host}/books"
                  method: POST
                  json: { title: "{title}", price: !float "{price}" }
                response:
                  status_code: 201
                  json: { id: !anyint, title: "{tavern.request_vars.json.title}" }
                  save: { json: { id: id }, headers: { etag: ETag } }
              - type: ref
                id: read
            finally:
              - name: remove it
                request: { url: "{host}/books/{id}", method: DELETE }
            """
        let common = """
            name: common
            variables:
              host: http://127.0.0.1:8080
              unused: 1
            stages:
              - id: read
                name: read it
                request: { url: "{host}/books/{id:d}", headers: { If-None-Match: "{etag}" } }
                response: { json: { id: !force_original_structure "{id}", note: "no {id}" } }
            """
        #expect(
            try importing(source, as: "test_books.tavern.yaml", files: ["common.yaml": common]).body == """
                # Variables that no request uses: unused
                baseURL: ${host}

                variables:
                  host: http://127.0.0.1:8080

                defaults:
                  redirects: false

                tests:
                  - name: a book
                    tags: slow
                    cases:
                      - { title: Emma, price: 7.5 }
                      - { title: Ulysses, price: 12 }
                    steps:
                      - name: add it
                        request:
                          method: POST
                          url: /books
                          json: { title: "${string(title)}", price: "${double(price)}" }
                        expect:
                          status: 201
                          json: { $: { strictLike: { id: { $match: { type: integer } }, title: "${title}" } } }
                        capture:
                          id: $.id
                          etag: { header: ETag }
                        retry: { times: 2, delay: 1s }
                      - name: read it
                        request: { url: "/books/${id}", headers: { If-None-Match: "${etag}" } }
                        expect:
                          status: 200
                          json: { $: { equals: { id: "${id}", note: "no ${id}" } } }
                        delay: 1s
                    finally:
                      - name: remove it
                        request: DELETE /books/${id}
                        expect: 200

                """)
    }

    @Test(arguments: [
        ("skip", "skip: skipped in the Tavern file"), ("xfail", "xfail: expected to fail in the Tavern file"),
        ("skipif: \"'a' in '{host}'\"", "if: '!(string(host).contains(\"a\"))'"),
    ])
    func marks(_ mark: String, _ expected: String) throws {
        let test = "includes:\n  - { name: c, variables: { host: http://a } }\nmarks:\n  - \(mark)\n"
        let imported = try stage(request: "url: \"{host}/b\"", response: "status_code: 200", test: test)
        #expect(imported.text.contains(expected), "\(imported.text)")
        #expect(imported.untranslated == [])
    }

    /// A file without tests is a global configuration, whose variables and stages apply to all tests.
    @Test func globalConfiguration() throws {
        let project = try ProjectDirectory(["notes.txt": ""])
        let result = ImportRun.run(
            [
                SourceFile(
                    name: "test_a.tavern.yaml",
                    text: """
                        test_name: a
                        stages:
                          - { type: ref, id: ping }
                          - name: b
                            request: { url: "{host}/b", json: { c: "{c}" }, method: POST }
                            response: { json: { d: 1 } }
                        """),
                SourceFile(
                    name: "global.yaml",
                    text: """
                        name: globals
                        description: for all tests
                        variables: { host: http://a.example, c: 1, unused: x }
                        strict: [json:off]
                        stages:
                          - { id: ping, name: ping, request: { url: "{host}/ping" } }
                        """),
            ], format: .tavern, options: ImportOptions(workingDirectory: project.path, outputDirectory: project.path))
        #expect(result.files.count == 1 && result.counts.untranslated.entries.isEmpty)
        let imported = Imported(project: project, result: result)
        try expectSound(imported)
        let text = imported.text
        #expect(text.contains("host: http://a.example") && text.contains("GET /ping"), "\(text)")
        #expect(text.contains("json: { $.d: 1 }") && !text.contains("unused: "), "\(text)")
    }

    @Test func anchorsOfPreviousDocumentsAreKnown() throws {
        let source = """
            test_name: a
            stages:
              - &first
                name: first
                request: { url: http://a/b }
            ---
            test_name: b
            stages:
              - *first
              - name: second
                request: { url: http://a/c }
            """
        let text = try importing(source, as: "test_a.tavern.yaml").text
        #expect(text.split(separator: "GET /b").count == 3, "\(text)")
    }

    @Test(arguments: [
        "test_name: a\nstages:\n  - name: b\n    mqtt_publish: { topic: c }\n  - name: d\n    request: { url: http://a/b }\n",
        "test_name: a\nstages:\n  - name: d\n    request: { url: http://a/b, json: { $ext: { function: c:d } } }\n",
        "test_name: a\nincludes:\n  - !include missing.yaml\nstages:\n  - name: d\n    request: { url: http://a/b }\n",
        "test_name: a\nstages:\n  - name: d\n    request: { url: http://a/b, json: 1, data: c }\n",
        "test_name: a\nstages:\n  - name: d\n    request: { url: http://a/b, json: { c: !anyint } }\n",
        "test_name: a\nstrict: off-by-one\nstages:\n  - name: d\n    request: { url: http://a/b }\n",
        "test_name: a\nstrict: [json:maybe]\nstages:\n  - name: d\n    request: { url: http://a/b }\n",
        "test_name: a\nstages:\n  - name: d\n    max_retries: '{n}'\n    request: { url: http://a/b }\n",
        "test_name: a\nmarks:\n  - usefixtures: [c]\nstages:\n  - name: d\n    request: { url: http://a/b }\n",
        "test_name: a\nstages:\n  - name: d\n    request: { url: http://a/b }\n    response: { json: { c: !other 1 } }\n",
    ])
    func untranslated(_ source: String) throws {
        let imported = try importing(source, as: "test_a.tavern.yaml")
        #expect(imported.untranslated.count == 1)
        #expect(imported.text.contains("# not translated: "), "\(imported.text)")
    }

    @Test(arguments: [
        ("json: { id: !uuid }", "json: { id: \"${uuid()}\" }"),
        ("data: { id: !uuid }", "form: { id: \"${uuid()}\" }"),
        ("data: !!binary T0s=", "text: OK"),
        (
            "file_body: a.json.gz",
            "headers: { Content-Encoding: gzip }\n          file: a.json.gz\n          contentType: application/json"
        ),
    ])
    func bodies(_ body: String, _ expected: String) throws {
        let imported = try importing(
            "test_name: a\nstages:\n  - name: d\n    request:\n      url: http://a/b\n      method: POST\n      \(body)\n",
            as: "test_a.tavern.yaml", files: ["a.json.gz": "x"])
        #expect(imported.untranslated == [])
        #expect(imported.text.contains(expected), "\(imported.text)")
    }

    @Test func syntaxErrorsHaveALocation() throws {
        let imported = try importing(
            "test_name: a\nstages:\n  - name: [\n", as: "test_a.tavern.yaml", format: .tavern, isSound: false)
        #expect(imported.result.files.isEmpty)
        #expect(imported.result.diagnostics.first?.range != nil)
    }
}
