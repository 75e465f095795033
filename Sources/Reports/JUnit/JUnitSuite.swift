import SuiteModel

/// What a JUnit report keeps of a suite until it is put together.
struct JUnitSuite {
    /// Test cases by verdict.
    struct Counts {
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0

        mutating func count(_ verdict: JUnitCase.Verdict) {
            tests += 1
            switch verdict {
            case .passed: break
            case .failure: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }

        mutating func add(_ other: Counts) {
            tests += other.tests
            failures += other.failures
            errors += other.errors
            skipped += other.skipped
        }

        func writeAttributes(into output: inout [UInt8]) {
            XMLText.appendAttribute("tests", String(tests), to: &output)
            XMLText.appendAttribute("failures", String(failures), to: &output)
            XMLText.appendAttribute("errors", String(errors), to: &output)
            XMLText.appendAttribute("skipped", String(skipped), to: &output)
        }
    }

    var info: SuiteInfo
    let place: SuitePlace
    /// The class of all of the suite's cases, unique in the report.
    let className: String
    /// The elements of cases that are not spilled yet.
    var buffer: [UInt8] = []
    /// Spilled elements, in order.
    var parts: [ReportFile.Part] = []
    var counts = Counts()
    /// The time of the cases together, which stands for the suite's when the suite did not end.
    var caseTime: Int64 = 0
    /// Nanoseconds from the suite's start to its end.
    var duration: Int64?
    /// What happened beside the tests.
    var notices: [String] = []

    init(info: SuiteInfo, place: SuitePlace, className: String) {
        self.info = info
        self.place = place
        self.className = className
    }

    /// Adds a test's cases.
    mutating func add(_ result: TestResult, sizes: BodySizes) {
        for testCase in JUnitCase.cases(of: result, sizes: sizes) {
            counts.count(testCase.verdict)
            caseTime += max(0, testCase.duration)
            testCase.write(place: place, className: className, into: &buffer)
        }
    }

    /// The element up to its first case.
    func head(run: RunInfo, hostName: String) -> [UInt8] {
        var output: [UInt8] = []
        output.append(contentsOf: "  <testsuite".utf8)
        XMLText.appendAttribute("name", info.name, to: &output)
        counts.writeAttributes(into: &output)
        XMLText.appendAttribute("time", DurationText.seconds(duration ?? caseTime), to: &output)
        let start = run.startTime + Double(info.start) / 1e9
        XMLText.appendAttribute("timestamp", Timestamp.text(start), to: &output)
        XMLText.appendAttribute("hostname", hostName, to: &output)
        XMLText.appendAttribute("file", place.file, to: &output)
        output.append(contentsOf: ">\n    <properties>\n".utf8)
        var properties = [("seed", String(run.seed)), ("version", run.version)]
        if let environment = info.environment { properties.append(("environment", environment)) }
        if let url = info.baseURL { properties.append(("baseURL", url)) }
        for (name, value) in properties {
            output.append(contentsOf: "      <property".utf8)
            XMLText.appendAttribute("name", name, to: &output)
            XMLText.appendAttribute("value", value, to: &output)
            output.append(contentsOf: "/>\n".utf8)
        }
        output.append(contentsOf: "    </properties>\n".utf8)
        return output
    }

    /// The element from its last case on.
    var tail: [UInt8] {
        var output: [UInt8] = []
        if !notices.isEmpty {
            output.append(contentsOf: "    <system-err>".utf8)
            XMLText.append(notices.joined(separator: "\n"), to: &output, limit: 65_536)
            output.append(contentsOf: "</system-err>\n".utf8)
        }
        output.append(contentsOf: "  </testsuite>\n".utf8)
        return output
    }
}
