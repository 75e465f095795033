import Glibc
import Testing

/// Tests of snapshots across runs: written, compared, updated, and removed.
@Suite(.serialized)
struct SnapshotTests {
    private static let snapshots = "__snapshots__/suite.apitest.yaml"

    private static let suite = """
        name: Books
        serve: { mock: api.mock.yaml }
        tests:
          - name: list books
            request: GET /books
            expect: { snapshot: true }
          - name: a page
            request: GET /page
            expect: { snapshot: page }
        """

    private static func mock(title: String) -> String {
        """
        routes:
          - request: GET /books
            respond: { json: [{ title: \(title), id: "${uuid()}" }] }
          - request: GET /page
            respond: { text: "\(title)\\n" }
        """
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        write(Self.suite, to: "suite.apitest.yaml")
        write(Self.mock(title: "Dune"), to: "api.mock.yaml")
    }

    private func write(_ text: String, to file: String) {
        TestFiles.write(text.utf8, to: "\(directory.path)/\(file)")
    }

    private func text(_ file: String) -> String? { TestFiles.text("\(directory.path)/\(Self.snapshots)/\(file)") }

    private func names() -> [String] { TestFiles.names(in: "\(directory.path)/\(Self.snapshots)") }

    /// Returns the modification time and the inode of a file.
    private func identity(_ file: String) -> [Int] {
        var information = stat()
        guard stat("\(directory.path)/\(Self.snapshots)/\(file)", &information) == 0 else { return [] }
        return [Int(information.st_ino), information.st_mtim.tv_sec, information.st_mtim.tv_nsec]
    }

