import Basics
import Expectations
import RunModel
import Testing

@testable import Runner

struct BaselineTests {
    private static let suite = Suites.suite([Suites.test(0, "first"), Suites.test(1, "second")], path: "/suite.yaml")
    private static let plan = TestPlan(suites: [suite])
    /// 2026-11-22, noon.
    private static let time = 1_795_348_800.0

    private static func entry(
        _ test: String, _ subject: String, _ message: String, reason: String? = nil, until: String? = nil
    ) -> BaselineFile.Entry {
        BaselineFile.Entry(
            key: FindingKey(suite: "/suite.yaml", test: test, subject: subject, type: subject, message: message),
            reason: reason, until: until)
    }

    private static func baseline(_ entries: [BaselineFile.Entry]) -> Baseline {
        Baseline(known: BaselineFile(entries: entries), path: "known.json", suites: [suite], time: time)
    }

    private static func finding(_ subject: String, _ message: String, _ kind: Finding.Kind = .failure) -> Finding {
        Finding(kind: kind, subject: Finding.Subject(subject), type: .init(subject), message: MessageText(message))
    }

    /// Returns the result of a test with findings after applying the baseline.
    private static func result(
        of baseline: Baseline, _ index: Int, _ findings: [Finding], mask: SnapshotMask? = nil
    ) -> TestResult {
        let outcome: TestResult.Outcome =
            findings.isEmpty ? .passed : findings.contains { $0.kind == .error } ? .errored : .failed
        let entry = plan.tests[index]
        var result = TestResult(
            test: entry.reference, outcome: outcome,
            steps: [
                TestResult.Step(
                    name: entry.reference.name, outcome: outcome, findings: findings, range: entry.reference.range)
            ])
        baseline.apply(to: &result, of: entry) { mask }
        return result
    }

    @Test func knownFindingsDoNotFail() {
        let baseline = Self.baseline([
            Self.entry("first", "status", "expected 200, got 500"), Self.entry("first", "json $.id", "got #"),
            Self.entry("first", "connect", "no answer from #"),
        ])
        func outcome(_ findings: Finding...) -> TestResult.Outcome { Self.result(of: baseline, 0, findings).outcome }
        #expect(outcome(Self.finding("status", "expected 200, got 500")) == .known(reason: ""))
        #expect(outcome(Self.finding("status", "expected 200, got 404")) == .failed)
        #expect(
            outcome(Self.finding("json $.id", "got 17"), Self.finding("status", "expected 200, got 500"))
                == .known(reason: ""))
        #expect(outcome(Self.finding("json $.id", "got 17"), Self.finding("json $.no", "got 17")) == .failed)
        #expect(outcome(Self.finding("connect", "no answer from 127.0.0.1:4711", .error)) == .known(reason: ""))
        #expect(
            outcome(Self.finding("connect", "no answer from 10.0.0.1:1", .error), Self.finding("size", "got 1"))
                == .failed)
        #expect(outcome(Self.finding("tls", "no", .error), Self.finding("json $.id", "got 1")) == .errored)
        #expect(outcome() == .passed)
    }

    @Test func sayWhereTheyAreKnown() {
        let baseline = Self.baseline([
            Self.entry("first", "status", "a", reason: "SHOP-12", until: "2026-11-22"),
            Self.entry("first", "size", "a", until: "2026-11-21"),
        ])
        let result = Self.result(of: baseline, 0, [Self.finding("status", "a"), Self.finding("size", "a")])
        #expect(result.outcome == .failed)
        #expect(result.steps[0].findings.map(\.isKnown) == [true, false])
        #expect(
            result.steps[0].findings.map(\.details) == [
                ["known in , until 2026-11-22: SHOP-12"], ["known in  until 2026-11-21, which has passed"],
            ])
    }

    @Test func thoseThatAreGoneAreNamed() {
        let baseline = Self.baseline([
            Self.entry("first", "status", "a"), Self.entry("second", "status", "a"), Self.entry("old", "status", "a"),
            BaselineFile.Entry(
                key: FindingKey(suite: "/other.yaml", test: "first", subject: "status", type: "status", message: "a")),
        ])
        _ = Self.result(of: baseline, 0, [])
        #expect(
            baseline.notices().map { [$0.wording] + $0.details } == [
                [
                    "2 known findings no longer occur: remove them from known.json, or run with --write-baseline",
                    "first › status: a ()", "old › status: a ()",
                ]
            ])
    }

    @Test("Tests that no suite has written are known by their own identity")
    func ownIdentity() {
        func key(_ test: String, _ message: String) -> FindingKey {
            FindingKey(
                suite: "/openapi.yaml", test: test, subject: "server-error", type: "server-error", message: message)
        }
        let known = [
            key("GET /a › server-error", "500"), key("GET /b › server-error", "500"),
            key("GET /old › server-error", ""),
        ]
        let baseline = Baseline(
            known: BaselineFile(entries: known.map { BaselineFile.Entry(key: $0) }), path: "known.json",
            file: "/openapi.yaml", time: Self.time
        ) { !$0.contains("/old") }
        func outcome(_ key: FindingKey) -> TestResult.Outcome {
            let range = Self.plan.tests[0].reference.range
            var result = TestResult(
                test: TestReference(suite: 0, position: 0, name: "\(key.test) with null", range: range),
                outcome: .failed,
                steps: [
                    TestResult.Step(
                        name: "a", outcome: .failed, findings: [Self.finding("server-error", "status 500 for 17")],
                        range: range)
                ])
            baseline.apply(to: &result, key: key)
            return result.outcome
        }
        #expect(outcome(known[0]) == .known(reason: ""))
        #expect(outcome(key("GET /a › server-error", "503")) == .failed)
        baseline.note(test: "GET /b › server-error", of: "/openapi.yaml")
        #expect(
            baseline.notices().first?.details == [
                "GET /b › server-error: 500 ()", "GET /old › server-error:  ()",
            ])
        #expect(
            Set(baseline.written(existing: nil, mask: nil).entries.map(\.key))
                == [known[0], key("GET /a › server-error", "503")])
    }

    @Test func whatIsWrittenKeepsReasonsAndOtherTests() {
        let known = [
            Self.entry("first", "status", "a", reason: "SHOP-12"), Self.entry("first", "size", "gone"),
            Self.entry("second", "status", "not run"),
        ]
        let baseline = Self.baseline(known)
        _ = Self.result(of: baseline, 0, [Self.finding("status", "a"), Self.finding("body", "new secret")])
        let written = baseline.written(existing: nil) { $0.replacing("secret", with: "***") }
        #expect(
            Set(written.entries) == [known[0], known[2], Self.entry("first", "body", "new ***")])
    }

    @Test func secretsAreMaskedBeforeTheyAreCompared() {
        let baseline = Self.baseline([Self.entry("first", "body", "got ***")])
        let result = Self.result(of: baseline, 0, [Self.finding("body", "got hunter")]) {
            $0.replacing("hunter", with: "***")
        }
        #expect(result.outcome == .known(reason: ""))
    }

    @Test(
        arguments: [
            (0.0, "1970-01-01"), (1_795_348_800, "2026-11-22"), (1_709_164_800, "2024-02-29"),
            (-.infinity, "1970-01-01"),
        ] as [(Double, String)])
    func daysAreThoseOfUTC(time: Double, day: String) {
        #expect(Baseline.day(of: time) == day)
    }
}
