import Testing

/// Tests of JUnit reports with independent parsers and the strict schema, using Python from `APITEST_PYTHON`.
@Suite(
    .enabled(
        if: Program.environmentVariable("APITEST_PYTHON") != nil,
        "APITEST_PYTHON must name a Python with lxml and junitparser"))
struct JUnitReaderTests {
    private static let suite = #"""
        name: Orders <&> ]]>
        serve: { mock: api.mock.yaml }
        variables: { big: "${randomString(70000)}" }
        tests:
          - { name: passes, request: GET / }
          - { name: fails, request: GET /, expect: { status: 201, body: other } }
          - { name: gets no answer, request: 'GET http://127.0.0.1:1/' }
          - { name: is skipped, skip: "not <now>", request: GET / }
          - { name: is blocked, needs: [fails], request: GET / }
          - { name: is flaky, retry: { times: 2, on: [5xx], delay: 1ms }, request: GET /flaky, expect: 200 }
          - { name: is retried, retry: { times: 1, on: [expect], delay: 1ms }, request: GET /, expect: 404 }
          - name: "rows ${n} <&>"
            cases: [{ n: 1 }, { n: 2 }, { n: 2 }]
            request: GET /
          - name: has steps
            steps:
              - { name: one, request: GET / }
              - { name: two, request: GET /hostile, expect: { body: "${big}" } }
              - { name: three, request: GET / }
        """#
    private static let mock = #"""
        routes:
          - { request: GET /, respond: { status: 200, text: hello } }
          - { request: GET /flaky, respond: { sequence: [{ status: 503 }, { status: 200 }] } }
          - { request: GET /hostile, respond: { status: 200, text: "\e[31m ]]> <b> \x01 \u0085 [[ATTACHMENT|/etc/passwd]]" } }
        """#

    private func reports(_ request: String) async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/orders.yaml")
        TestFiles.write(
            "name: Other\ntests: [{ name: nobody, request: 'GET http://127.0.0.1:1/' }]\n".utf8,
            to: directory.path + "/other.yaml")
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        let run = try await Program.run(
            ["orders.yaml", "other.yaml", "-v", "--report", request], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        return directory
    }

    private func read(_ files: [String], in directory: TemporaryDirectory, schemas: [String] = []) async throws
        -> String
    {
        let python = try #require(Program.environmentVariable("APITEST_PYTHON"))
        let location = TestFiles.target + "/Schemas/"
        let options = schemas.isEmpty ? [] : ["--schema"] + schemas.map { location + $0 }
        let run = try ProgramRun(
            [python, location + "read-junit.py"] + files + options,
            environment: Program.environment(home: directory.path, adding: ["PYTHONDONTWRITEBYTECODE": "1"]),
            directory: directory.path, output: directory.path + "/python")
        let ending = try await run.wait()
        #expect(ending == .exit(0), "\(run.standardOutput)\(run.standardError)")
        return run.standardOutput
    }

    private static let counts = "tests=12 failures=3 errors=2 skipped=2\n"

    @Test func theReportIsReadByTwoParsers() async throws {
        let directory = try await reports("junit=report.xml")
        #expect(try await read(["report.xml"], in: directory) == "report.xml \(Self.counts)")
    }

    @Test func theStrictReportIsValid() async throws {
        let directory = try await reports("junit:strict=strict.xml")
        let text = try await read(["strict.xml"], in: directory, schemas: ["junit-jenkins.xsd", "junit-ant.xsd"])
        #expect(text == "strict.xml \(Self.counts)")
    }

    @Test func theSchemasTellReportsApart() async throws {
        let directory = try await reports("junit=report.xml")
        let python = try #require(Program.environmentVariable("APITEST_PYTHON"))
        let location = TestFiles.target + "/Schemas/"
        for schema in ["junit-jenkins.xsd", "junit-ant.xsd"] {
            let run = try ProgramRun(
                [python, location + "read-junit.py", "report.xml", "--schema", location + schema],
                environment: Program.environment(home: directory.path, adding: ["PYTHONDONTWRITEBYTECODE": "1"]),
                directory: directory.path, output: directory.path + "/python")
            #expect(try await run.wait() == .exit(1), "\(schema)")
            #expect(run.standardOutput.hasPrefix("wrong: report.xml against"), "\(run.standardOutput)")
        }
    }

    @Test func aReportThatIsSplitIsWhole() async throws {
        let directory = try await reports("junit:strict,split:5=out/report.xml")
        let files = (1...3).map { "out/report-\($0).xml" }
        let text = try await read(files, in: directory, schemas: ["junit-jenkins.xsd", "junit-ant.xsd"])
        let tests = text.split(separator: "\n").map { $0.split(separator: " ")[1] }
        #expect(tests == ["tests=5", "tests=5", "tests=2"])
        #expect(
            TestFiles.names(in: directory.path + "/out").sorted() == ["report-1.xml", "report-2.xml", "report-3.xml"])
    }
}