    private func run(
        _ options: [String] = [], environment: [String: String] = [:]
    ) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
        try await Program.run(["suite.apitest.yaml"] + options, in: directory.path, environment: environment)
    }

    @Test func aLifetime() async throws {
        let books = "list-books.snap.json"
        let first = try await run()
        #expect(first.ending == .exit(0), "\(first.output)")
        #expect(first.error.contains("note: Books: 2 snapshots written"))
        #expect(names() == [books, "page.snap.txt"])
        let text = try #require(self.text(books))
        #expect(text.contains(#""title": "Dune""#) && text.contains(#""id": "<uuid 1>""#))
        #expect(self.text("page.snap.txt") == "status: 200\ncontentType: text/plain; charset=utf-8\n\nDune\n")

        // The next run has another identifier. It reports nothing and writes nothing, even if it may.
        let before = [identity(books), identity("page.snap.txt")]
        for options in [[], ["--update-snapshots"]] {
            let second = try await run(options)
            #expect(second.ending == .exit(0), "\(second.output)")
            #expect(second.error.isEmpty)
            #expect([identity(books), identity("page.snap.txt")] == before)
        }

        // A different response fails, also in continuous integration, until the snapshot is updated.
        write(Self.mock(title: "Emma"), to: "api.mock.yaml")
        for environment in [[:], ["CI": "true"]] {
            let different = try await run(environment: environment)
            #expect(different.ending == .exit(1))
            #expect(different.output.contains(#"$[0].title: expected "Dune" (string), got "Emma" (string)"#))
            #expect(different.output.contains("\(Self.snapshots)/\(books):7"))
            #expect(self.text(books) == text)
        }
        let update = try await run(["--update-snapshots"])
        #expect(update.ending == .exit(0), "\(update.output)")
        #expect(update.error.contains("note: Books: 2 snapshots updated"))
        #expect(self.text(books) == text.replacing("Dune", with: "Emma"))

        // Obsolete snapshots are reported, and removed on request.
        write(Self.suite.replacing("snapshot: page", with: "status: 200"), to: "suite.apitest.yaml")
        let obsolete = try await run()
        #expect(obsolete.ending == .exit(0))
        #expect(obsolete.error.contains("warning: Books: 1 unused snapshot"))
        #expect(names().count == 2)
        let removal = try await run(["--update-snapshots"])
        #expect(removal.error.contains("note: Books: 1 snapshot removed"))
        #expect(names() == [books])

        // When no snapshot of the suite remains, its directory is removed.
        write(
            Self.suite.replacing("snapshot: page", with: "status: 200").replacing(
                "snapshot: true", with: "status: 200"),
            to: "suite.apitest.yaml")
        #expect(try await run(["--update-snapshots"]).ending == .exit(0))
        #expect(!TestFiles.exists("\(directory.path)/__snapshots__"))
    }

    @Test func nothingIsWrittenOfWhatFails() async throws {
        write(Self.suite.replacing("snapshot: page", with: "status: 201, snapshot: page"), to: "suite.apitest.yaml")
        for options in [[], ["--update-snapshots"]] {
            let result = try await run(options)
            #expect(result.ending == .exit(1))
            #expect(names() == ["list-books.snap.json"])
        }
    }

    @Test func theLastAttemptIsWritten() async throws {
        write(
            """
            routes:
              - request: GET /flaky
                respond:
                  sequence: [{ json: { n: 1 } }, { json: { n: 2 } }]
              - request: GET /check
                respond:
                  sequence: [{ status: 500 }, { status: 200 }]
            """, to: "api.mock.yaml")
        write(
            """
            name: Retries
            serve: { mock: api.mock.yaml }
            tests:
              - name: again
                retry: 1
                steps:
                  - { name: stored, request: GET /flaky, expect: { snapshot: true } }
                  - { name: checked, request: GET /check, expect: 200 }
            """, to: "suite.apitest.yaml")
        let result = try await run()
        #expect(result.ending == .exit(0), "\(result.output)")
        #expect(text("again.stored.snap.json")?.contains(#""n": 2"#) == true)
    }

    @Test func roundsHaveOneSnapshot() async throws {
        let first = try await run(["--repeat", "2"])
        #expect(first.ending == .exit(0), "\(first.output)")
        #expect(first.error.contains("note: Books: 2 snapshots written"))
        #expect(names() == ["list-books.snap.json", "page.snap.txt"])
        let second = try await run(["--repeat", "3"])
        #expect(second.ending == .exit(0), "\(second.output)")
        #expect(second.error.isEmpty)
    }

    @Test func filesStayInTheProject() async throws {
        mkdir("\(directory.path)/project", 0o755)
        write(Self.suite, to: "project/suite.apitest.yaml")
        write(Self.mock(title: "Dune"), to: "project/api.mock.yaml")
        symlink("..", "\(directory.path)/project/__snapshots__")
        let result = try await Program.run(["suite.apitest.yaml"], in: directory.path + "/project")
        #expect(result.ending == .exit(1))
        #expect(result.error.contains("is outside the project directory; use --file-root to allow it"))
        #expect(!TestFiles.exists("\(directory.path)/suite.apitest.yaml/list-books.snap.json"))
        // The same on the first run, when the suite itself is outside.
        let outside = try await Program.run(
            ["suite.apitest.yaml", "--file-root", "project"], in: directory.path)
        #expect(outside.ending == .exit(2), "\(outside.output)\(outside.error)")
    }

    @Test func twoDocumentsOfAFileHaveTheirOwnDirectories() async throws {
        write(
            Self.suite + "\n---\n" + Self.suite.replacing("name: Books", with: "name: More"), to: "suite.apitest.yaml")
        #expect(try await run().ending == .exit(0))
        let directories = TestFiles.names(in: directory.path + "/__snapshots__")
        #expect(directories == ["suite.apitest.yaml", "suite.apitest.yaml.2"])
        #expect(try await run().error.isEmpty)
    }

    @Test func aDirectoryThatCannotBeWrittenIsAnError() async throws {
        TestFiles.write("".utf8, to: directory.path + "/__snapshots__")
        let run = try await run(["--report", "junit=report.xml", "--report", "html=report.html"])
        #expect(run.ending == .exit(1))
        #expect(run.output.contains("✗ 2 tests in 1 suite: 2 passed, a snapshot was not written\n"), "\(run.output)")
        let path = "\(Self.snapshots)/list-books.snap.json"
        #expect(
            run.error.contains(
                "error: Books: the file \"\(path)\" cannot be written: Not a directory [snapshot-file]\n"),
            "\(run.error)")
        for name in ["report.xml", "report.html"] {
            let report = try #require(TestFiles.text(directory.path + "/" + name))
            #expect(report.contains(path) && report.contains("cannot be written: Not a directory"))
            #expect(!report.contains("a server failed"))
        }
    }
}
