import Diagnostics
import Output
import RunModel

/// A row of the page's test list.
///
/// A row is an array of the suite's index, the name, the outcome, the start and the duration in microseconds, the line,
/// the index of the tags, a message, and a last element. For a test that passed, the last element has its steps or its
/// request.
///
/// A request is written as `GET 200 /books`, with `-` if there was no response, and without the base URL of the suite.
/// For a test with details, the last element lists one request per line, followed by `@` and the location of each
/// finding, for the search. Trailing null elements are omitted.
struct HTMLRow {
    let result: TestResult
    /// The suite, or `nil` if it is unknown.
    let suite: SuiteInfo?
    /// Whether the budget still allows details of a test that passed.
    var hasRoomForPassed = true

    /// The maximum number of bytes of a message in the list.
    private static let maximumMessageLength = 400
    /// The maximum number of steps of a test to write.
    private static let maximumSteps = 500
    /// The maximum number of bytes of a name.
    static let maximumNameLength = 4_096
    /// The maximum number of requests and of locations that are searchable in a test with details, and of their bytes.
    private static let maximumSearched = 20
    private static let maximumSearchedLength = 2_000

    /// Whether the test has details beyond its row.
    var hasDetail: Bool {
        if result.test.annotations != nil { return true }
        return switch result.outcome {
        case .failed, .errored, .flaky, .known: true
        case .skipped, .blocked: result.steps.contains { !$0.findings.isEmpty }
        case .passed:
            hasRoomForPassed
                && result.steps.contains {
                    $0.exchange != nil || !$0.printed.isEmpty || $0.polls > 0 || !$0.previousAttempts.isEmpty
                }
        }
    }

    /// Returns whether a row contains everything about a test except its exchanges.
    static func isRow(_ result: TestResult) -> Bool {
        guard result.outcome == .passed else { return false }
        for index in result.steps.indices {
            if result.steps[index].polls > 0 || !result.steps[index].previousAttempts.isEmpty { return false }
        }
        return true
    }

    /// Appends the row to the output.
    func write(tags: Int?, isFirst: Bool, into output: inout ByteBuffer) {
        var json = JSONText(.embedded)
        swap(&output, &json.buffer)
        defer { swap(&output, &json.buffer) }
        json.text(upTo: 32, isWhole: false) { text in
            text.write("\n")
            if !isFirst { text.write(",") }
            text.write("[")
            text.write(result.test.suite)
            text.write(",")
        }
        json.string(result.test.name, limit: Self.maximumNameLength)
        json.text(upTo: 72, isWhole: true) { text in
            text.write(",")
            text.write(Self.code(of: result.outcome))
            text.write(",")
            text.write(max(0, result.start / 1_000))
            text.write(",")
            text.write(max(0, result.duration / 1_000))
        }
        writeLocation(into: &json)
        let message = message
        let hasSteps = result.test.hasSteps && result.outcome == .passed && !hasDetail && !result.steps.isEmpty
        let searched = hasSteps ? "" : searched
        let hasLast = hasSteps || !searched.isEmpty
        if tags != nil || !message.isEmpty || hasLast { json.integer(tags) }
        if !message.isEmpty || hasLast { json.string(message, limit: Self.maximumMessageLength) }
        if hasSteps {
            writeSteps(into: &json)
        } else if hasLast {
            json.string(searched, limit: Self.maximumSearchedLength)
        }
        json.endArray()
    }

    /// Writes the line of the test, preceded by the file name if the test is not in the file of its suite.
    private func writeLocation(into json: inout JSONText) {
        let range = result.test.range
        if let suite, range.file.name != suite.path {
            json.string("\(range.file.name):\(range.start.line)", limit: 4_096)
        } else {
            json.integer(range.start.line)
        }
    }

