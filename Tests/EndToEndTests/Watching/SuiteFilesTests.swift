import SuiteLoader
import SuiteTestSupport
import Testing

@testable import apitest

/// Tests of the files that watch mode observes for suites.
struct SuiteFilesTests {
    private func files(of name: String, in directory: ProjectDirectory) throws -> [String] {
        let loader = SuiteLoader(options: LoaderOptions(fileRoot: directory.path, workingDirectory: directory.path))
        let suite = try #require(loader.suiteFiles(at: [name]).files.first)
        return loader.files(of: suite).all.map { $0.replacing(directory.path + "/", with: "") }.sorted()
    }

    @Test func areAllThatASuiteNames() throws {
        let directory = try ProjectDirectory([
            "s.yaml": """
            dotenv: more/local.env
            serve: { mock: more/api.mock.yaml }
            tests:
              - name: a
                request: { method: POST, url: /, file: body.bin }
                expect: { schema: schemas/a.json }
            """,
            "body.bin": "x", "more/local.env": "A=1\n", "more/seed.json": "[]", "unused.json": "{}",
            "more/api.mock.yaml": "collections: { books: { path: /books, seed: seed.json } }\n",
            "schemas/a.json": #"{ "$ref": "b.json" }"#, "schemas/b.json": #"{ "type": "object" }"#,
        ])
        #expect(
            try files(of: "s.yaml", in: directory) == [
                "body.bin", "more/api.mock.yaml", "more/local.env", "more/seed.json", "s.yaml", "schemas/a.json",
                "schemas/b.json",
            ])
    }

    @Test func areAlsoThoseThatAreMissingOrWrong() throws {
        let directory = try ProjectDirectory([
            "s.yaml": """
            serve: { mock: api.mock.yaml }
            tests:
              - { name: a, request: { method: POST, url: /, file: missing.bin } }
            """,
            "api.mock.yaml": "rotes: []\n",
        ])
        #expect(try files(of: "s.yaml", in: directory) == ["api.mock.yaml", "missing.bin", "s.yaml"])
    }

    @Test func areAlsoThoseOfAServersCommand() throws {
        let directory = try ProjectDirectory([
            "s.yaml": "serve: { command: [sh, app.sh, --port, '${port}'] }\ntests: [{ name: a, request: GET / }]\n",
            "app.sh": "",
        ])
        #expect(try files(of: "s.yaml", in: directory) == ["app.sh", "s.yaml"])
    }

    @Test func suitesAreFoundInDirectoriesAndAwaitedIfThereAreNone() throws {
        let directory = try ProjectDirectory(["a/b/s.apitest.yaml": "", "a/t.apitest.yml": "", "a/u.yaml": ""])
        let loader = SuiteLoader(options: LoaderOptions(fileRoot: directory.path, workingDirectory: directory.path))
        let found = loader.suiteFiles(at: ["a", "late.yaml"])
        #expect(found.files.map(\.path) == ["a/b/s.apitest.yaml", "a/t.apitest.yml", "late.yaml"])
        #expect(found.directories == [directory.path + "/a", directory.path + "/a/b"])
        #expect(found.files.last?.absolutePath == directory.path + "/late.yaml")
    }
}
