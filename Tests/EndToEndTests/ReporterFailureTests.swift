import Reports
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

    private func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        #expect(TestFiles.write(Array(Self.suite.utf8), to: directory.path + "/suite.yaml"))
        #expect(
            TestFiles.write(
                Array("routes:\n  - request: GET /**\n    respond: { json: {} }\n".utf8),
                to: directory.path + "/api.mock.yaml"))
        return directory
    }

    /// Returns the text at the end of a complete report in a format.
    private static func end(of format: ReportRequest.Format) -> String {
        switch format {
        case .junit: "</testsuites>"
        case .html: "</html>"
        case .json: "\"event\":\"runEnd\""
        case .tap: "1..2"
        case .ctrf: "\"results\""
        case .har: "\"entries\""
        case .verdict: "\"failures\""
        case .csv: ",warmup\n"
        case .markdown, .github, .allure: "fails"
        }
    }

    @Test(arguments: ReportRequest.Format.files)
    func onAFullDisk(_ format: ReportRequest.Format) async throws {
        let directory = try directory()
        let others = ReportRequest.Format.files.filter { $0 != format }
        var arguments = ["suite.yaml", "--report", "\(format.rawValue)=/dev/full"]
        for other in others { arguments += ["--report", "\(other.rawValue)=\(other).out"] }
        let (ending, _, error) = try await Program.run(arguments, in: directory.path)
        #expect(ending == .exit(4))
        #expect(error.contains("cannot write the report \"/dev/full\": No space left on device"), "\(error)")
        for other in others {
            let text = TestFiles.text("\(directory.path)/\(other).out")
            #expect(text?.contains(Self.end(of: other)) == true, "\(other)")
        }
    }

    @Test(arguments: ReportRequest.Format.files + [.allure])
    func whereNothingCanBeWritten(_ format: ReportRequest.Format) async throws {
        let directory = try directory()
        #expect(TestFiles.write([], to: directory.path + "/file"))
        let (ending, output, error) = try await Program.run(
            ["suite.yaml", "--report", "\(format.rawValue)=file/report", "--report", "junit=other.xml"],
            in: directory.path)
        #expect(ending == .exit(2))
        #expect(output.isEmpty)
        #expect(error.contains("cannot write the report \"file/report\": Not a directory"), "\(error)")
        #expect(!TestFiles.exists(directory.path + "/other.xml"))
    }
}