    private func writeSteps(into json: inout JSONText) {
        json.beginArray()
        for step in result.steps.prefix(Self.maximumSteps) {
            json.beginArray()
            json.string(step.name, limit: 1_000)
            json.integer(Self.code(of: step.outcome))
            json.integer(max(0, (step.start - result.start) / 1_000))
            json.integer(max(0, step.duration / 1_000))
            json.integer(step.range.start.line)
            if let sent = step.sent {
                json.string(Self.text(of: sent, baseURL: suite?.baseURL), limit: 1_000)
            } else if case .skipped(let reason) = step.outcome {
                json.string(reason, limit: 1_000)
            }
            json.endArray()
        }
        json.endArray()
    }

    /// Returns the request line and the status of an exchange as one string.
    static func text(of outline: ExchangeOutline, baseURL: String?) -> String {
        var url = outline.url[...]
        if var base = baseURL, !base.isEmpty {
            if base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
            let rest = url.utf8.dropFirst(base.utf8.count)
            if url.utf8.starts(with: base.utf8), rest.first == UInt8(ascii: "/") { url = Substring(rest) }
        }
        return "\(outline.method) \(outline.status.map(String.init) ?? "-") \(url)"
    }

    /// The searchable text: the requests of the test and the locations of its findings.
    private var searched: String {
        guard hasDetail else {
            return result.steps.first?.sent.map { Self.text(of: $0, baseURL: suite?.baseURL) } ?? ""
        }
        var lines: [String] = []
        for step in result.steps.prefix(Self.maximumSearched) {
            if let sent = step.sent { lines.append(Self.text(of: sent, baseURL: suite?.baseURL)) }
        }
        for finding in result.steps.lazy.flatMap(\.findings).prefix(Self.maximumSearched) {
            if let range = finding.range { lines.append("@" + range.description) }
        }
        return lines.joined(separator: "\n")
    }

    /// The message shown below the test's name, which is also searchable.
    private var message: String {
        switch result.outcome {
        case .passed: return ""
        case .skipped(let reason): return reason
        case .blocked(let blocker): return "blocked by \"\(blocker)\""
        case .known, .failed, .errored:
            return [result.outcome.expectedFailureText, Self.message(of: result.steps)].compactMap { $0 }
                .joined(separator: ": ")
        case .flaky:
            for attempt in result.previousAttempts {
                if let message = Self.message(of: attempt.steps) { return message }
            }
            for step in result.steps {
                for attempt in step.previousAttempts {
                    if let finding = attempt.findings.first { return Self.message(of: finding) }
                }
            }
            return ""
        }
    }

    private static func message(of steps: [TestResult.Step]) -> String? {
        guard let step = steps.first(where: \.outcome.isFailure) ?? steps.first(where: { !$0.findings.isEmpty })
        else { return nil }
        return step.findings.mostTelling.map { message(of: $0) }
    }

    private static func message(of finding: Finding) -> String {
        // Truncates long messages before they are joined.
        "\(finding.subject.description.prefix(maximumMessageLength)): \(finding.message.prefix(maximumMessageLength))"
    }

    /// Returns the number that represents an outcome on the page.
    static func code(of outcome: TestResult.Outcome) -> Int {
        switch outcome {
        case .passed: 0
        case .flaky: 1
        case .failed: 2
        case .errored: 3
        case .skipped: 4
        case .blocked: 5
        case .known: 6
        }
    }
}

/// The distinct tag lists of all tests, each written once.
struct HTMLTagTable {
    /// The tag lists in order of first appearance.
    private(set) var lists: [[String]] = []
    private var indexes: [[String]: Int] = [:]
    private var last: (tags: [String], index: Int)?

    /// Returns the index of a tag list, or `nil` for an empty one.
    mutating func index(of tags: [String]) -> Int? {
        if tags.isEmpty { return nil }
        // Consecutive tests usually have the same tags.
        if let last, last.tags == tags { return last.index }
        let index = indexes[tags] ?? lists.count
        if index == lists.count {
            lists.append(tags)
            indexes[tags] = index
        }
        last = (tags, index)
        return index
    }
}
