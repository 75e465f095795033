import Output
import RunModel
import RunRecord

/// The trends in the overview of the HTML report, derived from this and previous runs.
///
/// The entries are in the order in which they are listed.
struct HTMLTrends: Sendable {
    /// The kind of a trend.
    enum Kind: String, Sendable, Hashable {
        /// The test failed in this run and passed in the previous one.
        case newFailure = "new failure"
        /// The test has failed in more than one consecutive run.
        case stillFailing = "still failing"
        /// The test passed in this run and failed in the previous one.
        case fixed
        /// The test both passed and failed with the same revision and the same content of its suite.
        case flaky
        /// The test took longer than in previous runs.
        case slower
    }

    /// A test with its trend.
    struct Entry: Sendable, Hashable {
        /// The kind of the trend.
        var kind: Kind
        /// The name of the suite.
        var suite: String
        /// The name of the test, by which the page finds it.
        var test: String
        /// A sentence without a final period, such as `412 ms, the median of 9 runs is 41 ms`.
        var text: String
    }

    /// The trends, with the most important ones first.
    var entries: [Entry] = []
    /// The recent outcomes of each test, or `nil` if they are unknown.
    var table: TrendTable?
}

extension Trends {
    /// The maximum number of tests of each kind that the HTML page lists.
    private static let maximumOnPage = 200

    /// The trends for the overview of the HTML report.
    var html: HTMLTrends {
        let kinds: [(kind: HTMLTrends.Kind, list: List, text: (Test) -> String)] = [
            (.newFailure, newFailures, TrendText.newFailure), (.stillFailing, stillFailing, TrendText.stillFailing),
            (.fixed, fixed, TrendText.fixed), (.flaky, flaky, TrendText.flaky), (.slower, slower, TrendText.slower),
        ]
        return HTMLTrends(
            entries: kinds.flatMap { kind, list, text in
                list.tests.prefix(Self.maximumOnPage).map { test in
                    HTMLTrends.Entry(kind: kind, suite: test.suite, test: test.name, text: text(test))
                }
            },
            table: table)
    }
}

/// The recent outcomes of tests in this and previous runs, as embedded in the page.
///
/// `runs` has the start of each run in milliseconds and its revision. `strips` has the suite index and the name of each
/// test, followed by words such as `p41.2`: a letter for the outcome and the duration in milliseconds. A number before
/// the letter is the distance in runs from the previous word, 1 by default. In the first word, it is the index of the
/// run.
struct HTMLStrips {
    /// The number of bytes after which no more strips are written.
    ///
    /// Strips with a failure come first.
    private static let maximumBytes = 4 << 20

    let table: TrendTable

    /// Writes the members `runs` and `strips`.
    ///
    /// - Parameter suites: The indices of suites on the page by their indices in the table.
    func write(suites: [Int: Int], into json: inout JSONText) {
        var first = table.runs.count
        var eventful: [(test: Int, verdicts: [TrendTable.Verdict])] = []
        var calm: [(test: Int, verdicts: [TrendTable.Verdict])] = []
        for test in table.tests.indices where suites[Int(table.tests[test].suite)] != nil {
            let verdicts = table.strip(of: test)
            // A single outcome is not a history.
            guard verdicts.count > 1, let run = verdicts.first?.run else { continue }
            first = min(first, Int(run))
            if verdicts.allSatisfy({ $0.outcome == .passed }) {
                calm.append((test, verdicts))
            } else {
                eventful.append((test, verdicts))
            }
        }
        if eventful.isEmpty, calm.isEmpty { return }
        json.breakLineBeforeComma()
        json.beginObject("runs")
        for index in first..<table.runs.count {
            let run = table.runs[index]
            json.key(index)
            json.beginArray()
            json.integer(Int64(run.start * 1_000))
            json.string(run.revision, limit: 200)
            json.endArray()
        }
        json.endObject()
        json.breakLineBeforeComma()
        json.beginArray("strips")
        let end = json.buffer.count + Self.maximumBytes
        for (test, verdicts) in eventful + calm {
            if json.buffer.count > end { break }
            json.beginArray()
            json.integer(suites[Int(table.tests[test].suite)])
            json.string(table.name(of: test), limit: HTMLRow.maximumNameLength)
            json.string(Self.words(verdicts))
            json.endArray()
        }
        json.endArray()
    }

    private static func words(_ verdicts: [TrendTable.Verdict]) -> String {
        var text = ""
        var last: Int32 = 0
        for (index, verdict) in verdicts.enumerated() {
            if index > 0 { text += " " }
            if index == 0 || verdict.run - last != 1 { text += "\(verdict.run - last)" }
            text.unicodeScalars.append(Unicode.Scalar(verdict.outcome.rawValue))
            let micros = verdict.duration
            // One decimal, which matters only below 10 ms.
            text += micros < 9_950 ? "\(micros / 1_000).\(micros % 1_000 / 100)" : "\((micros + 500) / 1_000)"
            last = verdict.run
        }
        return text
    }
}

/// The causes of the failures in a page, by which its overview groups them.
struct HTMLCauses {
    private var causes = FailureCauses()
    /// The index of each failure's cause, in the order of the rows, or -1 if the failure is not grouped with others.
    private var numbers: [Int32] = []

    /// Adds a failure.
    mutating func add(_ result: TestResult) {
        numbers.append(causes.add(result)?.index.map { Int32(clamping: $0) } ?? -1)
    }

    /// Writes the indices of the causes, with null for a failure that is not grouped with others.
    func write(into json: inout JSONText) {
        json.breakLineBeforeComma()
        json.beginArray("causes")
        for number in numbers { json.integer(number < 0 ? nil : Int(number)) }
        json.endArray()
    }
}
