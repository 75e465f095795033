import RunModel
import TestSupport
import Testing

@testable import Redaction
@testable import Reports
@testable import RunRecord

@Suite("Tests of a previous report")
struct PreviousMatchesTests {
    /// Returns the report of a run with suites.
    private func report(
        _ suites: [(Fixture, [TestResult])], masks: [String] = [], options: JUnitOptions = JUnitOptions()
    ) throws -> PreviousReport {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.xml"
        let fanOut = ReportFanOut([
            try JUnitReporter(
                path: path, options: options, hostName: "host.example", workingDirectory: "/home/ada")
        ])
        for event in Fixture.events(suites, extra: masks.map(RunEvent.secretRegistered)) { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        return try PreviousReport(path: path)
    }

    private func matches(
        _ report: PreviousReport, _ suites: [(Fixture, [TestResult])], masking mask: (String) -> String = { $0 }
    ) -> PreviousMatches {
        PreviousMatches(
            report, tests: suites.flatMap { $0.1.map(\.test) }, suites: suites.map(\.0.suite),
            workingDirectory: "/home/ada", masking: mask)
    }

    @Test("Tests are found by the names that the report writes, whatever characters they contain")
    func roundTrip() throws {
        let fixture = Fixture()
        let names = [
            "plain", "a › b", "<&\"'>", "tab\tline\nend", "bell \u{7}", "ünï 渡辺 👩‍👩‍👧", "x [2]", "y (2 of 3)",
            String(repeating: "long ", count: 2_000), "nbsp\u{A0}c1\u{85}", "",
        ]
        let results = names.enumerated().map { position, name in
            fixture.result(name, position % 2 == 0 ? .failed : .passed, position: position)
        }
        let report = try report([(fixture, results)])
        let matches = matches(report, [(fixture, results)])
        #expect(matches.unknown.isEmpty)
        for position in names.indices {
            #expect(matches.needsAnotherRun(position) == (position % 2 == 0), "\(names[position])")
            #expect(matches.duration(of: position) == 41_000_000)
        }
    }

    @Test("Tests with a failed step and blocked tests run again")
    func steps() throws {
        let fixture = Fixture()
        var journey = fixture.result("journey", .failed)
        journey.test.hasSteps = true
        journey.steps = [fixture.step("one", .passed), fixture.step("two › x", .failed), fixture.step("one", .passed)]
        let blocked = fixture.result("later", .blocked(by: "journey"), position: 1)
        let skipped = fixture.result("never", .skipped(reason: "why"), position: 2)
        let results = [journey, blocked, skipped]
        var options = JUnitOptions()
        #expect(
            (0..<3).map(matches(try report([(fixture, results)]), [(fixture, results)]).needsAnotherRun) == [
                true, true, false,
            ])
        options.hasCasesOfSteps = true
        let matches = matches(try report([(fixture, results)], options: options), [(fixture, results)])
        #expect((0..<3).map(matches.needsAnotherRun) == [true, true, false])
        #expect(matches.duration(of: 0) == 123_000_000)
        #expect(matches.duration(of: 1) == nil && matches.duration(of: 2) == nil)
    }

    @Test("Repetitions of a test are merged, with the mean of their durations")
    func rounds() throws {
        let fixture = Fixture()
        var results = (1...3).map {
            fixture.result(
                "t (\($0) of 3)", $0 == 2 ? .failed : .passed, position: $0 - 1, milliseconds: Int64($0) * 10)
        }
        var journey = fixture.result("j (3 of 3)", .passed, position: 3)
        journey.test.hasSteps = true
        journey.steps = [fixture.step("one", .passed), fixture.step("two", .failed)]
        results.append(journey)
        var options = JUnitOptions()
        options.hasCasesOfSteps = true
        let report = try report([(fixture, results)], options: options)
        var second = fixture.result("j", .passed, position: 1)
        second.test.hasSteps = true
        let matches = matches(report, [(fixture, [fixture.result("t", .passed), second])])
        #expect(matches.needsAnotherRun(0) && matches.needsAnotherRun(1))
        #expect(matches.duration(of: 0) == 20_000_000)
        #expect(matches.duration(of: 1) == 82_000_000)
        #expect(matches.unknown.isEmpty)
    }

