import Glibc
import HTTPSession
import TestSupport
import Testing

/// Tests of failures of the machine: closed streams, full disks, missing directories, and exhausted descriptors.
///
/// The exit status is correct, and each report is either complete or absent.
@Suite(.serialized)
struct MachineTests {
    private static let mock = """
        routes:
          - request: GET /**
            respond: { json: { path: "${request.path}" } }
        """

    private static let suite = """
        name: Two
        serve: { mock: api.mock.yaml }
        tests:
          - name: holds
            request: GET /a
          - name: fails
            request: GET /b
            expect: { status: 201 }
        """

    private func directory(_ suite: String = suite) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        return directory
    }

    /// Runs a shell script with the program as `$0`.
    private func shell(
        _ script: String, in directory: TemporaryDirectory, environment: [String: String] = [:], before: [String] = []
    ) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
        let run = try ProgramRun(
            before + ["/bin/sh", "-c", script, Program.path],
            environment: Program.environment(home: directory.path, adding: environment), directory: directory.path,
            output: directory.path + "/shell")
        let ending = try await run.wait()
        return (ending, run.standardOutput, run.standardError)
    }

    private func checkWhole(_ path: String, tests: Int = 2) throws {
        let report = try JUnitReport(try #require(TestFiles.text(path), "\(path) is not there"))
        #expect(report.problems.isEmpty)
        #expect(report.counts.tests == tests)
    }

    // MARK: Standard streams

    /// Files opened later must not reuse the number of a closed stream, or they would receive the stream's output.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func closedStreams(_ closing: String) async throws {
        let directory = try directory()
        let run = try await shell(
            "\"$0\" suite.yaml -v --report json=run.jsonl --report junit=report.xml \(closing)", in: directory)
        let isClosed = closing.contains(" >") || closing.hasPrefix(">")
        #expect(run.ending == .exit(isClosed ? 4 : 1), "\(run.error)")
        if isClosed && !closing.contains("2>") {
            #expect(
                run.error.hasSuffix("apitest: cannot write to standard output: Bad file descriptor [unwritable-file]\n")
            )
        }
        try checkWhole(directory.path + "/report.xml")
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        #expect(record.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"event\":") && $0.hasSuffix("}") })
        #expect(record.contains("\n{\"event\":\"runEnd\""))
    }

    @Test func fullStandardOutput() async throws {
        let directory = try directory()
        let run = try await shell("\"$0\" suite.yaml --report junit=report.xml >/dev/full", in: directory)
        #expect(run.ending == .exit(4))
        #expect(run.error == "apitest: cannot write to standard output: No space left on device [unwritable-file]\n")
        try checkWhole(directory.path + "/report.xml")
    }

    /// A reader that exits early, such as `head`, is not an error: the tests determine the status, and SIGPIPE is
    /// ignored.
    @Test func aReaderThatGoesAway() async throws {
        let directory = try directory()
        let run = try await shell(
            """
            { "$0" suite.yaml --report junit=report.xml; echo $? >status; } | exec true
            { "$0" suite.yaml --report json=-; echo $? >status-of-report; } 2>error | exec true
            """, in: directory)
        #expect(run.ending == .exit(0))
        #expect(run.error.isEmpty, "\(run.error)")
        #expect(TestFiles.text(directory.path + "/status") == "1\n")
        try checkWhole(directory.path + "/report.xml")
        // A truncated report, in contrast, is an error.
        #expect(TestFiles.text(directory.path + "/status-of-report") == "4\n")
        let error = TestFiles.text(directory.path + "/error") ?? ""
        #expect(error.contains("cannot write the report \"/dev/stdout\": Broken pipe"), "\(error)")
    }

    /// A report on standard output is in order with the output of other programs to the same file.
    @Test func aFileThatOthersWriteTo() async throws {
        let directory = try directory()
        _ = try await shell("{ echo first; \"$0\" suite.yaml --report tap=-; echo last; } >out", in: directory)
        let output = try #require(TestFiles.text(directory.path + "/out"))
        #expect(output.hasPrefix("first\nTAP version 14\n"), "\(output)")
        #expect(output.hasSuffix("\n1..2\nlast\n"), "\(output)")
    }

    @Test func aReportForAStreamThatIsClosed() async throws {
        let directory = try directory()
        let run = try await shell("\"$0\" suite.yaml --report tap=- >&-", in: directory)
        #expect(run.ending == .exit(2))
        #expect(
            run.error == "apitest: cannot write the report \"/dev/stdout\": Bad file descriptor [unwritable-file]\n")
    }

    // MARK: Disks and directories

    @Test func aDiskThatFills() async throws {
        let directory = try directory()
        let run = try await shell(
            """
            mkdir full && mount -t tmpfs -o size=64k none full 2>mount.log || exit 77
            head -c 61440 /dev/zero >full/fill
            "$0" suite.yaml -q --report junit=full/report.xml --report html=full/report.html \
                --report tap=full/report.tap --report json=full/run.jsonl --report junit=other.xml
            echo $? >status
            ls full >names
            """, in: directory, before: MountNamespace.command)
        if run.ending != .exit(0) { try Test.cancel("this machine does not allow mounting a file system") }
        #expect(TestFiles.text(directory.path + "/status") == "4\n")
        // Neither incomplete nor temporary files remain. The one-page record still fits.
        #expect(TestFiles.text(directory.path + "/names") == "fill\nrun.jsonl\n")
        for name in ["report.xml", "report.html", "report.tap"] {
            #expect(
                run.error.contains("cannot write the report \"full/\(name)\": No space left on device"), "\(run.error)")
        }
        try checkWhole(directory.path + "/other.xml")
    }

    /// The file size limit terminates programs with SIGXFSZ, unless they handle the error.
    @Test func aLimitOfFileSizes() async throws {
        let directory = try directory()
        // The unit is blocks of 512 bytes.
        let run = try await shell(
            "ulimit -f 8; \"$0\" suite.yaml -q --report html=report.html --report junit=report.xml", in: directory)
        #expect(run.ending == .exit(4), "\(run.error)")
        #expect(run.error.contains("cannot write the report \"report.html\": File too large"), "\(run.error)")
        #expect(!TestFiles.names(in: directory.path).contains { $0.contains("html") })
        try checkWhole(directory.path + "/report.xml")
    }

    @Test func aWorkingDirectoryThatIsDeleted() async throws {
        let other = try TemporaryDirectory()
        let server = try ScriptedServer(
            ServerScript(
                Array(
                    """
                    { "answers": { "*": [{ "barrier": 2 }, { "send": ["HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"] }] } }
                    """.utf8)))
        defer { server.stop() }
        let outer = try TemporaryDirectory()
        mkdir(outer.path + "/inner", 0o755)
        TestFiles.write(
            """
            baseURL: ${env("SERVER_URL")}
            tests:
              - { name: first, request: GET / }
              - { name: second, request: { method: POST, url: /, file: body.txt }, needs: first }
            """.utf8, to: outer.path + "/inner/suite.yaml")
        TestFiles.write("body".utf8, to: outer.path + "/inner/body.txt")
        let run = try ProgramRun(
            [
                Program.path, "suite.yaml", "--report", "junit=report.xml", "--report",
                "junit=\(other.path)/report.xml",
            ],
            environment: Program.environment(home: other.path, adding: ["SERVER_URL": server.url]),
            directory: outer.path + "/inner", output: other.path + "/run")
        let hasBegun = try await Poll.until(within: .seconds(30)) { server.requests == ["GET /"] }
        #expect(hasBegun, "\(run.standardError)")
        TestFiles.remove(outer.path + "/inner")
        // After the second request, the server responds to the first.
        try await withSession(SessionConfiguration()) { session in
            _ = try await session.get(server.url + "/released").response()
        }
        #expect(try await run.wait() == .exit(4))
        #expect(run.standardError.contains("cannot write the report \"report.xml\": "), "\(run.standardError)")
        #expect(ConsoleSummary(run.standardOutput)?.outcomes == ["passed": 1, "errored": 1], "\(run.standardOutput)")
        try checkWhole(other.path + "/report.xml")
    }

    @Test func aWorkingDirectoryThatIsGone() async throws {
        let directory = try directory()
        let run = try await shell("mkdir gone; cd gone; rmdir ../gone; \"$0\" suite.yaml", in: directory)
        #expect(run.ending == .exit(2))
        #expect(run.error.contains("\"suite.yaml\" does not exist"), "\(run.error)")
    }

    // MARK: Descriptors and ports

    /// Connections without available descriptors are errors of their tests. The other tests pass.
    @Test func noDescriptorsForConnections() async throws {
        let server = try ScriptedServer(
            ServerScript(
                Array(
                    """
                    { "answers": { "*": [{ "barrier": 4 },
                        { "drip": ["HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"], "every": 5 }] } }
                    """.utf8)))
        defer { server.stop() }
        let rows = (1...100).map { "{ n: \($0) }" }.joined(separator: ", ")
        let directory = try directory(
            """
            baseURL: ${env("SERVER_URL")}
            tests:
              - name: "row ${n}"
                cases: [\(rows)]
                request: GET /
                expect: { body: ok }
            """)
        let run = try await shell(
            "ulimit -n 40; exec \"$0\" suite.yaml --jobs 64 --report junit=report.xml", in: directory,
            environment: ["SERVER_URL": server.url])
        #expect(run.ending == .exit(1), "\(run.error)")
        #expect(run.output.contains(": Too many open files"), "\(run.output)")
        let outcomes = try #require(ConsoleSummary(run.output)).outcomes
        #expect(outcomes["passed", default: 0] >= 4 && outcomes["errored", default: 0] > 0, "\(outcomes)")
        try checkWhole(directory.path + "/report.xml", tests: 100)
    }

    @Test(arguments: [20, 12, 8])
    func noDescriptorsAtAll(_ limit: Int) async throws {
        let directory = try directory()
        let run = try await shell(
            "ulimit -n \(limit); exec \"$0\" suite.yaml --report junit=report.xml", in: directory)
        #expect(run.ending == .exit(4))
        #expect(
            run.error
                == "apitest: the limit on open files is too low: raise it by at least 24 (ulimit -n) [missing-resource]\n"
        )
        #expect(!TestFiles.exists(directory.path + "/report.xml"))
    }

    @Test func tenThousandRefusals() async throws {
        let port = try #require(ClosedPort())
        let rows = (1...10_000).map { "{ n: \($0) }" }.joined(separator: ", ")
        let directory = try directory(
            """
            tests:
              - name: "row ${n}"
                cases: [\(rows)]
                request: GET http://127.0.0.1:\(port.port)/
            """)
        let run = try ProgramRun(
            [Program.path, "suite.yaml", "--jobs", "64", "--report", "json=run.jsonl", "--report", "junit=report.xml"],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        #expect(try await run.wait(within: .seconds(300)) == .exit(1))
        #expect(ConsoleSummary(run.standardOutput)?.outcomes == ["errored": 10_000])
        #expect(run.standardOutput.contains("9999 more tests did not pass for the same reason"))
        // The record contains the outcome of each test. Parsing ten thousand test cases as XML would take longer than
        // the run.
        let record = TestFiles.bytes(directory.path + "/run.jsonl") ?? []
        let ends = record.split(separator: UInt8(ascii: "\n")).count { $0.starts(with: #"{"event":"test","#.utf8) }
        #expect(ends == 10_000)
        let report = TestFiles.bytes(directory.path + "/report.xml") ?? []
        #expect(report.suffix(14).elementsEqual("</testsuites>\n".utf8))
    }
}
