import Glibc
import TestSupport
import Testing

/// Tests of unusual files in options: infinite devices, pipes, and read-only file systems.
struct OptionFileTests {
    private static let mock = "routes: [{ request: GET /**, respond: { json: { a: 1 } } }]\n"
    private static let suite = """
        name: One
        serve: { mock: api.mock.yaml }
        variables: { who: nobody }
        tests: [{ name: one, request: "GET /?who=${who}", expect: { status: 201 } }]
        """

    private func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        return directory
    }

    private func shell(
        _ script: String, in directory: TemporaryDirectory, before: [String] = []
    ) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
        let run = try ProgramRun(
            before + ["/bin/bash", "-c", script, Program.path], environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/shell")
        let ending = try await run.wait()
        return (ending, run.standardOutput, run.standardError)
    }

    @Test(arguments: [
        "suite.yaml --variables-file /dev/zero", "suite.yaml --config /dev/zero", "suite.yaml --baseline /dev/zero",
        "suite.yaml --write-baseline /dev/zero", "suite.yaml --failed /dev/zero", "suite.yaml --cacert /dev/zero",
        "suite.yaml --cert /dev/zero", "suite.yaml --contract /dev/zero --file-root /", "/dev/zero",
        "list suite.yaml --variables-file /dev/zero", "eval 1 --variables-file /dev/zero", "lint /dev/zero",
        "fmt /dev/zero", "fmt --stdin </dev/zero", "mock /dev/zero", "contract check /dev/zero",
        "contract diff - suite.yaml </dev/zero", "contract diff suite.yaml suite.yaml --severity-file /dev/zero",
        "contract generate /dev/zero", "report show /dev/zero", "report convert /dev/zero --report tap",
    ])
    func aDeviceWithoutAnEnd(_ arguments: String) async throws {
        let directory = try directory()
        // In kibibytes. A program that reads until memory is exhausted would need more.
        let run = try await shell("ulimit -v 4000000; exec \"$0\" \(arguments)", in: directory)
        #expect(run.ending == .exit(2), "\(run.error.prefix(1000))")
        #expect(run.error.contains("/dev/zero") || run.error.contains("standard input"), "\(run.error.prefix(1000))")
        #expect(!run.error.contains(":0:"), "\(run.error.prefix(1000))")
    }

    /// A pipe such as a shell creates for process substitution: `--variables-file <(decrypt secrets.yaml)`.
    @Test func aPipe() async throws {
        let directory = try directory()
        let run = try await shell("\"$0\" suite.yaml --variables-file <(echo 'who: somebody')", in: directory)
        #expect(run.ending == .exit(1), "\(run.error)")
        #expect(run.output.contains("somebody"), "\(run.output)")
    }

    @Test(arguments: [
        ("suite.yaml --write-baseline sealed/known.yaml", "apitest: --write-baseline: the file \"sealed/known.yaml\""),
        ("lock sealed/suite.yaml", "apitest: the file \"sealed/suite.lock.yaml\""),
    ])
    func aReadOnlyFileSystem(_ arguments: String, _ message: String) async throws {
        let directory = try directory()
        let run = try await shell(
            """
            mkdir sealed && cp *.yaml sealed && mount --bind sealed sealed 2>mount.log \
                && mount -o remount,ro,bind sealed 2>>mount.log || exit 77
            "$0" \(arguments)
            echo $? >status
            """, in: directory, before: MountNamespace.command)
        if run.ending != .exit(0) { try Test.cancel("this machine does not allow mounting a file system") }
        #expect(TestFiles.text(directory.path + "/status") == "2\n")
        #expect(run.error == message + " cannot be written: Read-only file system [unwritable-file]\n")
        #expect(run.output.isEmpty, "\(run.output)")
    }

    /// A run that does not start leaves no empty directory.
    @Test(arguments: [
        "suite.yaml --variables-file missing.yaml", "missing.yaml", "suite.yaml --name nothing --no-config",
        "suite.yaml --report junit=suite.yaml", "suite.yaml --baseline missing.yaml",
    ])
    func aRefusedRun(_ arguments: String) async throws {
        let directory = try directory()
        let before = TestFiles.names(in: directory.path)
        let run = try await Program.run(
            arguments.split(separator: " ").map(String.init) + [
                "--report", "allure=out/allure-results", "--report", "junit=junit/report.xml", "--report",
                "json=record/run.jsonl", "--report", "html=report.html", "--history", "history",
            ], in: directory.path)
        #expect(run.ending != .exit(0) && run.ending != .exit(1), "\(run.output)")
        #expect(TestFiles.names(in: directory.path) == before)
    }

    @Test func aRunThatBegins() async throws {
        let directory = try directory()
        let run = try await Program.run(
            [
                "suite.yaml", "--report", "allure=out/deep/allure-results", "--report", "junit=junit/report.xml",
                "--report", "json=record/run.jsonl", "--history", "history/deep",
            ], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.error)")
        #expect(
            TestFiles.names(in: directory.path + "/out/deep/allure-results").contains { $0.hasSuffix("-result.json") })
        #expect(TestFiles.names(in: directory.path + "/junit") == ["report.xml"])
        #expect(TestFiles.names(in: directory.path + "/record") == ["run.jsonl"])
        #expect(TestFiles.names(in: directory.path + "/history/deep").count == 1)
    }
}
