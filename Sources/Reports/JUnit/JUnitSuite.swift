import Diagnostics
import Output
import RunModel
import RunRecord

/// The data of a suite that a JUnit report keeps until it is assembled.
struct JUnitSuite {
    /// The number of test cases by result.
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

    /// The test cases of one `testsuite` element in one file.
    struct Chunk {
        /// The elements of test cases that are not spilled yet.
        var buffer: [UInt8] = []
        /// The spilled elements, in order.
        var parts: [ReportFile.Part] = []
        var counts = Counts()
        /// The total duration of the test cases.
        var caseTime: Int64 = 0
        /// The combined output of the test cases in a strict report.
        var transcripts = JUnitTranscripts()

        /// Adds the duration of a test case.
        ///
        /// The sum is clamped on overflow.
        mutating func addTime(_ duration: Int64) { caseTime = caseTime.plus(max(0, duration)) }

        /// Adds a spilled part, which usually follows the previous one directly.
        mutating func add(_ part: ReportFile.Part) {
            if let last = parts.last, last.upperBound == part.lowerBound {
                parts[parts.count - 1] = last.lowerBound..<part.upperBound
            } else {
                parts.append(part)
            }
        }
    }

    var info: SuiteInfo
    private let location: JUnitLocation
    private let options: JUnitOptions
    /// The test cases, in more than one chunk if the report is split.
    var chunks = [Chunk()]
    /// The number of leading chunks that are complete and spilled.
    var spilled = 0
    /// The duration of the suite in nanoseconds.
    var duration: Int64?
    /// The notices of the suite.
    var notices: [String] = []

    init(info: SuiteInfo, location: JUnitLocation, options: JUnitOptions) {
        self.info = info
        self.location = location
        self.options = options
    }

    /// Whether the suite is part of the report.
    var isShown: Bool { !notices.isEmpty || chunks.contains { $0.counts.tests > 0 } }

    /// Returns whether a result is a test case.
    ///
    /// Setup and teardown are test cases only if they fail or if each step is a test case.
    private func isCase(_ result: TestResult) -> Bool { options.hasCasesOfSteps || result.isCounted }

    /// Adds the test cases of a test.
    ///
    /// - Returns: The number of bytes kept for them.
    mutating func add(_ result: TestResult, sizes: BodySizes) -> Int {
        guard isCase(result) else { return 0 }
        guard options.hasCasesOfSteps else { return add(JUnitCase(result, sizes: sizes)) }
        return JUnitCase.casesOfSteps(result, sizes: sizes).reduce(0) { $0 + add($1) }
    }

    private mutating func add(_ testCase: JUnitCase) -> Int {
        let last = nextChunk()
        let before = chunks[last].buffer.count
        chunks[last].counts.count(testCase.verdict(skipsKnown: options.skipsKnown))
        chunks[last].addTime(testCase.duration)
        if options.isStrict {
            testCase.writeStrict(location: location, options: options, into: &chunks[last].buffer)
            chunks[last].transcripts.add(testCase)
        } else {
            testCase.write(location: location, options: options, into: &chunks[last].buffer)
        }
        return chunks[last].buffer.count - before
    }

    /// Adds a test case for a failure of the suite outside its tests.
    mutating func add(_ problem: RunProblem) {
        let last = nextChunk()
        chunks[last].counts.count(JUnitProblems.verdict(of: problem))
        JUnitProblems.write(problem, location: location, isStrict: options.isStrict, into: &chunks[last].buffer)
    }

    /// Returns the index of the chunk for the next test case.
    private mutating func nextChunk() -> Int {
        if let maximum = options.casesPerFile, chunks[chunks.count - 1].counts.tests >= maximum {
            chunks.append(Chunk())
        }
        return chunks.count - 1
    }

    /// Returns the duration to write for a chunk.
    func time(of index: Int) -> Int64 {
        chunks.count == 1 ? duration ?? chunks[index].caseTime : chunks[index].caseTime
    }

    /// Returns the element of a chunk up to its first test case.
    ///
    /// - Parameter position: The position of the element in its file.
    func head(_ index: Int, position: Int, run: RunInfo, hostName: String) -> [UInt8] {
        var output: [UInt8] = []
        output.append(contentsOf: "  <testsuite".utf8)
        let isBlank = info.name.utf8.allSatisfy { $0 <= 0x20 }
        XMLText.appendAttribute("name", isBlank ? location.className : DisplayWidth.printable(info.name), to: &output)
        if options.isStrict {
            // The package is the class name without its last component, as in Ant's reports.
            let name = location.className
            let package = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
            XMLText.appendAttribute("package", package, to: &output)
            XMLText.appendAttribute("id", String(position), to: &output)
        }
        chunks[index].counts.writeAttributes(into: &output)
        XMLText.appendAttribute("time", DurationText.seconds(time(of: index)), to: &output)
        let start = run.startTime + Double(info.start) / 1e9
        XMLText.appendAttribute("timestamp", Timestamp.text(start), to: &output)
        XMLText.appendAttribute("hostname", hostName, to: &output)
        if !options.isStrict { output.append(contentsOf: location.fileAttribute) }
        output.append(contentsOf: ">\n    <properties>\n".utf8)
        var properties = [("seed", String(run.seed)), ("version", run.version)]
        if let environment = info.environment { properties.append(("environment", environment)) }
        if let url = info.baseURL { properties.append(("baseURL", url)) }
        for (title, link) in run.origin.links {
            properties.append((title.lowercased(), link.name))
            if let url = link.url { properties.append((title.lowercased() + "URL", url)) }
        }
        for (name, value) in properties { JUnitProperties.write(name, value, indent: "      ", into: &output) }
        if let annotations = info.annotations {
            JUnitProperties.write(annotations, indent: "      ", into: &output)
        }
        output.append(contentsOf: "    </properties>\n".utf8)
        return output
    }

