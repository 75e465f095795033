import Glibc
import Testing

/// Tests of `apitest --watch`, which runs the suites affected by a changed file again.
@Suite(.serialized)
struct WatchTests {
    /// A program in watch mode.
    private struct Watch {
        let directory: TemporaryDirectory
        let program: ProgramRun

        init(_ arguments: [String], files: [String: String]) throws {
            directory = try TemporaryDirectory()
            mkdir(directory.path + "/suites", 0o755)
            for (name, text) in files { TestFiles.write(text.utf8, to: "\(directory.path)/suites/\(name)") }
            program = try ProgramRun(
                [Program.path] + arguments + ["--watch"],
                environment: Program.environment(home: directory.path), directory: directory.path + "/suites",
                output: directory.path + "/run")
        }

        func write(_ name: String, _ text: String) {
            TestFiles.write(text.utf8, to: "\(directory.path)/suites/\(name)")
        }

        /// Waits until the program has reported for the nth time that it is watching.
        func waitForRun(_ number: Int) async throws {
            let isDone = try await Poll.until(within: .seconds(30)) {
                program.standardError.split(separator: "\n").count { $0.hasPrefix("watching ") } >= number
            }
            try #require(isDone, "run \(number) did not happen: \(program.standardOutput)\(program.standardError)")
        }

        /// Waits until the program watches a directory of the suites with inotify.
        func waitForHints(of name: String) async throws {
            var information = stat()
            try #require(stat("\(directory.path)/suites/\(name)", &information) == 0)
            let number = " ino:\(String(information.st_ino, radix: 16)) "
            let process = "/proc/\(program.identifier)/fdinfo"
            let isWatched = try await Poll.until(within: .seconds(30)) {
                TestFiles.names(in: process).contains { file in
                    TestFiles.text("\(process)/\(file)").map { $0.contains("inotify") && $0.contains(number) } ?? false
                }
            }
            try #require(isWatched, "the directory \(name) is not watched")
        }

        /// Returns the standard output after the nth separator line, starting at 0.
        func output(_ number: Int) -> String {
            let parts = program.standardOutput.split(separator: "\n── changed: ", omittingEmptySubsequences: false)
            return number < parts.count ? String(parts[number]) : ""
        }
    }

    private static func suite(_ name: String, _ path: String, status: Int = 200) -> String {
        """
        name: \(name)
        serve: { mock: api.mock.yaml }
        tests:
          - name: it answers
            request: GET \(path)
            expect: \(status)
        """
    }

    private static let mock = "routes:\n  - request: GET /**\n    respond: { text: fine }\n"

