import RunModel
import Testing

@testable import Reports

struct LoadTableTests {
    @Test(arguments: [
        (0, 0, "0%"), (0, 10, "0%"), (1, 4, "25%"), (1, 1_000_000, "< 0.01%"), (1, 800, "0.13%"), (101, 200, "50.50%"),
        (1, 1, "100%"),
    ])
    func percent(_ part: Int, _ whole: Int, _ text: String) {
        #expect(LoadTable.percent(part, of: whole) == text)
    }

    @Test func theOnlyStepHasNoSum() {
        var summary = LoadSample.summary
        #expect(LoadTable(summary).rows.map(\.name).first == "all")
        #expect(LoadTable(summary, maximumSteps: 1).omitted == 1)
        summary.steps.removeFirst()
        #expect(LoadTable(summary).rows.map(\.name) == ["add a book", "service time"])
    }

    @Test func aLoadWithoutRequestsHasEmptyCells() {
        let summary = LoadSummary(profile: "a", load: "1/s for 1s", range: Fixture().range("name"))
        let table = LoadTable(summary)
        #expect(table.rows.map(\.latencies) == [[String]](repeating: LoadTable.latencies.map { _ in "" }, count: 2))
        #expect(LoadTable.facts(summary) == ["0 requests", "0 iterations", "0 failed (0%)"])
    }
}
