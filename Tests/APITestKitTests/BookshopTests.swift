import APITestKitTesting
import Testing

/// Tests of the bookshop's suites. Each suite test is a test case with its own result, name and location.
@Suite("Bookshop")
struct BookshopTests {
    @Test(arguments: try SuiteCase.load("Suites/bookshop.apitest.yaml"))
    func bookshop(_ test: SuiteCase) async throws {
        try await test.check()
    }
}
