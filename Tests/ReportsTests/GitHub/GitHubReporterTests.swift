import Basics
import Diagnostics
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct GitHubReporterTests {
    private static let fixture = Fixture(path: "tests/bookshop.yaml")

    /// Returns the runner's interpretation of the annotations for events.
    private func runner(_ events: [RunEvent]) throws -> RunnerModel {
        let sink = TextSink()
        let reporter = try GitHubReporter(path: nil, environment: [:], output: sink.write)
        for event in events { reporter.receive(event) }
        try reporter.finish()
        return RunnerModel(sink.text)
    }

    @Test func annotations() throws {
        let fixture = Self.fixture
        let runner = try runner(
            fixture.events([
                fixture.result(
                    "add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding],
                    exchange: Fixture.created),
                fixture.result("later", .flaky, position: 1),
                fixture.result("read it back", .blocked(by: "add a book"), position: 2),
                fixture.result("and again", .blocked(by: "add a book"), position: 3),
                fixture.result("fine", .passed, position: 4),
                fixture.result("not now", .skipped(reason: "x"), position: 5),
            ]))
        let file = "tests/bookshop.yaml"
        #expect(
            runner.commands == [
                RunnerModel.Command(
                    name: "error",
                    properties: [
                        "file": file, "line": "10", "col": "15", "endColumn": "17", "title": "Bookshop › add a book",
                    ],
                    text: """
                        status: expected 201, got 200 [status]
                        json $.title: expected "Dune" (string), got 42 (integer) [equals]
                        """),
                RunnerModel.Command(
                    name: "error",
                    properties: [
                        "file": file, "line": "4", "col": "11", "endColumn": "20",
                        "title": "Bookshop › read it back and 1 more",
                    ],
                    text: "blocked by \"add a book\", which did not pass: \"read it back\", \"and again\""),
                RunnerModel.Command(
                    name: "warning",
                    properties: [
                        "file": file, "line": "4", "col": "11", "endColumn": "20", "title": "Bookshop › later",
                    ], text: "passed only after a retry"),
            ])
    }

    @Test("Failures with distinct causes come first, and the tenth annotation counts the rest")
    func limits() throws {
        let fixture = Self.fixture
        var results: [TestResult] = []
        for index in 0..<50 {
            results.append(fixture.result("a\(index)", .failed, position: index, findings: [fixture.statusFinding]))
        }
        for index in 50..<53 {
            var finding = fixture.titleFinding
            finding.wording = "cause \(index)"
            results.append(fixture.result("b\(index)", .failed, position: index, findings: [finding]))
        }
        for index in 53..<80 { results.append(fixture.result("c\(index)", .flaky, position: index)) }
        results.append(fixture.result("d", .blocked(by: "a0"), position: 80))
        let notices = (0..<12).map {
            RunEvent.notice(RunNotice(.changedSnapshots, severity: .note, message: "note \($0)"))
        }
        let runner = try runner(fixture.events(results, extra: notices))
        let titles = { (name: String) in
            runner.commands.filter { $0.name == name }.compactMap { $0.properties["title"] }
        }
        let errors = titles("error").map { $0.replacing("Bookshop › ", with: "") }
        #expect(errors == ["a0 and 49 more", "b50 and 2 more", "d"])
        #expect(titles("warning").count == 10)
        #expect(titles("warning").last == "18 more warnings")
        #expect(titles("notice").count == 10)
        #expect(titles("notice").last == "3 more notices")
    }

    @Test func aDescriptionKeepsItsLines() throws {
        var result = Self.fixture.result("a", .failed, findings: [Self.fixture.statusFinding])
        result.test.annotations = Annotations(description: "One.\n\nTwo.\n", owner: nil, properties: [])
        let message = try runner(Self.fixture.events([result])).commands.first { $0.name == "error" }?.text
        #expect(message?.hasSuffix("\nOne.\nTwo.") == true, "\(message ?? "")")
    }

    @Test("Ten failures get ten annotations")
    func exactlyTen() throws {
        let results = (0..<10).map { failure($0, line: $0 + 1) }
        let runner = try runner(Self.fixture.events(results))
        #expect(runner.commands.map { $0.properties["title"] } == (0..<10).map { "Bookshop › a\($0)" })
    }

    /// Returns a failure at a line of a file.
    private func failure(_ index: Int, line: Int, message: String = "m", path: String? = nil) -> TestResult {
        var finding = Self.fixture.statusFinding
        let file = path.map { SourceFile(name: $0, text: Fixture.text) } ?? Self.fixture.file
        let start = SourcePosition(line: line, column: 1)
        finding.range = SourceRange(file: file, start: start, end: start)
        finding.wording = MessageText(message)
        var result = Self.fixture.result("a\(index)", .failed, position: index, findings: [finding])
        result.test.range = SourceRange(file: file, start: start, end: start)
        return result
    }

    @Test("Each location gets one annotation, and annotations are spread over causes and files")
    func spread() throws {
        var results = (0..<40).map { failure($0, line: 1, message: "row \($0)") }
        results += (40..<60).map { failure($0, line: $0, message: "one cause") }
        results += (60..<63).map { failure($0, line: $0, message: "one cause", path: "tests/other-\($0).yaml") }
        results.append(failure(63, line: 63, message: "another cause"))
        let runner = try runner(Self.fixture.events(results))
        let titles = runner.commands.compactMap { $0.properties["title"]?.replacing("Bookshop › ", with: "") }
        #expect(
            titles == ["a0 and 39 more", "a60", "a63", "a61", "a62", "a40", "a41", "a42", "a43", "16 more failures"])
        #expect(
            runner.commands.first?.text
                == "status: row 0 [status]\n\nalso here: \"a1\", \"a2\", \"a3\", \"a4\", \"a5\" and 34 more")
    }

    @Test("A server that exits is reported before failed tests")
    func serverErrors() throws {
        let notice = RunNotice(.serveEnded, severity: .error, suite: 0, message: "the server ended", details: ["a\nb"])
        let runner = try runner(
            Self.fixture.events([Self.fixture.result("a", .failed)], extra: [.notice(notice)]))
        #expect(runner.commands.first?.properties["title"] == "Bookshop: the server ended")
        #expect(runner.commands.first?.properties["file"] == "tests/bookshop.yaml")
        #expect(runner.commands.first?.text == "the server ended [serve-ended]\na\nb")
    }

    @Test(
        "Names and messages cannot inject commands or properties",
        arguments: [
            "x::error::y", "a,line=7", "a\n::error::b", "100%0A::error::", "%", "\r\n::add-mask::x", "\u{0}\u{1B}[1m",
            RichRun.hostile,
        ])
    func hostile(_ text: String) throws {
        var fixture = Self.fixture
        fixture.suite.name = text
        var finding = fixture.statusFinding
        finding.wording = MessageText(text)
        finding.subject = Finding.Subject(text)
        finding.details = [MessageText(text)]
        let runner = try runner(fixture.events([fixture.result(text, .failed, findings: [finding])]))
        #expect(runner.commands.count == 1)
        #expect(runner.commands.first?.name == "error")
        #expect(runner.commands.first?.properties.count == 5)
        #expect(runner.commands.first?.properties["line"] == "10")
        #expect(runner.log.filter { !$0.isEmpty } == [])
    }

    @Test func summaries() throws {
        let directory = try TemporaryDirectory()
        let step = directory.path + "/step"
        try TemporaryDirectory.write(Array("before".utf8), to: step)
        let environment = ["GITHUB_STEP_SUMMARY": step, "GITHUB_WORKSPACE": "/"]
        let events = Self.fixture.events([Self.fixture.result("a", .passed)])
        let reporter = try GitHubReporter(path: nil, environment: environment) { _ in }
        for event in events { reporter.receive(event) }
        try reporter.finish()
        let text = String(decoding: try TemporaryDirectory.read(step), as: UTF8.self)
        #expect(text.hasPrefix("before\n# ✅ API tests: 1 test passed\n"))

        let other = try GitHubReporter(path: directory.path + "/own.md", environment: environment) { _ in }
        for event in events { other.receive(event) }
        try other.finish()
        #expect(String(decoding: try TemporaryDirectory.read(step), as: UTF8.self) == text)
        let own = String(decoding: try TemporaryDirectory.read(directory.path + "/own.md"), as: UTF8.self)
        #expect(own.hasPrefix("# ✅"))
        #expect(throws: ReportError.self) {
            try GitHubReporter(path: nil, environment: ["GITHUB_STEP_SUMMARY": directory.path]) { _ in }
        }
    }

    @Test(
        "The step summary stays below 1 MiB, including what other programs wrote", arguments: [0, 1_000_000, 1_048_000])
    func fullSummaries(_ size: Int) throws {
        let directory = try TemporaryDirectory()
        let step = directory.path + "/step"
        try TemporaryDirectory.write([UInt8](repeating: UInt8(ascii: "x"), count: size), to: step)
        let sink = TextSink()
        let reporter = try GitHubReporter(
            path: nil, environment: ["GITHUB_STEP_SUMMARY": step], output: sink.write)
        var results: [TestResult] = []
        for index in 0..<400 {
            var finding = Self.fixture.statusFinding
            finding.wording = "\(index)"
            finding.details = [MessageText(String(repeating: "y ", count: 2_900))]
            results.append(Self.fixture.result("a\(index)", .failed, position: index, findings: [finding]))
        }
        for event in Self.fixture.events(results) { reporter.receive(event) }
        try reporter.finish()
        let written = try TemporaryDirectory.read(step)
        #expect(written.count < 1 << 20)
        if size > 1_040_000 {
            #expect(written.count == size)
            #expect(sink.text.hasSuffix("the step summary is full: the results were not added to it\n"))
        } else {
            #expect(written.count > size + 10_000)
        }
    }
}
