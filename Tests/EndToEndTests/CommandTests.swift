import Glibc
import JSON
import Reports
import Testing

/// Tests of commands other than `run` that work with other programs or files.
@Suite(.serialized)
struct CommandTests {
    /// `apitest mock` warns of conditions that never hold, serves until it is interrupted, and prints each request.
    @Test func mockServesUntilInterrupted() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(
            Array(
                """
                routes:
                  - request: POST /orders
                    when: { json: { "$.items[*].id": 1 } }
                    respond: 201
                  - request: GET /books
                    respond: { json: [Dune] }
                """.utf8), to: directory.path + "/shop.mock.yaml")
        TestFiles.write(
            Array(
                """
                baseURL: ${env("SHOP")}
                tests:
                  - name: it answers
                    request: GET /books
                    expect: { json: { $: [Dune] } }
                """.utf8), to: directory.path + "/suite.yaml")
        let mock = try ProgramRun(
            [Program.path, "mock", "shop.mock.yaml", "--port", "0", "--host", "127.0.0.1"],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/mock")
        defer { mock.killSession() }
        var url = ""
        let isServing = try await Poll.until(within: .seconds(30)) {
            url = mock.standardError.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/).map { String($0.0) } ?? ""
            return !url.isEmpty
        }
        try #require(isServing, "\(mock.standardError)")
        #expect(mock.standardError.contains("shop.mock.yaml:3:38: warning: \"$.items[*].id\" yields a list"))
        let run = try await Program.run(["suite.yaml"], in: directory.path, environment: ["SHOP": url])
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        let isLogged = try await Poll.until { mock.standardOutput.contains("GET /books") }
        #expect(isLogged, "\(mock.standardOutput)")
        mock.send(SIGINT)
        #expect(try await mock.wait() == .exit(0))
        #expect(mock.survivors.isEmpty)
    }

    @Test func progressIsNotDrawnInAFile() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write("routes: [{ request: GET /, respond: 204 }]\n".utf8, to: directory.path + "/a.mock.yaml")
        TestFiles.write(
            "serve: { mock: a.mock.yaml }\ntests: [{ name: home, request: GET / }]\n".utf8,
            to: directory.path + "/suite.yaml")
        // A file gets no live line, and progress lines appear in it only after a period without other output.
        let quick = try await Program.run(["suite.yaml", "--progress", "always"], in: directory.path)
        #expect(quick.ending == .exit(0))
        #expect(quick.error.isEmpty, "\(quick.error)")
        let hidden = try await Program.run(["suite.yaml"], in: directory.path)
        #expect(hidden.error.isEmpty, "\(hidden.error)")
        let unknown = try await Program.run(["suite.yaml", "--progress", "often"], in: directory.path)
        #expect(unknown.ending == .exit(2))
        #expect(unknown.error.contains("often"), "\(unknown.error)")
    }

    /// Editors pass the text on standard input and read the result from standard output.
    @Test func fmtReadsStandardInput() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Array("tests:   []\nname: Shop # é\n".utf8), to: directory.path + "/in.yaml")
        TestFiles.write(Array("tests: [\n".utf8), to: directory.path + "/bad.yaml")
        for (arguments, input, ending, output) in [
            ("fmt -", "in.yaml", ProgramRun.Ending.exit(0), "name: Shop # é\ntests: []\n"),
            ("fmt --stdin", "in.yaml", .exit(0), "name: Shop # é\ntests: []\n"),
            ("fmt --check -", "in.yaml", .exit(1), ""), ("fmt -", "bad.yaml", .exit(2), ""),
            ("fmt", "in.yaml", .exit(2), ""),
            ("fmt - in.yaml", "in.yaml", .exit(2), ""),
        ] {
            let run = try ProgramRun(
                ["/bin/sh", "-c", "'\(Program.path)' \(arguments) <\(input)"],
                environment: Program.environment(home: directory.path), directory: directory.path,
                output: directory.path + "/run")
            #expect(try await run.wait() == ending, "\(arguments): \(run.standardError)")
            #expect(run.standardOutput == output, "\(arguments)")
        }
    }

    @Test func contractDiffReadsStandardInput() async throws {
        let directory = try TemporaryDirectory()
        let text = "{\n\t\"openapi\": \"3.1.0\", \"info\": { \"title\": \"a\", \"version\": \"1\" }, \"paths\": {} }"
        TestFiles.write(Array(text.utf8), to: directory.path + "/in.json")
        TestFiles.write(
            Array("openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths: { /a: { get: {} } }\n".utf8),
            to: directory.path + "/in.yaml")
        TestFiles.write(
            Array(
                ("openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths: { /a: { post: { requestBody: { content: "
                    + "{ application/json: { schema: { $ref: 'https://example.com/b.yaml#/B' } } } } } } }\n").utf8),
            to: directory.path + "/remote.yaml")
        TestFiles.write("B: { maxLength: 9 }\n".utf8, to: directory.path + "/old.yaml")
        for (arguments, input, ending, output) in [
            (
                "- remote.yaml --schema https://example.com/b.yaml=old.yaml", "remote.yaml", ProgramRun.Ending.exit(0),
                "standard input -> remote.yaml: no changes\n"
            ),
            ("- in.yaml", "in.json", .exit(0), "standard input -> in.yaml: 1 compatible change\n"),
            ("in.json -", "in.yaml", .exit(0), "in.json -> standard input: 1 compatible change\n"),
            ("- in.json", "in.yaml", .exit(1), "standard input -> in.json: 1 breaking change\n"),
        ] {
            let run = try ProgramRun(
                ["/bin/sh", "-c", "'\(Program.path)' contract diff \(arguments) <\(input)"],
                environment: Program.environment(home: directory.path), directory: directory.path,
                output: directory.path + "/run")
            #expect(try await run.wait() == ending, "\(arguments): \(run.standardError)")
            #expect(run.standardOutput.hasPrefix(output), "\(run.standardOutput)")
        }
    }

    @Test func contractDiffListsItsChecks() async throws {
        let page = try await Program.run(
            ["contract", "diff", "--checks", "--format", "markdown"], in: TestFiles.package)
        #expect(page.output == TestFiles.text("\(TestFiles.package)/Documentation/contract-changes.md"))
    }

    @Test(arguments: [
        ("schema", "suite.schema.json"), ("schema settings", "settings.schema.json"),
        ("schema fragments", "fragments.schema.json"),
        ("schema mock", "mock.schema.json"), ("schema config", "config.schema.json"),
        ("schema events", "events.schema.json"),
    ])
    func schemasAreCurrent(_ command: String, _ file: String) async throws {
        let run = try await Program.run(command.split(separator: " ").map(String.init), in: TestFiles.package)
        #expect(run.ending == .exit(0))
        let schema = try JSONValue(parsing: Array(run.output.utf8))
        guard case .object(let root) = schema else {
            Issue.record("the schema is not an object")
            return
        }
        #expect(root["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(run.output == TestFiles.text("\(TestFiles.package)/schemas/\(file)"), "schemas/\(file) is out of date")
    }

    @Test func referenceIsCurrent() async throws {
        let directory = try TemporaryDirectory()
        let run = try ProgramRun(
            [TestFiles.package + "/.ci/command-reference", Program.path],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        #expect(try await run.wait() == .exit(0), "\(run.standardError)")
        let page = TestFiles.text(TestFiles.package + "/Documentation/command-line.md")
        #expect(run.standardOutput == page, "Documentation/command-line.md is out of date")
    }

    @Test(arguments: ReportRequest.Format.allCases)
    func everyReportFormatIsDocumented(_ format: ReportRequest.Format) throws {
        let page = try #require(TestFiles.text(TestFiles.package + "/Documentation/reports.md"))
        let row = page.split(separator: "\n").first { $0.hasPrefix("| [`\(format.rawValue)`](#") }
        #expect(row?.contains(format.defaultPath.map { "`\($0)`" } ?? "| |") == true, "\(row ?? "no row")")
    }
}
