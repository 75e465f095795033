import Testing

/// Tests of errors in requests, with their exact messages.
@Suite("Request diagnostics")
struct RequestDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "no method",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: /books }]
                """#,
            expected: #"""
                a.yaml:2:29: error: a request must be "METHOD url" or a mapping [invalid-request]
                    2 │ tests: [{ name: a, request: /books }]
                      │                             ^^^^^^ write "GET /books"
                """#),
        BadSuite(
            "only a method",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET }]
                """#,
            expected: #"""
                a.yaml:2:29: error: a request must be "METHOD url" or a mapping [invalid-request]
                    2 │ tests: [{ name: a, request: GET }]
                      │                             ^^^ write "GET /path"
                """#),
        BadSuite(
            "a lowercase method",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: post /books }]
                """#,
            expected: #"""
                a.yaml:2:29: error: methods are case-sensitive [invalid-method]
                    2 │ tests: [{ name: a, request: post /books }]
                      │                             ^^^^ write "POST"
                """#),
        BadSuite(
            "a header that cannot be removed",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, headers: { User-Agent: null } } }]
                """#,
            expected: #"""
                a.yaml:2:50: warning: "User-Agent" is set by apitest itself and cannot be removed [fixed-header]
                    2 │ tests: [{ name: a, request: { url: /, headers: { User-Agent: null } } }]
                      │                                                  ^^^^^^^^^^ give it a value
                """#),
        BadSuite(
            "an unusual method",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GTE /books }]
                """#,
            expected: #"""
                a.yaml:2:29: warning: unusual method "GTE" [unusual-method]
                    2 │ tests: [{ name: a, request: GTE /books }]
                      │                             ^^^ did you mean "GET"?
                """#),
        BadSuite(
            "no URL",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { method: POST } }]
                """#,
            expected: #"""
                a.yaml:2:31: error: a request needs "url" [missing-key]
                    2 │ tests: [{ name: a, request: { method: POST } }]
                      │                               ^^^^^^ add "url: …"
                """#),
        BadSuite(
            "no base",
            suite: #"""
                tests:
                  - name: a
                    request: GET /books
                """#,
            expected: #"""
                a.yaml:3:18: error: "/books" is a relative URL, but the suite has no "baseURL" [missing-base-url]
                    3 │     request: GET /books
                      │                  ^^^^^^ add "baseURL: http://…" or "serve" to the suite
                """#),
        BadSuite(
            "a base without a scheme",
            suite: #"""
                baseURL: localhost:8080
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:10: error: "baseURL" must start with "http://" or "https://" [invalid-url]
                    1 │ baseURL: localhost:8080
                      │          ^^^^^^^^^^^^^^ write "http://localhost:8080"
                """#),
        BadSuite(
            "a URL without a scheme",
            suite: #"""
                tests: [{ name: a, request: "GET localhost:8080/books" }]
                """#,
            expected: #"""
                a.yaml:1:34: error: the URL has no scheme [invalid-url]
                    1 │ tests: [{ name: a, request: "GET localhost:8080/books" }]
                      │                                  ^^^^^^^^^^^^^^^^^^^^ write "http://localhost:8080/books"
                """#),
        BadSuite(
            "a URL of another scheme",
            suite: #"""
                tests: [{ name: a, request: "GET ftp://localhost/books" }]
                """#,
            expected: #"""
                a.yaml:1:34: error: unsupported URL scheme "ftp" [invalid-url]
                    1 │ tests: [{ name: a, request: "GET ftp://localhost/books" }]
                      │                                  ^^^^^^^^^^^^^^^^^^^^^ use http or https
                """#),
        BadSuite(
            "two bodies",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request:
                      url: /
                      json: { a: 1 }
                      text: hello
                """#,
            expected: #"""
                a.yaml:7:7: error: a request can have only one body [conflicting-keys]
                    7 │       text: hello
                      │       ^^^^ remove "text" or "json"
                a.yaml:6:7: note: the first body is here
                    6 │       json: { a: 1 }
                      │       ^^^^
                """#),
        BadSuite(
            "a header with a space",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, headers: { Content Type: text/plain } } }]
                """#,
            expected: #"""
                a.yaml:2:50: error: "Content Type" is not a valid header name [invalid-header]
                    2 │ tests: [{ name: a, request: { url: /, headers: { Content Type: text/plain } } }]
                      │                                                  ^^^^^^^^^^^^ a name consists of letters, digits and !#$%&'*+-.^_`|~
                """#),
        BadSuite(
            "a header with a line break",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, headers: { X-A: "a\nb" } } }]
                """#,
            expected: #"""
                a.yaml:2:55: error: a header value must be a single line [invalid-header]
                    2 │ tests: [{ name: a, request: { url: /, headers: { X-A: "a\nb" } } }]
                      │                                                       ^^^^^^
                """#),
        BadSuite(
            "a timeout without a unit",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, timeout: 30 } }]
                """#,
            expected: #"""
                a.yaml:2:48: error: a duration needs a unit [invalid-duration]
                    2 │ tests: [{ name: a, request: { url: /, timeout: 30 } }]
                      │                                                ^^ for example, write "30s"
                """#),
        BadSuite(
            "a timeout with a wrong unit",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, timeout: { connect: 2sec, totl: 1s } } }]
                """#,
            expected: #"""
                a.yaml:2:59: error: unknown unit "sec" of a duration [invalid-duration]
                    2 │ tests: [{ name: a, request: { url: /, timeout: { connect: 2sec, totl: 1s } } }]
                      │                                                           ^^^^ write "2s"

                a.yaml:2:65: error: unknown key "totl" [unknown-key]
                    2 │ tests: [{ name: a, request: { url: /, timeout: { connect: 2sec, totl: 1s } } }]
                      │                                                                 ^^^^ did you mean "total"?
                """#),
        BadSuite(
            "a timeout of zero",
            suite: #"""
                baseURL: http://localhost
                defaults: { timeout: 0s }
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:2:22: error: "timeout" must be greater than 0 [invalid-duration]
                    2 │ defaults: { timeout: 0s }
                      │                      ^^
                """#),
        BadSuite(
            "a size without a unit",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, maxBodySize: 64 } }]
                """#,
            expected: #"""
                a.yaml:2:52: error: a size needs a unit [invalid-size]
                    2 │ tests: [{ name: a, request: { url: /, maxBodySize: 64 } }]
                      │                                                    ^^ for example, write "64KB"
                """#),
        BadSuite(
            "a size in the wrong case",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, maxBodySize: 64kb } }]
                """#,
            expected: #"""
                a.yaml:2:52: error: unknown unit "kb" of a size [invalid-size]
                    2 │ tests: [{ name: a, request: { url: /, maxBodySize: 64kb } }]
                      │                                                    ^^^^ write "64KB"
                """#),
        BadSuite(
            "too many redirects",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, redirects: 1000 } }]
                """#,
            expected: #"""
                a.yaml:2:50: error: "redirects" must be true, false, or an integer from 0 to 100 [invalid-redirects]
                    2 │ tests: [{ name: a, request: { url: /, redirects: 1000 } }]
                      │                                                  ^^^^
                """#),
        BadSuite(
            "an unknown query style",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, queryStyle: bracket } }]
                """#,
            expected: #"""
                a.yaml:2:51: error: unknown value "bracket" [unknown-value]
                    2 │ tests: [{ name: a, request: { url: /, queryStyle: bracket } }]
                      │                                                   ^^^^^^^ did you mean "brackets"?
                """#),
        BadSuite(
            "a missing file",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, file: data/missing.bin } }]
                """#,
            expected: #"""
                a.yaml:2:45: error: "data/missing.bin" does not exist [missing-file]
                    2 │ tests: [{ name: a, request: { url: /, file: data/missing.bin } }]
                      │                                             ^^^^^^^^^^^^^^^^
                """#),
        BadSuite(
            "a file outside the project",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: { url: /, file: ../../etc/passwd } }]
                """#,
            expected: #"""
                a.yaml:2:45: error: "../../etc/passwd" is outside the project directory [file-outside-root]
                    2 │ tests: [{ name: a, request: { url: /, file: ../../etc/passwd } }]
                      │                                             ^^^^^^^^^^^^^^^^ move the file, or set a wider directory with --file-root
                """#),
        BadSuite(
            "a file in an expression",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: { url: /, text: "${file('missing.txt')}" }
                """#,
            expected: #"""
                a.yaml:4:38: error: "missing.txt" does not exist [missing-file]
                    4 │     request: { url: /, text: "${file('missing.txt')}" }
                      │                                      ^^^^^^^^^^^^^
                """#),
        BadSuite(
            "URLs with a wrong host or port",
            suite: #"""
                tests:
                  - { name: a, request: "GET http://127.0.0.1:99999/" }
                  - { name: b, request: "GET http:///books" }
                  - { name: c, request: "GET http://:80" }
                  - { name: d, request: "GET https://[::1/" }
                  - { name: e, request: "GET http://[::1]80/" }
                  - { name: f, request: "GET http://::1/" }
                  - { name: g, request: "GET http://a|b/c" }
                  - { name: h, request: "GET http://localhost:0?x" }
                  - { name: i, request: "GET http://user:pw@localhost:8a/${x}" }
                  - { name: j, request: "GET HTTP://localhost" }
                """#,
            expected: #"""
                a.yaml:2:47: error: "99999" is not a valid port [invalid-url]
                    2 │   - { name: a, request: "GET http://127.0.0.1:99999/" }
                      │                                               ^^^^^ use a number from 1 to 65535

                a.yaml:3:30: error: the URL has no host [invalid-url]
                    3 │   - { name: b, request: "GET http:///books" }
                      │                              ^^^^^^^^^^^^^ for example, write "http://localhost:8080/path"

                a.yaml:4:30: error: the URL has no host [invalid-url]
                    4 │   - { name: c, request: "GET http://:80" }
                      │                              ^^^^^^^^^^ for example, write "http://localhost:8080/path"

                a.yaml:5:38: error: the address "[::1" has no "]" [invalid-url]
                    5 │   - { name: d, request: "GET https://[::1/" }
                      │                                      ^^^^

                a.yaml:6:42: error: unexpected "80" after an address in brackets [invalid-url]
                    6 │   - { name: e, request: "GET http://[::1]80/" }
                      │                                          ^^

                a.yaml:7:37: error: "::1" is not a valid host [invalid-url]
                    7 │   - { name: f, request: "GET http://::1/" }
                      │                                     ^^^ enclose an IPv6 address in brackets

                a.yaml:8:37: error: "a|b" is not a valid host [invalid-url]
                    8 │   - { name: g, request: "GET http://a|b/c" }
                      │                                     ^^^

                a.yaml:9:47: error: "0" is not a valid port [invalid-url]
                    9 │   - { name: h, request: "GET http://localhost:0?x" }
                      │                                               ^ use a number from 1 to 65535

                a.yaml:10:55: error: "8a" is not a valid port [invalid-url]
                   10 │   - { name: i, request: "GET http://user:pw@localhost:8a/${x}" }
                      │                                                       ^^ use a number from 1 to 65535

                a.yaml:10:60: error: undefined variable "x" [undefined-variable]
                   10 │   - { name: i, request: "GET http://user:pw@localhost:8a/${x}" }
                      │                                                            ^ define it under "variables", capture it, or pass --variable x=…

                a.yaml:11:30: error: unsupported URL scheme "HTTP" [invalid-url]
                   11 │   - { name: j, request: "GET HTTP://localhost" }
                      │                              ^^^^^^^^^^^^^^^^ write "http"
                """#),
        BadSuite(
            "a baseURL with a wrong port",
            suite: #"""
                baseURL: http://localhost:80800
                tests: [{ name: a, request: GET / }]
                """#,
            expected: #"""
                a.yaml:1:27: error: "80800" is not a valid port [invalid-url]
                    1 │ baseURL: http://localhost:80800
                      │                           ^^^^^ use a number from 1 to 65535
                """#),
        BadSuite(
            "a quoted URL with a wrong port",
            suite: #"""
                tests:
                  - name: a
                    request: { url: "http://localhost:70000/${1}" }
                """#,
            expected: #"""
                a.yaml:3:39: error: "70000" is not a valid port [invalid-url]
                    3 │     request: { url: "http://localhost:70000/${1}" }
                      │                                       ^^^^^ use a number from 1 to 65535
                """#),
    ]
}
