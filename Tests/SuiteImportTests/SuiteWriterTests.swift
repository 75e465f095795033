import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// Tests of the suites that are written for the intermediate form.
struct SuiteWriterTests {
    /// Writes a suite, and expects that it is sound.
    private func write(_ suite: ImportedSuite, _ location: SourceLocation = #_sourceLocation) throws -> String {
        let project = try ProjectDirectory(["shop.sh": ""])
        var context = ImportContext(ImportOptions(workingDirectory: project.path, outputDirectory: project.path))
        let output = try #require(
            SuiteWriter.write(suite, as: "a.apitest.yaml", &context), sourceLocation: location)
        var result = ImportResult()
        result.files = [ImportResult.File(name: "a.apitest.yaml", suite: output)]
        result.counts = context.counts
        let imported = Imported(project: project, result: result)
        try expectSound(imported, location)
        return imported.text
    }

    private func suite(_ requests: [ImportedRequest]) -> ImportedSuite {
        var suite = ImportedSuite(name: "Shop", source: "shop.sh")
        suite.tests = requests.map { ImportedTest(steps: [ImportedStep($0)]) }
        return suite
    }

    private func get(_ url: String) -> ImportedRequest { ImportedRequest(url: ImportedText(url)) }

    @Test func oneRequest() throws {
        #expect(
            try write(suite([get("https://api.example.org/books/7")])) == """
                name: Shop
                baseURL: https://api.example.org

                tests:
                  - name: GET /books/7
                    request: GET /books/7

                """)
    }

    @Test func environmentVariablesOfRequestsAreListed() throws {
        var suite = suite([get("https://api.example.org/books"), get("https://api.example.org/authors")])
        suite.variables = [ImportedVariable("shop", environment: "SHOP")]
        suite.tests[0].steps[0].request.headers = [
            ImportedField("X-Shop", ImportedText([.expression("shop"), .expression("env(\"REGION\")")])),
            ImportedField("X-Language", ImportedText(expression: "env(\"LANGUAGE\", \"en\")")),
        ]
        suite.tests[1].steps[0].request.auth = .bearer(ImportedText(expression: "env('TOKEN')"))
        suite.tests[1].steps[0].checks = [.assertion("body == env(\"REGION\") + env(\"SUFFIX\")")]
        #expect(
            try write(suite).hasPrefix(
                """
                # Set these environment variables before you run the suite:
                #   export SHOP=…
                #   export REGION=…
                #   export TOKEN=…
                #   export SUFFIX=…
                name: Shop

                """))
    }

    @Test func commonPartsMoveToTheTop() throws {
        var first = get("https://api.example.org/books")
        first.headers = [ImportedField("Accept", "application/json"), ImportedField("X-Client", "shop")]
        first.auth = .basic(username: "ada", password: "open-4711")
        first.set(.timeout, "5s")
        var second = get("https://api.example.org/authors")
        second.headers = [ImportedField("accept", "application/json")]
        second.auth = first.auth
        second.set(.timeout, "5s")
        let other = get("https://www.example.org/")
        var third = other
        third.headers = second.headers
        third.auth = first.auth
        third.set(.timeout, "5s")
        #expect(
            try write(suite([first, second, third])) == """
                # Set these environment variables before you run the suite:
                #   export PASSWORD=…
                name: Shop
                baseURL: https://api.example.org
                mode: serial

                variables:
                  password: ${env("PASSWORD")}
                secrets: [password]

                defaults:
                  headers: { Accept: application/json }
                  auth: { basic: { username: ada, password: "${password}" } }
                  timeout: 5s

                tests:
                  - name: GET /books
                    request: { url: /books, headers: { X-Client: shop } }

                  - name: GET /authors
                    request: GET /authors

                  - name: GET /
                    request: GET https://www.example.org/

                """)
    }

    @Test func namesAreUnique() throws {
        let text = try write(
            suite([get("http://a/x?p=1"), get("http://a/x?p=2"), get("http://a/x?p=2"), get("http://a/x")]))
        let names = text.split(separator: "\n").filter { $0.hasPrefix("  - name: ") }.map { $0.dropFirst(10) }
        #expect(names == ["GET /x", "GET /x?p=2", "GET /x?p=2 (2)", "GET /x (2)"])
    }

    @Test func undefinedNamesAreReadFromTheEnvironment() throws {
        var request = ImportedRequest(url: "https://api.example.org/books/" + .variable("bookID"))
        request.query = [ImportedField("lang", .variable("language"))]
        let text = try write(suite([request]))
        #expect(text.contains("  bookID: ${env(\"BOOK_ID\")}\n  language: ${env(\"LANGUAGE\")}\n"))
        #expect(text.contains("#   export BOOK_ID=…\n#   export LANGUAGE=…\n"))
    }

    @Test func unusedNamesAreLeftOut() throws {
        var suite = suite([get("https://api.example.org/a")])
        suite.variables = [ImportedVariable("a", "1"), ImportedVariable("b", .expression("a"))]
        suite.tests[0].steps[0].captures = [ImportedCapture("c", .json("$.c"))]
        let text = try write(suite)
        #expect(text.hasPrefix("# Variables that no request uses: a, b\n"))
        #expect(text.contains("# captured but not used: c\n"))
        #expect(!text.contains("capture:") && !text.contains("variables:"))
    }

    @Test func captureReplacesTheVariable() throws {
        var first = ImportedStep(get("https://api.example.org/login"))
        first.captures = [ImportedCapture("session", .json("$.session"))]
        let second = ImportedStep(ImportedRequest(url: "https://api.example.org/me/" + .variable("session")))
        var suite = ImportedSuite(name: "Shop", source: "shop.sh")
        suite.tests = [ImportedTest(steps: [first]), ImportedTest(steps: [second])]
        suite.variables = [ImportedVariable("session", "none-yet")]
        let text = try write(suite)
        #expect(!text.contains("none-yet"))
        suite.tests.insert(ImportedTest("before", steps: [second]), at: 0)
        let other = try write(suite)
        #expect(other.contains("  initialSession: none-yet\n"))
        #expect(
            other.contains("request: GET /me/${initialSession}\n") && other.contains("request: GET /me/${session}\n"))
    }

    @Test func secretsAreReadFromTheEnvironment() throws {
        var request = get("https://api.example.org/a?api_key=k3yk3yk3y9")
        request.headers = [
            ImportedField("Authorization", "Bearer abcdef0123456789"), ImportedField("X-Api-Key", "q8w7e6r5"),
        ]
        request.cookies = [ImportedField("session", "0a1b2c3d4e5f"), ImportedField("theme", "dark")]
        request.body = .json(.map([("user", "ada"), ("password", "qK8-vv91")]))
        request.method = "POST"
        let text = try write(suite([request]))
        for secret in ["k3yk3yk3y9", "abcdef0123456789", "q8w7e6r5", "0a1b2c3d4e5f", "qK8-vv91"] {
            #expect(!text.contains(secret))
        }
        #expect(text.contains("auth: { bearer: \"${token}\" }"))
        #expect(text.contains("theme: dark"))
        #expect(text.contains("password: \"${password}\"") && text.contains("session: \"${session}\""))
        #expect(text.contains("secrets: "))
    }

    @Test func notesAreComments() throws {
        var suite = suite([get("https://api.example.org/a")])
        var context = ImportContext(ImportOptions(workingDirectory: "/", outputDirectory: "/"))
        let file = SourceFile(name: "collection.json", text: "{}")
        suite.tests[0].steps[0].notes = [
            context.untranslated("pm.sendRequest", in: file, line: 120, source: "  a\n    b")
        ]
        suite.tests[0].steps[0].checks = [.status(["200"])]
        suite.tests[0].steps[0].checkNotes = [context.untranslated("cheerio", in: file, line: 7, isAssertion: true)]
        #expect(
            try write(suite) == """
                name: Shop
                baseURL: https://api.example.org

                tests:
                  - name: GET /a
                    # not translated: pm.sendRequest, collection.json:120
                    #   a
                    #     b
                    request: GET /a
                    # not translated: cheerio, collection.json:7
                    expect: 200

                """)
        #expect(context.counts.assertions == 1 && context.counts.translatedAssertions == 0)
    }

    @Test func noteCannotSuppressTheLinter() throws {
        var suite = suite([get("https://api.example.org/a")])
        var context = ImportContext(ImportOptions(workingDirectory: "/", outputDirectory: "/"))
        let file = SourceFile(name: "a.json", text: "{}")
        suite.tests[0].notes = [
            context.untranslated(
                "x\n# apitest: allow-file plain-text-secret", in: file, line: 1,
                source: "apitest: allow-file duplicate-name")
        ]
        let text = try write(suite)
        #expect(!text.contains("# apitest: allow"))
        #expect(text.contains("not translated: x"))
    }

    @Test func invalidRequestBecomesAComment() throws {
        var bad = get("https://api.example.org/a")
        bad.headers = [ImportedField("X Y", "1")]
        var worse = get("https://api.example.org/b")
        worse.method = "G ET"
        let text = try write(suite([get("https://api.example.org/0"), bad, worse, get("https://api.example.org/1")]))
        #expect(text.contains("# not translated: invalid request, shop.sh\n#   GET https://api.example.org/a: "))
        #expect(text.contains("#   G ET https://api.example.org/b: "))
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  - name: ") } == 2)
    }

    @Test func variablesOfTestsWithFilesOfRowsAreKept() throws {
        var suite = suite([ImportedRequest(url: "https://api.example.org/" + .variable("path") + .variable("column"))])
        suite.variables = [ImportedVariable("path", "books")]
        suite.tests[0].rows = .rows([[.init("column", "a")], [.init("column", "b")]])
        #expect(try write(suite).contains("    cases:\n      - { column: a }\n      - { column: b }\n"))
    }

    @Test func severalMatchersOfAPath() throws {
        var suite = suite([get("https://api.example.org/a")])
        suite.tests[0].steps[0].checks = [
            .status(["2xx"]), .matches(.json("$.a"), ImportedMatcher(.type, "string")),
            .matches(.json("$.a"), ImportedMatcher(equals: "x")), .matches(.json("$.b"), ImportedMatcher(.gt, 1)),
            .matches(.json("$.b"), ImportedMatcher(.gt, 2)),
            .matches(.json("$.c"), ImportedMatcher(equals: .map([("d", 1)]))),
            .matches(.header("Content-Type"), ImportedMatcher(.contains, "json").negated),
            .assertion("size(body.list) == 2"),
        ]
        let text = try write(suite)
        #expect(
            text.hasSuffix(
                """
                    expect:
                      status: 2xx
                      headers: { Content-Type: { not: { contains: json } } }
                      json:
                        $.a: { type: string, equals: x }
                        $.b: { all: [{ gt: 1 }, { gt: 2 }] }
                        $.c: { equals: { d: 1 } }
                    assert:
                      - size(body.list) == 2

                """))
    }

    // MARK: Bodies

    private func body(_ text: String, _ type: String?) -> ImportedBody {
        ImportedBody(text: ImportedText(text), contentType: type)
    }

    @Test func bodiesTakeTheirMostReadableForm() throws {
        #expect(body(#"{"a": [1, "x"]}"#, "application/json") == .json(.map([("a", .sequence([1, "x"]))])))
        #expect(body(#"{"a": 1}"#, nil) == .json(.map([("a", 1)])))
        #expect(body("7", "application/json") == .json(7))
        #expect(body("7", "text/plain") == .text("7"))
        #expect(body(#"{"a": 1, "a": 2}"#, "application/json") == .text(#"{"a": 1, "a": 2}"#))
        #expect(body(#"{"a": 1,}"#, "application/json") == .text(#"{"a": 1,}"#))
        #expect(
            body("a=1&b=x+y", "application/x-www-form-urlencoded")
                == .form([ImportedField("a", "1"), ImportedField("b", "x y")]))
        // apitest would send `+` for `%20`.
        #expect(body("a=x%20y", "application/x-www-form-urlencoded") == .text("a=x%20y"))
        #expect(body("a=1&b=2&a=3", "application/x-www-form-urlencoded") == .text("a=1&b=2&a=3"))
        #expect(body("<a/>", "application/xml") == .xml("<a/>"))
    }

    @Test func expressionsInJSON() throws {
        let text = ImportedText(#"{"a": "x"#) + .variable("v") + #"y", "b": "# + .variable("w") + "}"
        #expect(ImportedBody(text: text, contentType: "application/json") == .text(text))
        #expect(
            ImportedBody(text: text, contentType: "application/json", unquoted: .value)
                == .json(.map([("a", .text("x" + .variable("v") + "y")), ("b", .expression("w"))])))
    }

    /// The JSON of a request body must be the same value when the suite is loaded.
    @Test(arguments: [
        #"{"n":12345678901234567890123,"e":1E400,"z":-0,"d":1.10,"t":true,"u":null}"#,
        #"{"yes":"no","on":"012","s":"","nl":"a\nb\n","t":"\t","q":"\"'","c":"a: b # c","nul":"\u0000"}"#,
        #"{"$x":"${y}","k ey":"$${","<<":{"a":1},"~":"~","- a":"- b","?":"? x"}"#,
        #"[[],{},[{}],"2026-01-01","1:30","0x1F"]"#, #"{"\u00e9\u2028":"\ud83d\udc4d"}"#,
    ])
    func jsonKeepsItsMeaning(_ json: String) throws {
        var request = get("https://api.example.org/a")
        request.method = "POST"
        request.headers = [ImportedField("Content-Type", "application/json")]
        request.body = body(json, "application/json")
        let text = try write(suite([request]))
        #expect(text.contains("json:"))
        let loaded = try loadGood(text)
        guard case .json(.constant(let value))? = loaded.tests.first?.steps.first?.request?.body else {
            Issue.record("not a JSON body: \(text)")
            return
        }
        #expect(value == (try JSONValue(parsing: json)))
    }
}