    @Test("Tests of suites with the same name are distinguished by file")
    func files() throws {
        let first = Fixture(path: "a/shop.yaml", index: 0, name: "Shop")
        let second = Fixture(path: "b/shop.yaml", index: 1, name: "Shop")
        let report = try report([
            (first, [first.result("t", .passed)]), (second, [second.result("t", .failed)]),
        ])
        let both = matches(
            report, [(first, [first.result("t", .passed)]), (second, [second.result("t", .passed)])])
        #expect(!both.needsAnotherRun(0) && both.needsAnotherRun(1))
    }

    @Test("Tests are found even if their file or another file was renamed")
    func renamed() throws {
        let old = Fixture(path: "shop.yaml", index: 0, name: "Shop")
        let other = Fixture(path: "a.yaml", index: 1, name: "Other")
        let report = try report([
            (old, [old.result("t", .failed)]), (other, [other.result("t", .passed)]),
        ])
        let new = Fixture(path: "bookshop.yaml", index: 1, name: "Shop")
        let moved = Fixture(path: "z.yaml", index: 0, name: "Other")
        let matches = matches(report, [(moved, [moved.result("t", .passed)]), (new, [new.result("t", .passed)])])
        #expect(!matches.needsAnotherRun(0) && matches.needsAnotherRun(1))
        #expect(matches.unknown.isEmpty)
    }

    @Test("Missing tests are reported, even if another suite has a test of that name")
    func gone() throws {
        let old = Fixture(path: "shop.yaml", index: 0, name: "Shop")
        let other = Fixture(path: "a.yaml", index: 1, name: "Shop")
        let report = try report([
            (old, [old.result("t", .failed), old.result("u", .failed, position: 1)]),
            (other, [other.result("t", .passed)]),
        ])
        let matches = matches(report, [(old, [old.result("u", .passed)]), (other, [other.result("t", .passed)])])
        #expect(matches.unknown.map(\.name) == ["t"])
        #expect(matches.needsAnotherRun(0) && !matches.needsAnotherRun(1))
    }

    @Test("Tests of several documents in one file are distinguished")
    func documents() throws {
        var first = Fixture(path: "shop.yaml", index: 0, name: "One")
        var second = Fixture(path: "shop.yaml", index: 1, name: "Two")
        first.suite.documentIndex = 0
        second.suite.documentIndex = 1
        let report = try report([
            (first, [first.result("t", .passed)]), (second, [second.result("t", .failed)]),
        ])
        let both = matches(
            report, [(first, [first.result("t", .passed)]), (second, [second.result("t", .passed)])])
        #expect(!both.needsAnotherRun(0) && both.needsAnotherRun(1))
    }

    @Test("Tests are found by a masked name")
    func masked() throws {
        let fixture = Fixture()
        let results = [fixture.result("use sesame-open", .failed)]
        let report = try report([(fixture, results)], masks: ["sesame-open"])
        #expect(report.cases.map(\.name) == ["use ***"])
        let mask = SecretMask(["sesame-open"])
        #expect(matches(report, [(fixture, results)], masking: mask.masked).needsAnotherRun(0))
    }

    @Test("Tests in another tool's report are found by class or suite")
    func foreign() throws {
        let fixture = Fixture(path: "tests/bookshop.yaml")
        let text = """
            <testsuite><testcase classname="tests.bookshop" name="a"><failure/></testcase>
            <testcase classname="else" name="a"><failure/></testcase></testsuite>
            """
        let report = try PreviousReport(parsing: Array(text.utf8), path: "r.xml")
        let matches = matches(report, [(fixture, [fixture.result("a", .passed)])])
        #expect(matches.needsAnotherRun(0))
        #expect(matches.unknown.count == 1)
    }
}
