import Testing

/// Suites that are large or odd: loading them takes time that grows with their length, not faster.
@Suite(.serialized)
struct HostileSuiteTests {
    private func lint(_ text: String) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
        let folder = try TemporaryFolder()
        TestFiles.write(text.utf8, to: folder.path + "/suite.yaml")
        let run = try ProgramRun(
            [Program.path, "lint", "suite.yaml"], environment: Program.environment(home: folder.path),
            folder: folder.path, output: folder.path + "/run")
        let ending = try await run.wait(within: .seconds(300))
        return (ending, run.standardOutput, run.standardError)
    }

    @Test func twoHundredThousandLines() async throws {
        var text = "baseURL: http://127.0.0.1:1\ntests:\n"
        for number in 1...50_000 {
            text += "  - name: test \(number)\n    request: GET /\(number)\n    expect:\n      status: 200\n"
        }
        let run = try await lint(text)
        #expect(run.ending == .exit(0), "\(run.error)")
        #expect(run.output + run.error == "1 suite with 50000 tests: no problem\n")
    }

    /// Where a value begins is found by counting characters; to count from the line's beginning would take minutes here.
    @Test(arguments: ["&a# x", "!!str x", "&a# é"])
    func oneLine(_ value: String) async throws {
        let values = (0..<60_000).map { value.replacing("#", with: "\($0)") }.joined(separator: ", ")
        let run = try await lint(
            "x-values: [\(values)]\nbaseURL: http://127.0.0.1:1\ntests: [{ name: a, request: GET / }]\n")
        #expect(run.ending == .exit(0), "\(run.error)")
    }
}
