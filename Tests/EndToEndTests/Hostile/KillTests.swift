import Glibc
import JSON
import Testing

/// Tests of the files that remain after the program is killed at random times.
@Suite(.serialized)
struct KillTests {
    /// The number of repetitions: `APITEST_KILLS`, or a few by default.
    private static let count = Program.environmentVariable("APITEST_KILLS").flatMap { Int($0) } ?? 10
    private static let suites = ["a", "b", "c", "d"]
    private static let testsPerSuite = 40

    /// Returns a suite whose tests run in sequence. A received request proves that all previous tests were done.
    private static func suite(_ name: String) -> String {
        let rows = (0..<testsPerSuite).map { "{ n: \($0) }" }.joined(separator: ", ")
        return """
            name: \(name)
            baseURL: ${env("SERVER_URL")}
            mode: serial
            tests:
              - name: "test ${n}"
                cases: [\(rows)]
                request: GET /\(name)/${n}
                expect: { body: ok }
            """
    }

    private static let script = """
        { "answers": { "*": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"] }] } }
        """

    /// Returns the highest test number requested in each suite.
    private func arrived(_ requests: [String]) -> [String: Int] {
        var highest: [String: Int] = [:]
        for request in requests {
            let parts = request.split(separator: "/")
            guard parts.count == 3, let number = Int(parts[2]) else { continue }
            highest[String(parts[1])] = max(highest[String(parts[1])] ?? 0, number)
        }
        return highest
    }

    @Test(arguments: 0..<count)
    func atAnyMoment(_ round: Int) async throws {
        let directory = try TemporaryDirectory()
        for name in Self.suites {
            TestFiles.write(Self.suite(name).utf8, to: "\(directory.path)/\(name).apitest.yaml")
        }
        let server = try ScriptedServer(ServerScript(Array(Self.script.utf8)))
        defer { server.stop() }
        let run = try ProgramRun(
            [Program.path, ".", "--jobs", "4", "--report", "json=run.jsonl", "--report", "junit=run.xml"],
            environment: Program.environment(home: directory.path, adding: ["SERVER_URL": server.url]),
            directory: directory.path, output: directory.path + "/run")
        // The times are spread over the entire run, with some randomness.
        let all = Self.suites.count * Self.testsPerSuite
        let wanted = min(all, all * round / max(1, Self.count) + Int.random(in: 0...(all / Self.count + 1)))
        let isThere = try await Poll.until(within: .seconds(30)) { server.requests.count >= wanted }
        #expect(isThere, "\(run.standardError)")
        usleep(UInt32.random(in: 0...2_000))
        run.send(SIGKILL)
        let ending = try await run.wait()
        run.killSession()
        let arrived = arrived(server.requests)
        guard ending == .signal(SIGKILL) else {
            // The run finished before the signal. Everything must be there.
            #expect(ending == .exit(0) && arrived.values.allSatisfy { $0 == Self.testsPerSuite - 1 }, "\(ending)")
            return
        }
        if let report = TestFiles.text(directory.path + "/run.xml") {
            #expect(try JUnitReport(report).problems.isEmpty, "an existing report must be complete")
        }
        guard let record = TestFiles.text(directory.path + "/run.jsonl"), !record.isEmpty else {
            #expect(arrived.isEmpty, "requests were sent, but the record is empty")
            return
        }
        let lines = record.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.dropLast() { _ = try JSONValue(parsing: Array(line.utf8)) }

        let convert = try await Program.run(
            ["report", "convert", "run.jsonl", "--report", "junit=made.xml", "--report", "html=made.html"],
            in: directory.path)
        guard record.contains("\n") else {
            // Not even the first line is complete: there is nothing to report, and no test has started.
            #expect(arrived.isEmpty && convert.ending == .exit(2), "\(convert.error)")
            return
        }
        #expect([.exit(1), .exit(0)].contains(convert.ending), "\(convert.error)")
        let made = try #require(TestFiles.text(directory.path + "/made.xml"))
        #expect(try JUnitReport(made).problems.isEmpty)
        #expect(TestFiles.text(directory.path + "/made.html")?.contains("</html>") == true)
        let document = try XMLElement(document: made)
        for name in Self.suites {
            guard let last = arrived[name] else { continue }
            let cases = document.children("testsuite").filter { $0.attributes["name"] == name }
                .flatMap { $0.children("testcase") }
            let passed = Set(cases.filter { $0.children.isEmpty }.compactMap { $0.attributes["name"] })
            let missing = (0..<last).map { "test \($0)" }.filter { !passed.contains($0) }
            #expect(missing.isEmpty, "\(name): \(missing) had finished when test \(last) sent its request")
        }
    }
}
