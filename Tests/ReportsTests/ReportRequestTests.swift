import Reports
import Testing

struct ReportRequestTests {
    @Test(arguments: [("junit", "report.xml"), ("junit=out/a=b.xml", "out/a=b.xml"), ("junit=-", "-")])
    func reads(text: String, path: String) throws {
        let request = try ReportRequest(text)
        #expect(request.format == .junit)
        #expect(request.path == path)
    }

    @Test(arguments: [
        ("junti", #"unknown report format "junti"; did you mean "junit"? (supported: junit)"#),
        ("xyz=a", #"unknown report format "xyz" (supported: junit)"#),
        ("", #"unknown report format "" (supported: junit)"#),
        ("html", #"report format "html" is not supported yet; supported: junit"#),
        ("allure=dir", #"report format "allure" is not supported yet; supported: junit"#),
        ("junit:strict=x.xml", #"report format "junit:strict" is not supported yet; write "junit""#),
        ("junit=", #"report "junit=": a path is missing after "=""#),
    ])
    func refuses(text: String, message: String) {
        #expect(throws: ReportError.self) { try ReportRequest(text) }
        do { _ = try ReportRequest(text) } catch { #expect(error.message == message) }
    }
}
