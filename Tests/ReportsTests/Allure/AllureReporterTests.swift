import Basics
import Diagnostics
import Glibc
import JSON
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct AllureReporterTests {
    private func report(
        _ events: [RunEvent], executor: AllureExecutor? = nil, into path: String? = nil
    ) throws -> AllureFiles {
        let directory = try TemporaryDirectory()
        let path = path ?? directory.path + "/out/allure-results"
        let fanOut = ReportFanOut([try AllureReporter(path: path, executor: executor)], showsExchanges: false)
        for event in events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        let files = try AllureFiles(in: path)
        try files.check()
        return files
    }

    /// Returns the events of a test's run with modified run information.
    private func events(_ name: String, _ change: (inout RunInfo) -> Void) -> [RunEvent] {
        let fixture = Fixture()
        return fixture.events([fixture.result(name, .passed)]).map { event in
            guard case .runStarted(var info) = event else { return event }
            change(&info)
            return .runStarted(info)
        }
    }

    @Test func theWholeResult() throws {
        let files = try report(
            events("fine") { info in
                info.hostName = "host.example"
                info.workingDirectory = "/home/ada"
            })
        #expect(files.bytes.count == 2)
        let result = try #require(try files.results().first)
        let uuid = try #require(result.at("uuid").text)
        let history = try #require(result.at("historyId").text)
        #expect(
            result.serialized() == """
                {"uuid":"\(uuid)","historyId":"\(history)","testCaseId":"\(history)",\
                "fullName":"tests/bookshop.yaml#fine","name":"fine","status":"passed","stage":"finished",\
                "start":1700000000000,"stop":1700000000041,"steps":[],"attachments":[],"labels":[\
                {"name":"parentSuite","value":"tests"},{"name":"suite","value":"Bookshop"},\
                {"name":"package","value":"tests.bookshop"},{"name":"framework","value":"apitest"},\
                {"name":"language","value":"yaml"},{"name":"host","value":"host.example"},\
                {"name":"tag","value":"smoke"}],"parameters":[],"links":[]}
                """)
    }

    @Test func theRichRun() throws {
        let files = try report(RichRun.events)
        // The failure of a server is a result of its suite.
        #expect(try files.results().count == 15)
        var whole: [UInt8] = []
        for (name, bytes) in files.bytes.sorted(by: { $0.key < $1.key }) {
            whole += "=== \(name)\n".utf8
            whole += bytes
            if bytes.last != 0x0A { whole.append(0x0A) }
        }
        #expect(!String(decoding: whole, as: UTF8.self).contains(RichRun.secret))
        try GoldenFile.expect(whole, named: "allure.txt")
    }

    @Test func statusesAndReasons() throws {
        let fixture = Fixture()
        let results = try report(
            fixture.events([
                fixture.result("a", .failed, findings: [fixture.statusFinding], exchange: Fixture.created),
                fixture.result("b", .errored, position: 1, findings: [fixture.refusedFinding]),
                fixture.result("c", .skipped(reason: "not now"), position: 2),
                fixture.result("d", .blocked(by: "a"), position: 3), fixture.result("e", .passed, position: 4),
            ])
        ).results()
        #expect(
            results.map { "\($0.at("status")) \($0.at("statusDetails", "message"))" } == [
                #""failed" "status: expected 201, got 200""#, #""broken" "connect: connection refused""#,
                #""skipped" "not now""#, #""skipped" "blocked by \"a\", which did not pass""#, #""passed" null"#,
            ])
        let attachments = results[0].at("attachments").elements
        #expect(attachments.map { $0.at("name") } == ["exchange", "request body", "response body"])
        #expect(attachments.map { $0.at("type") } == ["text/plain", "application/json", "application/json"])
    }

    @Test func retriesAreResultsOfTheirOwn() throws {
        let fixture = Fixture()
        var flaky = fixture.result("a", .flaky, milliseconds: 100)
        flaky.steps[0].previousAttempts = [
            TestResult.StepAttempt(outcome: .failed, findings: [fixture.statusFinding], duration: 20_000_000),
            TestResult.StepAttempt(
                outcome: .errored, findings: [fixture.refusedFinding], exchange: Fixture.refused, duration: 0),
        ]
        let results = try report(fixture.events([flaky])).results()
        #expect(results.map { $0.at("status") } == ["failed", "broken", "passed"])
        #expect(Set(results.map { $0.at("historyId") }).count == 1)
        #expect(Set(results.map { $0.at("uuid") }).count == 3)
        #expect(results.map { $0.at("statusDetails", "flaky") } == [.null, .null, true])
        #expect(results.map { $0.at("start") } == [1_700_000_000_000, 1_700_000_000_020, 1_700_000_000_021])
        #expect(results.last?.at("stop") == 1_700_000_000_100)
    }

    @Test func attemptsOfAStepAmongOthersAreStepsOfIt() throws {
        let fixture = Fixture()
        var steps = fixture.result("b", .failed, findings: [fixture.statusFinding])
        steps.test.hasSteps = true
        steps.previousAttempts = [TestResult.Attempt(outcome: .failed, steps: steps.steps, duration: 1_000_000)]
        steps.steps[0].previousAttempts = [TestResult.StepAttempt(outcome: .errored, findings: [])]
        let results = try report(fixture.events([steps])).results()
        #expect(results.count == 2)
        #expect(results[1].at("steps").elements[0].at("steps").elements.map { $0.at("name") } == ["attempt 1"])
    }

    @Test func fixturesOfASuite() throws {
        let fixture = Fixture()
        var setup = fixture.result("setup", .passed)
        setup.test.hasSteps = true
        setup.test.kind = .setup
        var teardown = fixture.result(
            "teardown", .failed, position: 2, findings: [fixture.statusFinding], exchange: Fixture.created)
        teardown.test.hasSteps = true
        teardown.test.kind = .teardown
        let files = try report(fixture.events([setup, fixture.result("a", .passed, position: 1), teardown]))
        let container = try #require(try files.values("-container.json").first)
        #expect(container.at("children").elements.count == 2)
        #expect(Set(container.at("children").elements) == Set(try files.results().map { $0.at("uuid") }))
        #expect(container.at("befores").elements.map { $0.at("name") } == ["setup"])
        #expect(container.at("afters").elements.map { $0.at("status") } == ["failed"])
        let attached = container.at("afters").elements[0].at("steps").elements[0].at("attachments").elements
        #expect(attached.count == 3)
        #expect(attached.allSatisfy { files.bytes[$0.at("source").text ?? ""] != nil })
    }

    @Test func namesAreTheSameForTheSameRunAndDifferForOthers() throws {
        func names(_ change: (inout RunInfo) -> Void) throws -> (uuid: JSONValue, history: JSONValue) {
            let result = try #require(try report(events("a", change)).results().first)
            return (result.at("uuid"), result.at("historyId"))
        }
        let first = try names { _ in }
        let changes: [(inout RunInfo) -> Void] = [
            { $0.startTime += 1 }, { $0.seed += 1 }, { $0.shard = "1/2" }, { $0.hostName = "other" },
        ]
        #expect(try names { _ in }.uuid == first.uuid)
        for change in changes {
            let other = try names(change)
            #expect(other.uuid != first.uuid)
            #expect(other.history == first.history)
        }
    }

    @Test func resultsOfPreviousRunsStay() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/results"
        _ = try report(events("a") { _ in }, into: path)
        try TemporaryDirectory.write(Array("[]".utf8), to: path + "/categories.json")
        let files = try report(events("b") { $0.startTime += 60 }, into: path)
        #expect(Set(try files.results().map { $0.at("name") }) == ["a", "b"])
        #expect(files.text("categories.json") == "[]")
    }

    @Test func environment() throws {
        let fixture = Fixture()
        var info = RunInfo(
            suites: [fixture.suite], testCount: 0, seed: 7, jobs: 2, version: "1.2.3", startTime: 0,
            hostName: " hôst\n#=:\\", workingDirectory: "/x", shard: "1/2")
        info.suites[0].environment = "staging"
        let notice = RunNotice(.serveEnded, severity: .error, suite: 0, message: "the server ended")
        #expect(
            try report([.runStarted(info), .interrupted(nil), .notice(notice)]).text("environment.properties") == #"""
                apitest = 1.2.3
                seed = 7
                host = \ h\u00F4st\u000A#=:\\
                jobs = 2
                shard = 1/2
                environment = staging
                baseURL = http://127.0.0.1:8080
                interrupted = true
                notice\ 1 = error: Bookshop: the server ended [serve-ended]

                """#)
    }

    static let executors: [([String: String], String?)] = [
        ([:], nil), (["GITHUB_ACTIONS": "false", "GITLAB_CI": "", "JENKINS_URL": ""], nil),
        (["GITHUB_ACTIONS": "true"], #"{"name":"GitHub Actions","type":"github"}"#),
        (
            [
                "GITHUB_ACTIONS": "true", "GITHUB_RUN_NUMBER": "12", "GITHUB_WORKFLOW": "CI \"x\"",
                "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "99",
            ],
            #"{"name":"GitHub Actions","type":"github","buildOrder":12,"buildName":"CI \"x\" #12","#
                + #""buildUrl":"https://github.com/a/b/actions/runs/99"}"#
        ),
        (
            ["GITLAB_CI": "true", "CI_PIPELINE_IID": "x", "CI_JOB_NAME": "api", "CI_JOB_URL": "https://g/1"],
            #"{"name":"GitLab CI","type":"gitlab","buildName":"api #x","buildUrl":"https://g/1"}"#
        ),
        (
            ["JENKINS_URL": "https://j", "BUILD_NUMBER": "3", "JOB_NAME": "api", "BUILD_URL": "https://j/3"],
            #"{"name":"Jenkins","type":"jenkins","buildOrder":3,"buildName":"api #3","buildUrl":"https://j/3"}"#
        ),
    ]

    @Test(arguments: executors)
    func executor(_ environment: [String: String], _ text: String?) throws {
        let files = try report([], executor: AllureExecutor(RunOrigin(environment: environment)))
        #expect(files.text("executor.json") == text.map { $0 + "\n" })
    }

    static let bodies: [(String, [UInt8], String, String)] = [
        ("application/json", Array("{}".utf8), "application/json", "json"),
        ("application/problem+json; charset=utf-8", Array("{}".utf8), "application/json", "json"),
        ("text/html", Array("<script>".utf8), "text/plain", "txt"),
        ("image/svg+xml", Array("<svg/>".utf8), "text/plain", "txt"), ("IMAGE/PNG", [0x89], "image/png", "png"),
        ("text/csv", Array("a,b".utf8), "text/csv", "csv"), ("text/plain", [0, 1], "application/octet-stream", "bin"),
        ("../../x", Array("x".utf8), "text/plain", "txt"), ("", Array("x".utf8), "text/plain", "txt"),
    ]

    @Test(arguments: bodies)
    func attachment(_ contentType: String, _ body: [UInt8], _ type: String, _ suffix: String) throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.headers = [HeaderField(name: "Content-Type", value: contentType)]
        exchange.response?.body = body
        let files = try report(
            fixture.events([fixture.result("a", .failed, findings: [fixture.statusFinding], exchange: exchange)]))
        let attachment = try #require(try files.results().first?.at("attachments").elements.last)
        #expect(attachment.at("type") == .string(type))
        let source = try #require(attachment.at("source").text)
        #expect(source.hasSuffix("-attachment." + suffix))
        #expect(files.bytes[source] == body)
    }

    @Test(arguments: HostileText.all)
    func hostileTexts(_ text: String) throws {
        let files = try report(HostileText.events(text))
        #expect(try files.results().count == 3)
        for (name, bytes) in files.bytes where !name.contains("-attachment") {
            #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
        }
    }

    @Test func runsThatDoNotEnd() throws {
        #expect(try report([]).bytes.keys.sorted() == ["environment.properties"])
        #expect(try report(RichRun.killed).bytes.count > 1)
    }

    @Test func directoriesThatCannotBeWritten() throws {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write([], to: directory.path + "/file")
        for path in [directory.path + "/file", directory.path + "/file/results", "/proc/none"] {
            #expect(throws: ReportError.self) { try AllureReporter(path: path, executor: nil) }
        }
        let path = directory.path + "/results"
        let reporter = try AllureReporter(path: path, executor: nil)
        // The directory is created for the first result.
        #expect(access(path, F_OK) != 0)
        try TemporaryDirectory.write([], to: path)
        for event in events("a", { _ in }) { reporter.receive(event) }
        #expect(throws: ReportError.self) { try reporter.finish() }
    }
}
