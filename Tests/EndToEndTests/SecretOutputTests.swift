import Glibc
import Testing

/// Tests that no output of a suite full of secrets contains any encoding of a secret.
@Suite(.serialized)
struct SecretOutputTests {
    /// The sources of the secrets. The values do not resemble any other output.
    private static let constant = #"c0nst@nt/"ö&<é> +~1'x"#
    private static let secrets = [
        constant, "env1ronm3nt==token", "d0tenv value/+%41", "l1ne-g1ven?x=y&z", "f1le:v\u{1F600}riable",
        "c4ptured/Tok#n",
        "nam3d-capture$1", "n3sted<one>", "sh4red&computed;",
    ]

    private static let suite = #"""
        name: Secrets
        serve: { mock: api.mock.yaml }
        secrets: [constant, "FROM_*", UNUSED, line, file, named, nested, computed, pin]
        dotenv: .env
        variables:
          constant: 'c0nst@nt/"ö&<é> +~1''x'
          nested: { list: [n3sted<one>], other: 1 }
          computed: ${"sh4red" + "&computed;"}
          pin: 731
          all: ${[constant, env("API_TOKEN"), env("FROM_FILE"), line, file, nested.list[0], computed]}
        tests:
          - name: capture
            request: { method: POST, url: /echo, json: { a: "c4ptured/Tok#n", b: "nam3d-capture$1" } }
            capture:
              captured: { json: $.a, secret: true }
              named: $.b
          - name: every form
            request:
              method: POST
              url: /echo/${url.encode(constant)}
              query: { all: "${all}", captured: "${captured}", named: "${named}" }
              headers:
                X-Captured: "${captured}"
                X-Base64: ${base64.encode(bytes("a:" + constant))}
                X-Token: Token ${env("API_TOKEN")}
                X-Pin: ${pin}
              cookies: { line: "${url.encode(line)}" }
              json:
                all: ${all}
                captured: ${captured}
                named: ${named}
                pin: ${pin}
                base64: '${[0, 1, 2].map(n, all.map(s, base64.encode(bytes("abc".substring(0, n) + string(s) + "z"))))}'
                text: "${json.stringify(all)} ${url.encode(string(json.stringify(all)))}"
            expect:
              status: 201
              json:
                $.all: no
                $.captured: { startsWith: no }
                $.named: no
                $.base64: no
                $.text: no
              body: { contains: "c0nst@nt" }
            assert:
              - body.all == []
              - body.pin == 0
              - constant == file
          - name: a form
            request:
              method: POST
              url: /form
              form: { constant: "${constant}", file: "${file}", dotenv: "${env(\"FROM_FILE\")}", pin: "${pin}" }
            expect: { status: 201, body: no }
          - name: XML
            request:
              method: POST
              url: /form
              headers: { Content-Type: application/xml }
              text: '<a b="c0nst@nt/&quot;ö&amp;&lt;é&gt; +~1&apos;x">n3sted&lt;one&gt;sh4red&#38;computed;<pin>731</pin></a>'
            expect: { status: 201, body: no }
          - name: what goes nowhere
            request: GET http://127.0.0.1:1/?${url.encode(string(all))}
          - name: with c4ptured/Tok#n in its name
            needs: capture
            request: GET /nothing
            expect: { status: 200, json: { $.x: "c0nst@nt/\"ö&<é> +~1'x" } }
        """#

    private static let mock = #"""
        routes:
          - request: POST /echo/**
            respond: { headers: { X-Back: "${request.query}" }, json: "${request.body}" }
          - request: POST /echo
            respond: { json: "${request.body}" }
          - request: POST /form
            respond: { text: "${request.text}" }
        """#

    private static func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write("FROM_FILE='d0tenv value/+%41'\nUNUSED=d0tenv-unused\n".utf8, to: directory.path + "/.env")
        TestFiles.write("file: \"f1le:v\u{1F600}riable\"\n".utf8, to: directory.path + "/variables.yaml")
        return directory
    }

    private static let environment = ["API_TOKEN": "env1ronm3nt==token"]
    private static let given = ["--variable", "line=l1ne-g1ven?x=y&z", "--variables-file", "variables.yaml"]

    /// Returns the encodings of a secret that no output may contain.
    private static func forms(of secret: String) -> [String] {
        let bytes = Array(secret.utf8)
        func percent(_ digits: String, space: String) -> String {
            let digits = Array(digits)
            return bytes.map { byte in
                let isPlain =
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~".utf8.contains(byte)
                if byte == UInt8(ascii: " ") { return space }
                return isPlain
                    ? String(Unicode.Scalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }.joined()
        }
        var forms = [secret]
        for digits in ["0123456789ABCDEF", "0123456789abcdef"] {
            for space in ["%20", "+"] { forms.append(percent(digits, space: space)) }
        }
        forms.append(
            secret.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "/" ? "\\/" : String($0) }.joined())
        forms.append(
            secret.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())
        for apostrophe in ["&apos;", "&#39;", "'"] {
            forms.append(
                secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                    .replacing("\"", with: "&quot;").replacing("'", with: apostrophe))
        }
        // The base64 digits that depend only on the secret, at each alignment.
        for shift in 0..<3 {
            let digits = Array(base64([UInt8](repeating: 0x61, count: shift) + bytes))
            let first = (shift * 8 + 5) / 6
            let core = String(digits[first..<((shift + bytes.count) * 8 / 6)])
            forms.append(core)
            forms.append(core.replacing("+", with: "-").replacing("/", with: "_"))
        }
        return forms
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            var value = 0
            for index in 0..<3 { value = value << 8 | (start + index < bytes.count ? Int(bytes[start + index]) : 0) }
            for index in 0..<4 { text.append(alphabet[value >> (18 - 6 * index) & 63]) }
        }
        return text
    }

    private func check(_ text: String, _ what: String) {
        for secret in Self.secrets + ["d0tenv-unused"] {
            for form in Self.forms(of: secret) where text.contains(form) {
                let location =
                    text.firstRange(of: form).map { text[..<$0.lowerBound].suffix(80) + "«" + form + "»" } ?? ""
                Issue.record("\(what) contains \(form), a form of \(secret): \(location)")
            }
        }
    }

    @Test(arguments: [[], ["-q"], ["-v"], ["-vv"]])
    func runsMaskEverySecret(_ options: [String]) async throws {
        let directory = try Self.directory()
        let run = try await Program.run(
            ["suite.yaml", "--report", "junit=report.xml", "--report", "html"] + options + Self.given,
            in: directory.path, environment: Self.environment)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let report = try #require(TestFiles.text(directory.path + "/report.xml"))
        let page = try #require(TestFiles.text(directory.path + "/report.html"))
        check(run.output, "standard output")
        check(run.error, "standard error")
        check(report, "the report")
        check(page, "the page")
        #expect(run.output.contains("***"))
        #expect(run.output.contains("curl "))
        #expect(report.contains("***"))
        // A short value is never masked.
        #expect(run.output.contains("pin=731"))
        #expect(run.error.contains("[short-secret]"))
    }

    @Test(arguments: [
        ["list"], ["list", "--json"], ["list", "--graph"], ["list", "--graph", "--format", "mermaid"], ["lint"],
        ["run", "--dry-run"],
    ])
    func otherCommandsMaskThem(_ command: [String]) async throws {
        let directory = try Self.directory()
        // A capture is not known to be secret before it exists.
        TestFiles.write(
            Self.suite.replacing("with c4ptured/Tok#n in", with: "with n3sted<one> in").utf8,
            to: directory.path + "/suite.yaml")
        let run = try await Program.run(
            command + ["suite.yaml"] + Self.given, in: directory.path, environment: Self.environment)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        check(run.output, "standard output")
        check(run.error, "standard error")
        if command != ["lint"] { #expect(run.output.contains("with *** in its name")) }
    }

    @Test func diagnosticsMaskThem() async throws {
        let directory = try Self.directory()
        TestFiles.write(
            Self.suite.replacing("computed: $", with: "computed: ${no} env1ronm3nt==token $").replacing(
                "expect: { status: 201, body: no }", with: "expct: n3sted<one>"
            ).utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(
            "FROM_FILE='d0tenv value/+%41\nd0tenv-unused\nA=\"d0tenv-unused\"d0tenv-unused\n".utf8,
            to: directory.path + "/.env")
        let run = try await Program.run(
            ["lint", "suite.yaml"] + Self.given, in: directory.path, environment: Self.environment)
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(run.error.contains("[invalid-dotenv]"))
        #expect(run.error.contains("[unknown-key]"))
        check(run.error, "standard error")
    }

    /// Secrets outside of named values: an unfinished poll's response, a password in a URL, and a file name.
    @Test func secretsInOtherLocations() async throws {
        let directory = try TemporaryDirectory()
        let suite = #"""
            name: Elsewhere
            serve: { mock: api.mock.yaml }
            secrets: key
            variables: { key: sn4pshot-key }
            tests:
              - name: polls
                request: GET /job
                until: { json: { $.state: done }, every: 100ms, within: 1s }
                capture: { token: { json: $.token, secret: true } }
              - name: a password in the URL
                request: GET http://ada:us3r%2Dinf0@127.0.0.1:1/
              - name: snapshots
                steps:
                  - name: of ${key}
                    forEach: [1]
                    request: GET /state
                    expect: { snapshot: true }
            """#
        let mock = #"""
            routes:
              - request: GET /job
                respond: { json: { state: busy, token: p0lled-token } }
              - request: GET /state
                respond: { json: { state: busy } }
            """#
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(mock.utf8, to: directory.path + "/api.mock.yaml")
        let run = try await Program.run(
            ["suite.yaml", "-vv", "--report", "json:exchanges=run.jsonl", "--report", "har=run.har"], in: directory.path
        )
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        let archive = try #require(TestFiles.text(directory.path + "/run.har"))
        let names = TestFiles.names(in: directory.path + "/__snapshots__/suite.yaml")
        #expect(names.count == 1)
        #expect(run.output.contains("http://ada:***@127.0.0.1:1/"))
        for text in [run.output, run.error, record, archive, names.joined(separator: "\n")] {
            for secret in ["p0lled-token", "us3r-inf0", "us3r%2Dinf0", "dXMzci1pbmYw", "sn4pshot-key"] {
                #expect(!text.contains(secret), "\(secret): \(text)")
            }
            // The header field derived from the URL is masked for display, and the curl command line leaves it to the
            // URL.
            #expect(!text.replacing("Authorization: Basic ***", with: "").contains("Authorization: Basic"))
            #expect(!text.contains("-H 'Authorization"))
        }
    }

    private static let snapshotSuite = #"""
        name: Secrets in snapshots
        serve: { mock: api.mock.yaml }
        secrets: [constant, "FROM_*", UNUSED, line, file, named, nested, computed, pin]
        dotenv: .env
        mode: serial
        variables:
          constant: 'c0nst@nt/"ö&<é> +~1''x'
          nested: { list: [n3sted<one>], other: 1 }
          computed: ${"sh4red" + "&computed;"}
          pin: 731
          all: ${[constant, env("API_TOKEN"), env("FROM_FILE"), line, file, nested.list[0], computed]}
        tests:
          - name: before anything is captured
            request: { method: POST, url: /echo, json: { late: "c4ptured/Tok#n" } }
            expect: { snapshot: true }
          - name: capture
            request: { method: POST, url: /echo, json: { a: "c4ptured/Tok#n", b: "nam3d-capture$1" } }
            expect: { snapshot: true }
            capture:
              captured: { json: $.a, secret: true }
              named: $.b
          - name: every form
            request:
              method: POST
              url: /echo
              json:
                all: ${all}
                captured: ${captured}
                named: ${named}
                pin: ${pin}
                number: 731
                base64: '${[0, 1, 2].map(n, all.map(s, base64.encode(bytes("abc".substring(0, n) + string(s) + "z"))))}'
                text: "${json.stringify(all)} ${url.encode(string(json.stringify(all)))}"
            expect: { snapshot: { keep: $ } }
          - name: a text
            request:
              method: POST
              url: /form
              form: { constant: "${constant}", file: "${file}", dotenv: "${env(\"FROM_FILE\")}", pin: "${pin}" }
            expect: { snapshot: true }
          - name: a type
            request: { method: POST, url: "/type?${url.encode(string(line))}" }
            expect: { snapshot: true }
        """#

    @Test func snapshotsMaskThem() async throws {
        let directory = try Self.directory()
        TestFiles.write(Self.snapshotSuite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(
            (Self.mock + """

                  - request: POST /type
                    respond: { headers: { Content-Type: "text/plain; of=${request.query}" }, text: of }
                """).utf8, to: directory.path + "/api.mock.yaml")
        let files = directory.path + "/__snapshots__/suite.yaml"
        // Newly written snapshots are masked, and so are displayed differences.
        for (options, status) in [([], 0), (["--update-snapshots"], 0), ([], 1)] as [([String], Int32)] {
            if status == 1 {
                for name in TestFiles.names(in: files) {
                    let text = TestFiles.text("\(files)/\(name)") ?? ""
                    TestFiles.write(text.replacing("***", with: "?").utf8, to: "\(files)/\(name)")
                }
            }
            let run = try await Program.run(
                ["suite.yaml", "--report", "junit=report.xml"] + options + Self.given, in: directory.path,
                environment: Self.environment)
            #expect(run.ending == .exit(status), "\(run.output)\(run.error)")
            if status == 0 {
                #expect(TestFiles.names(in: files).count == 5)
                for name in TestFiles.names(in: files) {
                    let text = try #require(TestFiles.text("\(files)/\(name)"))
                    check(text, name)
                    #expect(text.contains("***"), "\(name): \(text)")
                }
                continue
            }
            #expect(run.output.contains("--update-snapshots"))
            // A value that is captured as a secret later cannot be masked before.
            let late = run.output.firstRange(of: "Secrets in snapshots › capture")
            check(String(run.output[(late?.lowerBound ?? run.output.startIndex)...]), "standard output")
            check(run.error, "standard error")
        }
    }

    @Test func logsOfServeMaskThem() async throws {
        guard Program.isInstalled("python3") else { try Test.cancel("python3 is not installed") }
        let directory = try Self.directory()
        TestFiles.write("hello\n".utf8, to: directory.path + "/hello.txt")
        TestFiles.write(
            """
            serve:
              command: [python3, -m, http.server, "${port}", --bind, 127.0.0.1]
              env: { PYTHONUNBUFFERED: "1" }
              ready: GET /hello.txt
              within: 30s
              log: server.log
            secrets: [line, FROM_FILE]
            dotenv: .env
            tests:
              - name: it logs what is asked for
                request:
                  url: /hello.txt
                  query: { line: "${line}", token: "${env(\\"API_TOKEN\\")}", dotenv: "${env(\\"FROM_FILE\\")}" }
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(
            ["suite.yaml"] + Self.given, in: directory.path, environment: Self.environment)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        let log = try #require(TestFiles.text(directory.path + "/server.log"))
        #expect(log.contains("GET /hello.txt?line=***"), "\(log)")
        check(log, "the log")
    }
}
