import Diagnostics
import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Places on the command line")
struct LocationFinderTests {
    /// Two tests on lines 2 to 3 and 8 to 9. Lines 4 and 6 are empty; lines 5 and 7 are comments.
    private let suite: SuiteModel.Suite = {
        let text = "tests:\n- a\n  x\n\n# one\n\n# of b\n- b\n  x\n\nteardown:\n"
        let file = SourceFile(name: "s.yaml", text: text)
        let range = SourceRange(file: file, bytes: 0..<1)
        func test(_ index: Int, _ name: String, _ lines: ClosedRange<Int32>) -> SuiteTest {
            SuiteTest(index: index, name: name, steps: [], hasSteps: true, range: range, lines: lines)
        }
        return SuiteModel.Suite(
            file: file, path: "s.yaml", directory: "/", documentIndex: 0, name: "S",
            tests: [test(0, "a", 2...3), test(1, "b", 8...9)], range: range)
    }()

    @Test(
        "A line selects the test that contains it or is next to it",
        arguments: [
            (1, nil), (2, "a"), (3, "a"), (4, "a"), (5, "a"), (6, "a"), (7, "b"), (8, "b"), (9, "b"), (10, nil),
        ]
            as [(Int32, String?)])
    func lines(line: Int32, name: String?) {
        let found = LocationFinder([.init(path: "s.yaml", line: line)], in: [suite])
        let plan = TestPlan(suites: [suite], selection: TestSelection(locations: found.locations))
        #expect(plan.tests.map(\.reference.name) == (name.map { [$0] } ?? []))
        #expect(found.misses.isEmpty == (name != nil))
    }

    @Test("A line that selects no test reports the nearest one")
    func nearest() {
        let found = LocationFinder([.init(path: "s.yaml", line: 11), .init(path: "s.yaml", line: 1)], in: [suite])
        #expect(found.misses.map { $0.nearest?.name } == ["b", "a"])
        #expect(found.misses.map { $0.nearest?.line } == [8, 2])
    }
}
