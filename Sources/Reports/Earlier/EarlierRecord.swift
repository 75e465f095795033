import SuiteModel

/// Makes test cases of the record of an earlier run.
///
/// A test is one case, whatever steps it has. One that had begun when its run was killed counts as an error: it has to be
/// done again.
struct EarlierRecord {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    private(set) var cases: [EarlierCase] = []
    private var suites: [(name: String, place: SuitePlace)] = []
    private var running: [TestKey: TestReference] = [:]

    /// Whether a file that begins with some bytes is a record, and no XML.
    static func isOne(_ start: [UInt8]) -> Bool {
        start.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
    }

    /// Reads all cases.
    init(_ reader: inout RecordReader) throws(RecordError) {
        while let line = try reader.next() {
            guard case .event(let event, _, _) = line.content else { continue }
            switch event {
            case .runStarted(let info):
                suites = info.suites.map { suite in
                    (
                        JUnitCase.shown(suite.name),
                        SuitePlace(
                            path: suite.path, documentIndex: suite.documentIndex, workingFolder: info.workingFolder)
                    )
                }
                running = [:]
            case .testStarted(let test):
                running[TestKey(suite: test.suite, position: test.position)] = test
            case .testCompleted(let result):
                running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
                try add(result.test, Self.verdict(of: result.outcome), duration: result.duration, reader)
            case .suiteStarted, .testFinished, .secretLearned, .notice, .suiteFinished, .interrupted, .runFinished:
                break
            }
        }
        for (_, test) in running.sorted(by: { ($0.key.suite, $0.key.position) < ($1.key.suite, $1.key.position) }) {
            try add(test, .errored, duration: nil, reader)
        }
    }

    private mutating func add(
        _ test: TestReference, _ verdict: EarlierCase.Verdict, duration: Int64?, _ reader: borrowing RecordReader
    ) throws(RecordError) {
        guard suites.indices.contains(test.suite) else { throw reader.problem("there is no suite \(test.suite)") }
        let suite = suites[test.suite]
        let wasRun = verdict != .skipped && verdict != .blocked
        cases.append(
            EarlierCase(
                name: JUnitCase.shown(test.name), suiteName: suite.name, className: suite.place.className,
                file: suite.place.file, verdict: verdict, duration: wasRun ? duration : nil))
    }

    private static func verdict(of outcome: TestResult.Outcome) -> EarlierCase.Verdict {
        switch outcome {
        case .passed, .flaky, .known: .passed
        case .failed: .failed
        case .errored: .errored
        case .skipped: .skipped
        case .blocked: .blocked
        }
    }
}
