import ArgumentParser
import SuiteLoader
import Testing

@testable import apitest

/// Command lines that are read without the argument parser mean what it says they mean.
struct QuickRunParserTests {
    @Test(arguments: [
        "suite.yaml", "run suite.yaml", "a.yaml b.yaml folder", "suite.yaml:12",
        "a.yaml --jobs 4 b.yaml --shuffle c.yaml",
        "suite.yaml --variable a=1 --variable b:=2 --variable=c=d=e",
        "suite.yaml --variables-file a.yaml --variables-file=b.yaml",
        "suite.yaml --environment sweden --contract api.yaml --file-root .. --color never",
        "suite.yaml --schema a:b=c.json --schema=a:?d=e=f.json",
        "suite.yaml --config other.yaml", "suite.yaml --no-config",
        "suite.yaml --tag smoke --tag=slow --exclude-tag broken",
        "suite.yaml --test first --test =second --failed report.xml", "suite.yaml --shard 2/5 --durations report.xml",
        "suite.yaml --jobs 64", "suite.yaml --jobs=64", "suite.yaml -j 64",
        "suite.yaml --fail-fast=3 --retries 0 --timeout 5s",
        "suite.yaml --repeat 3 --shuffle --seed 18446744073709551615", "suite.yaml --dry-run", "suite.yaml --watch",
        "suite.yaml --allow-only --locked --baseline a.json --write-baseline b.json",
        "suite.yaml --report junit=a.xml --report html --report=json=-", "suite.yaml --update-snapshots --quiet --curl",
        "suite.yaml -q", "suite.yaml -v -v --verbose", "suite.yaml --progress always",
        "suite.yaml --failure-output final", "suite.yaml --failure-output=both",
        "suite.yaml --history past --history-keep 7",
        "suite.yaml --coverage --coverage-threshold 80.5",
        "suite.yaml --insecure --cacert a.pem --cert b.pem --key c.pem",
        "suite.yaml --proxy http://localhost:3128 --resolve a:80:127.0.0.1 --resolve b:80:127.0.0.1",
    ])
    func isTheParsersCommand(line: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        let quick = try #require(QuickRunParser.command(arguments))
        let parsed = try #require(try Apitest.parseAsRoot(arguments) as? RunCommand)
        #expect(text(of: quick) == text(of: parsed))
    }

    @Test(arguments: [
        // Nothing to run, or another command.
        "", "run", "lint suite.yaml", "help", "run help", "suite.yaml lint", "suite.yaml --tag run",
        // What the parser answers itself.
        "--help", "suite.yaml -h", "suite.yaml --version", "--generate-completion-script bash",
        // Other spellings.
        "suite.yaml -qv", "suite.yaml -j=4", "-- suite.yaml", "suite.yaml --test -x", "suite.yaml --report -",
        // Mistakes.
        "suite.yaml --unknown", "suite.yaml --jobs", "suite.yaml --jobs x", "suite.yaml --jobs 0",
        "suite.yaml --jobs --shuffle",
        "suite.yaml --color purple", "suite.yaml --progress often",
        "suite.yaml --failure-output never", "suite.yaml --shuffle=yes", "suite.yaml --seed -1",
        "suite.yaml --tag=", "suite.yaml --config a --no-config", "suite.yaml --shard 0/3",
        "suite.yaml --durations a.xml",
        "suite.yaml --timeout 5", "suite.yaml --variable x", "suite.yaml --schema x", "suite.yaml --watch --dry-run",
        "suite.yaml --key a.pem",
        "suite.yaml --history-keep 5", "suite.yaml --coverage-threshold 101", "suite.yaml --seed 1 --seed 2",
    ])
    func isLeftToTheParser(line: String) {
        #expect(QuickRunParser.command(line.split(separator: " ").map(String.init)) == nil)
    }

    @Test func leavesEmptyArgumentsToTheParser() {
        #expect(QuickRunParser.command(["suite.yaml", ""]) == nil)
        #expect(QuickRunParser.command(["suite.yaml", "--tag", ""]) == nil)
    }

    /// Every option of `run` is read without the argument parser, but for those that the parser answers itself.
    @Test func knowsAllOptions() throws {
        let paths = ["suite.yaml"]
        let samples = [
            "color": "never", "failure-output": "final", "progress": "never", "schema": "a:b=c", "shard": "1/2",
            "timeout": "5s",
            "variable": "a=b",
        ]
        for option in OptionTable.options(of: "run") where !["version", "help"].contains(option.name) {
            var arguments = paths + ["--" + option.name]
            if option.kind == .value || option.kind == .values { arguments.append(samples[option.name] ?? "5") }
            if option.name == "durations" { arguments += ["--shard", "1/2"] }
            if option.name == "history-keep" { arguments += ["--history", "past"] }
            if option.name == "key" { arguments += ["--cert", "a.pem"] }
            #expect(QuickRunParser.command(arguments) != nil, "\(arguments)")
        }
    }

    private func text(of command: RunCommand) -> String {
        var text = ""
        dump(command, to: &text)
        return text
    }
}