    @Test func changedFilesRunTheSuitesThatTheyTouch() async throws {
        let watch = try Watch(
            ["."],
            files: [
                "a.apitest.yaml": Self.suite("A", "/a"),
                "b.apitest.yaml": "name: B\nserve: { mock: other.mock.yaml }\n"
                    + "tests: [{ name: has its schema, request: GET /b, expect: { schema: s.json } }]\n",
                "api.mock.yaml": Self.mock, "s.json": "{}",
                "other.mock.yaml": "routes: [{ request: GET /b, respond: { json: { x: 1 } } }]\n",
            ])
        defer { watch.program.killSession() }
        try await watch.waitForRun(1)
        #expect(watch.output(0).contains("✓ 2 tests in 2 suites: 2 passed"), "\(watch.output(0))")

        // A suite file affects only itself.
        watch.write("a.apitest.yaml", Self.suite("A", "/a", status: 404))
        try await watch.waitForRun(2)
        #expect(watch.output(1).hasPrefix("a.apitest.yaml ──\n"))
        #expect(watch.output(1).contains("✗ 1 test in 1 suite: 1 failed"), "\(watch.output(1))")

        // An error is displayed, and watching continues.
        watch.write("a.apitest.yaml", "tests: [{ nam: x }]\n")
        try await watch.waitForRun(3)
        #expect(watch.program.standardError.contains("did you mean \"name\"?"))

        watch.write("a.apitest.yaml", Self.suite("A", "/a"))
        try await watch.waitForRun(4)
        #expect(watch.output(3).contains("✓ 1 test in 1 suite: 1 passed"), "\(watch.output(3))")

        // A mock file affects the suite that serves it; a schema affects the suite that uses it.
        watch.write("api.mock.yaml", Self.mock.replacing("fine", with: "still fine"))
        try await watch.waitForRun(5)
        #expect(watch.output(4).hasPrefix("api.mock.yaml ──\n") && watch.output(4).contains("✓ 1 test in 1 suite"))
        watch.write("s.json", #"{ "type": "string" }"#)
        try await watch.waitForRun(6)
        #expect(watch.output(5).hasPrefix("s.json ──\n"))
        #expect(watch.output(5).contains("✗ B › has its schema"), "\(watch.output(5))")

        // A new suite is found, even in a new directory.
        mkdir(watch.directory.path + "/suites/more", 0o755)
        watch.write("more/c.apitest.yaml", Self.suite("C", "/c").replacing("api.mock", with: "../api.mock"))
        try await watch.waitForRun(7)
        #expect(watch.output(6).contains("✓ C  1 passed"), "\(watch.output(6))")
        watch.write("more/c.apitest.yaml", Self.suite("C2", "/c").replacing("api.mock", with: "../api.mock"))
        try await watch.waitForRun(8)
        #expect(watch.output(7).contains("✓ C2  1 passed"), "\(watch.output(7))")

        watch.program.send(SIGINT)
        #expect(try await watch.program.wait() == .exit(0))
        #expect(watch.program.survivors.isEmpty)
    }

    /// A new directory is watched before it has contents, even if it replaces another one.
    @Test func newDirectoriesAreWatched() async throws {
        let watch = try Watch(["."], files: ["a.apitest.yaml": Self.suite("A", "/a"), "api.mock.yaml": Self.mock])
        defer { watch.program.killSession() }
        try await watch.waitForRun(1)
        let directory = watch.directory.path + "/suites/more"
        for (run, name) in [(2, "B"), (4, "C")] {
            mkdir(directory, 0o755)
            try await watch.waitForHints(of: "more")
            watch.write("more/x.apitest.yaml", Self.suite(name, "/").replacing("api.mock", with: "../api.mock"))
            try await watch.waitForRun(run)
            #expect(watch.output(run - 1).contains("✓ \(name)  1 passed"), "\(watch.output(run - 1))")
            unlink(directory + "/x.apitest.yaml")
            rmdir(directory)
            // The removed suite does not run. A changed one runs and proves that the removal was noticed.
            watch.write("a.apitest.yaml", Self.suite("A \(run)", "/a"))
            try await watch.waitForRun(run + 1)
        }
        watch.program.send(SIGINT)
        #expect(try await watch.program.wait() == .exit(0))
    }

    /// A file saved during the first run causes another run; a file written by a server does not. The server writes
    /// before it is ready, and so before the first request.
    @Test(arguments: ["a.yaml", "rows.csv"])
    func changesDuringTheFirstRunAreNotMissed(_ name: String) async throws {
        let server = try ScriptedServer(
            ServerScript(
                Array(
                    #"""
                    { "answers": {
                      "GET /slow": ["hang"],
                      "*": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 0", "", ""] }]
                    } }
                    """#.utf8)))
        defer { server.stop() }
        func suite(_ path: String) -> String {
            """
            name: S
            serve:
              command: [sh, -c, 'echo more >>"$0"; exec "$1" mock api.mock.yaml --port "$2"', data.txt, "\(Program.path)", "${port}"]
              ready: GET /
            tests: [{ name: "to ${path}", cases: rows.csv, request: "GET \(server.url)${path}\(path)", timeout: 3s }]
            """
        }
        let watch = try Watch(
            ["a.yaml"],
            files: [
                "a.yaml": suite(""), "rows.csv": "path\n/slow\n", "data.txt": "data\n", "api.mock.yaml": Self.mock,
            ])
        defer { watch.program.killSession() }
        #expect(try await Poll.until(within: .seconds(30)) { server.requests.contains("GET /slow") })
        watch.write(name, name == "a.yaml" ? suite("er") : "path\n/other\n")
        #expect(TestFiles.text(watch.directory.path + "/suites/data.txt")?.contains("more") == true)
        try await watch.waitForRun(2)
        #expect(watch.output(1).hasPrefix("\(name) ──\n"), "\(watch.output(1))")
        #expect(server.requests.contains(name == "a.yaml" ? "GET /slower" : "GET /other"))
        // A further change proves that there was no other run in between.
        watch.write("rows.csv", "path\n/last\n")
        try await watch.waitForRun(3)
        #expect(watch.output(2).hasPrefix("rows.csv ──\n"), "\(watch.output(2))")
        watch.program.send(SIGINT)
        #expect(try await watch.program.wait() == .exit(0))
        #expect(watch.program.survivors.isEmpty)
    }

    /// A run that writes snapshots does not cause another run; a change to a snapshot does.
    @Test func snapshotsAreWatchedToo() async throws {
        let suite = """
            name: S
            serve: { mock: api.mock.yaml }
            tests: [{ name: t, request: GET /, expect: { snapshot: true } }]
            """
        let watch = try Watch(["s.yaml"], files: ["s.yaml": suite, "api.mock.yaml": Self.mock])
        defer { watch.program.killSession() }
        try await watch.waitForRun(1)
        let directory = watch.directory.path + "/suites/__snapshots__/s.yaml"
        let name = try #require(TestFiles.names(in: directory).first)
        watch.write("__snapshots__/s.yaml/\(name)", "something else")
        try await watch.waitForRun(2)
        #expect(watch.output(1).hasPrefix("__snapshots__/s.yaml/\(name) ──\n"), "\(watch.output(1))")
        #expect(watch.output(1).contains("✗ S › t"), "\(watch.output(1))")
        watch.program.send(SIGINT)
        #expect(try await watch.program.wait() == .exit(1))
    }

    /// The references for responses are watched too: a suite's response lock and the baseline file.
    @Test func locksAndBaselinesAreWatchedToo() async throws {
        let watch = try Watch(
            ["a.apitest.yaml", "--locked", "--baseline", "known.json"],
            files: [
                "a.apitest.yaml": Self.suite("A", "/a"), "api.mock.yaml": Self.mock,
                "known.json": #"{ "baseline": 1, "findings": [] }"#,
            ])
        defer { watch.program.killSession() }
        try await watch.waitForRun(1)
        #expect(watch.program.standardError.contains("lock"), "\(watch.program.standardError)")
        let lock = try ProgramRun(
            [Program.path, "lock", "a.apitest.yaml"], environment: Program.environment(home: watch.directory.path),
            directory: watch.directory.path + "/suites", output: watch.directory.path + "/lock")
        #expect(try await lock.wait() == .exit(0), "\(lock.standardError)")
        try await watch.waitForRun(2)
        #expect(watch.output(1).contains("✓ A  1 passed"), "\(watch.output(1))\(watch.program.standardError)")
        watch.write("known.json", #"{ "baseline": 1, "findings": [ ] }"#)
        try await watch.waitForRun(3)
        #expect(watch.output(2).hasPrefix("known.json ──\n"), "\(watch.output(2))")
        watch.program.send(SIGINT)
        #expect(try await watch.program.wait() == .exit(0))
    }

    @Test func theStatusIsThatOfTheLastRun() async throws {
        let watch = try Watch(
            ["a.apitest.yaml"],
            files: ["a.apitest.yaml": Self.suite("A", "/a", status: 500), "api.mock.yaml": Self.mock])
        defer { watch.program.killSession() }
        try await watch.waitForRun(1)
        watch.program.send(SIGTERM)
        #expect(try await watch.program.wait() == .exit(1))
    }

    @Test func aSuiteThatIsMissingAtFirstIsWaitedFor() async throws {
        let watch = try Watch(["late.yaml"], files: ["api.mock.yaml": Self.mock])
        defer { watch.program.killSession() }
        try await watch.waitForRun(1)
        #expect(watch.program.standardError.contains("\"late.yaml\" does not exist"))
        watch.write("late.yaml", Self.suite("Late", "/"))
        try await watch.waitForRun(2)
        #expect(watch.output(1).contains("✓ Late  1 passed"), "\(watch.output(1))")
        watch.program.send(SIGINT)
        #expect(try await watch.program.wait() == .exit(0))
    }

    @Test func aRunThatIsInterruptedEndsTheWatch() async throws {
        let server = try ScriptedServer(ServerScript(Array(#"{ "answers": { "*": ["hang"] } }"#.utf8)))
        defer { server.stop() }
        let watch = try Watch(
            ["a.yaml"],
            files: ["a.yaml": "baseURL: \(server.url)\ntests: [{ name: hangs, request: GET /hang }]\n"])
        defer { watch.program.killSession() }
        #expect(try await Poll.until(within: .seconds(30)) { server.requests.contains("GET /hang") })
        watch.program.send(SIGINT)
        #expect(try await watch.program.wait() == .exit(130))
        #expect(watch.program.standardOutput.contains("interrupted"), "\(watch.program.standardOutput)")
    }
}
