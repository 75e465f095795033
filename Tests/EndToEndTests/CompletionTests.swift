import Glibc
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
        #expect(run.output.contains("__complete"))
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
        (["apitest", "suite.yaml", "--rep"], "--repeat --report"),
        (["apitest", "--shuf"], "--shuffle"), (["apitest", "--report", ""], ""), (["apitest", "sui"], "suite.yaml"),
        (["apitest", "li"], "lint list"), (["apitest", "suite.yaml", "li"], ""),
        (["apitest", "list", "suite.yaml", "--tag", "s"], "smoke slow"),
        (["apitest", "lint", "--format", ""], "text json github"),
        (["apitest", "schema", ""], "suite fragments mock config events"),
        (["apitest", "suite.yaml", "--progress", "=", "a"], "auto always"), (["apitest", "contract", "d"], "diff"),
        (["apitest", "suite.yaml", "--test", ""], "a\\ b"), (["apitest", "report", "trends", "fol"], "folder"),
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
            tests: [{ name: a b, tags: [smoke, slow, other], request: GET / }]
            """.utf8, to: folder.path + "/suite.yaml")
        try #require(mkdir(folder.path + "/folder", 0o777) == 0)
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

    /// fish completes what follows the program's name with and without a command.
    @Test(arguments: [
        ("apitest run --rep", ["--repeat", "--report"]), ("apitest --rep", ["--repeat", "--report"]),
        ("apitest suite.yaml --rep", ["--repeat", "--report"]), ("apitest --curl --rep", ["--repeat", "--report"]),
        ("apitest lint --rep", []), ("apitest sui", ["suite.yaml"]), ("apitest --curl sui", ["suite.yaml"]),
        ("apitest li", ["lint", "list"]), ("apitest suite.yaml --progress a", ["auto", "always"]),
        ("apitest contract d", ["diff"]),
    ])
    func fishCompletes(_ line: String, _ expected: [String]) async throws {
        try Test.cancelUnlessInstalled("fish")
        let folder = try TemporaryFolder()
        let script = try await Program.run(["completions", "fish"], in: folder.path)
        TestFiles.write(script.output.utf8, to: folder.path + "/script")
        TestFiles.write(
            "environments: { staging: {}, live: {} }\nbaseURL: http://127.0.0.1:9\ntests: [{ name: a, request: GET / }]\n"
                .utf8,
            to: folder.path + "/suite.yaml")
        let run = try ProgramRun(
            [
                "/usr/bin/env", "fish", "--no-config", "-c",
                "set PATH '\(TestFiles.parent(Program.path))' $PATH; source ./script; complete -C '\(line)'",
            ], environment: Program.environment(home: folder.path), folder: folder.path, output: folder.path + "/run")
        #expect(try await run.wait() == .exit(0), "\(run.standardError)")
        let found = run.standardOutput.split(separator: "\n").compactMap {
            $0.split(separator: "\t").first.map(String.init)
        }
        #expect(Set(found) == Set(expected), "\(run.standardOutput)\(run.standardError)")
    }

    /// zsh describes what the program offers, and looks for files itself.
    @Test(arguments: [
        (["apitest", "run", "--shuf"], "--shuffle:Start"), (["apitest", "suite.yaml", "--shuf"], "--shuffle:Start"),
        (["apitest", "--shuf"], "--shuffle:Start"), (["apitest", "sui"], "files -g *.(yaml|yml)"),
        (["apitest", "li"], "lint:Find"), (["apitest", "lint", "--rul"], "--rules:List"),
        (["apitest", "init", "x"], "files -/"),
        (["apitest", "suite.yaml", "--environment", ""], "staging live\\:at\\:home"),
    ])
    func zshCompletes(_ words: [String], _ expected: String) async throws {
        try Test.cancelUnlessInstalled("zsh")
        let folder = try TemporaryFolder()
        let script = try await Program.run(["completions", "zsh"], in: folder.path)
        TestFiles.write(script.output.utf8, to: folder.path + "/script")
        TestFiles.write(
            "environments: { staging: {}, 'live:at:home': {} }\nbaseURL: http://127.0.0.1:9\ntests: []\n".utf8,
            to: folder.path + "/suite.yaml")
        // What the shell has for completion says what it is given, as it is for the terminal alone.
        TestFiles.write(
            """
            compdef() { :; }
            _files() { print -r -- files "${@}"; }
            _describe() { print -r -- "${(P@)@[-1]}"; }
            words=(\(words.map { "'\($0)'" }.joined(separator: " ")))
            CURRENT=\(words.count)
            PATH='\(TestFiles.parent(Program.path))':$PATH
            source ./script
            _apitest
            """.utf8, to: folder.path + "/harness")
        let run = try ProgramRun(
            ["/usr/bin/env", "zsh", "-f", "harness"], environment: Program.environment(home: folder.path),
            folder: folder.path, output: folder.path + "/run")
        #expect(try await run.wait() == .exit(0), "\(run.standardError)")
        #expect(run.standardOutput.contains(expected), "\(run.standardOutput)\(run.standardError)")
        #expect(run.standardError.isEmpty, "\(run.standardError)")
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
