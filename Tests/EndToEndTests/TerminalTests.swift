import Glibc
import TestSupport
import Testing

/// Tests of the display on a real terminal. The output is replayed on a simple terminal model.
@Suite(.serialized)
struct TerminalTests {
    private static let suite = """
        name: Books
        serve: { mock: api.mock.yaml }
        tests:
          - name: book ${n}
            cases: "${range}"
            request: GET /books/${n}
            expect: { status: 200, body: "book ${n % 5 == 0 ? 'x' : string(n)}" }
        """
    private static let mock = """
        routes:
          - { request: 'GET /books/{n}', respond: { status: 200, delay: 20ms, text: "book ${request.params.n}" } }
          - { request: GET /slow, respond: { status: 200, delay: 60s } }
        """

    private func directory(_ suite: String = Self.suite) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let rows = (1...60).map { "{ n: \($0) }" }.joined(separator: ", ")
        TestFiles.write(
            suite.replacing("\"${range}\"", with: "[\(rows)]").utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        return directory
    }

    private func start(
        _ arguments: [String] = [], on terminal: PseudoTerminal, in directory: TemporaryDirectory,
        environment: [String: String] = [:]
    ) throws -> ProgramRun {
        try ProgramRun(
            [Program.path, "suite.yaml"] + arguments,
            environment: Program.environment(home: directory.path, adding: ["TERM": "xterm-256color"]).merging(
                environment
            ) { $1 }, directory: directory.path, output: directory.path + "/run", terminal: terminal.path)
    }

    /// Returns the final contents of the terminal, with variable times and numbers removed.
    private func run(
        _ arguments: [String], columns: Int, environment: [String: String] = [:]
    ) async throws -> (screen: [String], row: String, text: String) {
        let directory = try directory()
        let terminal = try PseudoTerminal(columns: columns)
        let run = try start(arguments, on: terminal, in: directory, environment: environment)
        let ending = try await run.wait { terminal.drain() }
        terminal.drain()
        #expect(ending == .exit(1), "\(terminal.text)")
        var screen = TerminalModel(width: columns)
        screen.receive(terminal.text)
        var rows = screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(same)
        // The wrapping of the summary's last line depends on the length of its numbers, so the line is compared
        // unwrapped.
        let last = try #require(rows.firstIndex { $0.contains("requests in") })
        let summary = screen.text.split(separator: "\n", omittingEmptySubsequences: false)[last...].joined()
        rows.replaceSubrange(last..., with: [same(summary[...])])
        return (rows, screen.row, terminal.text)
    }

    private func same(_ line: Substring) -> String {
        var line = String(line)
        line.replace(/[ ]+\d+(\.\d+)? (ms|s)\b/, with: " T")
        line.replace(/127\.0\.0\.1:\d+/, with: "HOST")
        line.replace(/\d+(\.\d+)?\/s|seed \d+/, with: "N")
        line.replace(/[ ]{2,}/, with: " ")
        return line
    }

    @Test(arguments: [100, 72, 30])
    func theLiveLineLeavesNothingBehind(columns: Int) async throws {
        let plain = try await run(["--progress", "never", "--jobs", "4"], columns: columns)
        let live = try await run(["--jobs", "4"], columns: columns)
        #expect(!plain.text.contains("\u{1B}"))
        #expect(live.text.contains("\r\u{1B}[K✗ Books › book 5"))
        #expect(live.row == "")
        #expect(live.screen == plain.screen)
        let drawings = live.text.split(separator: "\u{1B}[K").compactMap { part in
            part.split(separator: "\r", omittingEmptySubsequences: false).last.map(String.init)
        }.filter { $0.contains(" of 60") }
        #expect(drawings.count > 3, "\(drawings)")
        #expect(drawings.allSatisfy { $0.count < columns && !$0.contains("\n") }, "\(drawings)")
    }

    @Test(arguments: [["TERM": "dumb"], ["CI": "true"]])
    func nothingIsDrawnWhereThatIsNoUse(_ environment: [String: String]) async throws {
        let run = try await run(["--jobs", "4"], columns: 80, environment: environment)
        #expect(!run.text.contains("\u{1B}"))
        #expect(!run.text.replacing("\r\n", with: "").contains("\r"))
        #expect(!run.text.contains(" of 60 tests"))
    }

    @Test func theLiveLineIsDrawnInCIWhereItIsAskedFor() async throws {
        let run = try await run(["--jobs", "4", "--progress", "always"], columns: 80, environment: ["CI": "true"])
        #expect(run.text.contains(" of 60 tests") && run.row == "")
    }

    /// One signal ends the run in an orderly way, a second one immediately. The live line disappears in both cases.
    @Test(arguments: [1, 2])
    func anInterruptTakesTheLiveLineAway(signals: Int) async throws {
        let directory = try directory(
            """
            name: Slow
            serve: { mock: api.mock.yaml }
            tests: [{ name: waits, request: GET /slow }]
            \(signals == 2 ? "teardown: [{ name: clear, request: GET /slow }]" : "")
            """)
        let terminal = try PseudoTerminal(columns: 80)
        let run = try start(on: terminal, in: directory)
        func wait(for text: String) async throws {
            let came = try await Poll.until {
                terminal.drain()
                return terminal.text.contains(text)
            }
            #expect(came, "\(terminal.text)")
        }
        try await wait(for: ", running: waits")
        run.send(SIGINT)
        let notice = signals == 2 ? "stopping 1 test, then teardown" : "stopping 1 test"
        try await wait(for: notice + "; press Ctrl-C again to quit immediately")
        if signals == 2 {
            try await wait(for: "running: teardown")
            run.send(SIGINT)
        }
        #expect(try await run.wait { terminal.drain() } == .exit(130))
        terminal.drain()
        run.killSession()
        var screen = TerminalModel(width: 80)
        screen.receive(terminal.text)
        #expect(screen.row == "", "\(terminal.text.debugDescription)")
        #expect(screen.text.hasPrefix(notice + "; press Ctrl-C again to quit immediately\n"), "\(screen.text)")
        #expect(!screen.text.contains("running: "))
        #expect(screen.text.contains("interrupted\n") == (signals == 1))
    }
}
