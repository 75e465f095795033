import JSON
import SuiteModel
import Testing

@testable import Reports

struct HTMLReporterTests {
    private func page(
        _ events: [RunEvent], trends: HTMLTrends? = nil, showsExchanges: Bool = false
    ) throws -> HTMLPageReader {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report.html"
        let reporter = try HTMLReporter(
            path: path, hostName: "host.example", workingFolder: "/home/ada", trends: { trends })
        let fanOut = ReportFanOut([reporter], showsExchanges: showsExchanges)
        for event in events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        #expect(TemporaryFolder.names(in: folder.path) == ["report.html"])
        return try HTMLPageReader(try TemporaryFolder.read(path))
    }

    @Test func theRichRun() throws {
        let bytes = try RichRun.report { path throws(ReportError) in
            try HTMLReporter(path: path, hostName: "host.example", workingFolder: "/home/ada")
        }
        let page = try HTMLPageReader(bytes)
        try GoldenFile.expect(page.withoutAssets, named: "report.html")
    }

    /// No text of the run, however hostile, may end an element or add one.
    @Test func hostileTexts() throws {
        let bytes = try RichRun.report { path throws(ReportError) in
            try HTMLReporter(path: path, hostName: "host.example", workingFolder: "/home/ada")
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
                #"[0,"add a book",2,0,41000,4,0,"status: expected 201, got 200"]"#,
                #"[0,"read it back",5,0,0,4,0,"blocked by \"add a book\""]"#, #"[0,"later",4,0,0,4,0]"#,
                #"[0,"fine",0,0,1234000,4,0]"#,
                #"[0,"refused",3,0,41000,4,0,"connect: connection refused"]"#,
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

    @Test func aRunThatDidNotEnd() throws {
        let fixture = Fixture()
        let events = [
            fixture.events([]).first, .testStarted(fixture.test("slow")),
            .notice(RunNotice(severity: .error, suite: 0, message: "the server ended", details: ["panic"])),
            .interrupted,
        ]
        let page = try page(events.compactMap { $0 })
        #expect(page.data["run"]?["interrupted"] == true)
        #expect(page.data["run"]?["duration"] == .null)
        #expect(
            page.data["tests"]?[0]?.serialized()
                == #"[0,"slow",4,0,0,4,0,"not finished: the run was stopped"]"#)
        #expect(page.data["notices"] == [["error", 0, "the server ended", ["panic"]]])
    }

    @Test func trends() throws {
        let entry = HTMLTrends.Entry(kind: .newFailure, suite: "Bookshop", test: "a </script>", text: "passed before")
        let page = try page(Fixture().events([]), trends: HTMLTrends(entries: [entry]))
        #expect(page.data["trends"] == [["new failure", "Bookshop", "a </script>", "passed before"]])
        #expect(try self.page(Fixture().events([])).data["trends"] == nil)
    }

    /// Passed tests take few bytes, and when very many fail, less is said of each.
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

    /// With `-v` the exchanges of passed tests are there too, as far as they leave room for what failed.
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
