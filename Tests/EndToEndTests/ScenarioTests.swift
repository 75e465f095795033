import Glibc
import Testing

/// Runs the program on each folder under `Scenarios` and compares what it writes.
@Suite(.serialized)
struct ScenarioTests {
    @Test(arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async throws {
        for program in scenario.requirements where !Program.isInstalled(program) {
            try Test.cancel("\(program) is not installed")
        }
        let work = try TemporaryFolder()
        let folder = work.path + "/scenario"
        TestFiles.copy(scenario.folder, to: folder)
        let server = try scenario.serverScript().map(ScriptedServer.init)
        defer { server?.stop() }
        var environment = Program.environment(home: work.path, adding: scenario.environment)
        if let server {
            environment["SERVER_URL"] = server.url
            environment["SERVER_PORT"] = "\(server.port)"
        }
        if TestFiles.exists(folder + "/prepare") {
            let run = try ProgramRun(
                ["/bin/sh", "-e", "prepare"], environment: environment, folder: folder, output: work.path + "/prepare")
            try #require(try await run.wait() == .exit(0), "\(run.standardError)")
        }
        let run = try ProgramRun(
            [Program.path] + scenario.arguments, environment: environment, folder: folder,
            output: work.path + "/run")
        if let signal = scenario.signal {
            #expect(try await Poll.until { server?.requests.contains(signal.request) == true }, "no request came")
            run.send(signal.number)
        }
        let ending = try await run.wait()
        let leftNothing = try await Poll.until(within: .seconds(5)) { run.survivors.isEmpty }
        #expect(leftNothing, "still running: \(run.survivors)")
        run.killSession()

        let status = if case .exit(let status) = ending { "\(status)\n" } else { "\(ending)\n" }
        try await checkReport(folder + "/report.xml", status: status, output: run.standardOutput)
        for what in scenario.expectations {
            let actual =
                switch what {
                case "exit": status
                case "stdout": run.standardOutput
                case "stderr": run.standardError
                case "requests": (server?.requests ?? []).map { $0 + "\n" }.joined()
                default: try #require(TestFiles.text("\(folder)/\(what)"), "\(what) was not written")
                }
            try compare(actual.replacing(folder, with: "<<folder>>"), what, of: scenario)
        }
    }

    /// A report that the program wrote must be one that its consumers can read, and agree with console and exit status.
    private func checkReport(_ path: String, status: String, output: String) async throws {
        guard let text = TestFiles.text(path) else { return }
        if Program.isInstalled("xmllint") {
            let lint = try ProgramRun(
                ["/usr/bin/env", "xmllint", "--noout", path], environment: Program.environment(home: "/tmp"),
                folder: "/tmp",
                output: path + ".lint")
            #expect(try await lint.wait() == .exit(0), "\(lint.standardError)")
        }
        let report = try JUnitReport(text)
        #expect(report.problems.isEmpty)
        let hasFailed = report.counts.failures + report.counts.errors > 0
        if status == "0\n" { #expect(!hasFailed, "\(report.counts)") }
        if status == "1\n" { #expect(hasFailed, "\(report.counts)") }
        let summary = try #require(ConsoleSummary(output), "no summary in \(output)")
        var outcomes = summary.outcomes
        // What is known to fail counts as passed in JUnit.
        if let known = outcomes.removeValue(forKey: "known") { outcomes["passed", default: 0] += known }
        // JUnit knows no blocked tests: they are skipped there.
        if let blocked = outcomes.removeValue(forKey: "blocked") { outcomes["skipped", default: 0] += blocked }
        #expect(outcomes == report.outcomes)
        #expect(summary.tests == report.outcomes.values.reduce(0, +))
    }

    private func compare(_ actual: String, _ what: String, of scenario: Scenario) throws {
        let text = scenario.expected(what) ?? (what == "exit" ? "0\n" : "")
        let expected = ExpectedText(text)
        guard let difference = try expected.difference(to: actual) else { return }
        if Scenario.isUpdating(scenario.name) && what != "exit" && what != "requests" {
            scenario.update(what, to: try expected.updated(from: actual))
        } else {
            Issue.record("\(scenario.name), \(what): \(difference)")
        }
    }
}
