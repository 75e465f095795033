import Basics
import Diagnostics
import JSON
import RunModel

/// A handwritten suite and the events of its run.
struct Fixture {
    static let text = """
        name: Bookshop
        baseURL: http://127.0.0.1:8080
        tests:
          - name: add a book
            request:
              method: POST
              url: /books
              json: { title: Dune }
            expect:
              status: 201
              json:
                $.title: Dune
                $.author: 渡辺 "x"
          - name: read it back
            request: GET /books/${bookID}
        """

    let file: SourceFile
    var suite: SuiteInfo

    init(path: String = "tests/bookshop.yaml", index: Int = 0, name: String = "Bookshop", text: String = Self.text) {
        file = SourceFile(name: path, text: text)
        suite = SuiteInfo(index: index, name: name, path: path, baseURL: "http://127.0.0.1:8080", testCount: 2)
    }

    /// Returns the first location of a text in the suite.
    func range(_ part: String) -> SourceRange {
        let bytes = Array(part.utf8)
        let start = (0...max(0, file.text.count - bytes.count)).first { file.text[$0...].starts(with: bytes) } ?? 0
        return SourceRange(file: file, bytes: start..<start + bytes.count)
    }

    func test(_ name: String, _ position: Int = 0, hasSteps: Bool = false) -> TestReference {
        TestReference(
            suite: suite.index, position: position, name: name, tags: ["smoke"], hasSteps: hasSteps,
            range: range("add a book"))
    }

    /// Returns the result of a test with one exchange.
    func result(
        _ name: String, _ outcome: TestResult.Outcome, position: Int = 0, findings: [Finding] = [],
        exchange: Exchange? = nil, milliseconds: Int64 = 41
    ) -> TestResult {
        let test = test(name, position)
        var steps: [TestResult.Step] = []
        switch outcome {
        case .passed, .flaky, .known, .failed, .errored:
            steps = [step(name, outcome, findings: findings, exchange: exchange, milliseconds: milliseconds)]
        case .skipped, .blocked: break
        }
        return TestResult(test: test, outcome: outcome, steps: steps, duration: milliseconds * 1_000_000)
    }

    func step(
        _ name: String, _ outcome: TestResult.Outcome, findings: [Finding] = [], exchange: Exchange? = nil,
        milliseconds: Int64 = 41
    ) -> TestResult.Step {
        TestResult.Step(
            name: name, outcome: outcome, findings: findings, exchange: exchange, duration: milliseconds * 1_000_000,
            range: range("read it back"))
    }

    /// Returns all events of a run of this suite.
    func events(_ results: [TestResult], extra: [RunEvent] = []) -> [RunEvent] {
        Self.events([(self, results)], extra: extra)
    }

    /// Returns all events of a run.
    static func events(_ suites: [(Fixture, [TestResult])], extra: [RunEvent] = []) -> [RunEvent] {
        var total = OutcomeCounts()
        var events: [RunEvent] = [
            .runStarted(
                RunInfo(
                    suites: suites.map(\.0.suite), testCount: suites.reduce(0) { $0 + $1.1.count }, seed: 42, jobs: 16,
                    version: "0.1.0", startTime: 1_700_000_000))
        ]
        events += extra
        for (fixture, results) in suites {
            var counts = OutcomeCounts()
            events.append(.suiteStarted(fixture.suite))
            for result in results {
                counts.count(result.outcome)
                total.count(result.outcome)
                switch result.outcome {
                case .passed, .flaky, .known, .failed, .errored: events.append(.testStarted(result.test))
                case .skipped, .blocked: break
                }
                events.append(.testFinished(result))
            }
            events.append(
                .suiteFinished(SuiteSummary(suite: fixture.suite.index, counts: counts, duration: 1_200_000_000)))
        }
        events.append(.runFinished(RunSummary(counts: total, exchanges: total.passed * 2, duration: 1_500_000_000)))
        return events
    }

    // MARK: Exchanges and findings

    static let created = Exchange(
        request: Exchange.Request(
            method: "POST", url: "http://127.0.0.1:8080/books",
            headers: [
                HeaderField(name: "Host", value: "127.0.0.1:8080"),
                HeaderField(name: "User-Agent", value: "apitest/0.1.0"),
                HeaderField(name: "Accept", value: "application/json"),
                HeaderField(name: "Accept-Encoding", value: "gzip, deflate"),
                HeaderField(name: "Content-Type", value: "application/json"),
                HeaderField(name: "Content-Length", value: "16"),
            ], body: Array(#"{"title":"Dune"}"#.utf8)),
        response: Exchange.Response(
            status: 200, reason: "OK",
            headers: [HeaderField(name: "Content-Type", value: "application/json; charset=utf-8")],
            body: Array(#"{ "id": 7, "title": 42 }"#.utf8)),
        timings: Exchange.Timings(connect: 420_000, firstByte: 3_100_000, transfer: 80_000, total: 41_000_000))

    static let refused = Exchange(
        request: Exchange.Request(method: "GET", url: "http://127.0.0.1:1/books/1"),
        failure: Exchange.Failure(phase: .connect, kind: .init("connectionRefused"), message: "connection refused"))

    var titleFinding: Finding {
        let line = range("$.title: Dune")
        return Finding(
            subject: "json $.title", type: .init("equals"), message: #"expected "Dune" (string), got 42 (integer)"#,
            expected: "Dune", actual: 42, range: line.subrange(fromScalar: 9, toScalar: 13))
    }

    var statusFinding: Finding {
        Finding(subject: "status", type: .status, message: "expected 201, got 200", range: range("201"))
    }

    var refusedFinding: Finding {
        Finding(
            kind: .error, subject: "connect", type: .init("connectionRefused"), message: "connection refused",
            range: range("/books"))
    }

    var authorFinding: Finding {
        Finding(
            subject: "json $.author", type: .init("like"), message: "2 differences", range: range(#"渡辺 "x""#),
            details: [#"$.a: expected 1, got 2"#, #"- missing $.b: "x""#, "+ unexpected $.c: 1"])
    }
}
