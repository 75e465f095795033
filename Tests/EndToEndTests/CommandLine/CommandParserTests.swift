import Diagnostics
import Testing

@testable import apitest

/// Tests that each option does what the option table states.
struct CommandParserTests {
    /// The commands with their own behavior.
    static let commands = below(Apitest.self)

    private static func below(_ command: any Command.Type) -> [any Command.Type] {
        let subcommands = command.description.subcommands
        return subcommands.isEmpty ? [command] : subcommands.flatMap(below)
    }

    /// Sample values of options that do not accept arbitrary text.
    private static let samples = [
        "schema": "a:b=c", "shard": "1/2", "timeout": "5s", "variable": "a=b", "enable": "duplicate-name",
        "disable": "duplicate-name", "severity": "endpoint-added=info", "today": "2027-01-31",
        "rate": "5/s", "for": "5s", "think": "5s", "warmup": "5s", "otlp": "http://127.0.0.1:4318",
        "start-at": "2026-12-01T09:30:00Z", "url": "http://127.0.0.1:2", "phases": "examples", "header": "A: b",
        "exclude-checks": "server-error", "max-response-time": "5s", "identity": "ada=A: b",
        "auth": "suite.yaml#login",
    ]
    /// The arguments that an option requires in addition.
    private static let companions = [
        "durations": ["--shard", "1/2"], "history-keep": ["--history", "past"], "key": ["--cert", "a.pem"],
        "mermaid": ["--graph"],
    ]

    /// Returns the arguments that a command requires.
    private static func base(of command: any Command.Type) -> [String] {
        switch command.description.name {
        case "diff": ["old.yaml", "new.yaml"]
        case "completions": ["bash"]
        case "init", "mcp", "schema": []
        case "record": ["--to", "http://127.0.0.1:1"]
        case "fmt": ["-"]
        case "fuzz": ["given", "--url", "http://127.0.0.1:1"]
        case "merge", "convert": ["record.jsonl", "--report", "tap"]
        default: ["given"]
        }
    }

    /// Each option of every command changes exactly one property, or one array.
    @Test(arguments: commands.indices)
    func eachOptionHasAPlaceOfItsOwn(_ index: Int) throws {
        let command = Self.commands[index]
        for parameter in command.parameters where parameter.kind != .argument {
            let companions = Self.companions[parameter.name] ?? []
            let before = Self.base(of: command) + companions
            var option = ["--" + parameter.name]
            if parameter.takesValue {
                let fixed = parameter.choices.first { $0 != parameter.defaultValue() }
                option.append(Self.samples[parameter.name] ?? fixed ?? "5")
            }
            if option.last == "mermaid" { option.append("--graph") }
            if parameter.name == "checks" { continue }
            let without = try Self.lines(of: command.parse(before))
            let with = try Self.lines(of: command.parse(before + option))
            let difference = with.difference(from: without)
            #expect(!difference.isEmpty, "\(command.description.name) \(option)")
            #expect(difference.insertions.count <= 2, "\(command.description.name) \(option): \(difference)")
        }
    }

    private static func lines(of command: any Command) -> [Substring] {
        var text = ""
        dump(command, to: &text)
        return text.split(separator: "\n")
    }

    /// Names, including short ones, are unique within each command, and each option has a description.
    @Test(arguments: commands.indices)
    func namesAreUnique(_ index: Int) {
        let parameters = Self.commands[index].parameters + Parameter.general
        let names = parameters.filter { $0.kind != .argument }.flatMap(\.spellings)
        #expect(Set(names).count == names.count)
        for parameter in parameters {
            #expect(!parameter.help.isEmpty && parameter.help.last != ".", "\(parameter.name)")
        }
    }

    @Test(arguments: [
        ["--jobs", "4"], ["--jobs=4"], ["-j", "4"], ["-j4"], ["-j=4"], ["--jobs", "9", "--jobs", "4"],
        ["-qj4"], ["-vqj", "4"],
    ])
    func spellingsOfAValue(_ arguments: [String]) throws {
        let command = try RunCommand.parse(["a.yaml"] + arguments)
        #expect(command.executionOptions.jobs == 4)
        #expect(command.suiteOptions.paths == ["a.yaml"])
    }

