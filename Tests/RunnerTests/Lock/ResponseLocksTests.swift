import Basics
import Expectations
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Runner

/// Tests of recordings that update an existing response lock.
struct ResponseLocksTests {
    private let suite = Suites.suite([
        Suites.test(0, "first"), Suites.test(1, "second"), Suites.test(2, "second"), Suites.test(3, "last"),
    ])

    private static func content(_ body: String, status: Int = 200, headers: [HeaderField] = []) -> ResponseContent {
        ResponseContent(
            Exchange(
                request: Exchange.Request(method: "GET", url: "http://127.0.0.1/"),
                response: Exchange.Response(
                    status: status,
                    headers: [HeaderField(name: "Content-Type", value: "application/json")] + headers,
                    body: Array(body.utf8))))
    }

    /// Records responses of a test by its index.
    private func record(
        _ locks: ResponseLocks, _ index: Int, _ bodies: [String], outcome: TestResult.Outcome = .passed
    ) {
        let plan = TestPlan(suites: [suite])
        let responses = locks.responses(of: plan.tests[index])
        let step = suite.tests[index].steps[0]
        for body in bodies { _ = responses.note(Self.content(body), step: nil, of: step, isStatusWrong: false) }
        responses.finish(
            outcome, steps: [TestResult.Step(name: "", outcome: outcome, range: suite.range)])
    }

    private func lines(_ file: LockFile) -> [String] {
        file.entries.map { entry in
            let shapes = entry.shapes.sorted { $0.key < $1.key }.map { status, shape in
                "\(status) \(shape.body?.schema.serialized() ?? "-")"
            }
            return "\(entry.key.title): \(shapes.joined(separator: ", "))"
        }
    }

    private func file(
        _ locks: ResponseLocks, existing: LockFile? = nil, merges: Bool = false, mask: SnapshotMask? = nil
    ) -> LockFile {
        locks.lockFile(ofSuites: [0], documents: [suite], existing: existing, merges: merges, mask: mask)
    }

