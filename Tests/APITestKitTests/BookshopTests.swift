import APITestKitTesting
import Testing

/// The bookshop's suites: each of their tests is a case, with a result, a name and a place of its own.
@Suite("Bookshop")
struct BookshopTests {
    @Test(arguments: try SuiteCase.load("Suites/bookshop.apitest.yaml"))
    func bookshop(_ test: SuiteCase) async throws {
        try await test.check()
    }
}
