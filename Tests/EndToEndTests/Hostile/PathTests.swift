import Glibc
import Testing

/// Tests of paths that lead out of the project's directory: no key or option can read or write a file there.
struct PathTests {
    /// A key of a suite that names a file. `PATH` is replaced by the path.
    struct Use: Sendable, CustomTestStringConvertible {
        let name: String
        /// The file name extension.
        let ending: String
        let suite: String

        init(_ name: String, _ ending: String, _ suite: String) {
            self.name = name
            self.ending = ending
            self.suite = suite
        }

        var testDescription: String { name }
    }

    private static let test = "tests: [{ name: a, request: GET / }]"

    private static let uses = [
        Use("a body", "txt", "tests: [{ name: a, request: { method: POST, url: /, file: 'PATH' } }]"),
        Use(
            "file() in a text", "txt",
            "tests: [{ name: a, request: { method: POST, url: /, text: \"${file('PATH')}\" } }]"),
        Use("file() in a variable", "txt", "variables: { a: \"${file('PATH')}\" }\n\(test)"),
        Use(
            "a part", "txt",
            "tests: [{ name: a, request: { method: POST, url: /, multipart: { a: { file: 'PATH' } } } }]"),
        Use("rows", "csv", "tests: [{ name: a, cases: 'PATH', request: GET / }]"),
        Use("rows with a format", "csv", "tests: [{ name: a, cases: { file: 'PATH' }, request: GET / }]"),
        Use("fragments", "yaml", "use: 'PATH'\n\(test)"),
        Use("fragments with a name", "yaml", "use: { other: 'PATH' }\n\(test)"),
        Use("a schema", "json", "tests: [{ name: a, request: GET /, expect: { schema: 'PATH' } }]"),
        Use("a part of a schema", "json", "tests: [{ name: a, request: GET /, expect: { schema: 'PATH#/$defs/a' } }]"),
        Use("a schema that replaces a URI", "json", "schemas: { 'https://example.com/a': 'PATH' }\n\(test)"),
        Use(
            "a reference in a schema of the suite", "json",
            "tests: [{ name: a, request: GET /, expect: { schema: { $ref: 'PATH' } } }]"),
        Use("a contract", "openapi.yaml", "contract: 'PATH'\n\(test)"),
        Use("a mock server", "mock.yaml", "serve: { mock: 'PATH' }\n\(test)"),
    ]

    /// The contents of the files inside and outside: valid for their use, and never displayed.
    private static let contents = [
        "txt": "TOPSECRET", "csv": "name\nTOPSECRET\n",
        "yaml": "fragments: { TOPSECRET: { steps: [{ request: GET / }] } }\n",
        "json": #"{ "$defs": { "a": { "title": "TOPSECRET" } } }"#,
        "openapi.yaml": "openapi: 3.1.0\ninfo: { title: TOPSECRET, version: '1' }\npaths: { /: { get: {} } }\n",
        "mock.yaml": "routes: [{ request: GET /, respond: { text: TOPSECRET } }]\n",
    ]

    /// Returns paths to the same file outside in every notation, relative to `directory/project`.
    private static func paths(_ ending: String, _ directory: String) -> [String] {
        [
            "../outside/file.\(ending)", "\(directory)/outside/file.\(ending)", "data/../../outside/file.\(ending)",
            "./data/.././../outside//file.\(ending)", "link.\(ending)", "linked/file.\(ending)",
            "data/linked-link/file.\(ending)", "file://\(directory)/outside/file.\(ending)",
            "file:///../..\(directory)/outside/file.\(ending)", "%2e%2e/outside/file.\(ending)",
            "..%2foutside%2ffile.\(ending)", "data/%2e%2e/%2E%2E/outside/file.\(ending)",
            "..\\\\outside\\\\file.\(ending)",
        ]
    }

    /// Creates a project with a valid file inside, the same file outside, and links to the latter.
    private func project(_ ending: String) throws -> (directory: TemporaryDirectory, real: String) {
        let directory = try TemporaryDirectory()
        let path = realpath(directory.path, nil)
        defer { free(path) }
        let real = path.map { String(cString: $0) } ?? directory.path
        for name in ["project", "project/data", "outside"] { mkdir("\(directory.path)/\(name)", 0o755) }
        let content = Self.contents[ending] ?? ""
        for name in ["project/data", "outside"] {
            TestFiles.write(content.utf8, to: "\(directory.path)/\(name)/file.\(ending)")
        }
        symlink("../outside/file.\(ending)", "\(directory.path)/project/link.\(ending)")
        symlink("../outside", "\(directory.path)/project/linked")
        symlink("../linked", "\(directory.path)/project/data/linked-link")
        return (directory, real)
    }