    @Test func entriesAreInTheOrderOfTheSuite() {
        let locks = ResponseLocks(recording: [suite])
        record(locks, 3, ["1"])
        record(locks, 2, ["\"a\""])
        record(locks, 1, ["true"])
        record(locks, 0, ["[]", "[1]"])
        #expect(
            lines(file(locks)) == [
                #"first: 200 {"type":"array","items":{"type":"integer"}}"#, #"second: 200 {"type":"boolean"}"#,
                #"second [2]: 200 {"type":"string"}"#, #"last: 200 {"type":"integer"}"#,
            ])
    }

    @Test func ofTestsThatDoNotPassNothingIsLocked() {
        let locks = ResponseLocks(recording: [suite])
        record(locks, 0, ["1"], outcome: .failed)
        record(locks, 1, ["1"], outcome: .errored)
        record(locks, 2, ["1"], outcome: .flaky)
        record(locks, 3, [], outcome: .skipped(reason: ""))
        #expect(lines(file(locks)) == [#"second [2]: 200 {"type":"integer"}"#])
        #expect(locks.failedTests(ofSuite: 0) == ["first", "second"])
    }

    @Test func updatesMergeAndReplacementsDoNot() {
        let before = ResponseLocks(recording: [suite])
        record(before, 0, ["1"])
        record(before, 1, ["1"])
        record(before, 3, ["1"])
        var existing = file(before)
        existing.entries.append(
            LockFile.Entry(key: LockKey(test: "gone"), shapes: [200: ResponseShape(contentTypes: ["a/b"])]))

        let after = ResponseLocks(recording: [suite])
        record(after, 0, ["null"])
        record(after, 1, ["null"], outcome: .failed)
        #expect(
            lines(file(after, existing: existing, merges: true)) == [
                #"first: 200 {"type":["integer","null"]}"#, #"second: 200 {"type":"integer"}"#,
                #"last: 200 {"type":"integer"}"#,
            ])
        #expect(
            lines(file(after, existing: existing)) == [
                #"first: 200 {"type":"null"}"#, #"second: 200 {"type":"integer"}"#, #"last: 200 {"type":"integer"}"#,
            ])
    }

    @Test func onlyTheAttemptThatCountsIsRecorded() {
        let locks = ResponseLocks(recording: [suite])
        let responses = locks.responses(of: TestPlan(suites: [suite]).tests[0])
        let step = suite.tests[0].steps[0]
        _ = responses.note(Self.content("1"), step: nil, of: step, isStatusWrong: false)
        let mark = responses.mark
        _ = responses.note(Self.content("null"), step: nil, of: step, isStatusWrong: false)
        responses.rewind(to: mark)
        _ = responses.note(Self.content("2"), step: nil, of: step, isStatusWrong: false)
        responses.finish(.flaky, steps: [TestResult.Step(name: "", outcome: .flaky, range: suite.range)])
        #expect(lines(file(locks)) == [#"first: 200 {"type":"integer"}"#])
    }

    @Test func secretsAreNotLocked() {
        let locks = ResponseLocks(recording: [suite])
        let values = (0..<40).map { $0 % 2 == 0 ? "\"open\"" : "\"hunter\"" }
        record(locks, 0, ["[\(values.joined(separator: ","))]", #"[{"hunter":1}]"#])
        record(locks, 1, ["[\(values.joined(separator: ","))]"])
        let mask: SnapshotMask = { $0.replacing("hunter", with: "***") }
        #expect(lines(file(locks))[1].contains("hunter"))
        #expect(!file(locks, mask: mask).text(ofSuite: "s.yaml").contains("hunter"))
        #expect(
            lines(file(locks, mask: mask)) == [
                #"first: 200 {"type":"array","items":{"type":["object","string"],"additionalProperties":{"type":"integer"}}}"#,
                #"second: 200 {"type":"array","items":{"type":"string"}}"#,
            ])
    }

    @Test func namesTooLongForAKeyAreData() {
        let locks = ResponseLocks(recording: [suite])
        record(locks, 0, ["{\"\(String(repeating: "n", count: 5_000))\": 1}"])
        #expect(lines(file(locks)) == [#"first: 200 {"type":"object","additionalProperties":{"type":"integer"}}"#])
    }

    @Test func headersAreLockedByName() {
        let locks = ResponseLocks(recording: [suite])
        let responses = locks.responses(of: TestPlan(suites: [suite]).tests[0])
        for headers in [["ETag", "Link", "Date", "X-Request-Id"], ["etag", "Server"]] {
            let fields = headers.map { HeaderField(name: $0, value: "x") }
            _ = responses.note(
                Self.content("1", headers: fields), step: nil, of: suite.tests[0].steps[0], isStatusWrong: false)
        }
        responses.finish(.passed, steps: [])
        #expect(file(locks).entries.first?.shapes[200]?.headers == ["etag": true, "link": false])
    }

    @Test func aComparisonTellsWhatIsNotAllowedAndWhatIsNew() throws {
        let recording = ResponseLocks(recording: [suite])
        record(recording, 0, [#"{"id":1,"at":"2026-11-22"}"#])
        var existing = file(recording)
        existing.entries.append(
            LockFile.Entry(key: LockKey(test: "gone"), shapes: [200: ResponseShape(contentTypes: ["a/b"])]))
        let (lock, _) = SuiteLock.read(Array(existing.text(ofSuite: "suite.yaml").utf8), path: "suite.lock.yaml")
        let locks = ResponseLocks(comparing: [suite], with: [lock])
        let plan = TestPlan(suites: [suite])
        let step = suite.tests[0].steps[0]

        let responses = locks.responses(of: plan.tests[0])
        let findings = responses.note(
            Self.content(#"{"id":null,"new":1}"#), step: nil, of: step, isStatusWrong: false)
        #expect(
            findings.map { "\($0.subject): \($0.message) (\($0.type.rawValue))" } == [
                "lock $.id: locked as integer, got null (lock)",
                "lock $.at: the member is missing; it is locked as string (date) (lock)",
            ])
        #expect(
            findings.first?.details == [
                #"locked in suite.lock.yaml:15 as {"type":"integer"}"#, #"the response has {"type":"null"}"#,
            ])
        #expect(findings.first?.range == step.range)
        responses.finish(.failed, steps: [TestResult.Step(name: "", outcome: .failed, range: suite.range)])

        let other = locks.responses(of: plan.tests[1])
        #expect(other.note(Self.content("1"), step: nil, of: step, isStatusWrong: false).isEmpty)
        other.finish(.passed, steps: [TestResult.Step(name: "", outcome: .passed, range: suite.range)])

        #expect(
            locks.notices().map { [$0.wording] + $0.details } == [
                [
                    "1 addition is not in suite.lock.yaml; add it with \"apitest lock --update\"",
                    "first: $.new: the member is new: integer (suite.lock.yaml:13)",
                ],
                ["1 step has no entry in suite.lock.yaml; add it with \"apitest lock --update\"", "second"],
                [
                    "1 entry of suite.lock.yaml no longer matches a step; remove it with \"apitest lock --update\"",
                    "gone (suite.lock.yaml:16)",
                ],
            ])
    }

    @Test func aStatusThatIsWrongAnywayIsToldOnce() {
        let recording = ResponseLocks(recording: [suite])
        record(recording, 0, ["1"])
        let text = file(recording).text(ofSuite: "suite.yaml")
        let locks = ResponseLocks(
            comparing: [suite], with: [SuiteLock.read(Array(text.utf8), path: "suite.lock.yaml").lock])
        let responses = locks.responses(of: TestPlan(suites: [suite]).tests[0])
        let step = suite.tests[0].steps[0]
        for (isWrong, count) in [(true, 0), (false, 1)] {
            let findings = responses.note(
                Self.content("{}", status: 500), step: nil, of: step, isStatusWrong: isWrong)
            #expect(findings.count == count)
        }
    }
}
