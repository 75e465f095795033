import Basics
import Diagnostics
import Histogram
import RunModel
import Testing

@testable import Runner

@Testing.Suite("Verdicts of loads")
struct LoadVerdictTests {
    private static let text = "p99 < duration('300ms') && failed == 0.0"
    private let range = SourceRange(
        file: SourceFile(name: "shop.yaml", text: text), start: SourcePosition(line: 1, column: 1),
        end: SourcePosition(line: 1, column: text.unicodeScalars.count + 1))

    /// Returns a load with 99 passed requests and a failed one.
    private func summary(_ thresholds: [String]) -> LoadSummary {
        var summary = LoadSummary(profile: "peak", load: "1/s for 100s", range: range)
        summary.duration = 100_000_000_000
        for index in 0..<100 {
            summary.total.record(response: 200_000_000, service: 100_000_000, isFailed: index == 0)
        }
        summary.steps = [LoadSummary.Step(test: "home")]
        summary.thresholds = thresholds.map { LoadSummary.Condition(source: $0, range: range) }
        return summary
    }

    @Test("Thresholds are evaluated from their sources, and failed ones explain themselves")
    func thresholds() throws {
        let results = LoadVerdict.results(of: summary(["rate == 1.0", Self.text, "p50 <\n  duration('1s')"]))
        #expect(results.map(\.outcome) == [.passed, .failed, .passed])
        #expect(results.map(\.test.name) == ["rate == 1.0", Self.text, "p50 < duration('1s')"])
        let finding = try #require(results[1].steps.first?.findings.first)
        #expect(finding.message == "\(Self.text) is false")
        #expect(finding.subject == "threshold")
        #expect(finding.details.contains { $0.text.contains("failed = 1") })
    }

    @Test("A source that is not an expression is an error of its case")
    func damaged() throws {
        let results = LoadVerdict.results(of: summary(["p99 <", "step[\"away\"].failed == 0.0"]))
        #expect(results.map(\.outcome) == [.errored, .errored])
        #expect(results[0].steps.first?.findings.first?.kind == .error)
    }

    @Test("Without thresholds, no request may fail")
    func none() {
        #expect(LoadVerdict.results(of: summary([])).map(\.outcome) == [.failed])
        #expect(LoadVerdict.results(of: summary([])).map(\.test.name) == ["no failed requests"])
    }

    @Test(
        "A generator is late from a millisecond, and from 5% of the response times",
        arguments: [(900, 1_000, false), (1_100, 10_000, true), (1_100, 100_000, false), (6_000, 100_000, true)])
    func late(lateness: Int64, response: Int64, isInvalid: Bool) {
        var summary = LoadSummary(profile: "peak", load: "1/s for 100s", range: range)
        for _ in 0..<100 {
            summary.lateness.record(lateness * 1_000)
            summary.total.record(response: response * 1_000, service: response * 1_000, isFailed: false)
        }
        let invalidities = LoadVerdict.invalidities(of: summary, elapsed: 1_000_000_000)
        #expect(invalidities.isEmpty != isInvalid)
        for invalidity in invalidities {
            if case .late = invalidity { continue }
            Issue.record("another reason: \(invalidity)")
        }
    }

    @Test("Invalid figures and an abort are cases of their own")
    func invalid() {
        var summary = summary(["failed >= 0.0"])
        summary.invalidities = [.late(p99: 20_000_000, response: 200_000_000), .busy(share: 0.95)]
        summary.abort = LoadSummary.Condition(source: "failed  >\n0.0", range: range)
        #expect(LoadVerdict.abortion(of: summary) == nil)
        summary.isAborted = true
        let results = LoadVerdict.results(of: summary)
        #expect(results.map(\.test.name) == ["failed >= 0.0", "valid figures", "abort"])
        #expect(results.map(\.outcome) == [.passed, .errored, .failed])
        #expect(results.map(\.test.position) == [0, 1, 2])
        #expect(results[1].steps.first?.findings.count == 2)
        #expect(
            results[2].steps.first?.findings.first?.message == "failed > 0.0 became true, which ended the load")
    }
}
