import Diagnostics
import FoundationEssentials
import JSON
import SuiteTestSupport
import Testing

@testable import ProjectConfiguration

/// Tests of finding and parsing `.apitest.yaml`.
struct ConfigurationFileTests {
    private static let shared: [ConfigurationOption] = [
        ConfigurationOption(name: "variable", kind: .values), ConfigurationOption(name: "tag", kind: .values),
        ConfigurationOption(name: "file-root", kind: .value, path: .whole),
        ConfigurationOption(name: "color", kind: .value, choices: ["auto", "always", "never"]),
    ]
    private static let options: [String: [ConfigurationOption]] = [
        "run": shared + [
            ConfigurationOption(name: "jobs", kind: .value), ConfigurationOption(name: "fail-fast", kind: .value),
            ConfigurationOption(name: "quiet", kind: .flag), ConfigurationOption(name: "verbose", kind: .count),
            ConfigurationOption(name: "report", kind: .values, path: .afterEquals),
            ConfigurationOption(name: "schema", kind: .values, path: .afterLastEquals),
            ConfigurationOption(name: "help", kind: .flag),
        ],
        "lint": shared + [
            ConfigurationOption(name: "strict", kind: .flag), ConfigurationOption(name: "disable", kind: .values),
        ],
    ]

    private static func read(_ text: String, _ command: String = "run", prefix: String = "")
        -> ConfigurationFile.Contents
    {
        var reader = ConfigurationReader(options: options, command: command, prefix: prefix)
        return reader.read(SourceFile(name: ".apitest.yaml", text: text))
    }

    @Test(
        arguments: [
            ("", []), ("# nothing\n", []), ("jobs: 4", ["--jobs=4"]), ("quiet: true", ["--quiet"]),
            ("quiet: false", []), ("verbose: true", ["--verbose"]), ("verbose: 2", ["--verbose", "--verbose"]),
            ("fail-fast: true", ["--fail-fast=1"]), ("fail-fast: 3", ["--fail-fast=3"]),
            ("tag: smoke", ["--tag=smoke"]), ("tag: [a, 'b or c']", ["--tag=a", "--tag=b or c"]),
            ("tag: -x", ["--tag=-x"]), ("variable: a=1", ["--variable=a=1"]),
            (
                "variable: { a: 1, b: 'two', c: [3], d: 1.10 }",
                ["--variable=a:=1", "--variable=b:=\"two\"", "--variable=c:=[3]", "--variable=d:=1.10"]
            ),
            ("paths: [a.yaml, b]", ["a.yaml", "b"]), ("paths: .", ["."]),
            ("report: [junit, junit=out/r.xml]", ["--report=junit", "--report=junit=out/r.xml"]),
            ("x-anything: { a: 1 }\ncolor: never", ["--color=never"]),
            ("lint: { strict: true }", []), ("run: { jobs: 2 }\njobs: 4", ["--jobs=2"]),
        ] as [(String, [String])])
    func arguments(_ text: String, _ expected: [String]) {
        let contents = Self.read(text)
        #expect(contents.diagnostics.isEmpty, "\(TextRenderer(color: false).render(contents.diagnostics))")
        #expect(contents.entries.flatMap(\.arguments) == expected)
    }

