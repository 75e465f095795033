import Testing

@testable import Reports

struct SuiteTableTests {
    @Test(arguments: [[], [0], [2, 0], [1, 5_000, 3], [-1, .max, 4_095, 4_096], [.min]])
    func valuesByTheirSuites(_ suites: [Int]) {
        var table = SuiteTable<String>()
        for suite in suites { table[suite] = "first" }
        for suite in suites { table[suite]? += " \(suite)" }
        for suite in suites { #expect(table[suite] == "first \(suite)") }
        #expect(table.sorted.map(\.suite) == suites.sorted())
        #expect(table.sorted.map(\.value) == suites.sorted().map { "first \($0)" })
        for suite in [7, 4_097, -2] { #expect(table[suite] == nil) }
    }

    @Test func whatIsNotThereIsNotChanged() {
        var table = SuiteTable<String>()
        table[3]? += "x"
        table[9_999]? += "x"
        #expect(table.sorted.isEmpty)
    }
}