    private func check(_ description: String, _ directory: TemporaryDirectory) async throws -> (
        ProgramRun.Ending, String
    ) {
        let run = try await Program.run(["contract", "check", description], in: directory.path + "/project")
        return (run.ending, run.output + run.error)
    }

    private func lint(_ suite: String, _ directory: TemporaryDirectory) async throws -> (ProgramRun.Ending, String) {
        let text = "name: Paths\nbaseURL: http://127.0.0.1:1\n\(suite)\n"
        TestFiles.write(text.utf8, to: directory.path + "/project/suite.yaml")
        let run = try await Program.run(["lint", "suite.yaml"], in: directory.path + "/project")
        return (run.ending, run.output + run.error)
    }

    /// Returns whether a text contains an error with a location, such as `suite.yaml:3:14: error: `.
    private func placed(_ text: String, in files: [String]) -> Bool {
        text.split(separator: "\n").contains { line in
            let parts = line.split(separator: ":")
            return parts.count > 3 && files.contains(String(parts[0])) && Int(parts[1]) != nil && Int(parts[2]) != nil
                && parts[3] == " error"
        }
    }

    @Test(arguments: uses)
    func aPathInASuite(_ use: Use) async throws {
        let (directory, real) = try project(use.ending)
        let good = try await lint(use.suite.replacing("PATH", with: "data/file.\(use.ending)"), directory)
        #expect(good.0 == .exit(0), "the file inside the root must be accepted: \(good.1)")
        for path in Self.paths(use.ending, real) {
            let (ending, text) = try await lint(use.suite.replacing("PATH", with: path), directory)
            #expect(ending == .exit(2), "\(path): \(text)")
            #expect(placed(text, in: ["suite.yaml"]), "\(path): \(text)")
            #expect(!text.replacing(path, with: "").contains("TOPSECRET"), "\(path): \(text)")
        }
    }

