import Glibc
import Testing

/// Tests of the program's output for each directory under `Scenarios`.
@Suite(.serialized)
struct ScenarioTests {
    @Test(arguments: Scenario.all)
    func scenario(_ scenario: Scenario) async throws {
        let call = try scenario.caseFile()
        for program in call.requires where !Program.isInstalled(program) {
            try Test.cancel("\(program) is not installed")
        }
        let work = try TemporaryDirectory()
        let directory = work.path + "/scenario"
        TestFiles.copy(scenario.directory, to: directory)
        // The file describes the run from outside, so the program must not find it.
        TestFiles.remove(directory + "/case.yaml")
        let server = try scenario.serverScript().map(ScriptedServer.init)
        defer { server?.stop() }
        var environment = Program.environment(home: work.path, adding: call.environment)
        if let server {
            environment["SERVER_URL"] = server.url
            environment["SERVER_PORT"] = "\(server.port)"
        }
        if TestFiles.exists(directory + "/prepare") {
            let run = try ProgramRun(
                ["/bin/sh", "-e", "prepare"], environment: environment, directory: directory,
                output: work.path + "/prepare")
            try #require(try await run.wait() == .exit(0), "\(run.standardError)")
        }
        let run = try ProgramRun(
            [Program.path] + scenario.arguments(of: call), environment: environment, directory: directory,
            output: work.path + "/run")
        if let signal = call.signal {
            #expect(try await Poll.until { server?.requests.contains(signal.request) == true }, "no request arrived")
            run.send(signal.number)
        }
        let ending = try await run.wait()
        let leftNothing = try await Poll.until(within: .seconds(5)) { run.survivors.isEmpty }
        #expect(leftNothing, "still running: \(run.survivors)")
        run.killSession()

        #expect(ending == .exit(call.exit), "\(run.standardOutput)\(run.standardError)")
        try await checkReport(directory + "/report.xml", ending: ending, output: run.standardOutput)
        for what in scenario.expectations {
            let actual =
                switch what {
                case "stdout": run.standardOutput
                case "stderr": run.standardError
                case "requests": (server?.requests ?? []).map { $0 + "\n" }.joined()
                default: try #require(TestFiles.text("\(directory)/\(what)"), "\(what) was not written")
                }
            try compare(actual.replacing(directory, with: "<<directory>>"), what, of: scenario)
        }
    }

    /// Checks that consumers can read a report, and that it agrees with the console and the exit status.
    private func checkReport(_ path: String, ending: ProgramRun.Ending, output: String) async throws {
        guard let text = TestFiles.text(path) else { return }
        if Program.isInstalled("xmllint") {
            let lint = try ProgramRun(
                ["/usr/bin/env", "xmllint", "--noout", path], environment: Program.environment(home: "/tmp"),
                directory: "/tmp",
                output: path + ".lint")
            #expect(try await lint.wait() == .exit(0), "\(lint.standardError)")
        }
        let report = try JUnitReport(text)
        #expect(report.problems.isEmpty)
        let hasFailed = report.counts.failures + report.counts.errors > 0
        if ending == .exit(0) { #expect(!hasFailed, "\(report.counts)") }
        if ending == .exit(1) { #expect(hasFailed, "\(report.counts)") }
        let summary = try #require(ConsoleSummary(output), "no summary in \(output)")
        var outcomes = summary.outcomes
        // In JUnit, failures that the suite expects count as skipped, and those in a baseline as passed.
        if let known = outcomes.removeValue(forKey: "known") {
            let expected = text.split(separator: "<skipped message=\"expected to fail: ").count - 1
            if expected > 0 { outcomes["skipped", default: 0] += expected }
            if known > expected { outcomes["passed", default: 0] += known - expected }
        }
        // JUnit has no blocked tests; they count as skipped.
        if let blocked = outcomes.removeValue(forKey: "blocked") { outcomes["skipped", default: 0] += blocked }
        #expect(outcomes == report.outcomes)
        #expect(summary.tests == report.outcomes.values.reduce(0, +))
    }

    private func compare(_ actual: String, _ what: String, of scenario: Scenario) throws {
        let expected = ExpectedText(scenario.expected(what) ?? "")
        guard let difference = try expected.difference(to: actual) else { return }
        if Scenario.isUpdating(scenario.name) && what != "requests" {
            scenario.update(what, to: try expected.updated(from: actual))
        } else {
            Issue.record("\(scenario.name), \(what): \(difference)")
        }
    }
}
