/// A reader of the test cases of a JUnit report.
struct PreviousReportReader: ~Copyable {
    /// The properties of a suite that apply to all its test cases.
    private struct SuiteInfo {
        var name: String?
        var file: String?
    }

    private var scanner: XMLScanner
    private var suites: [SuiteInfo] = []
    private var cases: [PreviousCase] = []

    /// Creates a reader of a document.
    init(_ bytes: [UInt8]) {
        scanner = XMLScanner(bytes)
    }

    /// Reads the whole document.
    mutating func read() throws(XMLScanner.Failure) -> [PreviousCase] {
        var current: PreviousCase?
        var type: String?
        var depth = 0
        // The depth of the current test case. Only its direct children determine the outcome.
        var caseDepth = 0
        while let event = try scanner.next() {
            switch event {
            case .start(let name, let attributes):
                depth += 1
                if depth == 1, name != "testsuites", name != "testsuite" {
                    throw XMLScanner.Failure(
                        message: "expected the root element \"testsuites\" or \"testsuite\", got \"\(name)\"", offset: 0
                    )
                }
                if name == "testsuite" {
                    suites.append(
                        SuiteInfo(name: attributes["name"], file: attributes["file"] ?? suites.last?.file))
                } else if name == "testcase" {
                    current = self.case(attributes)
                    type = nil
                    caseDepth = depth
                } else if depth == caseDepth + 1, let verdict = Self.verdict(of: name, attributes) {
                    if verdict == .failed || verdict == .errored { type = attributes["type"] }
                    if current?.verdict == .passed || current?.verdict == .failed { current?.verdict = verdict }
                }
            case .end(let name):
                depth -= 1
                if name == "testsuite" {
                    suites.removeLast()
                } else if name == "testcase", var finished = current {
                    if finished.verdict == .skipped || finished.verdict == .blocked { finished.duration = nil }
                    // Not a test, but a failure of the run outside its tests.
                    let isProblem = ProblemKind.isOne(name: finished.name, type: type)
                    if !isProblem { cases.append(finished) }
                    current = nil
                    caseDepth = 0
                }
            }
        }
        return cases
    }

    private func `case`(_ attributes: [String: String]) -> PreviousCase {
        PreviousCase(
            name: attributes["name"] ?? "", suiteName: suites.last?.name, className: attributes["classname"],
            file: attributes["file"] ?? suites.last?.file, verdict: .passed,
            duration: attributes["time"].flatMap(Self.nanoseconds))
    }

    private static func verdict(of element: String, _ attributes: [String: String]) -> PreviousCase.Verdict? {
        switch element {
        case "failure": .failed
        case "error": .errored
        case "skipped": BlockedReason.isOne(attributes["message"] ?? "") ? .blocked : .skipped
        default: nil
        }
    }

    /// Converts a time in seconds, such as `1,234.567`, to nanoseconds.
    private static func nanoseconds(_ text: String) -> Int64? {
        guard let seconds = Double(text.filter { $0 != "," && $0 != " " }), seconds.isFinite, seconds >= 0,
            seconds < 1e9
        else { return nil }
        return Int64((seconds * 1e9).rounded())
    }
}
