import Output
import RunModel
import RunRecord

/// What earlier runs say about this one, as the overview of the HTML report lists it.
///
/// The order is that of the list.
struct HTMLTrends: Sendable {
    /// What a trend is.
    enum Kind: String, Sendable, Hashable {
        /// The test failed in this run and passed in the one before.
        case newFailure = "new failure"
        /// The test has failed for more than one run.
        case stillFailing = "still failing"
        /// The test passed in this run and failed in the one before.
        case fixed
        /// The test passed and failed on the same revision and content of its suite.
        case flaky
        /// The test took longer than in earlier runs.
        case slower
    }

    /// A test, and what is to be said of it.
    struct Entry: Sendable, Hashable {
        /// What the trend is.
        var kind: Kind
        /// The suite's name.
        var suite: String
        /// The test's name, by which the page finds it.
        var test: String
        /// One sentence without a final full stop: `412 ms, the median of 9 runs is 41 ms`.
        var text: String
    }

    /// The trends, the most telling first.
    var entries: [Entry] = []
    /// The last verdicts on each test; nil when they are not known.
    var table: TrendTable?
}

extension Trends {
    /// Tests of one kind that the HTML page lists.
    private static let mostOnPage = 200

    /// The trends as the overview of the HTML report lists them.
    var html: HTMLTrends {
        let kinds: [(kind: HTMLTrends.Kind, list: List, text: (Test) -> String)] = [
            (.newFailure, newFailures, TrendText.newFailure), (.stillFailing, stillFailing, TrendText.stillFailing),
            (.fixed, fixed, TrendText.fixed), (.flaky, flaky, TrendText.flaky), (.slower, slower, TrendText.slower),
        ]
        return HTMLTrends(
            entries: kinds.flatMap { kind, list, text in
                list.tests.prefix(Self.mostOnPage).map { test in
                    HTMLTrends.Entry(kind: kind, suite: test.suite, test: test.name, text: text(test))
                }
            },
            table: table)
    }
}

/// The last verdicts of tests in this and in previous runs, as the page holds them.
///
/// `runs` has the start of each run in milliseconds, and its revision; `strips` has of each test the suite's index, the
/// name, and words such as `p41.2`: a letter for the outcome, and milliseconds. A number before the letter is how many runs
/// later it was than the word before it, 1 where none is written; in the first word it is the index of the run.
struct HTMLStrips {
    /// Bytes after which no further strips are written; those with a failure come first.
    private static let mostBytes = 4 << 20

    let table: TrendTable

    /// Writes the members.
    ///
    /// - Parameter suites: The page's index of each suite of the table.
    func write(suites: [Int: Int], into json: inout JSONText) {
        var first = table.runs.count
        var eventful: [(test: Int, verdicts: [TrendTable.Verdict])] = []
        var calm: [(test: Int, verdicts: [TrendTable.Verdict])] = []
        for test in table.tests.indices where suites[Int(table.tests[test].suite)] != nil {
            let verdicts = table.strip(of: test)
            // One verdict alone is no history.
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
        let end = json.buffer.count + Self.mostBytes
        for (test, verdicts) in eventful + calm {
            if json.buffer.count > end { break }
            json.beginArray()
            json.integer(suites[Int(table.tests[test].suite)])
            json.string(table.name(of: test), limit: HTMLRow.longestName)
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
            // A tenth of a millisecond matters below ten.
            text += micros < 9_950 ? "\(micros / 1_000).\(micros % 1_000 / 100)" : "\((micros + 500) / 1_000)"
            last = verdict.run
        }
        return text
    }
}

/// The causes of the failures in a page, by which its overview groups them.
struct HTMLCauses {
    private var causes = FailureCauses()
    /// For each failure, in the order of the rows, the number of its cause; -1 where it has one of its own.
    private var numbers: [Int32] = []

    /// Adds a failure.
    mutating func add(_ result: TestResult) {
        numbers.append(causes.add(result)?.index.map { Int32(clamping: $0) } ?? -1)
    }

    /// Writes the numbers, null for a cause of its own.
    func write(into json: inout JSONText) {
        json.breakLineBeforeComma()
        json.beginArray("causes")
        for number in numbers { json.integer(number < 0 ? nil : Int(number)) }
        json.endArray()
    }
}
