import Diagnostics
import Glibc
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// Tests that curl command lines become the requests that curl sends.
struct CurlImporterTests {
    /// Returns the request of a command, as the suite writes it.
    private func request(
        _ command: String, files: [String: String] = [:], _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let text = try importing(command + "\n", files: files, location).text
        let start = try #require(text.firstRange(of: "    request:"), "\(text)", sourceLocation: location)
        return text[start.upperBound...].split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    @Test(arguments: [
        ("curl http://a/b", "GET /b"),
        ("curl -XDELETE http://a/b", "DELETE /b"),
        ("curl -sSI http://a/b", "HEAD /b"),
        ("curl http://a/b?c=d", "GET /b?c=d"),
        ("curl 'http://a/b?c=d&e=f%20g'", "{ url: /b, query: { c: d, e: f g } }"),
        ("curl 'http://a/b?c=d&e=f+g'", "GET /b?c=d&e=f+g"),
        ("curl -G http://a/b -d c=d -d e=1", "{ url: /b, query: { c: d, e: 1 } }"),
        ("curl http://a/b -d c=d", "{ method: POST, url: /b, form: { c: d } }"),
        (
            "curl http://a/b -d '{\"c\": 1.50}' -H 'Content-Type: application/json'",
            "{ method: POST, url: /b, json: { c: 1.50 } }"
        ),
        (
            "curl http://a/b --json '{\"c\":true}'",
            "method: POST url: /b headers: { Accept: application/json } json: { c: true }"
        ),
        ("curl http://a/b -H 'X-A: 1' -H 'X-A: 2'", "{ url: /b, headers: { X-A: [\"1\", \"2\"] } }"),
        ("curl -b 'c=dark; d=en' http://a/b", "{ url: /b, cookies: { c: dark, d: en } }"),
        ("curl http://a/b -F c=d -F e=f", "{ method: POST, url: /b, multipart: { c: d, e: f } }"),
        (
            "curl -X POST http://a/b -d ''",
            "method: POST url: /b text: \"\" contentType: application/x-www-form-urlencoded"
        ),
        ("curl -k http://a/b", "{ url: /b, tls: { verify: false } }"),
        ("curl -m 2.5 http://a/b", "{ url: /b, timeout: 2500ms }"),
        ("curl a.example/b", "GET /b"),
        ("curl http://a", "GET /"),
        ("curl http://a?b=c", "GET /?b=c"),
        ("curl --http1.1 http://a/b", "{ url: /b, http: 1.1 }"),
        ("curl --ntlm -u ada:lovelace http://a/b", "GET /b"),
        ("curl --ntlm http://ada:lovelace@a/b?c=@d", "GET /b?c=@d"),
        ("curl --ntlm --no-negotiate -u ada:lovelace http://a/b", "GET /b"),
        (
            "curl --ntlm --no-ntlm --digest -u ada:x http://a/b",
            "{ url: /b, auth: { digest: { username: ada, password: \"${password}\" } } }"
        ),
        (
            "curl --negotiate --basic -u ada:x http://a/b",
            "{ url: /b, auth: { basic: { username: ada, password: \"${password}\" } } }"
        ),
        ("curl --aws-sigv4 aws:amz -u ada:x http://localhost/b", "GET /b"),
        ("curl --resolve a:80:127.0.0.1 http://a/b", "{ url: /b, resolve: { a:80: \"127.0.0.1\" } }"),
    ])
    func requests(_ command: String, _ expected: String) throws {
        #expect(try request(command) == expected)
    }

    @Test(arguments: [
        #"curl 'http://a/it'\''s'"#, #"curl "http://a/it's""#, #"curl $'http://a/it\'s'"#, #"curl http://a/it\'s"#,
        "curl \\\n  http://a/it\\'s", "curl   'http://a/it'\"'s\" # comment", "$ curl http://a/it\\'s",
        "curl http://a/it\\'s > out.json 2>&1", "curl http://a/it\\'s | jq .", "A=1 curl http://a/it\\'s &",
        "curl --url http://a/it\\'s", "'curl' 'http://a/it'\\''s'", "/usr/bin/curl http://a/it\\'s;",
        "curl http://a/it\\'s\r",
    ])
    func quoting(_ command: String) throws {
        #expect(try request(command) == "GET /it's")
    }

    @Test func variables() throws {
        let imported = try importing(
            """
            HOST=api.example.org
            export BASE="https://$HOST/v1"
            curl "$BASE/books/${BOOK:-7}" -H "X-Who: $WHO" -H 'X-Cost: $5'
            """)
        #expect(imported.text.contains("baseURL: ${BASE}\n"))
        #expect(
            imported.text.contains("  BASE: https://${HOST}/v1\n")
                && imported.text.contains("  HOST: api.example.org\n"))
        #expect(imported.text.contains("  WHO: ${env(\"WHO\")}\n"))
        #expect(imported.text.contains("url: '/books/${env(\"BOOK\", \"7\")}'"))
        #expect(imported.text.contains("X-Cost: $5"))
    }

