import TestSupport
import Testing

/// Tests of `apitest import` with a directory.
@Suite("Imports of directories")
struct ImportDirectoryTests {
    @Test("Documentation that shows commands does not become a suite")
    func documentation() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(
            "# Shop\n\n```sh\ncurl https://example.org/books\n```\n".utf8, to: directory.path + "/README.md")
        let none = try await Program.run(["import", "."], in: directory.path)
        #expect(none.ending == .exit(2) && none.error.contains("[unknown-import-format]"))
        TestFiles.write("curl https://example.org/a\n".utf8, to: directory.path + "/requests.sh")
        let some = try await Program.run(["import", ".", "-o", "all"], in: directory.path)
        #expect(some.ending == .exit(0) && TestFiles.names(in: directory.path + "/all") == ["requests.apitest.yaml"])
    }
}
