import APITestKit
import APITestKitTesting
import RunModel
import Testing

@Suite("Runs from Swift code")
struct TestRunTests {
    @Test("A run returns the counts of its tests")
    func run() async throws {
        let directory = TestRunOptions(callingFile: #filePath).directory + "/Suites"
        let options = TestRunOptions(directory: directory)
        let run = try TestRun(paths: ["bookshop.apitest.yaml"], options: options)
        let (summary, _) = await run.start(reporters: [])
        #expect(summary.counts.failed == 0)
        #expect(summary.counts.passed == 2)
    }
}