    /// A command gets the values of its own options, and those written only for it.
    @Test func commands() {
        let text = "jobs: 4\ncolor: never\nlint: { strict: true, color: always, disable: [a, b] }\n"
        #expect(Self.read(text).entries.flatMap(\.arguments) == ["--jobs=4", "--color=never"])
        #expect(
            Self.read(text, "lint").entries.flatMap(\.arguments) == [
                "--strict", "--color=always", "--disable=a", "--disable=b",
            ])
    }

    @Test(
        arguments: [
            ("file-root: .", ["--file-root=.."]), ("file-root: a", ["--file-root=../a"]),
            ("file-root: ./a", ["--file-root=../a"]), ("file-root: /a", ["--file-root=/a"]),
            ("paths: [., tests, ../x]", ["..", "../tests", "../../x"]),
            (
                "report: [junit, junit=r.xml, junit=/r.xml]",
                ["--report=junit", "--report=junit=../r.xml", "--report=junit=/r.xml"]
            ),
            ("schema: https://a.example/?id=b=b.json", ["--schema=https://a.example/?id=b=../b.json"]),
            ("tag: a", ["--tag=a"]),
        ] as [(String, [String])])
    func relativePaths(_ text: String, _ expected: [String]) {
        #expect(Self.read(text, prefix: "../").entries.flatMap(\.arguments) == expected)
    }

    @Test(
        arguments: [
            ("jbos: 1", "1:1 unknown key \"jbos\" did you mean \"jobs\"?"),
            ("failFast: 1", "1:1 unknown key \"failFast\" did you mean \"fail-fast\"?"),
            ("strict: true", "1:1 unknown key \"strict\" it is an option of lint only: write it under \"lint\""),
            ("help: true", "1:1 unknown key \"help\" it is available only on the command line"),
            (
                "nonsense: true",
                "1:1 unknown key \"nonsense\" the keys are the long options of \"apitest run\", without \"--\""
            ),
            ("quiet: yes", "1:8 \"quiet\" must be a boolean, got a string"),
            ("verbose: -1", "1:10 \"verbose\" must be true, false or a small integer, got an integer"),
            ("jobs: [1]", "1:7 \"jobs\" must be a string or number, got a sequence"),
            ("jobs:", "1:6 \"jobs\" must be a string or number, got null"),
            ("tag: { a: 1 }", "1:6 \"tag\" must be a string or sequence, got a mapping"),
            ("tag: [a, true]", "1:10 \"tag\" must be a string, got a boolean"),
            ("color: allways", "1:8 unknown value \"allways\" did you mean \"always\"?"),
            ("color: red", "1:8 unknown value \"red\" write one of auto, always, never"),
            ("lint: true", "1:7 \"lint\" must be a mapping of options, got a boolean"),
            ("lint: { strit: true }", "1:9 unknown key \"strit\" did you mean \"strict\"?"),
            ("[a]", "1:1 a configuration file must be a mapping, got a sequence write \"option: value\""),
            ("jobs: 1\n---\njobs: 2", "3:1 a configuration file must contain a single document"),
            ("jobs: 1\njobs: 2", "2:1 duplicate key \"jobs\""),
        ])
    func problems(_ text: String, _ expected: String) {
        let diagnostics = Self.read(text).diagnostics.map { diagnostic in
            let start = diagnostic.range?.start
            return "\(start?.line ?? 0):\(start?.column ?? 0) \(diagnostic.message)"
                + (diagnostic.suggestion.map { " \($0)" } ?? "")
        }
        #expect(diagnostics.first?.hasPrefix(expected) == true, "\(diagnostics)")
    }

    @Test func findsTheNearestFile() throws {
        let directory = try ProjectDirectory([
            ".git/HEAD": "", ".apitest.yaml": "", "a/b/c/x": "", "a/.apitest.yaml": "", "d/e/x": "",
        ])
        #expect(ConfigurationFile.find(from: directory.path)?.path == ".apitest.yaml")
        #expect(ConfigurationFile.find(from: directory.path + "/a")?.prefix == "")
        #expect(ConfigurationFile.find(from: directory.path + "/a/b/c")?.path == "../../.apitest.yaml")
        #expect(ConfigurationFile.find(from: directory.path + "/a/b/c")?.prefix == "../../")
        #expect(ConfigurationFile.find(from: directory.path + "/d/e")?.prefix == "../../")
    }

    /// The search does not go beyond the repository, and does not happen outside of one.
    @Test func staysInTheRepository() throws {
        let directory = try ProjectDirectory([
            ".apitest.yaml": "", "plain/x": "", "repository/.git/HEAD": "", "repository/a/x": "",
        ])
        #expect(ConfigurationFile.find(from: directory.path)?.path == ".apitest.yaml")
        #expect(ConfigurationFile.find(from: directory.path + "/plain") == nil)
        #expect(ConfigurationFile.find(from: directory.path + "/repository/a") == nil)
    }

    @Test func namedFiles() throws {
        let directory = try ProjectDirectory(["ci/config.yaml": "paths: tests"])
        let file = ConfigurationFile(path: "ci/config.yaml")
        #expect(file.prefix == "ci/")
        let contents = file.contents(in: directory.path, options: Self.options, command: "run")
        #expect(contents.entries.flatMap(\.arguments) == ["ci/tests"])
        let missing = ConfigurationFile(path: "x.yaml").contents(
            in: directory.path, options: Self.options, command: "run")
        #expect(missing.diagnostics.map(\.id) == ["missing-file"])
    }

    /// The schema contains exactly the keys that are read.
    @Test func schema() throws {
        let schema = try JSONValue(parsing: ConfigurationSchema.json(options: Self.options))
        let properties = try #require(schema.objectValue?["properties"]?.objectValue)
        let names = properties.map(\.key)
        #expect(
            names == [
                "paths", "variable", "tag", "file-root", "color", "jobs", "fail-fast", "quiet", "verbose", "report",
                "schema", "lint", "run",
            ])
        #expect(schema.objectValue?["additionalProperties"] == false)
    }
}
