import Basics
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct JUnitOptionsTests {
    @Test func areRead() throws {
        let options = try JUnitOptions(try ReportRequest("junit:strict,split:5000=out/r.xml"))
        #expect(options.isStrict)
        #expect(options.casesPerFile == 5_000)
        #expect(try JUnitOptions(try ReportRequest("junit")) == JUnitOptions())
        let others = try JUnitOptions(try ReportRequest("junit:steps,known:skipped,root:/a:b=out/r.xml"))
        #expect(others.hasCasesOfSteps && others.skipsKnown && others.root == "/a:b")
        // `--failed` reads the report that contains the locations of tests.
        #expect(try ReportRequest("junit:root:..=r.xml").recordPath == "r.xml")
        #expect(try ReportRequest("junit:strict=r.xml").recordPath == nil)
    }

    @Test(arguments: [
        ("junit:strict:yes", "the option \"strict\" does not take a value"),
        ("junit:split", "the option \"split\" needs the maximum number of cases per file"),
        ("junit:split:0", "the option \"split\" needs the maximum number of cases per file"),
        ("junit:split:x", "the option \"split\" needs the maximum number"),
        ("junit:root", "the option \"root\" needs the directory"),
        ("junit:known:failed", "\"known:passed\" or \"known:skipped\""),
        ("junit:split:5=-", "a split report needs a path"),
        ("junit:strikt", "did you mean \"strict\"?"),
    ])
    func whatIsWrongIsSaid(_ text: String, _ message: String) {
        do throws(ReportError) {
            _ = try ReporterFactory.reporter(for: ReportRequest(text))
            Issue.record("\(text) was accepted")
        } catch {
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test(arguments: [
        ("report.xml", "report-2.xml"), ("a.b/report", "a.b/report-2"), ("a/.xml", "a/.xml-2"),
        ("out/r.junit.xml", "out/r.junit-2.xml"),
    ])
    func filesAreNumbered(_ path: String, _ expected: String) {
        #expect(ReportFile.path(path, number: 2) == expected)
    }

    /// Returns the files of a report for events.
    private func files(_ events: [RunEvent], _ text: String, before: [String] = []) throws -> [String: XMLElement] {
        let directory = try TemporaryDirectory()
        for name in before { try TemporaryDirectory.write([], to: "\(directory.path)/\(name)") }
        let options = try JUnitOptions(try ReportRequest(text))
        let reporter = try JUnitReporter(
            path: directory.path + "/report.xml", options: options, hostName: "host.example",
            workingDirectory: "/home/ada")
        for event in events { reporter.receive(event) }
        try reporter.finish()
        var files: [String: XMLElement] = [:]
        for name in TemporaryDirectory.names(in: directory.path) {
            let bytes = try TemporaryDirectory.read("\(directory.path)/\(name)")
            // An existing file that is not part of the report is empty.
            files[name] = bytes.isEmpty ? XMLElement(name: "nothing") : try XMLElement(parsing: bytes)
        }
        return files
    }

    @Test func aReportIsSplit() throws {
        let first = Fixture(path: "tests/first.yaml", index: 0, name: "First")
        let second = Fixture(path: "tests/second.yaml", index: 1, name: "Second")
        let events = Fixture.events([
            (first, (0..<7).map { first.result("a\($0)", .passed, position: $0, milliseconds: 10) }),
            (second, (0..<3).map { second.result("b\($0)", .failed, position: $0, milliseconds: 10) }),
        ])
        let files = try files(events, "junit:split:3", before: ["report-5.xml", "report-6.xml", "report-8.xml"])
        #expect(
            files.keys.sorted() == ["report-1.xml", "report-2.xml", "report-3.xml", "report-4.xml", "report-8.xml"])
        let shown = (1...4).map { number in
            files["report-\(number).xml"]?.all("testsuite").map { suite in
                "\(suite.attributes["name"] ?? "") \(suite.attributes["tests"] ?? "") \(suite.attributes["time"] ?? "")"
            }
        }
        #expect(shown == [["First 3 0.030"], ["First 3 0.030"], ["First 1 0.010"], ["Second 3 1.200"]])
        #expect(files["report-4.xml"]?.attributes["failures"] == "3")
        // Tests that fit in one file stay together.
        let whole = try self.files(events, "junit:split:10")
        #expect(whole.keys.sorted() == ["report-1.xml"])
        #expect(whole["report-1.xml"]?.all("testsuite").count == 2)
    }

    @Test func aSplitReportIsSpilledWhole() throws {
        let first = Fixture(path: "tests/first.yaml", index: 0, name: "First")
        let second = Fixture(path: "tests/second.yaml", index: 1, name: "Second")
        let events = Fixture.events([
            (first, (0..<900).map { first.result("a\($0)", .passed, position: $0, exchange: Fixture.created) }),
            (second, (0..<300).map { second.result("b\($0)", .passed, position: $0, exchange: Fixture.created) }),
        ])
        let files = try files(events, "junit:split:100")
        let names = (1...12).flatMap { number in
            let file = files["report-\(number).xml"]
            #expect(file?.attributes["tests"] == "100")
            return file?.all("testsuite").flatMap { $0.all("testcase") }.map { $0.attributes["name"] ?? "" } ?? []
        }
        #expect(files.count == 12)
        #expect(names == (0..<900).map { "a\($0)" } + (0..<300).map { "b\($0)" })
    }

    @Test func aStrictReportTellsInItsSuitesOutputWhatItsCasesCannotHold() throws {
        let fixture = Fixture()
        var flaky = fixture.result("flaky", .flaky, position: 1, exchange: Fixture.created)
        flaky.previousAttempts = [
            TestResult.Attempt(
                outcome: .failed, steps: [fixture.step("flaky", .failed, findings: [fixture.statusFinding])])
        ]
        let results = [
            fixture.result("fine", .passed), flaky, fixture.result("later", .skipped(reason: "x"), position: 2),
        ]
        let notice = RunNotice(.duplicateMembers, severity: .warning, message: "said")
        let root = try #require(
            try files(fixture.events(results, extra: [.notice(notice)]), "junit:strict")["report.xml"])
        #expect(root.attributes.isEmpty)
        let suite = try #require(root.first("testsuite"))
        #expect(suite.attributes["package"] == "tests")
        #expect(suite.attributes["id"] == "0")
        #expect(suite.attributes["file"] == nil)
        #expect(
            suite.children.map(\.name) == ["properties"] + Array(repeating: "testcase", count: 3) + [
                "system-out", "system-err",
            ])
        for element in suite.all("testcase") {
            #expect(Set(element.attributes.keys) == ["name", "classname", "time"])
        }
        let output = suite.first("system-out")?.text ?? ""
        #expect(
            output.hasPrefix("== flaky\nattempt 1: status: expected 201, got 200\nPOST http://127.0.0.1:8080/books\n"))
        #expect(suite.first("system-err")?.text == "warning: said [duplicate-members]")
    }
}
