import Testing

/// The scripts of `completions`.
@Suite(.serialized)
struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func scriptIsOneOfTheShell(_ shell: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await Program.run(["completions", shell], in: folder.path)
        #expect(run.ending == .exit(0))
        #expect(run.error.isEmpty)
        for word in ["environment", "lint", "strict", "completions"] { #expect(run.output.contains(word)) }
        try Test.cancelUnlessInstalled(shell)
        let path = folder.path + "/script"
        TestFiles.write(run.output.utf8, to: path)
        let check = try ProgramRun(
            ["/usr/bin/env", shell, "-n", path], environment: Program.environment(home: folder.path),
            folder: folder.path,
            output: folder.path + "/check")
        #expect(try await check.wait() == .exit(0), "\(check.standardError)")
        #expect(check.standardError.isEmpty)
    }

    /// bash completes what the suites on the command line have.
    @Test(arguments: [
        (["apitest", "run", "suite.yaml", "--environment", ""], "staging live"),
        (["apitest", "suite.yaml", "--environment", ""], "staging live"),
        (["apitest", "suite.yaml", "--rep"], "--report --repeat"),
        (["apitest", "--shuf"], "--shuffle"), (["apitest", "--report", ""], ""), (["apitest", "sui"], "suite.yaml"),
        (["apitest", "li"], "lint list"), (["apitest", "suite.yaml", "li"], ""),
        (["apitest", "list", "suite.yaml", "--tag", "s"], "smoke slow"),
        (["apitest", "lint", "--format", ""], "text json github"),
        (["apitest", "schema", ""], "suite fragments mock config events"),
    ])
    func bashCompletes(_ words: [String], _ expected: String) async throws {
        try Test.cancelUnlessInstalled("bash")
        let folder = try TemporaryFolder()
        let script = try await Program.run(["completions", "bash"], in: folder.path)
        TestFiles.write(script.output.utf8, to: folder.path + "/script")
        TestFiles.write(
            """
            environments: { staging: {}, live: {} }
            baseURL: http://127.0.0.1:9
            tests: [{ name: a, tags: [smoke, slow, other], request: GET / }]
            """.utf8, to: folder.path + "/suite.yaml")
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        TestFiles.write(
            """
            source ./script
            PATH='\(TestFiles.parent(Program.path))':$PATH
            COMP_WORDS=(\(quoted))
            COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(words.joined(separator: " "))'
            COMP_POINT=${#COMP_LINE}
            $(complete -p apitest | sed -E 's/.*-F ([^ ]+).*/\\1/') apitest '\(words[words.count - 1])' '\(words[words.count - 2])'
            echo "${COMPREPLY[*]}"
            """.utf8, to: folder.path + "/harness")
        let run = try ProgramRun(
            ["/usr/bin/env", "bash", "harness"], environment: Program.environment(home: folder.path),
            folder: folder.path, output: folder.path + "/run")
        #expect(try await run.wait() == .exit(0), "\(run.standardError)")
        let completions = run.standardOutput.split(separator: "\n").first ?? ""
        #expect(completions == expected, "\(run.standardError)")
    }

    @Test func unknownShell() async throws {
        let folder = try TemporaryFolder()
        let run = try await Program.run(["completions", "tcsh"], in: folder.path)
        #expect(run.ending == .exit(2))
        #expect(run.error.contains("tcsh"))
    }
}

extension Test {
    /// Ends a test of what only an installed program can show.
    static func cancelUnlessInstalled(_ program: String) throws {
        if !Program.isInstalled(program) { try Test.cancel("\(program) is not installed") }
    }
}
