import Diagnostics
import FileSystem
import FoundationEssentials
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Paths and files")
struct FilesTests {
    /// A directory that is removed at the end of the test.
    private final class Directory {
        let path: String

        init(_ files: [String: String]) throws {
            path = NSTemporaryDirectoryPath.make()
            for (name, text) in files {
                let file = path + "/" + name
                try FileManager.default.createDirectory(
                    atPath: Path.parent(of: file), withIntermediateDirectories: true)
                _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func load(_ paths: [String], root: String = "") -> LoadResult {
            SuiteLoader(
                options: LoaderOptions(fileRoot: path + root, workingDirectory: path)
            ).load(paths: paths)
        }
    }

    private enum NSTemporaryDirectoryPath {
        static func make() -> String {
            let directory = FileManager.default.temporaryDirectory.path
            return (directory.hasSuffix("/") ? String(directory.dropLast()) : directory) + "/apitest-"
                + UUID().uuidString
        }
    }

    private static let suite = "tests: [{ name: a, request: GET http://localhost/ }]\n"

    @Test("A directory stands for its suites, sorted and without hidden directories")
    func directories() throws {
        let directory = try Directory([
            "b.apitest.yaml": Self.suite, "a/z.apitest.yml": Self.suite, "a/other.yaml": Self.suite,
            "a/.hidden/x.apitest.yaml": Self.suite, "B.apitest.yaml": Self.suite,
        ])
        let result = directory.load(["."])
        #expect(result.diagnostics.isEmpty)
        #expect(result.suites.map(\.path) == ["B.apitest.yaml", "a/z.apitest.yml", "b.apitest.yaml"])
        #expect(result.suites.map(\.name) == ["B", "z", "b"])
        #expect(
            directory.load(["a", directory.path + "/b.apitest.yaml"]).suites.map(\.path) == [
                "a/z.apitest.yml", directory.path + "/b.apitest.yaml",
            ])
    }

    @Test("A file is loaded once, however often it is named")
    func repeatedPaths() throws {
        let directory = try Directory(["b.apitest.yaml": Self.suite])
        #expect(directory.load(["b.apitest.yaml", ".", "./b.apitest.yaml"]).suites.count == 1)
    }

    @Test("Overlapping directories load each suite once")
    func nestedDirectories() throws {
        let directory = try Directory(["dir/sub/b.apitest.yaml": Self.suite])
        for paths in [["dir", "dir/sub"], ["dir/sub", "dir"], ["dir", "dir"], [".", "dir/sub", "dir"]] {
            let result = directory.load(paths)
            #expect(result.diagnostics.isEmpty)
            #expect(result.suites.count == 1)
        }
    }

    @Test(
        "Duplicate keys in a row file are reported",
        arguments: [
            ("rows.json", #"[{"a": 1, "b": {"c": 1, "c": 2}}]"#), ("rows.ndjson", #"{"a": 1, "a": 2}"#),
            ("rows.csv", "a:json\n\"{\"\"c\"\": 1, \"\"c\"\": 2}\"\n"),
        ])
    func duplicateMembers(name: String, text: String) throws {
        let suite = "tests: [{ name: a, cases: \(name), request: GET http://localhost/ }]\n"
        let directory = try Directory(["a.apitest.yaml": suite, name: text])
        #expect(directory.load(["a.apitest.yaml"]).diagnostics.map(\.id) == ["duplicate-key"])
    }

    @Test("Unresolvable paths are reported")
    func missing() throws {
        let directory = try Directory(["book.yaml": Self.suite, "empty/readme": ""])
        let result = directory.load(["bok.yaml", "empty"])
        #expect(result.suites.isEmpty)
        #expect(result.hasErrors)
        #expect(
            TextRenderer(color: false).render(result.diagnostics) == """
                error: "bok.yaml" does not exist [missing-file]
                      = help: did you mean "book.yaml"?

                error: no suites in the directory "empty" [no-suites]
                      = help: suites in a directory must be named *.apitest.yaml or *.apitest.yml

                """)
    }

    @Test("Problems of all files are reported together")
    func severalFiles() throws {
        let directory = try Directory(["a.yaml": "tets: 1", "b.yaml": Self.suite, "c.yaml": ""])
        let result = directory.load(["a.yaml", "b.yaml", "c.yaml"])
        #expect(result.diagnostics.map(\.id) == ["unknown-key", "empty-suite"])
        #expect(result.suites.count == 2)
    }

    @Test("Files are resolved relative to the suite, and symbolic links cannot leave the root")
    func suiteFiles() throws {
        let body = "tests: [{ name: a, request: { url: http://localhost/, file: ../data/FILE } }]\n"
        let directory = try Directory([
            "root/data/ok.bin": "x", "root/data/folder/x": "", "secret": "x",
            "root/suites/ok.yaml": body.replacing("FILE", with: "ok.bin"),
            "root/suites/link.yaml": body.replacing("FILE", with: "link"),
            "root/suites/folder.yaml": body.replacing("FILE", with: "folder"),
            "root/suites/near.yaml": body.replacing("FILE", with: "oc.bin"),
            "root/suites/log.yaml":
                "serve: { command: [a], log: ../../out.log }\ntests: [{ name: a, request: GET / }]",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/root/data/link", withDestinationPath: directory.path + "/secret")
        func messages(_ name: String) -> [String] {
            directory.load(["root/suites/\(name).yaml"], root: "/root").diagnostics.map(\.message)
        }
        #expect(messages("ok") == [])
        #expect(messages("link") == ["\"../data/link\" is outside the project directory"])
        #expect(messages("log") == ["\"../../out.log\" is outside the project directory"])
        #expect(messages("folder") == ["\"../data/folder\" is a directory, not a file"])
        #expect(messages("near") == ["\"../data/oc.bin\" does not exist"])
    }

    #if os(Linux)
    @Test("An unreadable file is reported with the system's reason")
    func unreadableFiles() {
        // Reading the start of a process's memory fails even with permission to read every file.
        let loader = SuiteLoader(options: LoaderOptions(fileRoot: "/proc/self", workingDirectory: "/proc/self"))
        let suite = loader.load(paths: ["mem"])
        #expect(suite.diagnostics.map(\.message) == ["the file \"mem\" cannot be read: input/output error"])
        let file = SourceFile(
            name: "a.yaml", text: "serve: { mock: mem }\ntests: [{ name: a, request: GET / }]\n")
        let mock = loader.load(file, absolutePath: "/proc/self/a.yaml")
        #expect(mock.diagnostics.map(\.message) == ["the file \"mem\" cannot be read: input/output error"])
        #expect(mock.diagnostics.first?.range?.text == "mem")
        let (definition, diagnostics) = MockLoader.load(path: "/proc/self/mem")
        #expect(definition == nil)
        #expect(diagnostics.map(\.id) == ["unreadable-file"])
    }
    #endif

    @Test(arguments: [
        ("/a/b/../c", "/a/c"), ("/a/./b//c/", "/a/b/c"), ("a/../../b", "../b"), ("/", "/"), ("..", ".."),
    ])
    func normalizedPaths(path: String, expected: String) {
        #expect(Path.normalized(path) == expected)
    }
}
