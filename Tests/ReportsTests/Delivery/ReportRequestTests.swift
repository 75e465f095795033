import Reports
import Testing

@testable import Output

struct ReportRequestTests {
    @Test(arguments: [("junit", "report.xml"), ("junit=out/a=b.xml", "out/a=b.xml"), ("junit=-", "-")])
    func reads(text: String, path: String) throws {
        let request = try ReportRequest(text)
        #expect(request.format == .junit)
        #expect(request.path == path)
    }

    private static let known =
        "(supported: \(ReportRequest.Format.allCases.map(\.rawValue).joined(separator: ", ")))"

    @Test(arguments: [
        ("junti", #"unknown report format "junti"; did you mean "junit"? "# + known),
        ("xyz=a", #"unknown report format "xyz" "# + known),
        ("", #"unknown report format "" "# + known),
        ("ctrf:x=a.json", #"report "ctrf:x=a.json": the format "ctrf" has no options"#),
        ("tap:x=a.tap", #"unknown tap option "x" (supported: version)"#),
        ("junit=", #"report "junit=": expected a path after "=""#),
    ])
    func refuses(text: String, message: String) {
        #expect(throws: ReportError.self) { try ReportRequest(text) }
        do { _ = try ReportRequest(text) } catch { #expect(error.message == message) }
    }
}
