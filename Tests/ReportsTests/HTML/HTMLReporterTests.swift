import Basics
import JSON
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports
@testable import RunRecord

struct HTMLReporterTests {
    private func page(
        _ events: [RunEvent], trends: HTMLTrends? = nil, showsExchanges: Bool = false
    ) throws -> HTMLPageReader {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.html"
        let reporter = try HTMLReporter(
            path: path, hostName: "host.example", workingDirectory: "/home/ada", trends: { trends })
        let fanOut = ReportFanOut([reporter], showsExchanges: showsExchanges)
        for event in events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        #expect(TemporaryDirectory.names(in: directory.path) == ["report.html"])
        return try HTMLPageReader(try TemporaryDirectory.read(path))
    }

    @Test func theRichRun() throws {
        let bytes = try RichRun.report { path throws(ReportError) in
            try HTMLReporter(path: path, hostName: "host.example", workingDirectory: "/home/ada")
        }
        let page = try HTMLPageReader(bytes)
        try GoldenFile.expect(page.withoutAssets, named: "report.html")
    }

    /// No text of the run, however hostile, may end or add an element.
    @Test func hostileTexts() throws {
        let bytes = try RichRun.report { path throws(ReportError) in
            try HTMLReporter(path: path, hostName: "host.example", workingDirectory: "/home/ada")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let page = try HTMLPageReader(bytes)
        #expect(text.ranges(of: "<script").count == page.details.count + 3)
        #expect(text.ranges(of: "</script").count == page.details.count + 3)
        #expect(!text.contains(RichRun.secret))
        for byte in bytes where byte < 0x20 { #expect(byte == 0x0A) }
    }

    @Test func rows() throws {
        let fixture = Fixture()
        let page = try page(
            fixture.events([
                fixture.result(
                    "add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding],
                    exchange: Fixture.created),
                fixture.result("read it back", .blocked(by: "add a book"), position: 1, milliseconds: 0),
                fixture.result("later", .skipped(reason: ""), position: 2, milliseconds: 0),
                fixture.result("fine", .passed, position: 3, milliseconds: 1_234),
                fixture.result("refused", .errored, findings: [fixture.refusedFinding], exchange: Fixture.refused),
            ]))
        let tests = try #require(page.data["tests"]?.arrayValue)
        #expect(
            tests.map { $0.serialized() } == [
                #"[0,"add a book",2,0,41000,4,0,"status: expected 201, got 200","#
                    + #""POST 200 /books\n@tests/bookshop.yaml:10:15\n@tests/bookshop.yaml:12:18"]"#,
                #"[0,"read it back",5,0,0,4,0,"blocked by \"add a book\""]"#, #"[0,"later",4,0,0,4,0]"#,
                #"[0,"fine",0,0,1234000,4,0]"#,
                #"[0,"refused",3,0,41000,4,0,"connect: connection refused","#
                    + #""GET - http://127.0.0.1:1/books/1\n@tests/bookshop.yaml:7:12"]"#,
            ])
        #expect(page.data["tags"] == [["smoke"]])
        #expect(page.details.keys.sorted() == ["t0", "t4"])
        let finding = try #require(page.details["t0"]?["steps"]?[0]?["findings"]?[1])
        #expect(finding["line"] == [12, "        $.title: ", "Dune", ""])
        #expect(finding["expected"] == ["string", #""Dune""#])
        #expect(finding["actual"] == ["integer", "42"])
        #expect(page.text.contains("<title>1 failed, 1 error of 5 tests · apitest</title>"))
    }

    @Test func stepsOfATestThatPassed() throws {
        let fixture = Fixture()
        var result = TestResult(test: fixture.test("order", hasSteps: true), outcome: .passed, start: 2_000_000)
        var step = fixture.step("log in", .passed, milliseconds: 5)
        step.start = 3_500_000
        result.steps = [step]
        let page = try page(fixture.events([result]))
        #expect(
            page.data["tests"]?[0]?.serialized() == #"[0,"order",0,2000,0,4,0,"",[["log in",0,1500,5000,14]]]"#)
        #expect(page.details.isEmpty)
    }

    @Test("A passed test shows its requests without the suite's base URL")
    func requestsOfTestsThatPassed() throws {
        let fixture = Fixture()
        var single = fixture.result("books", .passed)
        single.steps[0].outline = ExchangeOutline(
            method: "GET", url: "http://ada:secret@127.0.0.1:8080/books", status: 200)
        var steps = TestResult(test: fixture.test("order", hasSteps: true), outcome: .passed)
        var sent = fixture.step("look", .passed)
        sent.outline = ExchangeOutline(method: "GET", url: "http://127.0.0.1:8080/books", status: 200)
        steps.steps = [sent, fixture.step("pay", .skipped(reason: "1 == 2 is false"), milliseconds: 0)]
        let page = try page(fixture.events([single, steps]))
        #expect(
            page.data["tests"]?.arrayValue?.map { $0.serialized() } == [
                #"[0,"books",0,0,41000,4,0,"","GET 200 http://ada:***@127.0.0.1:8080/books"]"#,
                #"[0,"order",0,0,0,4,0,"",[["look",0,0,41000,14,"GET 200 /books"],["pay",4,0,0,14,"1 == 2 is false"]]]"#,
            ])
        #expect(page.details.isEmpty)
    }