    @Test func valueOfACommandIsCaptured() throws {
        let imported = try importing(
            """
            # log in
            TOKEN=$(curl -s http://a/login -d user=ada | jq -r '.session.token')
            curl http://a/me -H "Authorization: Bearer $TOKEN"
            """)
        #expect(imported.text.contains("    capture:\n      TOKEN: $.session.token\n"))
        #expect(imported.text.contains("auth: { bearer: \"${TOKEN}\" }"))
        #expect(imported.text.contains("- name: log in\n"))
        #expect(imported.untranslated.isEmpty)
    }

    @Test func severalCommandsInOrder() throws {
        let imported = try importing("curl http://a/1 --next -d x=1 http://a/2; curl http://a/{3,4}/[5-6]\n")
        let names = imported.text.split(separator: "\n").filter { $0.hasPrefix("  - name: ") }.map { $0.dropFirst(10) }
        #expect(names == ["GET /1", "POST /2", "GET /3/5", "GET /3/6", "GET /4/5", "GET /4/6"])
        #expect(imported.text.contains("mode: serial\n"))
    }

    @Test func sessionOfCookieJars() throws {
        let imported = try importing("curl -c jar http://a/login -d u=1\ncurl -b jar http://a/me\n")
        #expect(imported.text.contains("cookieJar: keep"))
        #expect(try importing("curl -c jar http://a/login\n").text.contains("cookieJar") == false)
    }

    @Test func redirectsAreFollowedOnlyWithLocation() throws {
        #expect(try importing("curl http://a/b\n").text.contains("defaults:\n  redirects: false\n"))
        #expect(try !importing("curl -L http://a/b\n").text.contains("redirects"))
        let mixed = try importing("curl http://a/b\ncurl http://a/c\ncurl -L --max-redirs 3 http://a/d\n").text
        #expect(mixed.contains("  redirects: false\n") && mixed.contains("{ url: /d, redirects: 3 }"))
    }

