import Diagnostics
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// Tests that gabbi files become tests with the same requests and verdicts.
struct GabbiImporterTests {
    /// Returns the text of the suite for the keys of a test.
    private func suite(
        _ keys: String, files: [String: String] = [:], _ location: SourceLocation = #_sourceLocation
    ) throws -> Imported {
        let lines = keys.split(separator: "\n").map { "    \($0)\n" }.joined()
        return try importing("tests:\n  - name: a\n\(lines)", as: "a.yaml", files: files, location)
    }

    @Test(arguments: [
        ("GET: /b", "request: GET /b"),
        ("url: /b\nmethod: DELETE", "request: DELETE /b"),
        (
            "GET: /b\nquery_parameters: { c: [1, 2], d: e f }",
            "request: { url: /b, query: { c: [1, 2], d: e f }, queryStyle: repeat }"
        ),
        ("GET: /b\nredirects: true", "request: GET /b"),
        ("GET: /b\ncert_validate: false", "tls: { verify: false }"),
        (
            "POST: /b\nrequest_headers: { content-type: application/json }\ndata: { c: yes, d: 010 }",
            "json: { c: true, d: 8 }"
        ),
        ("POST: /b\nrequest_headers: { content-type: text/plain }\ndata: c", "text: c"),
        ("POST: /b\nrequest_headers: { content-type: text/plain }\ndata: <@c.txt", "file: c.txt"),
        ("POST: /b\nrequest_headers: { content-type: text/plain }\ndata: <@d.txt", "text: n is ${env_n}"),
        (
            "POST: /b\nrequest_headers: { content-type: application/json }\ndata: <@d.json",
            "json: { d: \"${string(env_n)}\" }"
        ),
        ("POST: /b\nrequest_headers: { content-type: application/octet-stream }\ndata: <@d.txt", "file: d.txt"),
        ("GET: /b\nstatus: 200 || 404", "expect: { status: [200, 404] }"),
        ("GET: /b", "expect: 200"),
        ("GET: /b\nresponse_headers: { x-a: 7 }", "headers: { x-a: \"7\" }"),
        ("GET: /b\nresponse_headers: { x-a: /^a/ }", "headers: { x-a: { matches: \"^a\" } }"),
        ("GET: /b\nresponse_forbidden_headers: [x-a]", "headers: { x-a: { exists: false } }"),
        ("GET: /b\nresponse_strings: [c, /d+/]", "text: { contains: c, matches: d+ }"),
        ("GET: /b\nresponse_json_paths: { $.c: 1, d.e-f: null }", "json: { $.c: 1, \"$.d['e-f']\": null }"),
        ("GET: /b\nresponse_json_paths: { $.c.`len`: 2 }", "json: { $.c: { length: 2 } }"),
        ("GET: /b\nresponse_json_paths: { $.c: /^d/ }", "json: { $.c: { matches: \"^d\" } }"),
        (
            #"GET: /b"# + "\n" + #"response_json_paths: { $.c: '/^\d+$/' }"#,
            #"json: { $.c: { as: string, matches: '^\d+$' } }"#
        ),
        // A single selected value stands for itself.
        ("GET: /b\nresponse_json_paths: { '$.c[?d = \"e\"].f': g }", "json: { '$.c[?@.d == \"e\"].f': [g] }"),
        ("GET: /b\nresponse_json_paths: { '$.c[*].f': [g, h] }", "json: { \"$.c[*].f\": [g, h] }"),
        ("GET: /b\nresponse_json_paths: { '$..f': [g, h] }", "either: [[g, h], [[g, h]]]"),
        ("GET: /b\nresponse_json_paths: { '$.c.`sorted`': [1, 2] }", "jsonpath(body, \"$.c\").sort() == [1, 2]"),
        (
            "GET: /b\nresponse_json_paths: { '$.c[/d][0].d': 1 }",
            "jsonpath(jsonpath(body, \"$.c\").sortBy(element, element[\"d\"]), \"$[0].d\") == 1"
        ),
        ("GET: /b\npoll: { count: 3, delay: .5 }", "until: { status: 200, every: 500ms, times: 3 }"),
        ("GET: /b\nskip: not yet", "skip: not yet"),
        (
            "GET: /b\npoll: { count: \"$ENVIRON['N']\", delay: .5 }",
            "until: { status: 200, every: 500ms, times: \"${int(double(string(env_n)))}\" }"
        ),
        ("GET: /b\nresponse_headers: { http_protocol_version: HTTP/1.1 }", "http: \"1.1\""),
        (
            "POST: /b\nrequest_headers: { content-type: application/json }\ndata: { a: \"b $ENVIRON:int['N']\" }",
            "json: { a: '${int(\"b \" + string(env_n))}' }"
        ),
        ("GET: /b\ntimeout: 2.5", "timeout: { total: 2500ms }"),
        ("GET: /b\nxfail: true", "xfail: expected to fail in the gabbi file"),
        ("GET: /b\ndesc: a test", "description: a test"),
    ])
    func keys(_ keys: String, _ expected: String) throws {
        let imported = try suite(
            keys,
            files: ["c.txt": "c", "d.txt": "n is $ENVIRON['N']", "d.json": #"{ "d": "$ENVIRON['N']" }"#])
        let text = imported.text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
        let joined = expected.split(separator: "\n").joined(separator: " ")
        #expect(imported.text.contains(expected) || text.contains(joined), "\(imported.text)")
        #expect(imported.untranslated == [])
    }

    @Test func defaultsAreMerged() throws {
        let source = """
            defaults:
              request_headers: { accept: application/json, x-a: 1 }
              response_strings: [a]
            tests:
              - name: a
                GET: /b
                request_headers: { x-a: 2 }
                response_strings: [b]
            """
        let text = try importing(source, as: "a.yaml").text
        #expect(text.contains("headers: { accept: application/json, x-a: 2 }"), "\(text)")
        #expect(text.contains("text: { all: [{ contains: a }, { contains: b }] }"), "\(text)")
    }

    @Test func referencesBecomeCaptures() throws {
        let source = """
            tests:
              - name: add
                POST: /books
                request_headers: { content-type: application/json }
                data: { title: Dune }
                status: 201
              - name: read
                GET: $LOCATION
                response_json_paths:
                  $.id: $HISTORY['add'].$RESPONSE['$.id']
                  $.link: $SCHEME://$NETLOC/books/$RESPONSE['$.id']
                  $.etag: $HEADERS['etag']
                  $.stage: $ENVIRON:str['STAGE']
              - name: again
                GET: $LAST_URL
                request_headers: { cookie: "$HISTORY['add'].$COOKIE" }
            """
        #expect(
            try importing(source, as: "books.yaml").body == """
                # Set these environment variables before you run the suite:
                #   export BASE_URL=…
                #   export STAGE=…
                baseURL: ${baseURL}
                mode: serial

                variables:
                  baseURL: ${env("BASE_URL")}
                  env_stage: ${env("STAGE")}

                defaults:
                  redirects: false

                tests:
                  - name: add
                    request: { method: POST, url: /books, json: { title: Dune } }
                    expect: 201
                    capture:
                      location: { header: Location }
                      id: $.id
                      etag: { header: etag }
                      cookie: { header: Set-Cookie, regex: "^([^;]*)" }

                  - name: read
                    request: GET ${location}
                    expect:
                      status: 200
                      json:
                        $.id: ${id}
                        $.link: ${baseURL}/books/${id}
                        $.etag: ${etag}
                        $.stage: ${env_stage}

                  - name: again
                    request: { url: "${location}", headers: { cookie: "${cookie}" } }
                    expect: 200

                """)
    }

    @Test(arguments: [
        "fixtures:\n  - Database\ntests:\n  - name: a\n    GET: /b\n",
        "tests:\n  - name: a\n    GET: /b\n    response_html:\n      h1: b\n",
        "tests:\n  - name: a\n    GET: /$RESPONSE['$.b']\n", "tests:\n  - name: a\n    GET: /b\n    ssl: true\n",
        "tests:\n  - name: a\n    GET: /b\n    verbose: all\n",
        "tests:\n  - name: a\n    GET: /b\n    timeout: 1e30\n", "tests:\n  - name: a\n    GET: /b\n    timeout: -1\n",
        "tests:\n  - name: a\n    GET: /b\n    response_json_paths:\n      $.a: !b c\n",
        "tests:\n  - name: a\n    GET: /b\n    data: <@missing\n",
    ])
    func untranslated(_ source: String) throws {
        let imported = try importing(source, as: "a.yaml")
        #expect(!imported.untranslated.isEmpty)
        #expect(imported.text.contains("# not translated: "), "\(imported.text)")
    }

    @Test(arguments: [
        "tests: []", "tests:\n  - name: a\n    request: GET /b\n", "test_name: a\nstages: []\n", "paths: {}\n",
    ])
    func otherFilesAreNotRecognized(_ source: String) {
        #expect(!GabbiImporter.recognizes(SourceFile(name: "a.yaml", text: source)))
    }
}
