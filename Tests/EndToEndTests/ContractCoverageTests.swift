import JSON
import Testing

/// Tests of the contract coverage in records and reports.
@Suite(.serialized)
struct ContractCoverageTests {
    private static let example = TestFiles.package + "/examples/contract"

    /// Returns the number of covered parts and of all parts by kind, from the last line of a record.
    private static func figures(_ record: String) throws -> [String: String] {
        let line = try #require(record.split(separator: "\n").last)
        let contract = try #require(try JSONValue(parsing: Array(line.utf8))["contracts"]?[0])
        #expect(contract["description"]?.stringValue?.hasSuffix("openapi.yaml") == true)
        var numbers: [String: (covered: Int, total: Int)] = [:]
        for item in contract["items"]?.arrayValue ?? [] {
            let kind = try #require(item["kind"]?.stringValue)
            numbers[kind, default: (0, 0)].total += 1
            if item["covered"] == true { numbers[kind, default: (0, 0)].covered += 1 }
        }
        return numbers.mapValues { "\($0.covered)/\($0.total)" }
    }

    /// The coverage of examples/contract, counted by hand.
    ///
    /// Not requested: GET /status with its two responses, one of them with a media type, and the 422 of POST /books
    /// with its media type.
    private static let whole = [
        "operation": "4/5", "parameter": "4/4", "request": "1/1", "response": "8/11", "response-content": "7/9",
    ]

    @Test("The example's coverage matches the count by hand, and two partial runs add up to it")
    func figuresAndMerging() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.copy(Self.example, to: directory.path + "/project")
        let project = directory.path + "/project"
        func run(_ arguments: [String]) async throws -> String {
            let run = try await Program.run(arguments, in: project)
            #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
            return run.output
        }
        let output = try await run([".", "--report", "json=whole.jsonl"])
        #expect(
            output.contains(
                """
                contract openapi.yaml: 80.0% covered, 4 of 5 operations, 4 of 4 parameters, 1 of 1 request media type, 8 of 11 \
                responses, 7 of 9 response media types
                """), "\(output)")
        #expect(try Self.figures(try #require(TestFiles.text(project + "/whole.jsonl"))) == Self.whole)

        for (index, tests) in [
            ["list books", "a limit"], ["add a book", "librarians", "read", "not there", "remove"],
        ]
        .enumerated() {
            _ = try await run(["."] + tests.flatMap { ["--test", $0] } + ["--report", "json=\(index).jsonl"])
        }
        let part = try Self.figures(try #require(TestFiles.text(project + "/0.jsonl")))
        #expect(
            part == [
                "operation": "1/5", "parameter": "2/4", "request": "0/1", "response": "2/11", "response-content": "2/9",
            ])
        _ = try await run(["report", "merge", "0.jsonl", "1.jsonl", "--output", "all.jsonl"])
        #expect(try Self.figures(try #require(TestFiles.text(project + "/all.jsonl"))) == Self.whole)

        _ = try await run([
            "report", "convert", "all.jsonl", "--report", "json=again.jsonl", "--report", "html=all.html", "--report",
            "markdown=all.md",
        ])
        #expect(try Self.figures(try #require(TestFiles.text(project + "/again.jsonl"))) == Self.whole)
        let html = try #require(TestFiles.text(project + "/all.html"))
        #expect(html.contains(#"["openapi.yaml","80.0%",[["operations",4,5],["parameters",4,4]"#))
        let markdown = try #require(TestFiles.text(project + "/all.md"))
        #expect(markdown.contains("| `openapi.yaml` | 80.0% | operations | 4 | 5 |"))
        #expect(try await run(["report", "show", "all.jsonl"]).contains("80.0% covered, 4 of 5 operations"))
    }

    @Test("Coverage below the threshold fails the run and lists what is missing", arguments: [("80", 0), ("80.1", 1)])
    func threshold(_ percent: String, _ status: Int) async throws {
        let run = try await Program.run([".", "--coverage-threshold", percent], in: Self.example)
        #expect(run.ending == .exit(Int32(status)), "\(run.output)\(run.error)")
        #expect(
            run.error.contains(
                "--coverage-threshold 80.1: only 80.0% of openapi.yaml is covered, 24 of 30; not covered: POST /books (422), "
                    + "POST /books (422 application/problem+json), GET /status; --coverage lists all"
            )
                == (status == 1), "\(run.error)")
    }

    @Test("Every report states that coverage is too low, also when it is read back")
    func lowCoverageInReports() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.copy(Self.example, to: directory.path + "/project")
        let project = directory.path + "/project"
        let reports = ["--report", "tap=run.tap", "--report", "ctrf=run.json", "--report", "markdown=run.md"]
        let run = try await Program.run(
            [".", "--coverage-threshold", "99", "--report", "json=run.jsonl"] + reports, in: project)
        #expect(run.ending == .exit(1), "\(run.error)")
        #expect(run.output.contains("passed, coverage below threshold\n"), "\(run.output)")
        let record = try #require(TestFiles.text(project + "/run.jsonl"))
        #expect(record.contains("\"lowCoverage\":true"))
        #expect(record.contains("{\"event\":\"notice\",\"severity\":\"error\""))
        for _ in 0..<2 {
            let tap = try #require(TestFiles.text(project + "/run.tap"))
            #expect(tap.contains(" - apitest run › coverage below threshold\n"), "\(tap)")
            #expect(try #require(TestFiles.text(project + "/run.json")).contains("\"healthy\":false"))
            let page = try #require(TestFiles.text(project + "/run.md"))
            #expect(page.hasPrefix("# ❌ API tests: coverage below threshold\n"), "\(page)")
            let again = try await Program.run(["report", "convert", "run.jsonl"] + reports, in: project)
            #expect(again.ending == .exit(1), "\(again.error)")
        }
        #expect(try await Program.run(["report", "show", "run.jsonl"], in: project).ending == .exit(1))
    }

    @Test("Secrets in undocumented URLs are masked")
    func secrets() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.copy(Self.example, to: directory.path + "/project")
        TestFiles.write(
            """
            serve: { mock: library.mock.yaml }
            contract: { file: openapi.yaml, severity: { undocumented-operation: warning } }
            secrets: [key]
            variables: { key: 5f0c9a2b77 }
            tests: [{ name: a, request: "GET /keys/${key}", expect: 404 }]
            """.utf8, to: directory.path + "/project/secret.yaml")
        let run = try await Program.run(
            ["secret.yaml", "--coverage", "--report", "json=-"], in: directory.path + "/project")
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        #expect(run.output.contains("GET /keys/***"), "\(run.output)")
        #expect(!(run.output + run.error).contains("5f0c9a2b77"), "\(run.output)\(run.error)")
    }
}