    /// A file in the project that refers to others: schemas and descriptions by `$ref`, mock servers by their bodies.
    @Test(arguments: [
        Use("a schema", "json", #"{ "$ref": "PATH" }"#),
        Use("a part of a schema", "json", #"{ "items": { "$ref": "PATH#/$defs/a" } }"#),
        Use("a dynamic reference", "json", #"{ "$dynamicRef": "PATH" }"#),
        Use("a schema with a base URI", "json", ##"{ "$id": "sub/", "$ref": "../PATH" }"##),
        Use(
            "a description", "openapi.yaml",
            "openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths: { /: { $ref: 'PATH#/paths/~1' } }\n"),
        Use("a mock server", "mock.yaml", "routes: [{ request: GET /, respond: { file: 'PATH' } }]\n"),
    ])
    func aPathInAFileOfASuite(_ use: Use) async throws {
        let (directory, real) = try project(use.ending)
        let suite =
            switch use.ending {
            case "json": "tests: [{ name: a, request: GET /, expect: { schema: first.json } }]"
            default: "serve: { mock: first.mock.yaml }\n\(Self.test)"
            }
        let first = "first.\(use.ending)"
        for path in ["data/file.\(use.ending)"] + Self.paths(use.ending, real) {
            TestFiles.write(use.suite.replacing("PATH", with: path).utf8, to: "\(directory.path)/project/\(first)")
            // A suite with such a contract runs without the missing part. Checking the description itself is strict.
            let isDescription = use.ending == "openapi.yaml"
            let (ending, text) = isDescription ? try await check(first, directory) : try await lint(suite, directory)
            guard !path.hasPrefix("data/file.") else {
                #expect(ending == .exit(0), "the file inside the root must be accepted: \(text)")
                continue
            }
            #expect(ending == .exit(2), "\(path): \(text)")
            #expect(placed(text, in: [first, "suite.yaml"]), "\(path): \(text)")
            #expect(!text.replacing(path, with: "").contains("TOPSECRET"), "\(path): \(text)")
        }
    }

    /// A path computed during the run is an error of its test, and nothing is sent.
    @Test func aPathThatIsComputed() async throws {
        let (directory, real) = try project("txt")
        TestFiles.write(
            "routes: [{ request: POST /, respond: { text: '${request.text}' } }]\n".utf8,
            to: directory.path + "/project/api.mock.yaml")
        let paths = Self.paths("txt", real)
        let rows = (["data/file.txt"] + paths).map { "{ path: '\($0)' }" }.joined(separator: ", ")
        let suite = """
            name: Paths
            serve: { mock: api.mock.yaml }
            tests:
              - { name: body, cases: [\(rows)], request: { method: POST, url: /, file: "${path}" } }
              - { name: text, cases: [\(rows)], request: { method: POST, url: /, text: "${file(path)}" } }
              - { name: part, cases: [\(rows)], request: { method: POST, url: /, multipart: { a: { file: "${path}" } } } }
            """
        TestFiles.write(suite.utf8, to: directory.path + "/project/suite.yaml")
        let run = try await Program.run(
            ["suite.yaml", "-v", "--report", "json:exchanges=run.jsonl"], in: directory.path + "/project")
        #expect(run.ending == .exit(1), "\(run.error)")
        #expect(ConsoleSummary(run.output)?.outcomes == ["passed": 3, "errored": 3 * paths.count], "\(run.output)")
        // Nothing was read for failed tests, so the record cannot contain it.
        let record = try #require(TestFiles.text(directory.path + "/project/run.jsonl"))
        let seen = record.split(separator: "\n").filter {
            $0.contains("TOPSECRET") && $0.contains(#""outcome":"errored""#)
        }
        #expect(record.contains("TOPSECRET"))
        #expect(seen.isEmpty, "\(seen)")
    }

    /// Files next to a suite are not written through a link that leads out.
    @Test func snapshotsThroughALink() async throws {
        let (directory, _) = try project("txt")
        let project = directory.path + "/project"
        TestFiles.write(
            "routes: [{ request: GET /, respond: { json: { a: 1 } } }]\n".utf8, to: project + "/api.mock.yaml")
        TestFiles.write(
            """
            name: Paths
            serve: { mock: api.mock.yaml }
            tests: [{ name: a, request: GET /, expect: { snapshot: a } }]
            """.utf8, to: project + "/suite.yaml")
        symlink("../outside", project + "/__snapshots__")
        let run = try await Program.run(["suite.yaml"], in: project)
        #expect([.exit(1), .exit(2)].contains(run.ending), "\(run.output)\(run.error)")
        #expect(
            run.error.contains("__snapshots__/suite.yaml/a.snap.json\" is outside the project directory"),
            "\(run.error)")
        #expect(TestFiles.names(in: directory.path + "/outside") == ["file.txt"])

        // A link instead of the file is replaced, not followed.
        unlink(project + "/__snapshots__")
        mkdir(project + "/__snapshots__", 0o755)
        mkdir(project + "/__snapshots__/suite.yaml", 0o755)
        symlink("../../../outside/new.json", project + "/__snapshots__/suite.yaml/a.snap.json")
        _ = try await Program.run(["suite.yaml", "--update-snapshots"], in: project)
        #expect(TestFiles.names(in: directory.path + "/outside") == ["file.txt"])
    }

    @Test func aLogThroughALink() async throws {
        let (directory, _) = try project("txt")
        symlink("../outside/new.log", directory.path + "/project/new.log")
        for path in ["../outside/server.log", "linked/server.log", "new.log", "link.txt"] {
            let (ending, text) = try await lint(
                "serve: { command: ['true'], log: '\(path)', ready: GET http://127.0.0.1:1/ }\n\(Self.test)", directory)
            #expect(ending == .exit(2), "\(path): \(text)")
            #expect(placed(text, in: ["suite.yaml"]), "\(path): \(text)")
        }
        #expect(TestFiles.names(in: directory.path + "/outside") == ["file.txt"])
    }

    /// The lock is named after its suite, which may be behind a link.
    @Test func aLockThroughALink() async throws {
        let (directory, _) = try project("txt")
        let suite = "name: Paths\nserve: { mock: api.mock.yaml }\ntests: [{ name: a, request: GET / }]\n"
        for location in ["project", "outside"] {
            TestFiles.write(suite.utf8, to: "\(directory.path)/\(location)/suite.yaml")
            TestFiles.write(
                "routes: [{ request: GET /, respond: { text: a } }]\n".utf8,
                to: "\(directory.path)/\(location)/api.mock.yaml"
            )
        }
        let names = TestFiles.names(in: directory.path + "/outside")
        let run = try await Program.run(["lock", "linked/suite.yaml"], in: directory.path + "/project")
        #expect(run.ending == .exit(2), "\(run.output)\(run.error)")
        #expect(TestFiles.names(in: directory.path + "/outside") == names)
    }

    /// A pipe instead of a file is rejected instead of waiting for its end.
    @Test(arguments: uses)
    func aPipeInPlaceOfAFile(_ use: Use) async throws {
        let (directory, _) = try project(use.ending)
        mkfifo("\(directory.path)/project/pipe.\(use.ending)", 0o644)
        let (ending, text) = try await lint(
            use.suite.replacing("PATH", with: "pipe.\(use.ending)"), directory)
        #expect(ending == .exit(2), "\(text)")
        #expect(placed(text, in: ["suite.yaml"]), "\(text)")
        #expect(text.contains("is not a regular file"), "\(text)")
    }
}
