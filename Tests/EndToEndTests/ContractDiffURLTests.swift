import JSON
import Testing

/// Tests of `contract diff` and `contract check` with descriptions on a server.
@Suite(.serialized)
struct ContractDiffURLTests {
    private static func answer(_ status: String, _ lines: [String]) -> JSONValue {
        let length = lines.reduce(0) { $0 + $1.utf8.count + 2 }
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(length)", ""]
        return [["send": .array((head + lines + [""]).map { .string($0) })]]
    }

    private static let main = answer(
        "200 OK",
        [
            "openapi: 3.1.0", "info: { title: Books, version: '1' }", "paths:", "  /books:", "    post:",
            "      requestBody: { content: { application/json: { schema: { $ref: 'parts/a%20b.yaml#/Book' } } } }",
            "      responses: { '201': { description: made } }",
        ])

    private static func part(_ length: Int) -> JSONValue {
        answer("200 OK", ["Book: { type: object, properties: { title: { maxLength: \(length) } } }"])
    }

    private struct Result {
        var ending: ProgramRun.Ending
        var output: String
        var errors: String
        var requests: [String]
    }

    /// Compares two descriptions. `URL` in arguments and output stands for the server's URL.
    ///
    /// - Parameters:
    ///   - more: Additional arguments.
    ///   - files: The files in the program's working directory, by name.
    private static func compare(
        _ old: String, _ new: String, _ more: [String] = [], files: [String: String] = [:]
    ) async throws -> Result {
        try await run(["diff", old, new] + more, files: files)
    }

