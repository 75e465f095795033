import Testing

@testable import Reports

struct CommandGuardTests {
    private static let hostile = [
        "::error::x", "   ::add-mask::secret", "\t::set-env name=PATH::/tmp", "\u{A0}\u{2003}::error::x",
        "text ##[error]x", "##[add-path]/tmp", "a\n::stop-commands::t\nb", "::group::x\r::error::y", "::debug::\r\n",
        "::0123::\n::error::x", "::ERROR::x",
    ]

    private let commands = CommandGuard(environment: ["GITHUB_ACTIONS": "true"], token: { "0a1b" })

    @Test("Output with workflow commands is shown but not executed", arguments: hostile)
    func output(_ text: String) {
        let before = RunnerModel(text + "\n")
        #expect(!before.commands.isEmpty || before.stopToken != nil || text.contains("::0123::"))
        let shown = commands.output("before\n" + text + "\n")
        let runner = RunnerModel(shown + "::notice::after\n")
        #expect(runner.commands == [RunnerModel.Command(name: "notice", text: "after")])
        #expect(runner.stopToken == nil)
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        for line in lines { #expect(runner.log.contains(String(line))) }
    }

    @Test("Workflow commands on standard error are escaped", arguments: hostile)
    func error(_ text: String) {
        // Carriage returns are escaped before the text gets here.
        let text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        let shown = commands.error(text + "\n")
        let runner = RunnerModel(shown)
        #expect(runner.commands.isEmpty)
        #expect(runner.stopToken == nil)
        #expect(shown.replacing("\\x3A", with: ":").replacing("\\x23", with: "#") == text + "\n")
    }

    @Test(arguments: [
        "plain\n", "a ::error::x\n", "std::string\n", "12:34::56\n", "# # [x]\n", "✗ Bookshop  :: x\n", "", "::",
        ":\n:",
    ])
    func harmless(_ text: String) {
        if text != "::" {
            #expect(commands.output(text) == text)
            #expect(commands.error(text) == text)
        }
        #expect(RunnerModel(text).commands.isEmpty)
    }

    @Test func elsewhere() {
        for environment in [[:], ["GITHUB_ACTIONS": "false"], ["CI": "true"]] {
            let commands = CommandGuard(environment: environment)
            #expect(commands.output("::error::x\n") == "::error::x\n")
            #expect(commands.error("::error::x\n") == "::error::x\n")
        }
    }

    @Test func tokens() {
        let tokens = Set((0..<100).map { _ in CommandGuard.randomToken() })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
