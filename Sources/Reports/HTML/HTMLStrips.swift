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
        json.key("runs")
        json.beginObject()
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
        json.key("strips")
        json.beginArray()
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
