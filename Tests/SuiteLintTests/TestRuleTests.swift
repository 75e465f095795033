import Testing

@testable import SuiteLint

/// Tests of the rules about entire tests.
struct TestRuleTests {
    @Test(arguments: [
        LintCase(
            "a PUT and a GET of the same URL",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: PUT /settings }
              - { name: b, variables: { n: 1 }, request: "GET /settings?n=${n}" }
            """, "4:51 no defined order between this GET and the PUT of \"a\""),
        LintCase(
            "an order by needs, in several steps",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: PUT /settings }
              - { name: m, request: GET /other, needs: a }
              - { name: b, request: GET /settings, needs: m }
            """),
        LintCase(
            "a serial suite",
            """
            baseURL: http://localhost
            mode: serial
            tests: [{ name: a, request: PUT /settings }, { name: b, request: GET /settings }]
            """),
        LintCase(
            "a shared resource lock",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: PUT /settings, lock: settings }
              - { name: b, request: GET /settings, lock: settings }
            """),
        LintCase(
            "one test",
            """
            baseURL: http://localhost
            tests: [{ name: a, steps: [{ request: PUT /settings }, { request: GET /settings }] }]
            """),
        LintCase(
            "two tests that only read",
            """
            baseURL: http://localhost
            tests: [{ name: a, request: GET /settings }, { name: b, request: GET /settings }]
            """),
        LintCase(
            "a test that is skipped",
            """
            baseURL: http://localhost
            tests: [{ name: a, request: PUT /settings, skip: true }, { name: b, request: GET /settings }]
            """),
        LintCase(
            "captures of both from the same test are the same resource",
            """
            baseURL: http://localhost
            tests:
              - { name: make, request: POST /books, capture: { id: $.id } }
              - { name: read, request: "GET /books/${id}" }
              - { name: remove, request: "DELETE /books/${id}" }
            """, "5:38 no defined order between this DELETE and the GET of \"read\""),
        LintCase(
            "outputs of a call that the run makes once are the same resource",
            """
            baseURL: http://localhost
            fragments:
              add: { outputs: [id], parameters: { n: 1 }, steps: [{ request: "POST /books?n=${n}", capture: { id: $.id } }] }
            tests:
              - name: read
                steps: [{ call: add, once: run }, { request: "GET /books/${id}" }]
              - name: remove
                steps: [{ call: add, once: run }, { request: "DELETE /books/${id}" }]
              - name: another
                steps: [{ call: add, with: { n: 2 }, once: run }, { request: "DELETE /books/${id}" }]
            """, "8:58 no defined order between this DELETE and the GET of \"read\""),
        LintCase(
            "a fragment that is called with the same resource",
            """
            baseURL: http://localhost
            variables: { b: 1, c: 2 }
            fragments:
              remove: { parameters: [id], steps: [{ call: send, with: { path: "books/${id}" } }] }
              send: { parameters: [path], steps: [{ request: "DELETE /${path}" }] }
              reset: { steps: [{ request: "PUT /shelves/${c}" }] }
            tests:
              - { name: read, request: "GET /books/${b}" }
              - { name: remove it, steps: [{ call: remove, with: { id: "${b}" } }] }
              - { name: remove another, steps: [{ call: remove, with: { id: 9 } }] }
              - { name: read another, request: GET /books/9 }
              - { name: shelves, request: "GET /shelves/${c}" }
              - { name: reset, call: reset }
            """, "9:40 no defined order between this DELETE and the GET of \"read\"",
            "11:40 no defined order between this GET and the DELETE of \"remove another\"",
            "13:26 no defined order between this PUT and the GET of \"shelves\""),
        LintCase(
            "a fragment that is called with different resources, or once",
            """
            baseURL: http://localhost
            variables: { b: 1 }
            fragments:
              remove:
                parameters: [id]
                steps:
                  - { request: "DELETE /books/${id}" }
                  - { request: POST /books, capture: { b: $.id } }
                  - { request: "DELETE /books/${b}" }
              clear: { steps: [{ request: DELETE /shelves }] }
            tests:
              - name: remove
                steps: [{ request: POST /books, capture: { n: $.id } }, { call: remove, with: { id: "${n}" } }]
              - { name: remove another, steps: [{ call: remove, with: { id: "${uuid()}" } }] }
              - { name: read, request: "GET /books/${b}" }
              - { name: shelves, steps: [{ call: clear, once: run }, { request: GET /shelf }] }
              - { name: no shelves, steps: [{ call: clear, once: run }] }
            """),
        LintCase(
            "each test has its own resource",
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps: [{ request: POST /books, capture: { id: $.id } }, { request: "PUT /books/${id}" }]
              - name: b
                steps: [{ request: POST /books, capture: { id: $.id } }, { request: "DELETE /books/${id}" }]
              - { name: c, variables: { n: 1 }, request: "PUT /shelves/${n}" }
              - { name: d, variables: { n: 2 }, request: "GET /shelves/${n}" }
              - { name: e, request: "PUT /x/${uuid()}" }
              - { name: f, request: "GET /x/${uuid()}" }
            """),
        LintCase(
            "each test has the output of a fragment that it calls",
            """
            baseURL: http://localhost
            fragments:
              add: { outputs: [id], steps: [{ request: POST /books, capture: { id: $.id } }] }
            tests:
              - { name: a, steps: [{ call: add }, { request: "PUT /books/${id}" }] }
              - { name: b, steps: [{ call: add }, { request: "DELETE /books/${id}" }] }
            """),
        LintCase(
            "a GET that expects the result of a POST",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: { method: POST, url: /books, json: { title: Dune } } }
              - { name: b, request: GET /books, expect: { json: { "$[*].title": { includes: Dune } } } }
            """, "4:29 no defined order between this GET and the POST of \"a\""),
        LintCase(
            "a GET that does not expect the result of a POST",
            """
            baseURL: http://localhost
            tests:
              - { name: a, request: { method: POST, url: /books, json: { title: Dune } } }
              - { name: b, request: GET /books, expect: { json: { "$[*].title": { includes: Emma } } } }
              - { name: c, request: GET /books, expect: 200 }
            """),
        LintCase(
            "a service that echoes requests",
            """
            baseURL: http://localhost
            tests: [{ name: a, request: PUT /echo }, { name: b, request: GET /echo }]
            """),
    ])
    func unorderedTests(_ test: LintCase) throws {
        let findings = try test.findings(of: "unordered-tests")
        #expect(findings == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "two tests",
            """
            baseURL: http://localhost
            tests: [{ name: a, request: GET / }, { name: a, request: GET / }]
            """, "2:46 several tests are named \"a\", so reports cannot distinguish them"),
        LintCase(
            "two steps",
            """
            baseURL: http://localhost
            tests: [{ name: t, steps: [{ name: a, request: GET / }, { name: a, request: GET / }] }]
            """, "2:65 several steps of the test are named \"a\", so reports cannot distinguish them"),
        LintCase(
            "steps of two tests, and steps without names",
            """
            baseURL: http://localhost
            tests:
              - { name: t, steps: [{ name: a, request: GET / }, { request: GET / }, { request: GET / }] }
              - { name: a, steps: [{ name: a, request: GET / }] }
            """),
    ])
    func duplicateName(_ test: LintCase) throws {
        let findings = try test.findings(of: "duplicate-name")
        #expect(findings == test.expected)
    }

    @Test(arguments: [
        LintCase(
            "credentials of a remote server",
            """
            baseURL: https://api.example.org
            variables: { clientSecret: Zq8vLr2mNpX4, apiKey: 9f8e7d6c5b4a }
            tests:
              - { name: a, request: { url: /, auth: { basic: { username: ada, password: Gr33nH0use! } } } }
              - { name: b, request: { url: /, auth: { bearer: q7w8e9r0t1y2 } } }
              - { name: c, request: { url: /, auth: { apiKey: { header: X-Key, value: q7w8e9r0t1y2 } } } }
              - { name: d, request: { url: /, headers: { Authorization: Bearer q7w8e9r0t1y2 } } }
              - { name: e, request: { url: /, headers: { Authorization: Basic YWRhOkdyMzNuSDB1c2Uh } } }
              - { name: f, request: { method: POST, url: /login, json: { user: ada, password: Gr33nH0use! } } }
              - { name: g, request: "GET https://ada:Gr33nH0use!@api.example.org/" }
            """,
            "2:28 the value of \"clientSecret\" is in plain text",
            "2:50 the value of \"apiKey\" is in plain text",
            "4:77 the value of \"password\" is in plain text",
            "5:51 the value of \"bearer\" is in plain text",
            "6:75 the value of \"apiKey\" is in plain text",
            "7:61 the value of \"Authorization\" is in plain text",
            "8:61 the value of \"Authorization\" is in plain text",
            "9:83 the value of \"password\" is in plain text",
            "10:25 the password of the URL is in plain text"),
        LintCase(
            "placeholders for secrets, expressions, and expected values",
            """
            baseURL: https://api.example.org
            variables: { password: "${env('PASSWORD', '')}", tokenURL: https://a/token, pageToken: q7w8e9r0t1y2 }
            tests:
              - { name: a, request: { url: /, auth: { basic: { username: ada, password: wrong-password } } } }
              - { name: b, request: { url: /, auth: { bearer: "${token}" } }, variables: { token: invalid } }
              - { name: c, request: { url: /, headers: { Authorization: Bearer test-token } } }
              - { name: d, request: GET /, expect: { json: { $.token: q7w8e9r0t1y2 } } }
              - { name: e, request: GET /, capture: { token: $.token } }
            """),
        LintCase(
            "a server on the same machine",
            """
            baseURL: http://127.0.0.1:8080
            tests: [{ name: a, request: { url: /, auth: { bearer: q7w8e9r0t1y2 } } }]
            """),
        LintCase(
            "an environment on a remote server",
            """
            baseURL: http://127.0.0.1:8080
            environments: { live: { baseURL: "https://api.example.org", variables: { token: q7w8e9r0t1y2 } } }
            tests: [{ name: a, variables: { token: x }, request: "GET /${token}" }]
            """, "2:81 the value of \"token\" is in plain text"),
        LintCase(
            "keys recognized by their format, wherever they are",
            """
            baseURL: http://127.0.0.1:8080
            variables:
              a: AKIAQ7W8E9R0T1Y2U3I4
              b: eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYWRhIiwibiI6NDJ9.Qw7Xk2Zr9Lm4Vn8Tb1Yc6Hd3Js5Pf0Ga
              c: |
                -----BEGIN RSA PRIVATE KEY-----
                MIIBOgIBAAJB
                -----END RSA PRIVATE KEY-----
              d: ghp_q7w8e9r0t1y2u3i4o5p6a7s8d9f0g1h2j3k4
              e: AKIAIOSFODNN7EXAMPLE
              f: glpat-short
            tests: [{ name: t, request: "GET /${a}${b}${c}${d}${e}${f}" }]
            """,
            "3:6 an AWS access key in plain text", "4:6 a JSON Web Token in plain text",
            "5:6 a private key in plain text", "9:6 a GitHub token in plain text"),
    ])
    func plainTextSecret(_ test: LintCase) throws {
        let findings = try test.findings(of: "plain-text-secret")
        #expect(findings == test.expected)
    }
}