    @Test func files() throws {
        let files = [
            "a.json": "{\"a\": 1}\n", "b.bin": "x", "cfg": "url = http://a/cfg\nheader = \"X-A: \\\"b\\\"\"\n",
        ]
        #expect(
            try request("curl http://a/b -d @a.json -H 'Content-Type: application/json'", files: files)
                == "{ method: POST, url: /b, json: { a: 1 } }")
        #expect(
            try request("curl http://a/b --data-binary @b.bin", files: files)
                == "method: POST url: /b file: b.bin contentType: application/x-www-form-urlencoded")
        #expect(
            try request("curl -T b.bin http://a/", files: files)
                == "method: PUT url: /b.bin headers: { Content-Type: null } file: b.bin")
        #expect(try request("curl -K cfg", files: files) == #"{ url: /cfg, headers: { X-A: '"b"' } }"#)
    }

    @Test(arguments: ["/etc/hostname", "../secret", "missing", "../../../../etc/passwd"])
    func filesOutsideAreNotRead(_ path: String) throws {
        let imported = try importing("curl http://a/b -d @\(path) -d x=1\n")
        #expect(imported.untranslated.count == 1)
        #expect(imported.text.contains("not translated: \"\(path)\", which "))
        let other = try importing("curl http://a/b --data-binary @\(path)\n")
        #expect(!other.text.contains("file:") && other.untranslated.count == 1)
    }

    @Test func linkOutsideIsNotRead() throws {
        let project = try ProjectDirectory(["a.sh": "curl http://a/b -d @link\n"])
        try #require(symlink("/etc/hostname", project.path + "/link") == 0)
        let options = ImportOptions(workingDirectory: project.path, outputDirectory: project.path)
        let file = SourceFile(name: project.path + "/a.sh", text: "curl http://a/b -d @link\n")
        let result = ImportRun.run([file], options: options)
        #expect(result.counts.untranslated.entries.map(\.name) == ["\"link\", which is outside the working directory"])
    }

    @Test func bodyOfAPipe() throws {
        #expect(try request("printf 'a=%s' 1 | curl -d @- http://a/b") == "{ method: POST, url: /b, form: { a: 1 } }")
        #expect(
            try request("curl http://a/b --json @- <<'E'\n{\"a\": \"$x\"}\nE")
                == "method: POST url: /b headers: { Accept: application/json } json: { a: $x }")
        #expect(
            try request("printf %s AP8= | base64 -d | curl --data-binary @- -H 'Content-Type: x/y' http://a/b")
                == "method: POST url: /b base64: AP8= contentType: x/y")
        #expect(
            try request("printf a=1 | gzip -c | curl --data-binary @- -H 'Content-Encoding: gzip' http://a/b")
                == "method: POST url: /b form: { a: 1 } compress: gzip")
    }

    @Test func optionsWithoutTranslationAreCounted() throws {
        let imported = try importing("curl -n --interface eth0 http://a/$(date)\ncurl --netrc http://a/b\ncd x\n")
        #expect(
            imported.untranslated == ["shell expansion (1)", "--netrc (2)", "--interface (1)", "shell command (1)"])
        #expect(imported.text.contains("# not translated: --interface, requests.sh:1\n"))
        #expect(imported.text.contains("#   cd x\n"))
    }

    @Test(arguments: [
        ("curl 'http://a", 1, 6, "this quote is not closed"), ("curl \"a\n\nb", 1, 6, "this quote is not closed"),
        ("x\ncurl $(a", 2, 6, "this expansion is not closed"),
        ("curl a <<E\nb\n", 1, 10, "the end of this here-document is missing"),
        ("curl --heder a", 1, 6, "\"--heder\" is not an option of curl"),
        ("curl a\ncurl a -d", 2, 8, "the option \"-d\" needs a value"),
        ("curl -é a", 1, 6, "\"-\u{FFFD}\" is not an option of curl"),
    ])
    func errorsHaveLocations(_ text: String, _ line: Int, _ column: Int, _ message: String) throws {
        let imported = try importing(text, format: .curl, isSound: false)
        let problem = try #require(imported.result.diagnostics.first)
        #expect(problem.message == message)
        #expect(problem.range.map { [Int($0.start.line), Int($0.start.column)] } == [line, column])
        #expect(imported.result.files.isEmpty)
    }

    @Test(arguments: [
        ("curl http://a", true), ("\n# x\n  curl a\n", true), ("$ curl a", true), ("T=$(curl a | jq .b)", true),
        ("A=1 curl a", true), ("CHECK=\"curl -f a\"", false), ("export CHECK='curl -f a'", false), ("C=curl", false),
        ("curling is fun", false), ("{\"a\": \"\\ncurl b\"}", false), ("<p>\ncurl a</p>", false), ("wget a", false),
        ("", false),
        ("curl\u{0} a", false),
    ])
    func recognition(_ text: String, _ isCurl: Bool) {
        #expect(CurlImporter.recognizes(SourceFile(name: "a", text: text)) == isCurl)
    }

    @Test func methodInLowercase() throws {
        let imported = try importing("curl -X post http://a/b\n")
        #expect(imported.text.contains("request: POST /b\n"))
        #expect(imported.untranslated == ["method \"post\" in lowercase (1)"])
    }

    @Test func onlySelectsRequests() throws {
        let script =
            "curl http://a/x\ncurl http://b/x -d y=1\nT=$(curl http://c/login | jq -r .t)\ncurl http://b/z/$T\n"
        func names(_ only: String...) throws -> [Substring] {
            try importing(script, only: only).text.split(separator: "\n").filter { $0.hasPrefix("  - name: ") }
                .map { $0.dropFirst(10) }
        }
        #expect(try names("a") == ["GET /x"])
        #expect(try names("*/x") == ["GET /x", "POST /x"])
        #expect(try names("POST *") == ["POST /x"])
        // The capture that a selected request uses is kept.
        #expect(try names("/z/*") == ["GET /login", "GET /z/{T}"])
    }
}