    /// Returns the element of a chunk after its last test case.
    func tail(_ index: Int) -> [UInt8] {
        var output: [UInt8] = []
        if options.isStrict {
            output.append(contentsOf: "    <system-out>".utf8)
            XMLText.append(chunks[index].transcripts.text, to: &output)
            output.append(contentsOf: "</system-out>\n".utf8)
        }
        if options.isStrict || (!notices.isEmpty && index == 0) {
            output.append(contentsOf: "    <system-err>".utf8)
            let notices = index == 0 ? notices.joined(separator: "\n") : ""
            XMLText.append(notices, to: &output, limit: JUnitCase.maximumTextLength)
            output.append(contentsOf: "</system-err>\n".utf8)
        }
        output.append(contentsOf: "  </testsuite>\n".utf8)
        return output
    }
}

/// Test cases for failures of a run outside its tests.
///
/// Most readers only know test cases.
struct JUnitProblems {
    let problems: [RunProblem]
    let isStrict: Bool

    var isEmpty: Bool { problems.isEmpty }

    var counts: JUnitSuite.Counts {
        var counts = JUnitSuite.Counts()
        for problem in problems { counts.count(Self.verdict(of: problem)) }
        return counts
    }

    /// Returns the result of the test case that represents a failure of the run.
    static func verdict(of problem: RunProblem) -> JUnitCase.Verdict {
        problem.outcome == .errored ? .error : .failure
    }

    /// Returns the `testsuite` element of the failures that belong to no suite.
    ///
    /// - Parameter position: The position of the element in its file.
    func element(position: Int, run: RunInfo, hostName: String) -> [UInt8] {
        var output = Array("  <testsuite".utf8)
        XMLText.appendAttribute("name", RunProblem.suiteName, to: &output)
        if isStrict {
            XMLText.appendAttribute("package", "apitest", to: &output)
            XMLText.appendAttribute("id", String(position), to: &output)
        }
        counts.writeAttributes(into: &output)
        XMLText.appendAttribute("time", DurationText.seconds(0), to: &output)
        XMLText.appendAttribute("timestamp", Timestamp.text(run.startTime), to: &output)
        XMLText.appendAttribute("hostname", hostName, to: &output)
        output += Array(">\n    <properties>\n".utf8)
        for (name, value) in [("seed", String(run.seed)), ("version", run.version)] {
            JUnitProperties.write(name, value, indent: "      ", into: &output)
        }
        output += Array("    </properties>\n".utf8)
        for problem in problems { Self.write(problem, into: &output) }
        if isStrict { output += Array("    <system-out></system-out>\n    <system-err></system-err>\n".utf8) }
        output += Array("  </testsuite>\n".utf8)
        return output
    }

    /// Writes the test case of a failure.
    ///
    /// - Parameters:
    ///   - location: The location of its suite's test cases, or `nil` for a failure that belongs to no suite.
    ///   - isStrict: Whether to omit the file and line.
    static func write(
        _ problem: RunProblem, location: JUnitLocation? = nil, isStrict: Bool = false, into output: inout [UInt8]
    ) {
        let element = verdict(of: problem) == .error ? "error" : "failure"
        output += Array("    <testcase".utf8)
        XMLText.appendAttribute("name", problem.name, to: &output)
        XMLText.appendAttribute("classname", location?.className ?? RunProblem.className, to: &output)
        XMLText.appendAttribute("time", DurationText.seconds(0), to: &output)
        if let location, !isStrict {
            output += location.fileAttribute
            XMLText.appendAttribute("line", "1", to: &output)
        }
        output += Array(">\n      <\(element)".utf8)
        XMLText.appendAttribute("message", problem.message, to: &output, limit: JUnitCase.maximumAttributeLength)
        XMLText.appendAttribute("type", problem.type, to: &output)
        output += Array(">".utf8)
        let text = problem.lines.map { $0 + "\n" }.joined()
        XMLText.append(text, to: &output, limit: JUnitCase.maximumTextLength)
        output += Array("</\(element)>\n    </testcase>\n".utf8)
    }
}