    private static func run(_ arguments: [String], files: [String: String] = [:]) async throws -> Result {
        let script: JSONValue = [
            "answers": [
                "GET /old/openapi.yaml?version=1": main, "GET /old/parts/a%20b.yaml": part(9),
                "GET /new/openapi": main, "GET /new/parts/a%20b.yaml": part(5),
                "GET /api-docs": answer(
                    "200 OK",
                    [#"{"openapi": "3.1.0", "info": {"title": "\ud83d\udc4d", "version": "1"}, "paths": {}}"#]),
                "GET /leading/away.yaml": answer(
                    "200 OK",
                    [
                        "openapi: 3.1.0", "info: { title: Books, version: '1' }", "paths:", "  /books:", "    get:",
                        "      parameters:", "        - { $ref: 'file:///etc/passwd#/A' }",
                        "        - { $ref: 'http://localhost:9/b.yaml#/B' }", "        - { $ref: '/c.yaml#/C' }",
                        "      responses: { '200': { description: all } }",
                    ]),
                "GET /elsewhere.yaml": answer(
                    "200 OK",
                    [
                        "openapi: 3.1.0", "info: { title: Books, version: '1' }", "paths:", "  /books:", "    post:",
                        "      requestBody:",
                        "        content: { application/json: { schema: { $ref: 'https://example.com/defs/book.yaml#/Book' } } }",
                        "      responses: { '201': { description: made } }",
                    ]),
                "*": answer("404 Not Found", ["nothing"]),
            ]
        ]
        let server = try ScriptedServer(ServerScript(Array(script.serialized().utf8)))
        defer { server.stop() }
        let directory = try TemporaryDirectory()
        for (name, text) in files { TestFiles.write(text.utf8, to: "\(directory.path)/\(name)") }
        let names = arguments.map { $0.replacing("URL", with: server.url) }
        let run = try ProgramRun(
            [Program.path, "contract"] + names, environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/run")
        let ending = try await run.wait()
        return Result(
            ending: ending, output: run.standardOutput.replacing(server.url, with: "URL"),
            errors: run.standardError.replacing(server.url, with: "URL"), requests: server.requests)
    }

    @Test("Both descriptions and the files they reference are fetched from their servers")
    func fetched() async throws {
        let result = try await Self.compare("URL/old/openapi.yaml?version=1", "URL/new/openapi")
        #expect(result.ending == .exit(1))
        #expect(result.errors.isEmpty)
        #expect(
            result.output == """
                URL/old/openapi.yaml?version=1 -> URL/new/openapi: 1 breaking change

                POST /books
                  breaking  the maximum length of the property "title" of the request body was lowered from 9 to 5
                            request-property-max-length-decreased  URL/old/parts/a%20b.yaml:1:46 -> URL/new/parts/a%20b.yaml:1:46

                """)
        #expect(
            result.requests == [
                "GET /old/openapi.yaml?version=1", "GET /old/parts/a%20b.yaml", "GET /new/openapi",
                "GET /new/parts/a%20b.yaml",
            ])
    }

    @Test("JSON is recognized by its content")
    func json() async throws {
        let result = try await Self.compare("URL/api-docs", "URL/api-docs")
        #expect(result.ending == .exit(0), "\(result.errors)")
    }

    @Test("Only files on the same server are fetched")
    func otherLocations() async throws {
        let result = try await Self.compare("URL/leading/away.yaml", "URL/leading/away.yaml")
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(Set(result.requests) == ["GET /leading/away.yaml", "GET /c.yaml"])
        for text in ["file:///etc/passwd", "http://localhost:9/b.yaml", "URL/c.yaml responded with 404"] {
            #expect(result.errors.contains(text), "\(result.errors)")
        }
    }

    @Test("A description on a server is checked with the files it references")
    func checked() async throws {
        let result = try await Self.run(["check", "URL/old/openapi.yaml?version=1"])
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(result.output == "Books 1 (OpenAPI 3.1), 1 operation, 0 schemas: no problems\n")
        #expect(result.requests == ["GET /old/openapi.yaml?version=1", "GET /old/parts/a%20b.yaml"])
        let missing = try await Self.run(["check", "URL/nowhere.yaml"])
        #expect(missing.ending == .exit(2))
        #expect(missing.errors.contains("URL/nowhere.yaml responded with 404 Not Found"), "\(missing.errors)")
        let invalid = try await Self.run(["check", "http://[::1/a.yaml"])
        #expect(invalid.ending == .exit(2))
        #expect(invalid.errors.contains("contract check: \"http://[::1/a.yaml\""), "\(invalid.errors)")
    }

    @Test("A server's certificate must be trusted unless --cacert or --insecure is given")
    func overTLS() async throws {
        guard Program.isInstalled("openssl") else { try Test.cancel("openssl is not installed") }
        let directory = try TemporaryDirectory()
        let environment = Program.environment(home: directory.path)
        TestFiles.write(
            "openapi: 3.1.0\ninfo: { title: Books, version: '1' }\npaths: {}\n".utf8,
            to: directory.path + "/openapi.yaml")
        let certificate = try ProgramRun(
            [
                "/bin/sh", "-c",
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout key.pem "
                    + "-out cert.pem -subj /CN=books.example -addext subjectAltName=IP:127.0.0.1",
            ], environment: environment, directory: directory.path, output: directory.path + "/certificate")
        try #require(try await certificate.wait() == .exit(0), "\(certificate.standardError)")
        let server = try ProgramRun(
            ["/bin/sh", "-c", "exec openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -WWW"],
            environment: environment, directory: directory.path, output: directory.path + "/server")
        defer { server.killSession() }
        let start = "ACCEPT 127.0.0.1:"
        try #require(
            try await Poll.until {
                server.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                    .contains { $0.hasPrefix(start) }
            })
        let line = try #require(server.standardOutput.split(separator: "\n").first { $0.hasPrefix(start) })
        let url = "https://127.0.0.1:\(line.dropFirst(start.count))/openapi.yaml"
        for (arguments, ending) in [
            (["diff", url, "openapi.yaml"], ProgramRun.Ending.exit(2)),
            (["diff", url, "openapi.yaml", "--cacert", "cert.pem"], .exit(0)),
            (["diff", url, url, "--insecure"], .exit(0)), (["check", url], .exit(2)),
            (["check", url, "--cacert", "cert.pem"], .exit(0)),
        ] {
            let run = try await Program.run(["contract"] + arguments, in: directory.path)
            #expect(run.ending == ending, "\(arguments): \(run.output)\(run.error)")
            if ending == .exit(2) { #expect(run.error.contains("is not trusted: it is self-signed"), "\(run.error)") }
        }
    }

    @Test("Local files replace URIs of other servers")
    func schemaFiles() async throws {
        let result = try await Self.compare(
            "URL/elsewhere.yaml", "URL/elsewhere.yaml", ["--schema", "https://example.com/defs/=."],
            files: ["book.yaml": "Book: { $ref: 'title.yaml#/Title' }\n", "title.yaml": "Title: { maxLength: 9 }\n"])
        #expect(result.ending == .exit(0))
        #expect(result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.hasSuffix(": no changes\n"), "\(result.output)")
        #expect(result.requests == ["GET /elsewhere.yaml", "GET /elsewhere.yaml"])
    }

    @Test("Descriptions that cannot be fetched are reported with the reason")
    func missing() async throws {
        let missing = try await Self.compare("URL/old/openapi.yaml?version=1", "URL/nowhere.yaml")
        #expect(missing.ending == .exit(2))
        #expect(missing.errors.contains("URL/nowhere.yaml responded with 404 Not Found"), "\(missing.errors)")
        let refused = try await Self.compare("http://127.0.0.1:1/a.yaml", "URL/new/openapi")
        #expect(refused.ending == .exit(2))
        #expect(refused.errors.contains("http://127.0.0.1:1/a.yaml cannot be fetched"), "\(refused.errors)")
        let invalid = try await Self.compare("http://[::1/a.yaml", "URL/new/openapi")
        #expect(invalid.ending == .exit(2))
    }
}
