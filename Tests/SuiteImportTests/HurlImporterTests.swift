import Diagnostics
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// Tests that Hurl files become the requests and expectations of Hurl.
struct HurlImporterTests {
    /// Returns a part of the only step of an imported file, from a key on, on one line.
    private func part(_ key: String, of text: String, _ location: SourceLocation = #_sourceLocation) throws -> String {
        let start = try #require(text.firstRange(of: "    \(key):"), "\(text)", sourceLocation: location)
        return text[start.upperBound...].split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    @Test(arguments: [
        ("GET http://a/b", "GET /b"),
        ("DELETE http://a/b\nX-A: 1", "{ method: DELETE, url: /b, headers: { X-A: 1 } }"),
        ("GET http://a/b\n[Query]\nc: d e", "{ url: /b, query: { c: d e } }"),
        ("GET http://a/b\n[QueryStringParams]\nc: d", "{ url: /b, query: { c: d } }"),
        (
            "POST http://a/b\n[FormParams]\nc: d # note\ne\\u{5b}0\\u{5d}: \\#",
            "{ method: POST, url: /b, form: { c: d, \"e[0]\": \"#\" } }"
        ),
        ("POST http://a/b\n[Multipart]\nc: d", "{ method: POST, url: /b, multipart: { c: d } }"),
        ("GET http://a/b\n[Cookies]\nc: d", "{ url: /b, cookies: { c: d } }"),
        (
            "GET http://a/b\n[BasicAuth]\nada: {{b}}",
            "{ url: /b, auth: { basic: { username: ada, password: \"${b}\" } } }"
        ),
        ("POST http://a/b\n{\n  \"c\": [1.50, \"{d}\"]\n}", "{ method: POST, url: /b, json: { c: [1.50, \"{d}\"] } }"),
        ("POST http://a/b\n`c`", "method: POST url: /b headers: { Content-Type: null } text: c"),
        ("POST http://a/b\n```json\n{\"c\": 1}\n```", "{ method: POST, url: /b, json: { c: 1 } }"),
        ("POST http://a/b\n<a><b/></a>", "{ method: POST, url: /b, xml: \"<a><b/></a>\" }"),
        ("POST http://a/b\nbase64,/w==;", "method: POST url: /b headers: { Content-Type: null } base64: /w=="),
        ("POST http://a/b\nhex,ff;", "method: POST url: /b headers: { Content-Type: null } base64: /w=="),
        ("GET http://a/b/../c/./d?e=../f", "GET /c/d?e=../f"),
        ("GET http://a/b/{{id}}/..", "GET /b/"),
        ("GET http://a/b/../c\n[Options]\npath-as-is: true", "GET /b/../c"),
        ("GET http://a/b?c={{newDate}}", "GET /b?c=${date.format(now(), \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'\")}"),
        ("GET http://a/b\n[Options]\ndelay: 2s\nhttp1.1: true", "{ url: /b, http: 1.1 }"),
        (
            "GET http://a/b\n[Options]\naws-sigv4: aws:amz:eu-central-1:shop\nuser: ada:{{key}}",
            "url: /b auth: awsSigV4: accessKey: ${accessKey} secretKey: ${key} region: eu-central-1 service: shop"
        ),
        ("GET http://a/b\n[Options]\nuser: ada:lovelace\nntlm: true", "GET /b"),
        ("GET http://ada:lovelace@a/b\n[Options]\nntlm: true", "GET /b"),
        ("# @cookie_storage_set: a FALSE / FALSE 0 c d\nGET http://a/b", "GET /b"),
        ("GET http://a/b\n[Options]\noutput: books/1.json", "GET /b expect: { status: null } save: books/1.json"),
        ("GET http://a/b\n[Options]\noutput: -", "GET /b"),
        ("GET http://a/b\n[Options]\noutput: ../1.json", "GET /b expect: { status: null }"),
        ("GET http://a/b\n[Options]\noutput: books/", "GET /b expect: { status: null }"),
        ("GET http://a/b\n[Options]\nuser: ada:lovelace\nnegotiate: {{flag}}", "GET /b"),
        ("GET http://a/b\n[Options]\nuser: ada:lovelace\naws-sigv4: aws:amz:{{region}}:shop", "GET /b"),
        ("GET http://a/b\n[Options]\nuser: ada:lovelace\naws-sigv4: aws:amz", "GET /b"),
        (
            "GET http://a/b\n[Options]\ninsecure: true\nmax-time: 500ms",
            "{ url: /b, timeout: { total: 500ms }, tls: { verify: false } }"
        ),
    ])
    func requests(_ source: String, _ expected: String) throws {
        let text = try importing(source + "\n", as: "a.hurl").text
        let request = try part("request", of: text)
        #expect(request.hasPrefix(expected), "\(text)")
    }

    @Test(arguments: [
        (#"status < 300"#, "status: { lt: 300 }"),
        (#"jsonpath "$.title" == "Dune""#, "json: { $.title: Dune }"),
        (#"jsonpath "$.title" != "Dune""#, "json: { $.title: { not: Dune } }"),
        (#"jsonpath "$.id" == "7""#, "json: { $.id: \"7\" }"),
        (#"jsonpath "$.tags" count == 2"#, "json: { $.tags: { length: 2 } }"),
        (#"jsonpath "$.args.a-b" == "c""#, "json: { \"$.args['a-b']\": c }"),
        (#"jsonpath "$..a-b[0].c" == "d""#, "json: { \"$..['a-b'][0].c\": [d] }"),
        (#"jsonpath "$.tags" count >= 2"#, "json: { $.tags: { length: { gte: 2 } } }"),
        (#"jsonpath "$.tags" nth 1 == "a""#, "json: { \"$.tags[1]\": a }"),
        (#"jsonpath "$.tags" last startsWith "a""#, "json: { \"$.tags[-1]\": { startsWith: a } }"),
        (#"jsonpath "$.tags" includes "a""#, "json: { $.tags: { includes: a } }"),
        (#"jsonpath "$.tags[*]" contains "a""#, "json: { \"$.tags[*]\": { contains: a } }"),
        (#"jsonpath "$.tags[*]" not contains "a""#, "json: { \"$.tags[*]\": { not: { contains: a } } }"),
        (#"jsonpath "$.tags" contains 7"#, "json: { $.tags: { contains: 7 } }"),
        (#"jsonpath "$.tags" not contains null"#, "json: { $.tags: { not: { contains: null } } }"),
        (#"jsonpath "$.tags" not contains "a""#, "json: { $.tags: { not: { contains: a } } }"),
        (#"jsonpath "$.id" isInteger"#, "json: { $.id: { type: integer } }"),
        (#"jsonpath "$.a" isCollection"#, "json: { $.a: { type: [array, object] } }"),
        (#"jsonpath "$.a" not exists"#, "json: { $.a: { exists: false } }"),
        (#"jsonpath "$.a" matches /^\d+$/"#, #"json: { $.a: { matches: '^\d+$' } }"#),
        (#"jsonpath "$.a" toInt > 3"#, "json: { $.a: { as: integer, gt: 3 } }"),
        // A single selected value stands for itself.
        (#"jsonpath "$.a[?(@.b == 1)].c" == "d""#, "json: { \"$.a[?(@.b == 1)].c\": [d] }"),
        (#"jsonpath "$.a[*].c" isString"#, "json: { \"$.a[*].c\": { each: { type: string }, length: 1 } }"),
        (#"jsonpath "$.a[*].c" not includes "d""#, "json: { \"$.a[*].c\": { none: d } }"),
        (#"jsonpath "$.a[*]" count == 1"#, "json: { \"$.a[*]\": { length: 1 } }"),
        (#"header "X-A" contains "b""#, "headers: { X-A: { contains: b } }"),
        (#"header "X-A" count == 2"#, "headers: { X-A: { each: { type: string }, length: 2 } }"),
        (#"header "X-A" regex /(\d+)/ == "2""#, #"headers: { X-A: { regex: (\d+), equals: "2" } }"#),
        (#"cookie "a" == "b""#, "cookies: { a: b }"),
        (#"cookie "a[Max-Age]" == 0"#, "cookies: { a: { maxAge: 0 } }"),
        (#"cookie "a[Secure]" not exists"#, "cookies: { a: { secure: false } }"),
        (#"body contains "a""#, "text: { contains: a }"),
        (#"xpath "//h1" exists"#, "html: { //h1: { exists: true } }"),
        (#"xpath "//h1" count == 2"#, "html: { count(//h1): 2 }"),
        (#"xpath "string(//book/title)" == "Dune""#, "xml: { string(//book/title): Dune }"),
        (#"duration < 1500"#, "duration: { lt: 1500ms }"),
        (#"bytes count == 12"#, "size: 12B"),
        (
            #"sha256 == hex,e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855;"#,
            "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (#"redirects count == 2"#, "redirects: 2"),
        (#"regex "a(b)" == "b""#, "text: { regex: a(b), equals: b }"),
        (#"certificate "Expire-Date" daysAfterNow > 15"#, "certificate: { expiresIn: { gt: 15d } }"),
    ])
    func matchers(_ assert: String, _ expected: String) throws {
        let imported = try importing("GET http://a/b\nHTTP *\n[Asserts]\n\(assert)\n", as: "a.hurl")
        #expect(try part("expect", of: imported.text) == "{ \(expected) }", "\(imported.text)")
        #expect(imported.untranslated == [])
        #expect(imported.result.counts.translatedAssertions == 1)
    }

    @Test(arguments: [
        (
            "redirects count == 2\nredirects nth 1 location endsWith \"/c\"\nredirects nth 0 location == \"http://a/b\"",
            "hops: [{ location: http://a/b }, { location: { endsWith: /c } }]"
        ),
        (
            "redirects count == 2\nredirects nth 1 location == \"http://a/c\"",
            "hops: [{}, { location: http://a/c }]"
        ),
    ])
    func locationsOfRedirects(_ asserts: String, _ expected: String) throws {
        let imported = try importing("GET http://a/b\nHTTP *\n[Asserts]\n\(asserts)\n", as: "a.hurl")
        #expect(imported.untranslated == [])
        #expect(imported.result.counts.translatedAssertions == asserts.split(separator: "\n").count)
        #expect(imported.text.contains("      \(expected)\n      redirects: 2\n"), "\(imported.text)")
    }

    @Test func locationsOfAnUnknownNumberOfRedirectsAreComments() throws {
        let source = "GET http://a/b\nHTTP *\n[Asserts]\nredirects nth 0 location == \"http://a/c\"\n"
        #expect(try importing(source, as: "a.hurl").untranslated == ["assert redirects nth location == (1)"])
    }

    @Test func theExpiryOfACookie() throws {
        let format = "%a, %d %b %Y %H:%M:%S"
        let source = "cookie \"id[Expires]\" dateFormat \"\(format)\" == \"Wed, 13 Jan 2021 22:23:01\""
        let imported = try importing("GET http://a/b\nHTTP *\n[Asserts]\n\(source)\n", as: "a.hurl")
        #expect(imported.untranslated == [])
        #expect(
            imported.text.contains("{ expires: { matches: ^Wed, 13[ -]Jan[ -]2021 22:23:01 GMT$ } }")
                || imported.text.contains("matches: \"^Wed, 13[ -]Jan[ -]2021 22:23:01 GMT$\""), "\(imported.text)")
    }

    @Test(arguments: [
        (#"url endsWith "/b""#, #"response.url.endsWith("/b")"#),
        (#"jsonpath "$.a" split "," nth 0 == "b""#, #"jsonpath(json.parse(text), "$.a").split(",")[0] == "b""#),
        (#"url isUuid"#, #"response.url.matches("^[0-9a-fA-F]{8}"#),
        (
            #"jsonpath "$.a[?(@.b == 1)].c" nth 1 exists"#,
            "size(cel.bind(found, jsonpath(json.parse(text), \"$.a[?(@.b == 1)].c\"), size(found) == 1 && type(found[0]) == list ? found[0] : found)) > 1"
        ),
        (#"jsonpath "$.a[*].c" first not exists"#, "found)) <= 0"),
        (#"jsonpath "$.a" isFloat"#, #"type(jsonpath(json.parse(text), "$.a")) == double"#),
        (
            #"jsonpath "$.a" base64Decode == hex,ff;"#,
            #"hex.encode(base64.decode(jsonpath(json.parse(text), "$.a"))) == "ff""#
        ),
        (#"md5 == hex,00ff;"#, #"hex.encode(md5(text)) == "00ff""#),
        (
            #"header "A" toDate "%Y-%m-%d" daysBeforeNow > 2"#,
            #"int((now() - date.parse(headers["a"], "yyyy-MM-dd")).getHours() / 24) > 2"#
        ),
        (
            #"jsonpath "$..a" count == 2"#,
            "size(cel.bind(found, jsonpath(json.parse(text), \"$..a\"), size(found) == 1 && type(found[0]) == list ? found[0] : found)) == 2"
        ),
    ])
    func assertions(_ assert: String, _ expected: String) throws {
        let imported = try importing("GET http://a/b\nHTTP 200\n[Asserts]\n\(assert)\n", as: "a.hurl")
        #expect(imported.text.contains(expected), "\(imported.text)")
        #expect(imported.untranslated == [])
    }

    @Test(arguments: [
        #"ip == "127.0.0.1""#, #"certificate "Subject" == "CN=a""#, #"cookie "a[Secure]" == true"#,
        #"xpath "//a:b" exists"#,
        #"variable "unknown" == 1"#, #"jsonpath "$.a" toDate "%Q" exists"#, #"rawbytes startsWith hex,ff;"#,
        "future == 1",
        #"jsonpath "$[" exists"#,
    ])
    func untranslated(_ assert: String) throws {
        let imported = try importing("GET http://a/b\nHTTP 200\n[Asserts]\n\(assert)\n", as: "a.hurl")
        #expect(imported.untranslated.count == 1)
        #expect(imported.result.counts.assertions == 2)
        #expect(imported.result.counts.translatedAssertions == 1)
        #expect(imported.text.contains("a.hurl:4\n"), "\(imported.text)")
        #expect(imported.text.contains("#   \(assert)\n"), "\(imported.text)")
    }

    @Test func bodiesAreSavedOnce() throws {
        let entry = "GET http://a/b\n[Options]\noutput: b.json\nHTTP 200\n\n"
        let imported = try importing(entry + entry, as: "a.hurl")
        #expect(imported.untranslated == ["option output (1)"])
        #expect(imported.text.ranges(of: "save: b.json").count == 1, "\(imported.text)")
    }

    @Test func countsOfNodesAreCaptured() throws {
        let source = """
            GET http://a/b
            HTTP 200
            [Captures]
            titles: xpath "//title" count

            GET http://a/c
            HTTP 200
            [Asserts]
            jsonpath "$.count" == {{titles}}

            """
        let text = try importing(source, as: "a.hurl").text
        #expect(text.contains("titles: { xpath: count(//title) }"), "\(text)")
    }

    @Test func capturesAreUsedByLaterEntries() throws {
        let source = """
            # Log in
            POST {{host}}/login
            {"user": "ada"}
            HTTP 201
            [Captures]
            user-id: jsonpath "$.id"
            token: header "X-Token" regex "Token (.+)" redact
            first: jsonpath "$.books[*].id" nth 0

            GET {{host}}/users/{{user-id}}
            Authorization: Bearer {{token}}
            [Options]
            variable: limit=5
            HTTP 200
            [Asserts]
            jsonpath "$.id" == {{user-id}}
            jsonpath "$.text" == "{{user-id}}"
            jsonpath "$.first" == {{first}}
            jsonpath "$.limit" <= {{limit}}
            """
        let imported = try importing(source, as: "login.hurl")
        #expect(
            imported.body == """
                # Set these environment variables before you run the suite:
                #   export HOST=…
                baseURL: ${host}

                variables:
                  host: ${env("HOST")}

                defaults:
                  redirects: false

                tests:
                  - name: login
                    variables:
                      limit: 5
                    steps:
                      - name: Log in
                        request: { method: POST, url: /login, json: { user: ada } }
                        expect: 201
                        capture:
                          user_id: $.id
                          token: { header: X-Token, regex: Token (.+), secret: true }
                          first: ${jsonpath(json.parse(text), "$.books[*].id")[0]}
                      - request: { url: "/users/${user_id}", auth: { bearer: "${token}" } }
                        expect:
                          status: 200
                          json:
                            $.id: ${user_id}
                            $.text: ${string(user_id)}
                            $.first: ${first}
                            $.limit: { lte: "${limit}" }

                """)
    }

    @Test(arguments: [
        ("max-redirs: 3\nlocation: true", "3"), ("location: true\nmax-redirs: -1", "100"), ("max-redirs: 3", "false"),
        ("max-redirs: 3\nlocation: true\nlocation: false", "false"),
    ])
    func theMaximumNumberOfRedirectsIsRegardlessOfTheOrder(_ options: String, _ expected: String) throws {
        let text = try importing("GET http://a/b\n[Options]\n\(options)\n", as: "a.hurl").text
        #expect(text.contains("redirects: \(expected)\n"), "\(text)")
    }

    @Test func aPartOfTheOnlyValueOfAFilter() throws {
        let source = "GET http://a/b\nHTTP 200\n[Asserts]\njsonpath \"$[?@.c].d\" contains \"e\"\n"
        let text = try importing(source, as: "a.hurl").text
        #expect(
            text.contains(#""$[?@.c].d": { either: [{ contains: e }, { each: { contains: e }, length: 1 }] }"#),
            "\(text)")
    }

    @Test func unusedCapturesAreExpectations() throws {
        let source = """
            GET http://a/b
            HTTP 200
            [Captures]
            id: jsonpath "$.id"
            key: jsonpath "$.id"
            name: jsonpath "$.name"
            etag: header "ETag"
            number: body regex "([0-9]+)"
            [Asserts]
            jsonpath "$.name" == "Dune"

            """
        let text = try importing(source, as: "a.hurl").body
        #expect(text.contains("# captured but not used: id, key, name, etag, number\n"), "\(text)")
        #expect(text.contains("ETag: { exists: true }"), "\(text)")
        #expect(text.contains("json: { $.name: Dune, $.id: { exists: true } }"), "\(text)")
        #expect(text.contains("text: { matches: \"([0-9]+)\" }"), "\(text)")
    }

    @Test func partsNameTheirFilesAsHurlDoes() throws {
        let source = "POST http://a/b\n[Multipart]\nc: file,d/e.txt;\nf: file,g.txt;\n"
        let text = try importing(source, as: "a.hurl", files: ["d/e.txt": "x", "g.txt": "y"]).text
        #expect(text.contains("filename: d/e.txt"), "\(text)")
        #expect(!text.contains("filename: g.txt"), "\(text)")
    }

    @Test func headersWithLineBreaksAreComments() throws {
        let imported = try importing("GET http://a/b\nX-A: c\\nd\nX-E: f\n", as: "a.hurl")
        #expect(imported.untranslated == ["header with a line break (1)"])
        #expect(imported.text.contains("X-E: f"))
        #expect(imported.text.contains(#"X-A: c\nd"#))
    }

    @Test func retriesPollUntilTheResponseIsAsExpected() throws {
        let source =
            "GET http://a/b\n[Options]\nretry: 4\nretry-interval: 500ms\nHTTP 200\n[Asserts]\nbody == \"done\"\n"
        let text = try importing(source, as: "a.hurl").text
        #expect(text.contains("until: { status: 200, text: done, every: 500ms, times: 5 }"), "\(text)")
    }

    @Test func entriesWithoutResponseAcceptAnyStatus() throws {
        let text = try importing("GET http://a/b\n", as: "a.hurl").text
        #expect(text.contains("expect: { status: null }"), "\(text)")
    }

    @Test func redirectsAreFollowedOnlyIfAnOptionSaysSo() throws {
        let text = try importing("GET http://a/b\n[Options]\nlocation: true\nmax-redirs: 3\n", as: "a.hurl").text
        #expect(text.contains("defaults:\n  redirects: 3\n"), "\(text)")
    }

    @Test func repeatedHeadersAreAllExpected() throws {
        let text = try importing("GET http://a/b\nHTTP 200\nVary: a\nVary: b\n", as: "a.hurl").text
        #expect(text.contains("headers: { Vary: { all: [{ includes: a }, { includes: b }] } }"), "\(text)")
    }

    @Test func partsApplyOnlyToTheirOwnMatcher() throws {
        let source = "GET http://a/b\nHTTP 200\n[Asserts]\nregex \"a(b)\" == \"b\"\nbody contains \"c\"\n"
        let text = try importing(source, as: "a.hurl").text
        #expect(text.contains("text: { all: [{ regex: a(b), equals: b }, { contains: c }] }"), "\(text)")
    }

    @Test func commentsStay() throws {
        let source =
            "# About the file\n\n# The name\nGET http://a/b\n# of a header\nX-A: 1\nHTTP 200 # fine\n# the end\n"
        let text = try importing(source, as: "a.hurl").text
        for comment in ["# About the file", "# of a header", "# fine", "# the end"] {
            #expect(text.contains(comment), "\(text)")
        }
        #expect(text.contains("name: The name"), "\(text)")
    }

    @Test(arguments: [
        ("GET http://a/b\n[Options\n", 2), ("GET http://a/b\nHTTP\n", 2), ("GET http://a/b\n{\"a\": \n", 2),
        ("GET http://a/b\n[Nothing]\na: b\n", 2), ("GET http://a/b\n```\nc\n", 2),
        ("GET http://a/b\nHTTP 200\n[Query]\n", 4),
        ("GET http://a/{{b\n", 1),
    ])
    func syntaxErrorsHaveALocation(_ source: String, _ line: Int) throws {
        let imported = try importing(source, as: "a.hurl", format: .hurl, isSound: false)
        #expect(imported.result.files.isEmpty)
        #expect(imported.result.diagnostics.map(\.id) == ["invalid-hurl"])
        #expect(imported.result.diagnostics.first?.range.map { Int($0.start.line) } == line)
    }
}
