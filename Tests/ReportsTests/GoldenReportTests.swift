import Testing

@testable import Reports

/// Tests of the reports of the rich run, byte for byte.
struct GoldenReportTests {
    @Test func junit() throws {
        let bytes = try RichRun.report { try JUnitReporter(path: $0) }
        try GoldenFile.expect(bytes, named: "junit.xml")
    }

    @Test func strictJUnit() throws {
        let request = try ReportRequest("junit:strict")
        let bytes = try RichRun.report { try JUnitReporter(path: $0, options: JUnitOptions(request)) }
        try GoldenFile.expect(bytes, named: "junit-strict.xml")
    }

    @Test func noReportShowsTheSecret() throws {
        for format in ReportRequest.Format.allCases where format != .allure && format != .github {
            let bytes = try RichRun.report {
                try ReporterFactory.reporter(for: ReportRequest(format: format, path: $0))
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(RichRun.secret), "\(format)")
        }
    }
}
