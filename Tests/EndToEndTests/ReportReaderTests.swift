import JSON
import Testing

/// Tests of machine-readable reports with independent readers.
struct ReportReaderTests {
    /// The Python interpreter with the packages for tests.
    static let python = Program.environmentVariable("APITEST_PYTHON")

    /// Runs a Python script and returns its output.
    static func output(_ script: String, _ arguments: [String], in directory: String) async throws -> String {
        let python = try #require(python)
        let run = try ProgramRun(
            [python, "-c", script] + arguments, environment: Program.environment(home: directory), directory: directory,
            output: directory + "/python")
        #expect(try await run.wait() == .exit(0), "\(run.standardError)")
        return run.standardOutput
    }

    static func isInstalled(_ package: String) async -> Bool {
        guard python != nil, let directory = try? TemporaryDirectory() else { return false }
        return (try? await output("import \(package); print('yes')", [], in: directory.path)) == "yes\n"
    }

    private static func schema(_ name: String) -> String {
        "\(TestFiles.package)/Tests/ReportsTests/Schemas/\(name).schema.json"
    }

    private static let validation = """
        import json, sys
        from jsonschema import Draft7Validator, FormatChecker
        schema, report = (json.load(open(path)) for path in sys.argv[1:3])
        Draft7Validator.check_schema(schema)
        for error in Draft7Validator(schema, format_checker=FormatChecker()).iter_errors(report):
            print(list(error.absolute_path), error.message)
        """

    private static func makeSuite(in directory: String) {
        TestFiles.write(suite.utf8, to: directory + "/suite.yaml")
        TestFiles.write(mock.utf8, to: directory + "/api.mock.yaml")
    }

    @Test(
        "CTRF and HAR reports are valid according to jsonschema",
        .enabled("APITEST_PYTHON must name a Python with jsonschema") { await isInstalled("jsonschema") })
    func schemas() async throws {
        let directory = try TemporaryDirectory()
        Self.makeSuite(in: directory.path)
        let run = try await Program.run(
            ["suite.yaml", "--report", "ctrf", "--report", "har", "--seed", "7"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        for (name, file) in [("ctrf", "ctrf-report.json"), ("har", "report.har")] {
            let problems = try await Self.output(Self.validation, [Self.schema(name), file], in: directory.path)
            #expect(problems == "", "\(name)")
        }
        let report = try JSONValue(parsing: try #require(TestFiles.bytes(directory.path + "/ctrf-report.json")))
        let results = try #require(report["results"])
        #expect(results["environment"]?["extra"]?["seed"] == "7")
        #expect(results["summary"]?["tests"] == 4)
        #expect(results["summary"]?["other"] == 1)
    }

    private static let haralyzer = """
        import json, sys
        from haralyzer import HarEntry, HarParser
        parser = HarParser(json.load(open(sys.argv[1])))
        print(parser.version, parser.creator["name"])
        for page in parser.pages:
            print(page.page_id, page.title, len(page.entries))
            for entry in page.entries:
                request, response = entry.request, entry.response
                print(" ", request.method, request.url.split("/", 3)[3], [p["value"] for p in request.queryString],
                    [c["name"] for c in entry.raw_entry["response"]["cookies"]], response.status, response.text)
        """

    @Test(
        "haralyzer reads the pages and entries of a run",
        .enabled("APITEST_PYTHON must name a Python with haralyzer") { await isInstalled("haralyzer") })
    func archive() async throws {
        let directory = try TemporaryDirectory()
        Self.makeSuite(in: directory.path)
        let run = try await Program.run(["suite.yaml", "--report", "har=out/x.har"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(
            try await Self.output(Self.haralyzer, ["out/x.har"], in: directory.path) == """
                1.2 apitest
                test_1_1 Shop › list the books 2
                  GET books?q=a+b ['a b'] [] 302 \n\
                  GET list?q=a+b ['a b'] ['session'] 200 []
                test_1_2 Shop › read #7 1
                  GET books/7 [] [] 200 {"title":"42\\u001b[31m"}

                """)
    }

    @Test("The Allure results directory reflects the run")
    func allure() async throws {
        let directory = try TemporaryDirectory()
        Self.makeSuite(in: directory.path)
        let environment = ["GITHUB_ACTIONS": "true", "GITHUB_WORKFLOW": "API", "GITHUB_RUN_NUMBER": "12"]
        let run = try await Program.run(
            ["suite.yaml", "--report", "allure"], in: directory.path, environment: environment)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let results = directory.path + "/allure-results"
        let names = TestFiles.names(in: results)
        #expect(names.count { $0.hasSuffix("-attachment.txt") } == 1)
        #expect(names.count { $0.hasSuffix("-attachment.json") } == 1)
        #expect(names.contains("environment.properties"))
        #expect(
            TestFiles.text(results + "/executor.json")
                == #"{"name":"GitHub Actions","type":"github","buildOrder":12,"buildName":"API #12"}"# + "\n")
        let statuses = try names.filter { $0.hasSuffix("-result.json") }.map { name in
            let result = try JSONValue(parsing: try #require(TestFiles.bytes("\(results)/\(name)")))
            return "\(result["name"] ?? .null) \(result["status"] ?? .null)"
        }
        #expect(
            statuses.sorted() == [
                #""buy it" "skipped""#, #""list the books" "passed""#, #""read #7" "failed""#,
                #""send it back" "skipped""#,
            ])
    }

    @Test(arguments: [
        ("ctrf=suite.yaml/x.json", "cannot write the report \"suite.yaml/x.json\": Not a directory [unwritable-file]"),
        ("har=suite.yaml/x.har", "cannot write the report \"suite.yaml/x.har\": Not a directory [unwritable-file]"),
        ("tap=suite.yaml/x.tap", "cannot write the report \"suite.yaml/x.tap\": Not a directory [unwritable-file]"),
        ("allure=suite.yaml/x", "cannot write the report \"suite.yaml/x\": Not a directory [unwritable-file]"),
        ("allure=suite.yaml", "cannot write the report \"suite.yaml\": Not a directory [unwritable-file]"),
        ("allure=-", "cannot write the report \"/dev/stdout\": Not a directory [unwritable-file]"),
        ("ctrf:pretty", "report \"ctrf:pretty\": the format \"ctrf\" has no options [invalid-option]"),
        ("har:pretty=x.har", "report \"har:pretty=x.har\": the format \"har\" has no options [invalid-option]"),
    ])
    func nothingIsSentWhenAReportCannotBeWritten(report: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        Self.makeSuite(in: directory.path)
        let run = try await Program.run(["suite.yaml", "--report", report], in: directory.path)
        #expect(run.ending == .exit(2))
        #expect(run.output == "")
        #expect(run.error == "apitest: \(message)\n")
    }

    private static let suite = """
        name: Shop
        serve: { mock: api.mock.yaml }
        tests:
          - name: list the books
            tags: [smoke]
            request: GET /books?q=a+b
          - name: "read #7"
            id: read
            request: GET /books/7
            expect: { status: 201, json: { $.title: Dune } }
          - name: buy it
            needs: read
            request: POST /orders
          - name: send it back
            skip: no returns
            request: DELETE /orders/1
        """

    private static let mock = """
        routes:
          - request: GET /books
            respond: { status: 302, headers: { Location: "/list?q=a+b" } }
          - request: GET /list
            respond: { json: [], headers: { Set-Cookie: session=1; Path=/ } }
          - request: GET /books/7
            respond: { json: { title: "42\\e[31m" } }
        """
}
