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
