import RunModel
import Testing

@testable import Runner

@Suite("Results that are not yet reported")
struct HeldResultsTests {
    private func reference(_ index: Int) -> TestReference {
        var reference = TestPlan(suites: [Suites.suite([Suites.test(0, "")])]).tests[0].reference
        reference.name = "\(index)"
        return reference
    }

    @Test("Consecutive tests that did not run are held as one, and each is returned in its turn")
    func ranges() {
        var held = Dispatcher.HeldResults()
        let skipped = Dispatcher.HeldResults.NotRun(outcome: .skipped(reason: "interrupted"), isCutOff: true)
        let blocked = Dispatcher.HeldResults.NotRun(outcome: .blocked(by: "login"), start: 7)
        for index in 3..<1_000 { held.add(skipped, at: index) }
        for index in 1_000..<2_000 { held.add(blocked, at: index) }
        held.add(skipped, at: 1)
        held.add(TestResult(test: reference(2), outcome: .passed), at: 2)
        #expect(held.count == 4)
        #expect(held.remove(at: 0, reference: reference) == nil)
        held.add(blocked, at: 0)
        let results = (0..<2_001).compactMap { held.remove(at: $0, reference: reference) }
        #expect(results.map(\.test.name) == (0..<2_000).map { "\($0)" })
        #expect(results.map(\.isCutOff) == (0..<2_000).map { $0 == 1 || (3..<1_000).contains($0) })
        #expect(results.map(\.start) == (0..<2_000).map { $0 == 0 || $0 >= 1_000 ? 7 : 0 })
        #expect(results[2].outcome == .passed)
        #expect(held.count == 0)
    }

    @Test("A range continues after its first tests were reported")
    func continued() {
        var held = Dispatcher.HeldResults()
        let result = Dispatcher.HeldResults.NotRun(outcome: .skipped(reason: "if"))
        for index in 0..<100 {
            held.add(result, at: index)
            #expect(held.count == 1)
            if index % 3 > 0 { #expect(held.remove(at: index - 1 - index / 3, reference: reference) != nil) }
        }
    }
}
