import Glibc
import Testing

/// Tests of exits that scenario directories cannot describe: signals at arbitrary times and remaining processes.
@Suite(.serialized)
struct ProcessTests {
    /// A suite with one test and a server that writes its process ID and then hangs.
    private static let suite = """
        serve:
          command: [sh, -c, "echo $$ > server.pid; trap '' TERM INT; sleep 1000 & wait; sleep 1000"]
          ready: GET ${env("SERVER_URL")}/ready
        baseURL: ${env("SERVER_URL")}
        tests:
          - name: hangs
            request: { url: /hang, timeout: 10m }
        """

    private static let script = """
        {
          "answers": {
            "GET /ready": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 0", "", ""] }],
            "GET /hang": ["hang"]
          }
        }
        """

    private struct Run {
        let program: ProgramRun
        let server: ScriptedServer
        let served: pid_t
        let directory: TemporaryDirectory
    }

    /// Starts the program on the suite and waits until its request hangs.
    private func start() async throws -> Run {
        let directory = try TemporaryDirectory()
        let server = try ScriptedServer(ServerScript(Array(Self.script.utf8)))
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        let program = try ProgramRun(
            [Program.path, "suite.yaml", "--report", "junit=report.xml"],
            environment: Program.environment(home: directory.path, adding: ["SERVER_URL": server.url]),
            directory: directory.path, output: directory.path + "/run")
        let isHanging = try await Poll.until(within: .seconds(30)) { server.requests.contains("GET /hang") }
        try #require(isHanging, "the request did not arrive: \(program.standardError)")
        var text = ""
        let isWritten = try await Poll.until {
            text = TestFiles.text(directory.path + "/server.pid") ?? ""
            return text.hasSuffix("\n")
        }
        try #require(isWritten, "the served process did not start")
        let served = try #require(pid_t(text.filter(\.isNumber)))
        #expect(kill(served, 0) == 0)
        return Run(program: program, server: server, served: served, directory: directory)
    }

    @Test func servedProcessEndsWithAKilledProgram() async throws {
        let run = try await start()
        run.program.send(SIGKILL)
        #expect(try await run.program.wait() == .signal(SIGKILL))
        let isGone = try await Poll.until { run.program.survivors.isEmpty }
        #expect(isGone, "still running: \(run.program.survivors)")
        run.program.killSession()
        run.server.stop()
    }

    @Test func secondInterruptEndsAtOnce() async throws {
        let run = try await start()
        run.program.send(SIGINT)
        // The server ignores SIGTERM, so the program is still stopping it when the second signal arrives.
        let hasClosed = try await Poll.until { run.server.connections == 0 }
        #expect(hasClosed, "the request was not cancelled")
        run.program.send(SIGINT)
        #expect(try await run.program.wait() == .exit(130))
        let isGone = try await Poll.until { run.program.survivors.isEmpty }
        #expect(isGone, "still running: \(run.program.survivors)")
        run.program.killSession()
        run.server.stop()
    }

    /// A hanging teardown continues after the first interruption and ends with the second.
    @Test func secondInterruptEndsATeardown() async throws {
        let directory = try TemporaryDirectory()
        let server = try ScriptedServer(ServerScript(Array(#"{ "answers": { "*": ["hang"] } }"#.utf8)))
        TestFiles.write(
            """
            baseURL: ${env("SERVER_URL")}
            tests: [{ name: hangs, request: GET /test }]
            teardown: [{ request: GET /teardown }]

            """.utf8, to: directory.path + "/suite.yaml")
        let program = try ProgramRun(
            [Program.path, "suite.yaml"],
            environment: Program.environment(home: directory.path, adding: ["SERVER_URL": server.url]),
            directory: directory.path, output: directory.path + "/run")
        try #require(try await Poll.until(within: .seconds(30)) { server.requests == ["GET /test"] })
        program.send(SIGINT)
        let isClearing = try await Poll.until { server.requests == ["GET /test", "GET /teardown"] }
        #expect(isClearing, "the teardown did not start: \(program.standardError)")
        let isAlone = try await Poll.until { server.connections == 1 }
        #expect(isAlone, "the connection of the interrupted test is still open")
        program.send(SIGINT)
        #expect(try await program.wait() == .exit(130))
        program.killSession()
        server.stop()
    }

    /// A nonblocking pipe, such as event loops create, receives the entire output.
    @Test func outputThatDoesNotBlockIsWhole() async throws {
        guard Program.isInstalled("python3") else { try Test.cancel("python3 is not installed") }
        let directory = try TemporaryDirectory()
        let script = """
            import fcntl, os, subprocess, sys, time
            whole = subprocess.run([sys.argv[1], "schema"], stdout=subprocess.PIPE).stdout
            reader, writer = os.pipe()
            fcntl.fcntl(writer, 1031, 4096)
            os.set_blocking(writer, False)
            program = subprocess.Popen([sys.argv[1], "schema"], stdout=writer)
            os.close(writer)
            time.sleep(0.3)
            text = b""
            while part := os.read(reader, 1024): text += part
            print(len(whole) > 8192, text == whole, program.wait())
            """
        let run = try ProgramRun(
            ["/usr/bin/env", "python3", "-c", script, Program.path],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        #expect(try await run.wait() == .exit(0), "\(run.standardError)")
        #expect(run.standardOutput == "True True 0\n")
    }

    /// A paused pager does not delay tests and receives all output later.
    @Test func aReaderThatPausesKeepsNoTestWaiting() async throws {
        let directory = try TemporaryDirectory()
        let body = String(repeating: "x", count: 2_000)
        let server = try ScriptedServer(
            ServerScript(
                Array(
                    """
                    { "answers": { "*": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 2000", "", "\(body)"] }] } }
                    """.utf8)))
        defer { server.stop() }
        TestFiles.write(
            """
            tests:
              - { name: large, repeat: 800, request: { url: "\(server.url)/", timeout: 20s } }
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try ProgramRun(
            [
                "/bin/sh", "-c",
                """
                "$0" suite.yaml -vv --report json=run.jsonl | {
                    tries=0
                    while [ ! -e go ] && [ $tries -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
                    cat
                }
                """, Program.path,
            ], environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        defer { run.killSession() }
        // The end of the run is in the record before a byte has been read.
        let isDone = try await Poll.until(within: .seconds(40)) {
            TestFiles.text(directory.path + "/run.jsonl")?.contains("\"runEnd\"") == true
        }
        #expect(isDone)
        #expect(run.standardOutput.isEmpty)
        TestFiles.write("".utf8, to: directory.path + "/go")
        #expect(try await run.wait() == .exit(0), "\(run.standardError)")
        let output = run.standardOutput
        #expect(output.utf8.count > 300_000)
        #expect(ConsoleSummary(output)?.outcomes == ["passed": 800], "\(output.suffix(300))")
    }

    /// If the reader of the output exits, the program exits quietly, without a signal or a crash.
    @Test func closedOutputIsNoCrash() async throws {
        let directory = try TemporaryDirectory()
        let run = try ProgramRun(
            ["/bin/sh", "-c", "\"$0\" --help | exec true", Program.path],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        #expect(try await run.wait() == .exit(0))
        #expect(run.standardError.isEmpty, "\(run.standardError)")
    }
}
