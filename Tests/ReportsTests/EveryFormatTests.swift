import Testing

@testable import Reports

/// Tests of the properties of every report format, including new ones.
struct EveryFormatTests {
    /// All formats except Allure, which writes a directory and is read differently.
    private static let formats = ReportRequest.Format.allCases.filter { $0 != .allure }

    @Test(arguments: formats, HostileText.all)
    func noTextDrivesATerminal(_ format: ReportRequest.Format, _ text: String) throws {
        let bytes = try RichRun.report(HostileText.events(text)) { path in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        #expect(!bytes.isEmpty && !bytes.contains(0x1B))
        #expect(String(validating: bytes, as: UTF8.self) != nil)
    }
}