    @Test(arguments: [
        (["--fail-fast", "a.yaml"], 1), (["--fail-fast", "3", "a.yaml"], 3), (["--fail-fast=7", "a.yaml"], 7),
        (["a.yaml", "--fail-fast"], 1), (["a.yaml", "--fail-fast", "--shuffle"], 1),
    ])
    func valueThatMayBeLeftOut(_ arguments: [String], _ count: Int) throws {
        let command = try RunCommand.parse(arguments)
        #expect(command.executionOptions.failFast == count)
        #expect(command.suiteOptions.paths == ["a.yaml"])
    }

    @Test func everythingBehindTwoHyphensIsAnArgument() throws {
        let command = try RunCommand.parse(["--tag", "a", "--", "--tag", "-x", "--help"])
        #expect(command.selectionOptions.tag == ["a"])
        #expect(command.suiteOptions.paths == ["--tag", "-x", "--help"])
    }

    @Test func flagsAreCounted() throws {
        #expect(try RunCommand.parse(["a", "-vv", "--verbose"]).outputOptions.verbose == 3)
    }

    @Test(arguments: [
        (["a", "--jobs"], ProblemID.missingValue, "missing value for --jobs <jobs>"),
        (["a", "-j"], .missingValue, "missing value for -j <jobs>"),
        (["a", "--jobs="], .missingValue, "missing value for --jobs <jobs>"),
        (["a", "--tag", "-x"], .missingValue, "missing value for --tag <tag>"),
        (["a", "--jobs", "1.5"], .invalidOption, "invalid value \"1.5\" for --jobs <jobs>: expected an integer"),
        (
            ["a", "--failure-output", "x"], .unknownValue,
            "invalid value \"x\" for --failure-output <failure-output>: expected \"immediate\", \"final\" or \"both\""
        ),
        (["a", "--shuffle=yes"], .unexpectedValue, "--shuffle does not accept a value, got \"yes\""),
        (["a", "-q="], .unexpectedValue, "-q does not accept a value, got \"\""),
        (["a", "-j="], .missingValue, "missing value for -j <jobs>"),
        (["a", "-qx"], .unknownOption, "unknown option \"-x\""),
        (["a", "--jbos"], .unknownOption, "unknown option \"--jbos\"; did you mean \"--jobs\"?"),
        (["a", "--frobnicate"], .unknownOption, "unknown option \"--frobnicate\""),
        (["a", "--jobs", "0"], .invalidOption, "--jobs 0: must be at least 1"),
    ])
    func mistakes(_ arguments: [String], _ id: ProblemID, _ message: String) {
        #expect {
            try RunCommand.parse(arguments)
        } throws: {
            ($0 as? UsageError)?.message == message && ($0 as? UsageError)?.id == id
        }
    }

    @Test(arguments: [
        ("", "apitest run", true), ("a.yaml", "apitest run", true), ("run a.yaml", "apitest run", false),
        ("contract diff a b", "apitest contract diff", false), ("contract bogus", "apitest contract", false),
        ("--curl lint", "apitest run", true), ("-- lint", "apitest run", true),
    ])
    func theCommandIsTheFirstWord(_ line: String, _ name: String, _ isDefault: Bool) {
        let call = CommandCall(line.split(separator: " ").map(String.init))
        #expect(call.name == name)
        #expect(call.isDefault == isDefault)
        #expect(call.wish == .run)
    }

    @Test(arguments: [
        ("--help", "apitest", CommandCall.Wish.help), ("-h", "apitest", .help), ("help", "apitest", .help),
        ("help run", "apitest run", .help), ("help contract diff", "apitest contract diff", .help),
        ("contract", "apitest contract", .help), ("lint --bogus --help", "apitest lint", .help),
        ("a.yaml --help", "apitest run", .help), ("--version", "apitest", .version),
        ("run --version", "apitest run", .version),
        ("run -- --help", "apitest run", .run),
    ])
    func helpIsAskedFor(_ line: String, _ name: String, _ wish: CommandCall.Wish) {
        let call = CommandCall(line.split(separator: " ").map(String.init))
        #expect(call.name == name)
        #expect(call.wish == wish)
    }

    @Test func helpAmongFlags() {
        #expect { try RunCommand.parse(["-qh"]) } throws: { $0 as? CommandCall.Wish == .help }
    }
}
