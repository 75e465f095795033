import Glibc
import Testing

/// Tests of the immediate display of failures, and of the colors and sections in logs of CI services.
@Suite(.serialized)
struct FailureOutputTests {
    private static let script = """
        {
          "answers": {
            "GET /hang": ["hang"],
            "GET /wrong": [{ "send": ["HTTP/1.1 500 Oops", "Content-Length: 0", "", ""] }]
          }
        }
        """

    private static let suite = """
        name: Late
        baseURL: ${env("SERVER_URL")}
        tests:
          - name: hangs
            request: { url: /hang, timeout: 10m }
          - name: fails
            request: GET /wrong
            expect: 200
        """

    @Test(arguments: ["immediate", "final", "both"])
    func aFailureIsShownBeforeASlowTestEnds(_ choice: String) async throws {
        let directory = try TemporaryDirectory()
        let server = try ScriptedServer(ServerScript(Array(Self.script.utf8)))
        defer { server.stop() }
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        let path = directory.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let pipe = open(path, O_RDWR | O_NONBLOCK)
        defer { close(pipe) }
        let program = try ProgramRun(
            [Program.path, "suite.yaml", "--failure-output", choice, "--report", "tap=pipe"],
            environment: Program.environment(home: directory.path, adding: ["SERVER_URL": server.url]),
            directory: directory.path, output: directory.path + "/run")
        var points = ""
        let isInPipe = try await Poll.until(within: .seconds(30)) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(pipe, &buffer, buffer.count)
            points += String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
            return points.contains("not ok 1 - Late › fails\n")
        }
        #expect(isInPipe, "\(points)")
        if choice != "final" {
            let isShown = try await Poll.until(within: .seconds(30)) {
                program.standardOutput.contains("✗ Late › fails") && program.standardOutput.contains("  curl ")
            }
            #expect(isShown, "\(program.standardOutput)")
        }
        program.send(SIGINT)
        #expect(try await program.wait() == .exit(130))
        let lines = program.standardOutput.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("✗ Late › fails") } == (choice == "both" ? 2 : 1))
        let failure = try #require(lines.firstIndex { $0.hasPrefix("✗ Late › fails") })
        let suite = try #require(lines.firstIndex { $0.hasPrefix("✗ Late  ") })
        #expect((failure < suite) == (choice != "final"))
        #expect(program.standardError.contains("stopping 1 test; press Ctrl-C again to quit immediately\n"))
        program.killSession()
    }

    private static let plain = """
        name: Down
        baseURL: http://127.0.0.1:1
        tests:
          - name: fails
            request: GET /a
        """

    private static let environments: [(environment: [String: String], isPiped: Bool, isColored: Bool)] = [
        ([:], true, false),
        (["FORCE_COLOR": "1"], false, true), (["FORCE_COLOR": "0"], false, false),
        (["CLICOLOR_FORCE": "1"], false, true),
        (["FORCE_COLOR": "1", "NO_COLOR": "1"], false, false), (["FORCE_COLOR": "1", "TERM": "dumb"], false, true),
        (["GITHUB_ACTIONS": "true"], true, true), (["GITLAB_CI": "true"], true, true),
        (["BUILDKITE": "true"], true, true),
        (["GITHUB_ACTIONS": "true"], false, false), (["GITHUB_ACTIONS": "true", "TERM": "dumb"], true, false),
        (["GITLAB_CI": "true", "NO_COLOR": "1"], true, false),
    ]

    @Test(arguments: environments)
    func colors(_ environment: [String: String], _ isPiped: Bool, _ isColored: Bool) async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.plain.utf8, to: directory.path + "/suite.yaml")
        let command = "\"$0\" suite.yaml" + (isPiped ? " | cat" : "")
        let run = try ProgramRun(
            ["/bin/sh", "-c", command, Program.path],
            environment: Program.environment(
                home: directory.path, adding: ["NO_COLOR": ""].merging(environment) { $1 }),
            directory: directory.path, output: directory.path + "/run")
        _ = try await run.wait()
        #expect(run.standardOutput.contains("\u{1B}[1;31m✗") == isColored, "\(run.standardOutput)")
        #expect(run.standardOutput.contains("Down › fails"))
    }

    @Test func logsAreFolded() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.plain.utf8, to: directory.path + "/suite.yaml")
        func output(_ service: String) async throws -> String {
            try await Program.run(["suite.yaml"], in: directory.path, environment: [service: "true"]).output
        }
        let github = try await output("GITHUB_ACTIONS")
        #expect(
            github.contains("\n::group::  → GET http://127.0.0.1:1/a  ← no response\n  → GET http://127.0.0.1:1/a\n"))
        #expect(github.contains("  curl http://127.0.0.1:1/a\n::endgroup::\n"))
        let gitlab = try await output("GITLAB_CI")
        #expect(gitlab.contains(":apitest_1[collapsed=true]\r\u{1B}[0K  → GET http://127.0.0.1:1/a  ← no response\n"))
        #expect(gitlab.contains(":apitest_1\r\u{1B}[0K\n"))
        let buildkite = try await output("BUILDKITE")
        #expect(
            buildkite.contains("+++ ✗ Down › fails") && buildkite.contains("\n+++ ✗ 1 test in 1 suite: 1 errored\n"))
    }

    @Test func againHasTheOptionsThatAreNeeded() async throws {
        let directory = try TemporaryDirectory()
        let rows = (0..<60).map { "{ n: \($0) }" }.joined(separator: ", ")
        TestFiles.write(
            """
            secrets: [token]
            variables: { token: x, place: "" }
            tests:
              - name: row
                cases: [\(rows)]
                request: GET http://127.0.0.1:1/${n}?${place}
            """.utf8, to: directory.path + "/my suite.yaml")
        let arguments = [
            "my suite.yaml", "--variable", "token=hunter2", "--variable=place=a b", "--timeout", "5s", "-v", "--jobs",
            "4",
        ]
        let one = try await Program.run(arguments, in: directory.path)
        let options = "--variable 'token=***' '--variable=place=a b' --timeout 5s"
        #expect(one.output.contains("  rerun one of them: apitest 'my suite.yaml:5' \(options)\n"), "\(one.output)")
        let all = try await Program.run(arguments + ["--report", "junit=r.xml"], in: directory.path)
        #expect(all.output.contains("  rerun all of them: apitest 'my suite.yaml' \(options) --failed r.xml\n"))
        #expect(!all.output.contains("hunter2"))
    }
}
