import Testing

/// Tests that a report that cannot be written does not affect the others.
struct ReporterFailureTests {
    private static let suite = """
        name: Two
        serve: { mock: api.mock.yaml }
        tests:
          - name: holds
            request: GET /a
          - name: fails
            request: GET /b
            expect: { status: 201 }
        """

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        #expect(TestFiles.write(Array(Self.suite.utf8), to: folder.path + "/suite.yaml"))
        #expect(
            TestFiles.write(
                Array("routes:\n  - request: GET /**\n    respond: { json: {} }\n".utf8),
                to: folder.path + "/api.mock.yaml"))
        return folder
    }

    /// The single-file formats, each with the text that marks a complete file.
    private static let files = [
        ("junit", "</testsuites>"), ("html", "</html>"), ("json", "\"event\":\"runEnd\""), ("tap", "1..2"),
        ("ctrf", "\"results\""), ("markdown", "fails"), ("har", "\"entries\""),
    ]

    @Test(arguments: files.map(\.0))
    func onAFullDisk(_ format: String) async throws {
        let folder = try folder()
        var arguments = ["suite.yaml", "--report", "\(format)=/dev/full"]
        for (other, _) in Self.files where other != format { arguments += ["--report", "\(other)=\(other).out"] }
        let (ending, _, error) = try await Program.run(arguments, in: folder.path)
        #expect(ending == .exit(4))
        #expect(error.contains("cannot write the report /dev/full: No space left on device"), "\(error)")
        for (other, text) in Self.files where other != format {
            #expect(TestFiles.text("\(folder.path)/\(other).out")?.contains(text) == true, "\(other)")
        }
    }

    @Test(arguments: files.map(\.0) + ["allure"])
    func whereNothingCanBeWritten(_ format: String) async throws {
        let folder = try folder()
        #expect(TestFiles.write([], to: folder.path + "/file"))
        let (ending, output, error) = try await Program.run(
            ["suite.yaml", "--report", "\(format)=file/report", "--report", "junit=other.xml"], in: folder.path)
        #expect(ending == .exit(2))
        #expect(output.isEmpty)
        #expect(error.contains("file/report: Not a directory"), "\(error)")
        #expect(!TestFiles.exists(folder.path + "/other.xml"))
    }
}
