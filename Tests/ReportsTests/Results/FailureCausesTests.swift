import Basics
import Diagnostics
import RunModel
import Testing

@testable import Reports

struct FailureCausesTests {
    private let fixture = Fixture()

    private func failure(_ findings: [Finding], _ outcome: TestResult.Outcome = .failed, line: Int = 1) -> TestResult {
        var result = fixture.result("a", outcome, findings: findings, exchange: Fixture.created)
        var range = result.steps[0].range
        range.start.line = Int32(line)
        result.steps[0].range = range
        return result
    }

    private func numbers(_ results: [TestResult]) -> [Int?] {
        var causes = FailureCauses()
        return results.map { causes.add($0)?.index }
    }

    @Test func allFindingsCount() {
        let status = fixture.statusFinding
        let both = [status, fixture.titleFinding]
        #expect(numbers([failure([status]), failure(both, line: 2), failure([status], line: 3)]) == [0, 1, 0])
    }

    @Test func rowsOfATestAreOneCauseWhateverTheValuesAre() {
        let rows = (0..<4).map { index in
            var finding = fixture.statusFinding
            finding.wording = "expected 201, got \(index)"
            return failure([finding])
        }
        #expect(numbers(rows + [failure([rows[1].steps[0].findings[0]], line: 9)]) == [0, 0, 0, 0, 1])
    }

    @Test func anErrorIsAnotherCauseThanAFailure() {
        var abort = fixture.statusFinding
        abort.kind = .error
        abort.type = .connectionClosed
        #expect(numbers([failure([fixture.statusFinding]), failure([abort], .errored)]) == [0, 1])
    }

    @Test func onlyWhatKeepsEveryResponseAwayIsAnOutage() {
        var aborted = fixture.result("a", .errored, findings: [fixture.refusedFinding], exchange: Fixture.refused)
        #expect(FailureCause(of: aborted)?.isOutage == true)
        // If a server aborts a single exchange, the cause may be in that exchange.
        aborted.steps[0].exchange?.failure?.phase = .receive
        #expect(FailureCause(of: aborted)?.isOutage == false)
        // A test with an additional cause is not distinguished from the outage by its first step.
        var more = fixture.result("a", .errored, findings: [fixture.refusedFinding], exchange: Fixture.refused)
        more.steps.append(fixture.step("b", .failed, findings: [fixture.statusFinding], exchange: Fixture.created))
        #expect(FailureCause(of: more)?.isOutage == false)
    }

    @Test func whatDidNotFailHasNoCause() {
        #expect(FailureCause(of: fixture.result("a", .passed)) == nil)
        #expect(FailureCause(of: fixture.result("a", .blocked(by: "b"))) == nil)
    }

    @Test func causesAreBounded() {
        let results = (0..<1_100).map { index in
            var finding = fixture.statusFinding
            finding.wording = "\(index)"
            finding.range = nil
            return failure([finding], line: index + 1)
        }
        let numbers = numbers(results)
        #expect(numbers[999] == 999)
        #expect(numbers[1_000...].allSatisfy { $0 == nil })
    }
}
