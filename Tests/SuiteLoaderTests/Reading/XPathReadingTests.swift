import Diagnostics
import SuiteModel
import SuiteTestSupport
import Testing
import XML

@testable import SuiteLoader

@Suite("Reading XPath expressions and namespaces")
struct XPathReadingTests {
    @Test("Expectations and captures use the suite's namespaces wherever these are declared")
    func all() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { expect: { xml: { //s:loc: { exists: true } } } }
            tests:
              - name: a
                request: GET /
                expect:
                  xml:
                    count(//s:url): 2
                    //s:url[1]/s:loc: { startsWith: http }
                  html: { //h1: Title }
                capture:
                  first: { xpath: "string(//s:loc)", as: string, secret: true, default: none }
              - { name: b, request: GET /, expect: { xml: null } }
              - { name: c, request: GET /, expect: { status: 200 } }
            namespaces: { s: "http://www.sitemaps.org/schemas/sitemap/0.9", _: urn:x }
            """)
        let step = suite.tests[0].steps[0]
        let extras = try #require(step.expectations.extras)
        #expect(extras.xml.map(\.query.expression.text) == ["count(//s:url)", "//s:url[1]/s:loc"])
        #expect(extras.xml.first?.query.namespaces["s"] == "http://www.sitemaps.org/schemas/sitemap/0.9")
        #expect(extras.html.map(\.query.expression.text) == ["//h1"])
        guard case .xpath(let query)? = step.captures.first?.source else {
            Issue.record("expected an XPath query")
            return
        }
        #expect(query.namespaces.count == 2)
        #expect(suite.tests[1].steps[0].expectations.extras == nil)
        #expect(suite.tests[2].steps[0].expectations.extras?.xml.count == 1)
    }

    @Test("Namespaces apply to the document that declares them")
    func documents() {
        let result = load(
            """
            namespaces: { p: urn:p }
            tests: [{ name: a, request: GET http://localhost/, expect: { xml: { //p:a: 1 } } }]
            ---
            tests: [{ name: a, request: GET http://localhost/, expect: { xml: { //p:a: 1 } } }]
            """)
        #expect(result.diagnostics.map(\.id) == ["unknown-prefix"])
        #expect(result.diagnostics.first?.range?.start.line == 4)
    }

    @Test("Without libxml2, a file has one problem, and the rest is still checked")
    func missingLibrary() {
        let text = """
            tests:
              - { name: a, request: GET http://localhost/, expect: { xml: { //a: 1, "//b[": 1 } } }
            """
        for severity in [Severity.error, .warning] {
            var options = LoaderOptions(fileRoot: "/project", workingDirectory: "/project")
            options.canEvaluateXPath = { false }
            options.missingLibrarySeverity = severity
            let diagnostics = SuiteLoader(options: options).load(
                SourceFile(name: "a.yaml", text: text), absolutePath: "/project/a.yaml"
            ).diagnostics
            #expect(diagnostics.map(\.id) == ["missing-library", "invalid-xpath"])
            #expect(diagnostics.first?.severity == severity)
            #expect(diagnostics.first?.message == "XPath requires libxml2, which is not installed")
        }
        var options = LoaderOptions(fileRoot: "/project", workingDirectory: "/project")
        options.canEvaluateXPath = {
            Issue.record("libxml2 was looked up for a suite without XPath")
            return false
        }
        let file = SourceFile(name: "a.yaml", text: "tests: [{ name: a, request: GET http://localhost/ }]")
        #expect(SuiteLoader(options: options).load(file, absolutePath: "/project/a.yaml").diagnostics.isEmpty)
    }
}
