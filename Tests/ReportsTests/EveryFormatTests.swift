import Testing

@testable import Reports

/// What holds for every format of reports, and for each that is added.
struct EveryFormatTests {
    /// All but that of a folder, which is read otherwise.
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
