import Diagnostics
import Output
import RunModel

/// A test in the page's list: an array of the suite's index, the name, the outcome, the start and the duration in
/// microseconds, the line, the index of the tags, a message, and the steps of a test that passed or what it has sent.
///
/// A request is written as `GET 200 /books`, with `-` where no response came; the base URL of the suite is left out. Of a
/// test with details there is one on each line, and then `@` with the location of each finding, for the search.
/// Whatever is null at the end is left out.
struct HTMLRow {
    let result: TestResult
    /// The suite; nil when it is not known.
    let suite: SuiteInfo?
    /// Whether a test that passed may have more than a row.
    var hasRoomForPassed = true

    /// Bytes of a message in the list.
    private static let longestMessage = 400
    /// Steps of a test that are written.
    private static let mostSteps = 500
    /// Bytes of a name.
    static let longestName = 4_096
    /// Requests and locations that the search finds of a test with details, and their bytes.
    private static let mostSearched = 20
    private static let longestSearched = 2_000

    /// Whether there is more to say of the test than its row does.
    var hasDetail: Bool {
        if result.test.annotations != nil { return true }
        return switch result.outcome {
        case .failed, .errored, .flaky, .known: true
        case .skipped, .blocked: result.steps.contains { !$0.findings.isEmpty }
        case .passed:
            hasRoomForPassed
                && result.steps.contains { $0.exchange != nil || $0.polls > 0 || !$0.earlierAttempts.isEmpty }
        }
    }

    /// Whether a row says all of a test, but for its exchanges.
    static func isRow(_ result: TestResult) -> Bool {
        guard result.outcome == .passed else { return false }
        for index in result.steps.indices {
            if result.steps[index].polls > 0 || !result.steps[index].earlierAttempts.isEmpty { return false }
        }
        return true
    }

    /// Appends the row.
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
        json.string(result.test.name, limit: Self.longestName)
        json.text(upTo: 72, isWhole: true) { text in
            text.write(",")
            text.write(Self.code(of: result.outcome))
            text.write(",")
            text.write(max(0, result.start / 1_000))
            text.write(",")
            text.write(max(0, result.duration / 1_000))
        }
        writePlace(into: &json)
        let message = message
        let hasSteps = result.test.hasSteps && result.outcome == .passed && !hasDetail && !result.steps.isEmpty
        let searched = hasSteps ? "" : searched
        let hasLast = hasSteps || !searched.isEmpty
        if tags != nil || !message.isEmpty || hasLast { json.integer(tags) }
        if !message.isEmpty || hasLast { json.string(message, limit: Self.longestMessage) }
        if hasSteps { writeSteps(into: &json) } else if hasLast { json.string(searched, limit: Self.longestSearched) }
        json.endArray()
    }

    /// Writes the line, or the file and the line of a test that is not in its suite's file.
    private func writePlace(into json: inout JSONText) {
        let range = result.test.range
        if let suite, range.file.name != suite.path {
            json.string("\(range.file.name):\(range.start.line)", limit: 4_096)
        } else {
            json.integer(range.start.line)
        }
    }

    private func writeSteps(into json: inout JSONText) {
        json.beginArray()
        for step in result.steps.prefix(Self.mostSteps) {
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

    /// A request line and a status in one text.
    static func text(of outline: ExchangeOutline, baseURL: String?) -> String {
        var url = outline.url[...]
        if var base = baseURL, !base.isEmpty {
            if base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
            let rest = url.utf8.dropFirst(base.utf8.count)
            if url.utf8.starts(with: base.utf8), rest.first == UInt8(ascii: "/") { url = Substring(rest) }
        }
        return "\(outline.method) \(outline.status.map(String.init) ?? "-") \(url)"
    }

    /// What the test has sent, and the locations of its findings.
    private var searched: String {
        guard hasDetail else {
            return result.steps.first?.sent.map { Self.text(of: $0, baseURL: suite?.baseURL) } ?? ""
        }
        var lines: [String] = []
        for step in result.steps.prefix(Self.mostSearched) {
            if let sent = step.sent { lines.append(Self.text(of: sent, baseURL: suite?.baseURL)) }
        }
        for finding in result.steps.lazy.flatMap(\.findings).prefix(Self.mostSearched) {
            if let range = finding.range { lines.append("@" + range.description) }
        }
        return lines.joined(separator: "\n")
    }

    /// What the list says of the test below its name, and the search finds.
    private var message: String {
        switch result.outcome {
        case .passed: return ""
        case .skipped(let reason): return reason
        case .blocked(let blocker): return "blocked by \"\(blocker)\""
        case .known, .failed, .errored: return Self.message(of: result.steps) ?? ""
        case .flaky:
            for attempt in result.earlierAttempts {
                if let message = Self.message(of: attempt.steps) { return message }
            }
            for step in result.steps {
                for attempt in step.earlierAttempts {
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
        // Of a long message no more is looked at than is shown.
        "\(finding.subject.description.prefix(longestMessage)): \(finding.message.prefix(longestMessage))"
    }

    /// The number that stands for an outcome.
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

/// The lists of tags of all tests, each written once.
struct HTMLTagTable {
    /// The lists in the order in which they were first seen.
    private(set) var lists: [[String]] = []
    private var indexes: [[String]: Int] = [:]
    private var last: (tags: [String], index: Int)?

    /// The index of a list; nil for an empty one.
    mutating func index(of tags: [String]) -> Int? {
        if tags.isEmpty { return nil }
        // Tests that follow one another have the same tags more often than not.
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
