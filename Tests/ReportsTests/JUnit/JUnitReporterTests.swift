import Basics
import Diagnostics
import RunModel
import TestSupport
import Testing

@testable import Reports

struct JUnitReporterTests {
    /// Returns the report for events.
    private func report(
        _ events: [RunEvent], _ request: String = "junit", environment: [String: String] = [:]
    ) throws -> (root: XMLElement, bytes: [UInt8]) {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.xml"
        let options = try JUnitOptions(ReportRequest(request), environment: environment)
        let reporter = try JUnitReporter(
            path: path, options: options, hostName: "host.example", workingDirectory: "/home/ada")
        let fanOut = ReportFanOut([reporter])
        for event in events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        #expect(TemporaryDirectory.names(in: directory.path) == ["report.xml"])
        let bytes = try TemporaryDirectory.read(path)
        return (try XMLElement(parsing: bytes), bytes)
    }

    /// Checks that the counts on both levels agree with the elements, and that names are unique.
    private func checkCounts(_ root: XMLElement) {
        var total: [String: Int] = [:]
        for suite in root.all("testsuite") {
            let cases = suite.all("testcase")
            let counts = [
                "tests": cases.count, "failures": cases.count { $0.first("failure") != nil },
                "errors": cases.count { $0.first("error") != nil },
                "skipped": cases.count { $0.first("skipped") != nil },
            ]
            for (name, count) in counts {
                #expect(suite.attributes[name] == String(count))
                total[name, default: 0] += count
            }
            let names = cases.map { ($0.attributes["classname"] ?? "") + " " + ($0.attributes["name"] ?? "") }
            #expect(Set(names).count == names.count)
        }
        for (name, count) in total { #expect(root.attributes[name] == String(count)) }
    }

    @Test func theWholeReport() throws {
        let fixture = Fixture()
        let events = fixture.events([
            fixture.result(
                "add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding],
                exchange: Fixture.created),
            fixture.result("read it back", .blocked(by: "add a book"), position: 1, milliseconds: 0),
            fixture.result("later", .skipped(reason: ""), position: 2, milliseconds: 0),
            fixture.result("fine", .passed, position: 3, milliseconds: 1_234),
        ])
        let report = try report(events)
        checkCounts(report.root)
        #expect(
            String(decoding: report.bytes, as: UTF8.self) == #"""
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="apitest" tests="4" failures="1" errors="0" skipped="2" time="1.500" timestamp="2023-11-14T22:13:20" hostname="host.example">
                  <testsuite name="Bookshop" tests="4" failures="1" errors="0" skipped="2" time="1.200" timestamp="2023-11-14T22:13:20" hostname="host.example" file="tests/bookshop.yaml">
                    <properties>
                      <property name="seed" value="42"/>
                      <property name="version" value="0.1.0"/>
                      <property name="baseURL" value="http://127.0.0.1:8080"/>
                    </properties>
                    <testcase name="add a book" classname="tests.bookshop" time="0.041" file="tests/bookshop.yaml" line="4">
                      <properties>
                        <property name="tags" value="smoke"/>
                      </properties>
                      <failure message="status: expected 201, got 200 (and 1 more)" type="status">  tests/bookshop.yaml:10:15  status  expected 201, got 200 [status]
                  tests/bookshop.yaml:12:18  json $.title [equals]
                     12 │         $.title: Dune
                        │                  ^^^^ expected "Dune" (string), got 42 (integer)
                  → POST http://127.0.0.1:8080/books   {"title":"Dune"}
                  ← 200 application/json 24 B          {"id":7,"title":42}
                  curl -X POST http://127.0.0.1:8080/books -H 'Accept: application/json' --json '{"title":"Dune"}'

                at tests.Suite(bookshop.yaml:10)
                </failure>
                      <system-out>POST http://127.0.0.1:8080/books
                Host: 127.0.0.1:8080
                User-Agent: apitest/0.1.0
                Accept: application/json
                Accept-Encoding: gzip, deflate
                Content-Type: application/json
                Content-Length: 16

                {"title":"Dune"}

                HTTP/1.1 200 OK
                Content-Type: application/json; charset=utf-8

                { "id": 7, "title": 42 }
                </system-out>
                    </testcase>
                    <testcase name="read it back" classname="tests.bookshop" time="0.000" file="tests/bookshop.yaml" line="4">
                      <properties>
                        <property name="tags" value="smoke"/>
                      </properties>
                      <skipped message="blocked by &quot;add a book&quot;, which did not pass">blocked by "add a book", which did not pass</skipped>
                    </testcase>
                    <testcase name="later" classname="tests.bookshop" time="0.000" file="tests/bookshop.yaml" line="4">
                      <properties>
                        <property name="tags" value="smoke"/>
                      </properties>
                      <skipped message="skipped">skipped</skipped>
                    </testcase>
                    <testcase name="fine" classname="tests.bookshop" time="1.234" file="tests/bookshop.yaml" line="4">
                      <properties>
                        <property name="tags" value="smoke"/>
                      </properties>
                    </testcase>
                  </testsuite>
                </testsuites>

                """#)
    }

    @Test func aTestWithStepsIsOneCase() throws {
        let fixture = Fixture()
        let test = fixture.test("order", 0, hasSteps: true)
        let result = TestResult(
            test: test, outcome: .errored,
            steps: [
                fixture.step("log in", .passed),
                fixture.step("pay", .errored, findings: [fixture.titleFinding, fixture.refusedFinding]),
                fixture.step("ship", .skipped(reason: "if is false")),
            ])
        let root = try report(fixture.events([result])).root
        checkCounts(root)
        let order = try #require(root.first("testsuite")?.first("testcase"))
        #expect(root.attributes["tests"] == "1")
        #expect(order.attributes["name"] == "order")
        #expect(order.first("error")?.attributes["message"] == "pay › connect: connection refused (and 1 more)")
        #expect(
            order.first("properties")?.children.map { "\($0.attributes["name"] ?? "") \($0.attributes["value"] ?? "")" }
                == ["tags smoke", "step[passed] log in", "step[error] pay", "step[skipped] ship"])
        let lines = order.first("system-out")?.text.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("1. passed, ") == true)
        #expect(lines.first?.hasSuffix(": log in") == true)
        #expect(lines.last?.hasSuffix(": ship (if is false)") == true)
    }

    @Test func setupAndTeardownAreCasesOnlyWhenTheyFail() throws {
        let fixture = Fixture()
        var setup = fixture.result("setup", .passed)
        (setup.test.kind, setup.test.hasSteps) = (.setup, true)
        var teardown = fixture.result("teardown", .skipped(reason: "nothing ran"), position: 2)
        (teardown.test.kind, teardown.test.hasSteps) = (.teardown, true)
        let test = fixture.result("a", .passed, position: 1)
        let names = { (root: XMLElement) in
            root.all("testsuite").flatMap { $0.all("testcase") }.map { $0.attributes["name"] }
        }
        #expect(try names(report(fixture.events([setup, test, teardown])).root) == ["a"])
        #expect(try names(report(fixture.events([setup, test]), "junit:steps").root) == ["setup", "a"])
        teardown.outcome = .failed
        #expect(try names(report(fixture.events([setup, test, teardown])).root) == ["a", "teardown"])
    }

    @Test func whatATestSaysOfItselfIsInItsProperties() throws {
        let fixture = Fixture()
        var result = fixture.result("a", .passed)
        result.test.id = "first"
        result.test.tags = ["smoke", "write"]
        result.test.annotations = Annotations(
            description: "Two\nlines.", owner: "shop team",
            properties: [Annotations.Property(name: "x-jira", value: "SHOP-1")])
        let properties = try report(fixture.events([result])).root.first("testsuite")?.first("testcase")?
            .first("properties")
        #expect(
            properties?.children.map { "\($0.attributes["name"] ?? "")=\($0.attributes["value"] ?? "")" } == [
                "id=first", "tags=smoke,write", "description=Two\nlines.", "owner=shop team", "x-jira=SHOP-1",
            ])
    }

    /// Tools drop or split names with line breaks, and bidirectional control characters make names misleading.
    @Test func namesHaveNoLineBreaksOrCharactersOfDirection() throws {
        let fixture = Fixture(name: "Book\nshop")
        let suite = try report(fixture.events([fixture.result("a\nb \u{202E}c", .passed)])).root.first("testsuite")
        #expect(suite?.attributes["name"] == "Book\\nshop")
        #expect(suite?.first("testcase")?.attributes["name"] == "a\\nb \\u202Ec")
    }

    @Test func filesAreRelativeToTheRepository() throws {
        let fixture = Fixture(path: "api/shop.yaml")
        let events = fixture.events([fixture.result("a", .failed, findings: [fixture.statusFinding])])
        func file(_ request: String, _ environment: [String: String] = [:]) throws -> String? {
            let root = try report(events, request, environment: environment).root
            let suite = root.first("testsuite")
            #expect(suite?.attributes["file"] == suite?.first("testcase")?.attributes["file"])
            #expect(suite?.first("testcase")?.attributes["classname"] == "api.shop")
            return suite?.attributes["file"]
        }
        #expect(try file("junit") == "api/shop.yaml")
        #expect(try file("junit", ["GITHUB_WORKSPACE": "/home"]) == "ada/api/shop.yaml")
        #expect(try file("junit", ["CI_PROJECT_DIR": "/home/ada/api/"]) == "shop.yaml")
        #expect(try file("junit:root:..", ["CI_PROJECT_DIR": "/home/ada/api/"]) == "ada/api/shop.yaml")
        // A file outside the repository is named as without one.
        #expect(try file("junit:root:/srv") == "api/shop.yaml")
    }

    @Test func knownFailuresCountAsSkippedWhereTheyAreToldTo() throws {
        let fixture = Fixture()
        let events = fixture.events([fixture.result("a", .known(reason: ""), findings: [fixture.statusFinding])])
        #expect(try report(events).root.attributes["skipped"] == "0")
        let root = try report(events, "junit:known:skipped").root
        #expect(root.attributes["skipped"] == "1")
        let skipped = root.first("testsuite")?.first("testcase")?.first("skipped")
        #expect(skipped?.text == "known to fail: status: expected 201, got 200")
        #expect(skipped?.attributes["message"] == skipped?.text)
    }

    @Test func aDeadServerIsAnErrorOfItsSuite() throws {
        let first = Fixture(path: "a.yaml", index: 0, name: "First")
        let second = Fixture(path: "b.yaml", index: 1, name: "Second")
        let notice = RunNotice(.serveEnded, severity: .error, suite: 1, message: "the server ended", details: ["panic"])
        var events = Fixture.events([
            (first, [first.result("a", .failed, findings: [first.statusFinding])]),
            (second, [second.result("b", .passed)]),
        ])
        events.insert(.notice(notice), at: events.count - 1)
        let suites = try report(events).root.all("testsuite")
        #expect(suites.map { $0.attributes["errors"] } == ["0", "1"])
        #expect(suites.last?.all("testcase").last?.first("error")?.text == "the server ended [serve-ended]\n  panic\n")
    }

    @Test func stepsAreCasesOfTheirOwn() throws {
        let fixture = Fixture()
        let test = fixture.test("order", 0, hasSteps: true)
        let result = TestResult(
            test: test, outcome: .errored,
            steps: [
                fixture.step("log in", .passed), fixture.step("GET /a", .passed), fixture.step("GET /a", .failed),
                fixture.step("pay", .errored, findings: [fixture.titleFinding, fixture.refusedFinding]),
                fixture.step("ship", .skipped(reason: "if is false")),
            ])
        let suite = try #require(try report(fixture.events([result]), "junit:steps").root.first("testsuite"))
        #expect(
            suite.all("testcase").map { $0.attributes["name"] ?? "" } == [
                "order › log in", "order › GET /a", "order › GET /a [2]", "order › pay", "order › ship",
            ])
        #expect(suite.all("testcase").allSatisfy { $0.attributes["line"] == "14" })
        let pay = suite.all("testcase")[3]
        #expect(pay.first("failure") == nil)
        #expect(pay.first("error")?.attributes["message"] == "connect: connection refused (and 1 more)")
        #expect(pay.first("error")?.attributes["type"] == "connectionRefused")
        #expect(suite.all("testcase")[2].first("failure")?.attributes["type"] == "failure")
        #expect(suite.all("testcase")[4].first("skipped")?.attributes["message"] == "if is false")
        checkCounts(try report(fixture.events([result]), "junit:steps").root)
    }

    @Test func sizesAreThoseBeforeMasking() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = Array(#"{"token":"a long secret"}"#.utf8)
        var binary = exchange
        binary.response?.body = [0] + Array("a long secret".utf8)
        let steps = TestResult(
            test: fixture.test("order", 1, hasSteps: true), outcome: .failed,
            steps: [
                fixture.step("log in", .passed),
                fixture.step("pay", .failed, findings: [fixture.statusFinding], exchange: binary),
            ])
        let results = [fixture.result("a", .failed, findings: [fixture.statusFinding], exchange: exchange), steps]
        let report = try report(fixture.events(results, extra: [.secretRegistered("a long secret")]))
        let text = String(decoding: report.bytes, as: UTF8.self)
        #expect(text.contains(#"← 200 application/json 25 B          {"token":"***"}"#))
        #expect(text.contains("← 200 application/json 14 B          14 B of binary data: 00 2A 2A 2A"))
        #expect(text.contains("\n\n14 B of binary data: 00 2A 2A 2A\n"))
    }

    @Test func aFailureThatNoStepTellsIsNotLost() throws {
        let fixture = Fixture()
        let test = fixture.test("order", 0, hasSteps: true)
        let result = TestResult(test: test, outcome: .failed, steps: [fixture.step("log in", .passed)])
        let root = try report(fixture.events([result])).root
        #expect(root.attributes["failures"] == "1")
        let givenUp = TestResult(
            test: test, outcome: .errored, steps: [fixture.step("order", .errored, findings: [fixture.refusedFinding])])
        let cases = try report(fixture.events([givenUp])).root.first("testsuite")?.all("testcase")
        #expect(cases?.map { $0.attributes["name"] } == ["order"])
    }

    @Test func textThatXMLCannotHold() throws {
        let fixture = Fixture(name: "<\"Book\" & \u{1B}[31mco>\n]]>")
        var exchange = Fixture.created
        exchange.response?.body = Array("bell \u{7} ]]> \u{FFFE} \r\n<b>&amp;".utf8) + [0xFF, 0xC3]
        exchange.response?.headers = [HeaderField(name: "Content-Type", value: "text/plain")]
        let finding = Finding(
            subject: "body", type: .init("equals"), message: "line 1\nline 2\t\"x\" \u{0} ]]>", details: ["\u{8}"])
        let root = try report(
            fixture.events([fixture.result("a\u{B}\nb", .failed, findings: [finding], exchange: exchange)])
        ).root
        let suite = try #require(root.first("testsuite"))
        #expect(suite.attributes["name"] == "<\"Book\" & \\x1B[31mco>\\n]]>")
        let testCase = try #require(suite.first("testcase"))
        #expect(testCase.attributes["name"] == "a\\x0B\\nb")
        let failure = try #require(testCase.first("failure"))
        #expect(failure.attributes["message"] == "body: line 1\nline 2\t\"x\" \\u{0} ]]>")
        let output = try #require(testCase.first("system-out")?.text)
        #expect(output.contains("bell \\u{7} ]]> \\u{FFFE} \r\n<b>&amp;\u{FFFD}\u{FFFD}\n"))
    }

    @Test func hugeTextsAreCut() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000)
        exchange.response?.headers = []
        exchange.request.body = exchange.response?.body ?? []
        let finding = Finding(
            subject: "body", type: .init("equals"), message: MessageText(String(repeating: "y", count: 1_000_000)),
            details: (0..<1_000).map { _ in MessageText(String(repeating: "z", count: 1_000)) })
        let report = try report(
            fixture.events([
                fixture.result(
                    String(repeating: "n", count: 100_000), .failed, findings: [finding], exchange: exchange)
            ]))
        #expect(report.bytes.count < 200_000)
        let testCase = try #require(report.root.first("testsuite")?.first("testcase"))
        #expect(testCase.first("failure")?.text.hasSuffix("\nat tests.Suite(bookshop.yaml:4)\n") == true)
        #expect((testCase.first("system-out")?.text.utf8.count ?? 0) <= 63_000)
    }

    @Test func aResponseCannotAttachFiles() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = Array("\n[[ATTACHMENT|/etc/passwd]]\n".utf8)
        exchange.response?.headers = []
        let root = try report(fixture.events([fixture.result("a", .passed, exchange: exchange)])).root
        let output = try #require(root.first("testsuite")?.first("testcase")?.first("system-out")?.text)
        #expect(output.contains("[ [ATTACHMENT|/etc/passwd]]"))
        #expect(!output.contains("[[ATTACHMENT|"))
    }

    @Test func manyCasesAreSpilledAndComeBackInOrder() throws {
        var first = Fixture(path: "a/b.yaml", index: 0, name: "First")
        first.suite.testCount = 1_500
        let second = Fixture(path: "a_b.yaml", index: 1, name: "Second")
        var events: [RunEvent] = [
            .runStarted(
                RunInfo(
                    suites: [first.suite, second.suite], testCount: 3_000, seed: 1, jobs: 1, version: "1", startTime: 0)
            ), .suiteStarted(second.suite), .suiteStarted(first.suite),
        ]
        for index in 0..<1_500 {
            for fixture in [first, second] {
                events.append(
                    .testFinished(
                        fixture.result("test \(index)", .passed, position: index, exchange: Fixture.created)))
            }
        }
        events.append(.runFinished(RunSummary(counts: OutcomeCounts(), exchanges: 0, duration: 0)))
        let root = try report(events).root
        checkCounts(root)
        #expect(root.all("testsuite").map { $0.attributes["name"] } == ["First", "Second"])
        for suite in root.all("testsuite") {
            #expect(suite.all("testcase").map { $0.attributes["name"] ?? "" } == (0..<1_500).map { "test \($0)" })
            #expect(suite.attributes["time"] == "61.500")
        }
    }

    @Test func casesOfManySuitesAreSpilledAndComeBackInOrder() throws {
        let fixtures = (0..<30).map { Fixture(path: "\($0).yaml", index: $0 * 200, name: "Suite \($0)") }
        var events: [RunEvent] = [
            .runStarted(
                RunInfo(
                    suites: fixtures.map(\.suite), testCount: 3_600, seed: 1, jobs: 1, version: "1", startTime: 0))
        ]
        // Suites that are written again after others, and one that is written only between spills of others.
        for (turn, suites) in [fixtures[0..<30], fixtures[5..<6], fixtures[0..<30], fixtures[20..<30]].enumerated() {
            for index in 0..<(suites.count == 1 ? 1_000 : 60) {
                for fixture in suites {
                    let name = "test \(turn) \(index)"
                    events.append(.testFinished(fixture.result(name, .passed, exchange: Fixture.created)))
                }
            }
        }
        events.append(.runFinished(RunSummary(counts: OutcomeCounts(), exchanges: 0, duration: 0)))
        let root = try report(events).root
        checkCounts(root)
        #expect(root.all("testsuite").map { $0.attributes["name"] } == fixtures.map(\.suite.name))
        for (number, suite) in root.all("testsuite").enumerated() {
            var names = (0..<60).map { "test 0 \($0)" }
            if number == 5 { names += (0..<1_000).map { "test 1 \($0)" } }
            names += (0..<60).map { "test 2 \($0)" }
            if number >= 20 { names += (0..<60).map { "test 3 \($0)" } }
            #expect(suite.all("testcase").map { $0.attributes["name"] ?? "" } == names)
        }
    }

    /// Such times may occur in a record written by another program.
    @Test func timesWhoseSumIsTooLargeStayAtTheLargest() throws {
        let fixture = Fixture()
        let results = (0..<93).map {
            fixture.result("test \($0)", .passed, position: $0, milliseconds: 100_000_000_000)
        }
        var events = fixture.events(results)
        events.removeAll { event in
            switch event {
            case .suiteFinished, .runFinished: true
            default: false
            }
        }
        let root = try report(events).root
        #expect(root.attributes["time"] == "9223372036.855")
        #expect(root.first("testsuite")?.attributes["time"] == "9223372036.855")
    }

    @Test func suitesOfOneClassNameAreToldApart() throws {
        let suites = [
            Fixture(path: "a/b.yaml", index: 0), Fixture(path: "a/b.yml", index: 1),
            Fixture(path: "a/b.apitest.yaml", index: 2),
        ]
        let root = try report(Fixture.events(suites.map { ($0, [$0.result("t", .passed)]) })).root
        #expect(
            root.all("testsuite").map { $0.first("testcase")?.attributes["classname"] ?? "" } == [
                "a.b", "a.b_2", "a.b_3",
            ])
    }

    @Test func aRunThatWasInterruptedIsComplete() throws {
        let fixture = Fixture()
        var events = Array(fixture.events([fixture.result("a", .passed)]).dropLast(2))
        events.append(.testStarted(fixture.test("b", 1)))
        events.append(.interrupted(nil))
        events.append(
            .testFinished(TestResult(test: fixture.test("c", 2), outcome: .skipped(reason: "interrupted"))))
        events.append(
            .notice(RunNotice(.serveEnded, severity: .error, suite: 0, message: "the server ended", details: ["bye"])))
        let root = try report(events).root
        checkCounts(root)
        let suite = try #require(root.first("testsuite"))
        #expect(suite.all("testcase").map { $0.attributes["name"] ?? "" } == ["a", "c", "b", "suite error"])
        #expect(root.all("testsuite").last?.attributes["name"] == "apitest run")
        #expect(
            suite.all("testcase")[2].first("skipped")?.attributes["message"] == "not finished: the run was stopped")
        #expect(suite.first("system-err")?.text == "error: the server ended [serve-ended]\n  bye")
        #expect(suite.attributes["time"] == "0.041")
    }

    @Test func noEventsGiveAnEmptyReport() throws {
        let root = try report([]).root
        #expect(root.attributes["tests"] == "0")
        #expect(root.children.isEmpty)
    }

    @Test func attemptsBeforeTheOneThatCounts() throws {
        let fixture = Fixture()
        let failed = TestResult.StepAttempt(
            outcome: .failed, findings: [fixture.statusFinding], exchange: Fixture.created, duration: 1)
        let noAnswer = Finding(kind: .error, subject: "connect", type: .init("connectionRefused"), message: "refused")
        let errored = TestResult.StepAttempt(outcome: .errored, findings: [noAnswer])
        var flaky = fixture.result("flaky", .flaky)
        flaky.steps[0].previousAttempts = [failed, errored]
        var lost = fixture.result("lost", .failed, position: 1, findings: [fixture.statusFinding])
        let steps = [fixture.step("lost", .errored, findings: [noAnswer])]
        lost.previousAttempts = [TestResult.Attempt(outcome: .errored, steps: steps)]
        let root = try report(fixture.events([flaky, lost])).root
        checkCounts(root)
        let cases = root.all("testsuite").flatMap { $0.all("testcase") }
        try #require(cases.count == 2)
        #expect(cases[0].children.map(\.name) == ["properties", "flakyFailure", "flakyError"])
        #expect(cases[0].first("flakyFailure")?.attributes["message"] == "status: expected 201, got 200")
        #expect(cases[0].first("flakyFailure")?.first("stackTrace")?.text.contains("POST") == true)
        #expect(cases[0].first("flakyError")?.attributes["type"] == "connectionRefused")
        #expect(cases[1].children.map(\.name) == ["properties", "failure", "rerunError"])
        #expect(cases[1].first("rerunError")?.first("stackTrace")?.text.contains("refused") == true)
    }
}
