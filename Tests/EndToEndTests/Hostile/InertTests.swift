import Glibc
import JSON
import Reports
import Testing

/// Tests that special characters from any source are inert in all outputs.
///
/// The outputs are the console, reports, conversions of a record, and the output of other commands.
@Suite(.serialized)
struct InertTests {
    /// Escape sequences, C0 and C1 controls, DEL, bidirectional marks and overrides, line separators, byte order marks,
    /// and noncharacters. Written as JSON escapes, which are valid between quotation marks in both YAML and JSON.
    private static let odd =
        #"\u001b[31m\u0007\u0008\u0001\u007f\u0080\u0085\u0090\u009b31m\u009d0;t\u009c\u009f"#
        + #"\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2028\u2029\u2066\u2067\u2068\u2069\ufeff\ufffe\uffff"#
    /// The same characters in the notation of JSONPath within a YAML string.
    private static let escaped = odd.replacing(#"\"#, with: #"\\"#)
    /// The same characters in UTF-8, with invalid sequences: a C1 byte, an overlong slash, a surrogate, a truncated
    /// character.
    private static let bytes: [UInt8] =
        Array("\u{1B}[31m\u{7}\u{8}\u{1}\u{7F}\u{80}\u{85}\u{90}\u{9B}31m\u{202E}\u{2066}\u{2028}\u{2029}\u{FEFF}".utf8)
        + [0x9B, 0x33, 0x31, 0x6D, 0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xFF, 0xE2, 0x80]

    private static func isOdd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA: false
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
            true
        default: false
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar.value != 0xA || (0x7F..<0xA0).contains(scalar.value)
    }

