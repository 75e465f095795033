import Diagnostics
import SuiteLoader
import SuiteModel
import SuiteTestSupport
import Testing

@Testing.Suite("Reading programs of steps")
struct RunReaderTests {
    private func command(_ lines: String) throws -> CommandSpec {
        try #require(loadStep(lines).command)
    }

    @Test("A sequence is a program with its arguments")
    func sequence() throws {
        let command = try command("run: [psql, -c, \"${y}\", 1]")
        guard case .program(let arguments) = command.line else {
            Issue.record("not a program")
            return
        }
        #expect(arguments.map(\.source) == ["psql", "-c", "${y}", "1"])
        #expect(command.source == "psql -c ${y} 1")
        #expect(command.timeout == nil)
    }

    @Test("A mapping has a command line for a shell, input, environment and time limit")
    func mapping() throws {
        let command = try command(
            "run: { command: cat | wc -l, shell: true, stdin: \"${y}\", env: { A: 1 }, timeout: 2s }")
        guard case .shell(let line) = command.line else {
            Issue.record("not a shell")
            return
        }
        #expect(line.source == "cat | wc -l")
        #expect(command.input?.source == "${y}")
        #expect(command.environment.map(\.name) == ["A"])
        #expect(command.timeout == 2_000_000_000)
    }

    @Test("The exit status 0 is expected unless the suite specifies another, or null")
    func exitStatus() throws {
        #expect(try loadStep("run: [true]").expectations.extras?.exit != nil)
        #expect(try loadStep("run: [true]\nexpect: { text: a }").expectations.extras?.exit != nil)
        #expect(try loadStep("run: [true]\nexpect: { exit: ~ }").expectations.extras?.exit == nil)
        let polled = try loadStep("run: [true]\nuntil: { text: a }")
        #expect(polled.expectations.extras?.exit == nil)
        #expect(polled.flow?.until?.expectations.extras?.exit != nil)
    }

    @Test("The names of a result hide variables, and other names do not exist")
    func names() throws {
        let good = """
            name: a
            variables: { exit: 7 }
            tests: [{ name: a, run: [echo], assert: [exit == 0, text == stderr, size(string(body)) == 0] }]
            """
        #expect(load(good).diagnostics.isEmpty)
        let bad = "tests: [{ name: a, run: [echo], assert: [headers.a == 1] }]"
        #expect(load(bad).diagnostics.map(\.id) == ["undefined-variable"])
    }
}