    @Test("Exchanges of passed tests are included on request")
    func exchangesOnRequest() throws {
        let directory = try TemporaryDirectory()
        let request = try ReportRequest("html:exchanges=\(directory.path)/report.html")
        let fanOut = ReportFanOut([try ReporterFactory.reporter(for: request)], showsExchanges: false)
        #expect(fanOut.needs.contains(.exchanges))
        let fixture = Fixture()
        for event in fixture.events([fixture.result("books", .passed, exchange: Fixture.created)]) {
            fanOut.send(event)
        }
        #expect(fanOut.finish() == [])
        let page = try HTMLPageReader(try TemporaryDirectory.read(directory.path + "/report.html"))
        #expect(page.details["t0"]?["steps"]?[0]?["exchange"]?["response"]?["status"] == 200)
    }

    @Test("Links lead to the commit and the job")
    func origin() throws {
        var events = Fixture().events([])
        guard case .runStarted(var info) = events[0] else { return }
        info.origin = RunOrigin(
            revision: RunOrigin.Link(name: String(repeating: "ab", count: 20), url: "https://g.example/c"),
            job: RunOrigin.Link(name: "CI #7"))
        events[0] = .runStarted(info)
        #expect(
            try page(events).data["run"]?["origin"] == [
                ["Commit", "abababababab", "https://g.example/c"], ["Job", "CI #7", .null],
            ])
    }

    @Test("The last verdicts of each test are included, failed tests first")
    func strips() throws {
        let fixture = Fixture()
        var table = TrendTable(stripLength: 20)
        for (run, letter) in ["f", "s", "p"].enumerated() {
            let isAdded = table.add(
                TrendTableTests.run(
                    run, [("fine", "p 41250"), ("add a book", "\(letter) 3120")], suite: "tests/bookshop.yaml",
                    revision: "r\(run)"))
            #expect(isAdded)
        }
        var trends = HTMLTrends()
        trends.table = table
        let page = try page(fixture.events([fixture.result("add a book", .passed)]), trends: trends)
        #expect(page.data["runs"]?["2"] == [1_700_000_120_000, "r2"])
        #expect(page.data["strips"] == [[0, "add a book", "0f3.1 2p3.1"], [0, "fine", "0p41 p41 p41"]])
    }

    @Test func aRunThatDidNotEnd() throws {
        let fixture = Fixture()
        let events = [
            fixture.events([]).first, .testStarted(fixture.test("slow")),
            .notice(
                RunNotice(.serveEnded, severity: .error, suite: 0, message: "the server ended", details: ["panic"])),
            .interrupted(nil),
        ]
        let page = try page(events.compactMap { $0 })
        #expect(page.data["run"]?["interrupted"] == true)
        #expect(page.data["run"]?["duration"] == .null)
        #expect(
            page.data["tests"]?[0]?.serialized()
                == #"[0,"slow",4,0,0,4,0,"not finished: the run was stopped"]"#)
        #expect(
            page.data["notices"] == [
                ["error", .null, "apitest run › incomplete: the run did not finish [incomplete]", []],
                ["error", 0, "the server ended [serve-ended]", ["panic"]],
            ])
    }

    @Test func trends() throws {
        let entry = HTMLTrends.Entry(kind: .newFailure, suite: "Bookshop", test: "a </script>", text: "passed before")
        let page = try page(Fixture().events([]), trends: HTMLTrends(entries: [entry]))
        #expect(page.data["trends"] == [["new failure", "Bookshop", "a </script>", "passed before"]])
        #expect(try self.page(Fixture().events([])).data["trends"] == nil)
    }

    /// Passed tests take few bytes, and the details of failures are reduced if there are very many.
    @Test func sizes() throws {
        let fixture = Fixture()
        let passed = try page(
            fixture.events((0..<2_000).map { fixture.result("lists the books [\($0)]", .passed, position: $0) }))
        let failed = try page(
            fixture.events(
                (0..<2_000).map {
                    var exchange = Fixture.created
                    exchange.response?.body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
                    return fixture.result(
                        "\($0)", .failed, position: $0, findings: [fixture.statusFinding], exchange: exchange)
                }))
        let assets = try page(fixture.events([])).text.utf8.count
        #expect(passed.text.utf8.count - assets < 2_000 * 80)
        #expect(failed.text.utf8.count - assets < 24 << 20)
        #expect(failed.details.count == 2_000)
        #expect(failed.data["run"]?["shortened"] == true)
        let body = failed.details["t1999"]?["steps"]?[0]?["exchange"]?["response"]?["body"]
        #expect(body?["omitted"] == 97_952)
    }

    /// With `-v`, the exchanges of passed tests are included as far as the failures leave room.
    @Test func exchangesOfPassedTests() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        let results = (0..<400).map {
            fixture.result("\($0)", .passed, position: $0, exchange: exchange)
        }
        let failed = fixture.result(
            "400", .failed, position: 400, findings: [fixture.statusFinding], exchange: exchange)
        let page = try page(fixture.events(results + [failed]), showsExchanges: true)
        #expect((100..<300).contains(page.details.count))
        #expect(page.details["t0"]?["steps"]?[0]?["exchange"]?["response"]?["status"] == 200)
        #expect(page.details["t399"] == nil)
        let body = page.details["t400"]?["steps"]?[0]?["exchange"]?["response"]?["body"]
        #expect(body?["omitted"] == 50_848)
        #expect(try self.page(fixture.events(results)).details.isEmpty)
    }

    @Test func anUnwritablePath() throws {
        #expect(throws: ReportError.self) { try HTMLReporter(path: "/proc/nothing/report.html") }
    }
}