    /// Checks that an output is UTF-8 and contains only inert characters.
    private func check(_ bytes: [UInt8], _ name: String, _ isWrong: (Unicode.Scalar) -> Bool = isOdd) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            Issue.record("\(name) is not UTF-8")
            return
        }
        let wrong = text.unicodeScalars.filter(isWrong)
        guard let first = wrong.first else { return }
        let line = text.split(separator: "\n").first { $0.unicodeScalars.contains(first) } ?? ""
        let codes = Set(wrong.map { "U+" + String($0.value, radix: 16, uppercase: true) }).sorted()
        Issue.record("\(name) contains \(codes), for example: \(line.prefix(300).debugDescription)")
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the script of a server whose responses contain special bytes in reason phrases, names, values, cookies
    /// and bodies.
    private static func script() -> String {
        func answer(_ head: [UInt8], _ body: [UInt8]) -> String {
            let length = Array("\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
            return "[{ \"hex\": \"\(hex(head + length + body))\" }]"
        }
        let start = Array("HTTP/1.1 200 ".utf8)
        let legal = bytes.filter { $0 >= 0x80 }
        let text = Array("\r\nContent-Type: text/plain".utf8)
        let json = Array("\r\nContent-Type: application/json".utf8)
        let value = #"{ "text": "\#(odd)", "\#(odd)": 1, "list": ["\#(odd)", { "\#(odd)": "\#(odd)" }] }"#
        let answers = [
            "GET /text": answer(start + legal + text, bytes + bytes),
            "*": answer(start + legal + text, bytes + bytes),
            "GET /surrogates": answer(
                start + Array("OK".utf8) + json, Array(#"{ "a": "\#(odd)\ud800", "\udc9b": 1 }"#.utf8)),
            "GET /json": answer(start + Array("OK".utf8) + json, Array(value.utf8)),
            "GET /header": answer(
                start + Array("OK\r\nX-Odd: ".utf8) + legal + Array("\r\nSet-Cookie: n=".utf8) + legal
                    + Array("; Path=/\r\nSet-Cookie: m".utf8) + legal + Array("=v\r\nLocation: /".utf8) + legal + text,
                Array("ok".utf8)),
            "GET /bad-header": answer(start + Array("OK\r\nX-Bad".utf8) + bytes + Array(": a".utf8), []),
            "GET /bad-version": answer(bytes, []),
            "GET /bad-length": answer(start + Array("OK\r\nContent-Length: ".utf8) + legal, []),
            "GET /bad-type": answer(start + Array("OK\r\nContent-Type: ".utf8) + legal, bytes),
            "GET /bad-redirect": answer(
                Array("HTTP/1.1 302 Found\r\nLocation: http://".utf8) + legal + Array("/".utf8), []),
            "GET /broken-json": answer(start + Array("OK".utf8) + json, Array("{ \"a\": ".utf8) + bytes),
            "GET /xml": answer(
                start + Array("OK\r\nContent-Type: application/xml".utf8),
                Array("<a b='\u{202E}\u{9B}'>\u{2066}&#x9b;&#x202e;</a>".utf8)),
        ]
        return "{ \"answers\": { " + answers.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + " } }"
    }

    private static let contract = #"""
        { "openapi": "3.1.0", "info": { "title": "T \#(odd)", "version": "\#(odd)" }, "paths": {
            "/json": { "get": { "operationId": "read\#(odd)", "summary": "\#(odd)", "responses": { "200": {
              "description": "\#(odd)", "headers": { "X-\#(odd)": { "required": true, "schema": {} } },
              "content": { "application/json": { "schema": {
                "title": "\#(odd)", "type": "object", "required": ["miss\#(odd)"],
                "properties": { "text": { "const": "\#(odd)x" }, "\#(odd)": { "type": "string", "description": "\#(odd)" } }
              } } } } } } } } }
        """#

    private static let suite = #"""
        name: "Suite \#(odd)"
        description: "\#(odd)"
        baseURL: ${env("SERVER_URL")}
        contract: { file: contract.json, severity: { response-body: error } }
        variables: { v: "value \#(odd)" }
        environments: { e: { variables: { w: "\#(odd)" } } }
        tests:
          - name: "test \#(odd)"
            tags: ["tag\#(odd)"]
            request: { url: /text, headers: { X-Mine: "${v.size() > 0 ? 'a' : 'b'}" }, query: { "q\#(odd)": "${v}" } }
            capture: { taken: "${body}", row: "${v}" }
            expect: { status: 201, body: "\#(odd)", headers: { X-Odd: "\#(odd)" } }
          - name: "row \#(odd) ${w}"
            cases: [{ w: "\#(odd)" }, { w: b }]
            request: GET /json
            capture: { said: $.text }
            assert: ["body.text == '\#(odd)'", "body.text.matches('^a')"]
            expect:
              json:
                $.text: "y"
                "$['\#(escaped)']": { type: string }
                $.list[0]: { startsWith: "\#(odd)x" }
                $.none: "\#(odd)"
              schema: { type: object, required: ["need\#(odd)"], properties: { text: { enum: ["\#(odd)e"] } } }
          - name: snapshot
            request: GET /json
            expect: { snapshot: same, contract: false }
          - { name: cookies, request: GET /header, expect: { cookies: { n: "\#(odd)", "m\#(odd)": x }, headers: { Location: none } } }
          - { name: bad header, request: GET /bad-header }
          - { name: bad version, request: GET /bad-version }
          - { name: bad length, request: GET /bad-length }
          - { name: bad type, request: GET /bad-type, expect: { json: { $.a: 1 }, headers: { Content-Type: text/plain } } }
          - { name: bad redirect, request: GET /bad-redirect }
          - { name: broken JSON, request: GET /broken-json, expect: { json: { $.a: 1 } } }
          - { name: surrogates, request: GET /surrogates, expect: { json: { $.a: "\#(odd)" } } }
          - { name: xml, request: GET /xml, expect: { xml: { /a: b, /a/@b: c } } }
          - { name: "skipped \#(odd)", skip: "reason \#(odd)", request: GET /text }
          - { name: "blocked \#(odd)", needs: "test \#(odd)", request: GET /text }
          - name: steps
            steps:
              - { name: "step \#(odd)", request: GET /text, capture: { a: "${text}" } }
              - { name: "last \#(odd)", request: GET /text, expect: { body: "${a}\#(odd)" } }
        """#

    /// A file name with as many special characters as file systems allow.
    private static let fileName = "s\u{1B}[31m\u{9B}\u{202E}\u{2028}.yaml"

    private func project(_ server: ScriptedServer) throws -> (TemporaryDirectory, [String: String]) {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.contract.utf8, to: directory.path + "/contract.json")
        TestFiles.write(Self.suite.utf8, to: "\(directory.path)/\(Self.fileName)")
        mkdir(directory.path + "/__snapshots__", 0o755)
        return (directory, ["SERVER_URL": server.url])
    }

    @Test(arguments: [[], ["-v"], ["-q"], ["--color", "always"]])
    func everyLocationInEveryOutput(_ options: [String]) async throws {
        let server = try ScriptedServer(ServerScript(Array(Self.script().utf8)))
        defer { server.stop() }
        let (directory, environment) = try project(server)
        // Creates the snapshot, so that it differs afterwards.
        _ = try await Program.run([Self.fileName, "--update-snapshots"], in: directory.path, environment: environment)
        try spoilSnapshots(directory.path + "/__snapshots__")
        let formats = ReportRequest.Format.files
        let reports = formats.flatMap { ["--report", "\($0.request)=out.\($0)"] }
        let run = try await Program.run(
            [Self.fileName, "--report", "github", "--report", "allure=allure"] + reports + options, in: directory.path,
            environment: environment.merging([
                "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": directory.path + "/out.summary",
            ]) { $1 })
        #expect(run.ending == .exit(1), "\(run.error)")
        for (name, text) in [("standard output", run.output), ("standard error", run.error)] {
            // With colors, the output contains only the program's own escape sequences.
            var text = text
            if options.contains("always") { text.replace(/\u{1B}\[[0-9;]*m/, with: "") }
            check(Array(text.utf8), name)
        }
        check(try #require(TestFiles.bytes(directory.path + "/out.summary")), "out.summary")
        for format in formats {
            let name = "out.\(format)"
            let bytes = try #require(TestFiles.bytes("\(directory.path)/\(name)"), "\(name) was not written")
            switch format {
            case .junit: check(bytes, name, Self.isControl)
            // JSON contains all but ASCII control characters unescaped. So does the page, which displays them as
            // escapes.
            case .json, .ctrf, .har, .html, .verdict: check(bytes, name) { $0.value < 0x20 && $0 != "\n" }
            case .tap, .markdown, .github, .allure, .csv: check(bytes, name)
            }
        }
        for name in TestFiles.names(in: directory.path + "/allure") where !name.contains("-attachment") {
            check(TestFiles.bytes("\(directory.path)/allure/\(name)") ?? [], "allure/\(name)") {
                $0.value < 0x20 && $0 != "\n"
            }
            check(Array(name.utf8), "the name of \(name)")
        }
        try checkParsed(directory.path)
        guard options.isEmpty else { return }
        try await checkOtherCommands(directory.path, environment)
    }

    private func spoilSnapshots(_ path: String) throws {
        for name in TestFiles.names(in: path) {
            guard !TestFiles.isDirectory("\(path)/\(name)") else {
                try spoilSnapshots("\(path)/\(name)")
                continue
            }
            let text = TestFiles.text("\(path)/\(name)") ?? ""
            TestFiles.write(text.replacing("[31m", with: "[32m").utf8, to: "\(path)/\(name)")
        }
    }

    /// Checks that machine-readable outputs are complete and contain the values.
    private func checkParsed(_ directory: String) throws {
        let junit = try JUnitReport(try #require(TestFiles.text(directory + "/out.junit")))
        #expect(junit.problems.isEmpty)
        for line in (TestFiles.bytes(directory + "/out.json") ?? []).split(separator: 0xA) {
            _ = try JSONValue(parsing: Array(line))
        }
        for name in ["ctrf", "har"] { _ = try JSONValue(parsing: TestFiles.bytes("\(directory)/out.\(name)") ?? []) }
        let names = TestFiles.names(in: directory + "/allure").filter {
            $0.hasSuffix(".json") && !$0.contains("-attachment")
        }
        #expect(names.count >= 15)
        for name in names { _ = try JSONValue(parsing: TestFiles.bytes("\(directory)/allure/\(name)") ?? []) }
    }

    /// Checks the commands that print contents of suites, descriptions and records.
    private func checkOtherCommands(_ directory: String, _ environment: [String: String]) async throws {
        TestFiles.write(
            Self.suite.replacing("status: 201", with: "statos: 201").replacing("$.text: ", with: "'$.te[': ").utf8,
            to: directory + "/broken\(Self.fileName)")
        let commands: [([String], isData: Bool)] = [
            (["report", "show", "out.json"], false), (["report", "show", "out.json", "-v"], false),
            (["report", "convert", "out.json", "--report", "markdown=-"], false),
            (["report", "convert", "out.json", "--report", "tap=-"], false),
            (["list", Self.fileName], false), (["list", Self.fileName, "--format", "mermaid"], false),
            (["list", Self.fileName, "--format", "json"], true), (["lint", Self.fileName], false),
            (["lint", "broken" + Self.fileName], false),
            (["lint", "broken" + Self.fileName, "--format", "json"], true),
            (["lint", "broken" + Self.fileName, "--format", "github"], false),
            (["contract", "check", "contract.json"], false),
            (["contract", "check", "contract.json", "--format", "json"], true),
            (["contract", "generate", "contract.json", "--output", "made.yaml"], false),
            (["eval", "'\u{1B}\u{9B}\u{202E}'"], true), (["eval", "\u{1B}\u{9B}\u{202E}"], false),
            (["none\u{1B}\u{9B}\u{202E}.yaml"], false), (["--\u{1B}\u{9B}\u{202E}"], false),
            (["run", Self.fileName, "--tag", "\u{1B}\u{9B}\u{202E}"], false),
            (["run", Self.fileName, "--name", "\u{1B}\u{9B}\u{202E}"], false),
            (["run", Self.fileName, "--env", "\u{1B}\u{9B}\u{202E}"], false),
            (["run", Self.fileName, "--report", "\u{1B}\u{9B}\u{202E}"], false),
            (["run", Self.fileName, "--dry-run"], false),
            (["fmt", "--diff", Self.fileName], false),
        ]
        for (arguments, isData) in commands {
            let run = try await Program.run(arguments, in: directory, environment: environment)
            let name = "apitest \(arguments.joined(separator: " ").debugDescription)"
            if case .signal = run.ending { Issue.record("\(name): \(run.ending)") }
            check(
                Array(run.output.utf8), "standard output of \(name)",
                isData ? { $0.value < 0x20 && $0 != "\n" } : Self.isOdd)
            check(Array(run.error.utf8), "standard error of \(name)")
        }
        check(TestFiles.bytes(directory + "/made.yaml") ?? [], "a suite that was generated")
    }
}
