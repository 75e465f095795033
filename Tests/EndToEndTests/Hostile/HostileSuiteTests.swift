import Testing

/// Tests that large or unusual suites load in a time that is linear in their size.
@Suite(.serialized)
struct HostileSuiteTests {
    private func lint(_ text: String) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
        let directory = try TemporaryDirectory()
        TestFiles.write(text.utf8, to: directory.path + "/suite.yaml")
        let run = try ProgramRun(
            [Program.path, "lint", "suite.yaml"], environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/run")
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
        #expect(run.output + run.error == "1 suite with 50000 tests: no problems\n")
    }

    /// The start of a value is found by counting characters. Counting from the start of the line would take minutes
    /// here.
    @Test(arguments: ["&a# x", "!!str x", "&a# é"])
    func oneLine(_ value: String) async throws {
        let values = (0..<60_000).map { value.replacing("#", with: "\($0)") }.joined(separator: ", ")
        let run = try await lint(
            "x-values: [\(values)]\nbaseURL: http://127.0.0.1:1\ntests: [{ name: a, request: GET / }]\n")
        #expect(run.ending == .exit(0), "\(run.error)")
    }

    /// Values of many megabytes work in each style.
    @Test(arguments: [("\"#\"", 50), ("'#'", 5), ("#", 5), ("|\n        #", 5)])
    func aValueOfManyMegabytes(_ style: String, _ megabytes: Int) async throws {
        let value = style.replacing("#", with: String(repeating: "x", count: megabytes * 1_000_000))
        let run = try await lint(
            "baseURL: http://127.0.0.1:1\ntests:\n  - name: a\n    request:\n      method: POST\n      url: /\n"
                + "      text: \(value)\n")
        #expect(run.ending == .exit(0), "\(run.error.prefix(1_000))")
        #expect(run.output + run.error == "1 suite with 1 test: no problems\n")
    }

    /// Unlimited nesting of any kind is rejected at the limit.
    @Test(arguments: ["[", "{a: ", "- ", "? ", "[{a: [", "!!seq [", "&a [", "{? "])
    func nestedWithoutEnd(_ unit: String) async throws {
        let nested = String(repeating: unit, count: 100_000)
        let run = try await lint(
            "baseURL: http://127.0.0.1:1\ntests: [{ name: a, request: GET / }]\nx-deep:\n  \(nested)\n")
        #expect(run.ending == .exit(2), "\(run.error.prefix(1_000))")
        #expect(run.error.hasPrefix("suite.yaml:4:"), "\(run.error.prefix(1_000))")
        #expect(run.error.utf8.count < 20_000)
    }

    /// Aliases and merge keys that expand to more than a file could contain.
    @Test(arguments: [
        ("*a", "[x, x, x, x, x, x, x, x, x, x]", "[#, #, #, #, #, #, #, #, #, #]"),
        ("*a", "{ k: x }", "{ a: #, b: #, c: #, d: #, e: #, f: #, g: #, h: #, i: #, j: # }"),
        ("*a", "{ k: x, l: x, m: x, n: x }", "{ <<: [#, #, #, #], a: #, b: #, c: #, d: # }"),
    ])
    func anAliasBomb(_ alias: String, _ first: String, _ next: String) async throws {
        var text = "baseURL: http://127.0.0.1:1\ntests: [{ name: a, request: GET / }]\nx-0: &a0 \(first)\n"
        for level in 1...40 {
            text += "x-\(level): &a\(level) " + next.replacing("#", with: "\(alias)\(level - 1)") + "\n"
        }
        let run = try await lint(text)
        #expect(run.ending == .exit(2), "\(run.error.prefix(1_000))")
        #expect(run.error.contains("aliases expand to more than 1000000 values"), "\(run.error.prefix(1_000))")
    }

    /// An alias within the node that it refers to would be infinite.
    @Test func anAliasOfItself() async throws {
        let run = try await lint("x-a: &a [*a]\nbaseURL: http://127.0.0.1:1\ntests: [{ name: a, request: GET / }]\n")
        #expect(run.ending == .exit(2), "\(run.error)")
        #expect(run.error.hasPrefix("suite.yaml:1:10: error: "), "\(run.error)")
    }
}
