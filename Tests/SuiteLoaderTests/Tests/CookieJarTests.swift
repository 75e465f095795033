import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Cookie jars of tests")
struct CookieJarTests {
    private func modes(_ lines: String, defaults: String = "") throws -> [SuiteTest.CookieJarMode] {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            \(defaults)
            setup: [{ request: GET /login }]
            tests:
              - { name: a, \(lines) request: GET / }
              - { name: b, request: GET / }
            teardown: [{ request: GET /logout }]
            """)
        return suite.tests.map(\.cookieJar)
    }

    @Test("The setup and the teardown use the jar of the suite as soon as one test does")
    func setup() throws {
        #expect(try modes("") == [.new, .new, .new, .new])
        #expect(try modes("cookieJar: off,") == [.new, .off, .new, .new])
        #expect(try modes("cookieJar: keep,") == [.keep, .keep, .new, .keep])
    }

    @Test("The default applies to all tests, the setup and the teardown")
    func defaults() throws {
        #expect(try modes("", defaults: "defaults: { cookieJar: keep }") == [.keep, .keep, .keep, .keep])
        #expect(try modes("cookieJar: new,", defaults: "defaults: { cookieJar: off }") == [.off, .new, .off, .off])
        #expect(try modes("cookieJar: new,", defaults: "defaults: { cookieJar: keep }") == [.keep, .new, .keep, .keep])
    }
}
