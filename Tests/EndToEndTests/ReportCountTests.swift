import Glibc
import JSON
import Testing

/// Tests that all reports of a run state the same counts, without setup, teardown and steps.
struct ReportCountTests {
    private static let mock = """
        routes:
          - request: GET /**
            respond: { json: { path: "${request.path}" } }
        """

    /// Returns a suite with a test for each outcome, a setup, a teardown, rows and steps.
    private static func suite(teardown: Int) -> String {
        """
        name: Everything
        description: All that a report counts.
        owner: shop team
        serve: { mock: api.mock.yaml }
        setup:
          - request: GET /setup
        tests:
          - name: "row ${n}"
            cases: [{ n: 1 }, { n: 2 }, { n: 3 }]
            request: GET /${n}
          - name: steps
            description: Goes through the shop.
            x-jira: SHOP-1
            steps:
              - request: GET /a
              - request: GET /b
              - { if: "false", request: GET /c }
          - name: fails
            id: fails
            steps:
              - request: GET /a
              - { request: GET /x, expect: { status: 201, json: { $.path: /y } } }
          - name: errored
            request: { url: "http://127.0.0.1:1/", timeout: 2s }
          - name: blocked
            needs: fails
            request: GET /z
          - name: skipped
            skip: for a reason
            request: GET /z
        teardown:
          - { request: GET /teardown, expect: \(teardown) }
        """
    }

    /// The number of tests for each outcome.
    private struct Counts: Equatable {
        var passed = 4
        var failed = 1
        var errored = 1
        var skipped = 1
        var blocked = 1
        var total: Int { passed + failed + errored + skipped + blocked }
    }

    @Test(arguments: [200, 201])
    func everyReportStatesTheSame(teardown: Int) async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(Self.suite(teardown: teardown).utf8, to: directory.path + "/all.apitest.yaml")
        let formats = [
            "junit=r.xml", "junit:strict=s.xml", "json=r.jsonl", "tap=r.tap", "ctrf=r.json", "markdown=r.md",
            "html=r.html",
            "allure=allure",
        ]
        let run = try await Program.run(["."] + formats.flatMap { ["--report", $0] }, in: directory.path)
        #expect(run.ending == .exit(1), "\(run.error)")
        // A failed teardown counts as a separate failure.
        var counts = Counts()
        if teardown == 201 { counts.failed += 1 }
        let failed = "\(counts.failed) failed, 1 errored, 1 skipped, 1 blocked"
        #expect(run.output.contains("\(counts.total) tests in 1 suite: 4 passed, \(failed)"))

        func text(_ name: String) throws -> String { try #require(TestFiles.text("\(directory.path)/\(name)")) }
        for name in ["r.xml", "s.xml"] {
            if name == "r.xml" { #expect(try JUnitReport(try text(name)).problems.isEmpty) }
            let suite = try #require(try XMLElement(document: try text(name)).children("testsuite").first)
            #expect(suite.attributes["tests"] == "\(counts.total)")
            #expect(suite.attributes["failures"] == "\(counts.failed)")
            #expect(suite.attributes["errors"] == "1")
            #expect(suite.attributes["skipped"] == "2")
        }
        let tap = try text("r.tap").split(separator: "\n")
        #expect(tap.last == "1..\(counts.total)")
        #expect(tap.count { $0.hasPrefix("not ok ") } == counts.failed + 1)
        #expect(tap.count { $0.contains(" # SKIP") } == 2)

        let ctrf = try JSONValue(parsing: Array(try text("r.json").utf8))
        let summary = ctrf["results"]?["summary"]
        #expect(summary?["tests"] == .number(JSONNumber(Int64(counts.total))))
        #expect(summary?["failed"] == .number(JSONNumber(Int64(counts.failed + 1))))
        #expect(summary?["passed"] == 4)

        let end = try text("r.jsonl").split(separator: "\n").last { $0.contains("\"event\":\"runEnd\"") }
        #expect(
            end?.contains(
                "\"counts\":{\"passed\":4,\"flaky\":0,\"failed\":\(counts.failed),\"errored\":1,\"skipped\":1,\"blocked\":1}"
            )
                == true)
        #expect(try text("r.md").contains("| \(counts.total) | 4 | 0 | \(counts.failed) | 1 | 1 | 1 |"))
        #expect(try text("r.html").contains("<th scope=\"row\">total</th><td>\(counts.total)</td>"))
        let results = TestFiles.names(in: directory.path + "/allure").filter { $0.hasSuffix("-result.json") }
        #expect(results.count == counts.total)

        // The request is recorded even without a response.
        let errored = try text("r.jsonl").split(separator: "\n").first {
            $0.hasPrefix("{\"event\":\"test\"") && $0.contains("\"name\":\"errored\"")
        }
        #expect(errored?.contains("\"User-Agent\"") == true)

        // The metadata of the suite and the test is in all reports.
        for name in ["r.xml", "r.jsonl", "r.tap", "r.json", "r.html"] {
            #expect(try text(name).contains("Goes through the shop."), "\(name)")
        }
        #expect(try text("r.xml").contains("<property name=\"x-jira\" value=\"SHOP-1\"/>"))
        #expect(try text("r.xml").contains("<property name=\"owner\" value=\"shop team\"/>"))
        #expect(try text("r.xml").contains("<property name=\"step[skipped]\" value=\"GET /c\"/>"))
    }
}
