import Diagnostics
import FoundationEssentials
import SuiteTestSupport
import Testing

@testable import SuiteFormat

struct SuiteFormatterTests {
    private func format(_ project: ProjectDirectory, _ paths: String...) -> (files: [FormattedFile], ids: [String]) {
        let result = SuiteFormatter(fileRoot: project.path, workingDirectory: project.path).format(paths: paths)
        return (result.files, result.diagnostics.map(\.id))
    }

    private func text(_ project: ProjectDirectory, _ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: project.path + "/" + name)), as: UTF8.self)
    }

    private func formatted(_ text: String) throws -> String {
        let result = SuiteFormatter(fileRoot: "/", workingDirectory: "/").format(SourceFile(name: "a.yaml", text: text))
        return String(decoding: try #require(result.text), as: UTF8.self)
    }

    @Test func keysOfSuitesComeInTheOrderOfTheReference() throws {
        let suite = """
            tests:
            - expect: 200
              request: {url: /books, method: POST, json: {url: 1, method: 2}}
              name: one
            - steps:
              - expect: { json: { $.b: 1, $.a: 2 }, status: 200 }
                request: GET /
                name: first
              name: two
            variables: {b: 1, a: 2}
            name: Shop
            """
        #expect(
            try formatted(suite) == """
                name: Shop
                variables: { b: 1, a: 2 }
                tests:
                  - name: one
                    request: { method: POST, url: /books, json: { url: 1, method: 2 } }
                    expect: 200
                  - name: two
                    steps:
                      - name: first
                        request: GET /
                        expect: { json: { $.b: 1, $.a: 2 }, status: 200 }

                """)
    }

    @Test func keysOfMockFilesComeInTheOrderOfTheReference() throws {
        #expect(
            try formatted("routes:\n- respond: 200\n  request: GET /\nname: Shop\n")
                == "name: Shop\nroutes:\n  - request: GET /\n    respond: 200\n")
    }

    @Test func keysOfOtherFilesStay() throws {
        #expect(try formatted("url: 1\nname:  2\nmethod: 3\n") == "url: 1\nname: 2\nmethod: 3\n")
    }

    @Test func directoriesHoldSuitesAndMockFiles() throws {
        let project = try ProjectDirectory([
            "a.apitest.yaml": "tests:   []\n", "b/c.mock.yml": "routes:   []\n", "other.yaml": "a:   1\n",
        ])
        let (files, ids) = format(project, ".")
        #expect(files.map(\.path) == ["a.apitest.yaml", "b/c.mock.yml"])
        #expect(files.filter(\.isChanged).count == 2)
        #expect(ids.isEmpty)
        for file in files { try file.write() }
        #expect(try text(project, "a.apitest.yaml") == "tests: []\n")
        #expect(try text(project, "other.yaml") == "a:   1\n")
    }

    @Test func aFileWithAnErrorIsLeftOut() throws {
        let project = try ProjectDirectory([
            "a.apitest.yaml": "tests: [\n", "b.apitest.yaml": "tests:   []\n", "c.apitest.yaml": "a: 1\na: 2\n",
        ])
        let (files, ids) = format(project, ".", "missing.yaml")
        #expect(files.map(\.path) == ["b.apitest.yaml"])
        #expect(ids.sorted() == ["duplicate-key", "missing-file", "unclosed-bracket"] || ids.count == 3, "\(ids)")
    }

    @Test func whatCannotBeFormattedIsSaid() throws {
        let project = try ProjectDirectory(["a.yaml": "# one\u{2028}tests: []\n"])
        let (files, ids) = format(project, "a.yaml")
        #expect(files.isEmpty)
        #expect(ids == ["not-formatted"])
    }

    @Test func theModeStaysAndNothingIsLeftBehind() throws {
        let project = try ProjectDirectory(["a.yaml": "tests:   []\n"])
        let path = project.path + "/a.yaml"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try #require(format(project, "a.yaml").files.first).write()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: project.path) == ["a.yaml"])
    }

    /// A link remains a link: its target is replaced if it is in the project.
    @Test func links() throws {
        let project = try ProjectDirectory(["real/a.yaml": "tests:   []\n"])
        let other = try ProjectDirectory(["b.yaml": "tests:   []\n"])
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: project.path + "/in.yaml", withDestinationPath: project.path + "/real/a.yaml")
        try manager.createSymbolicLink(atPath: project.path + "/out.yaml", withDestinationPath: other.path + "/b.yaml")
        let (files, ids) = format(project, "in.yaml", "out.yaml")
        #expect(files.map(\.path) == ["in.yaml"])
        #expect(ids == ["file-outside-root"])
        for file in files { try file.write() }
        #expect(try text(project, "real/a.yaml") == "tests: []\n")
        #expect(try text(other, "b.yaml") == "tests:   []\n")
        #expect(try manager.destinationOfSymbolicLink(atPath: project.path + "/in.yaml").hasSuffix("real/a.yaml"))
        // A file outside that is named directly is not accessed through a link.
        let direct = SuiteFormatter(fileRoot: project.path, workingDirectory: project.path)
            .format(paths: [other.path + "/b.yaml"])
        #expect(direct.files.count == 1)
    }

    @Test func aFileThatChangedMeanwhileIsLeft() throws {
        let project = try ProjectDirectory(["a.yaml": "tests:   []\n"])
        let file = try #require(format(project, "a.yaml").files.first)
        try Data("tests:  [] # new\n".utf8).write(to: URL(filePath: project.path + "/a.yaml"))
        #expect(throws: FileWriteFailure.self) { try file.write() }
        #expect(try text(project, "a.yaml") == "tests:  [] # new\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: project.path) == ["a.yaml"])
    }
}
