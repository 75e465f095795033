import Glibc
import Testing

/// Tests of a terminal that closes during a run: running tests are cancelled, and reports are complete.
@Suite(.serialized)
struct HangUpTests {
    private static let suite = """
        serve:
          command: [sh, -c, "trap '' HUP; sleep 1000 & wait"]
          ready: GET ${env("SERVER_URL")}/ready
        baseURL: ${env("SERVER_URL")}
        tests:
          - { name: holds, request: GET /ready }
          - { name: hangs, needs: holds, request: { url: /hang, timeout: 10m } }
        """

    private static let script = """
        {
          "answers": {
            "GET /ready": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 0", "", ""] }],
            "GET /hang": ["hang"]
          }
        }
        """

    private func server() throws -> ScriptedServer { try ScriptedServer(ServerScript(Array(Self.script.utf8))) }

    /// The kernel sends one SIGHUP, and a shell forwards another to its jobs.
    ///
    /// Reports are written nevertheless, although neither they nor results can be displayed.
    @Test(arguments: [1, 2])
    func aTerminalThatIsClosed(_ times: Int) async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        defer { server.stop() }
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        let terminal = try PseudoTerminal(columns: 80)
        let run = try ProgramRun(
            [Program.path, "suite.yaml", "--report", "junit=report.xml", "--report", "json=run.jsonl"],
            environment: Program.environment(
                home: directory.path, adding: ["TERM": "xterm-256color", "SERVER_URL": server.url]),
            directory: directory.path, output: directory.path + "/run", terminal: terminal.path)
        let isHanging = try await Poll.until(within: .seconds(30)) {
            terminal.drain()
            return server.requests.contains("GET /hang")
        }
        try #require(isHanging, "\(terminal.text)")
        terminal.hangUp()
        if times > 1 {
            #expect(try await Poll.until { server.connections == 0 }, "the request was not cancelled")
            run.send(SIGHUP)
        }
        #expect(try await run.wait() == .exit(130))
        #expect(try await Poll.until { run.survivors.isEmpty }, "still running: \(run.survivors)")
        run.killSession()
        let report = try JUnitReport(try #require(TestFiles.text(directory.path + "/report.xml")))
        #expect(report.problems.isEmpty)
        #expect(report.outcomes == ["passed": 1, "skipped": 1])
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        #expect(record.contains("\n{\"event\":\"runEnd\""))
    }

    /// timeout(1) sends a signal to the program, and another one to its group.
    @Test func aTerminationThatIsSentTwice() async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        defer { server.stop() }
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        let run = try ProgramRun(
            [Program.path, "suite.yaml", "--report", "junit=report.xml"],
            environment: Program.environment(home: directory.path, adding: ["SERVER_URL": server.url]),
            directory: directory.path, output: directory.path + "/run")
        let isHanging = try await Poll.until(within: .seconds(30)) { server.requests.contains("GET /hang") }
        try #require(isHanging, "\(run.standardError)")
        for _ in 0..<10 { run.send(SIGTERM) }
        #expect(try await run.wait() == .exit(130))
        run.killSession()
        let report = try JUnitReport(try #require(TestFiles.text(directory.path + "/report.xml")))
        #expect(report.outcomes == ["passed": 1, "skipped": 1])
    }

    /// A program started to outlive its terminal, such as by nohup(1), does.
    @Test func aHangUpThatIsIgnored() async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        defer { server.stop() }
        TestFiles.write(
            Self.suite.replacing("timeout: 10m", with: "timeout: 1s").utf8, to: directory.path + "/suite.yaml")
        let run = try ProgramRun(
            ["/bin/sh", "-c", "trap '' HUP; exec \"$0\" suite.yaml", Program.path],
            environment: Program.environment(home: directory.path, adding: ["SERVER_URL": server.url]),
            directory: directory.path, output: directory.path + "/run")
        let isHanging = try await Poll.until(within: .seconds(30)) { server.requests.contains("GET /hang") }
        try #require(isHanging, "\(run.standardError)")
        run.send(SIGHUP)
        #expect(try await run.wait() == .exit(1))
        #expect(ConsoleSummary(run.standardOutput)?.outcomes == ["passed": 1, "errored": 1], "\(run.standardOutput)")
        #expect(try await Poll.until { run.survivors.isEmpty }, "still running: \(run.survivors)")
        run.killSession()
    }
}
