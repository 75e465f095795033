import Basics
import Histogram
public import RunModel

/// A function that judges the figures of a load. It returns the results of its thresholds.
public typealias LoadJudge = @Sendable (LoadSummary) -> [TestResult]

/// The loads of merged records. The shards of a load become one load, as if one process had generated it.
///
/// Only the locations of lines are kept in memory. The lines are read again when the load is replayed, one second at a
/// time, and only then are histograms decoded.
struct MergedLoads {
    /// The properties that identify a load across records.
    private struct Key: Hashable {
        var suite: Int
        var profile: String
        /// The division that its shards belong to, or `nil` if it was not sharded.
        var division: Shard.Division?
    }

    /// The lines of a load in one record.
    private struct Part {
        var source: RecordSource
        /// The shard that generated the part, or `nil` for a whole load.
        var shard: Shard?
        /// The start in seconds since 1970-01-01T00:00:00Z.
        var startTime: Double
        /// The load as text, which all shards must have in common.
        var load: String
        var caseCount: Int
        var result: MergedTest.Location
        var seconds: [Second]
        /// Nanoseconds from the start of the whole load to the start of this part.
        var offset: Int64 = 0

        /// Returns whether another run of the same part counts instead of this one.
        func isSuperseded(by other: Part) -> Bool {
            (other.source.isWhole ? 1 : 0, other.startTime) >= (source.isWhole ? 1 : 0, startTime)
        }
    }

    /// A second with the location of its line.
    private struct Second {
        var middle: Int64
        var location: MergedTest.Location
    }

    private struct Load {
        var key: Key
        var parts: [Part] = []
    }

    private let judge: LoadJudge
    private var loads: [Load] = []
    /// The seconds of the record being read whose result has not been read yet.
    private var waiting: [Second] = []
    /// The merged suites of the record being read whose loads have a result.
    private var judged: Set<Int> = []

    /// Creates an empty list.
    init(judge: @escaping LoadJudge) { self.judge = judge }

    // MARK: First pass

    /// Prepares for the lines of another record.
    mutating func startRecord() {
        // Without a result, seconds would contradict the figures of the whole.
        waiting = []
        judged = []
    }

    /// Adds a line of a load.
    mutating func add(
        _ outline: LoadOutline, at location: MergedTest.Location, of source: RecordSource
    ) throws(RecordError) {
        switch outline {
        case .second(let middle): waiting.append(Second(middle: middle, location: location))
        case .result(let summary):
            guard source.suites.indices.contains(summary.suite) else {
                throw source.problem("unknown suite \(summary.suite)")
            }
            let shard = source.shard
            let key = Key(
                suite: source.suites[summary.suite], profile: summary.profile, division: shard?.division)
            let part = Part(
                source: source, shard: shard, startTime: summary.startTime, load: summary.load,
                caseCount: summary.thresholdCount, result: location, seconds: waiting)
            waiting = []
            judged.insert(key.suite)
            let index = loads.firstIndex { $0.key == key } ?? loads.count
            if index == loads.count { loads.append(Load(key: key)) }
            loads[index].parts.append(part)
        }
    }

    /// Returns whether a result of the record being read judges a load, which the merge does again on the whole.
    func replaces(_ result: TestResult, ofSuite suite: Int) -> Bool {
        result.test.kind == .test && judged.contains(suite)
    }

    // MARK: Second pass

    /// Chooses the parts that count and aligns them.
    ///
    /// Of a shard or load with several records, the last run counts, but a finished one before an interrupted one.
    ///
    /// - Returns: Notices about inconsistencies between the records.
    mutating func align() -> [RunNotice] {
        var notices: [RunNotice] = []
        for index in loads.indices {
            var chosen: [Part] = []
            var known: [Shard?: Int] = [:]
            var repeated: [Shard?] = []
            for part in loads[index].parts {
                guard let other = known[part.shard] else {
                    known[part.shard] = chosen.count
                    chosen.append(part)
                    continue
                }
                repeated.append(part.shard)
                if chosen[other].isSuperseded(by: part) { chosen[other] = part }
            }
            let first = chosen.map(\.startTime).min() ?? 0
            for part in chosen.indices {
                // Limits the distance, so that the sum of two times does not overflow.
                chosen[part].offset = Int64(min(1e17, (chosen[part].startTime - first) * 1e9).rounded())
            }
            chosen.sort { ($0.shard?.index ?? 0) < ($1.shard?.index ?? 0) }
            loads[index].parts = chosen
            let load = "the load \"\(loads[index].key.profile)\""
            if let shard = repeated.first {
                let more = repeated.count > 1 ? " and \(repeated.count - 1) more" : ""
                let title = shard.map { "shard \($0)\(more) of \(load)" } ?? load
                notices.append(
                    RunNotice(
                        .repeatedLoad, severity: .note,
                        message: "several records contain \(title); only the last run counts"))
            }
            if let other = chosen.first(where: { $0.load != chosen[0].load }) {
                notices.append(
                    RunNotice(
                        .differentLoads, severity: .warning,
                        message: "the shards of \(load) differ: \(chosen[0].load) "
                            + "(\(chosen[0].source.title)), \(other.load) (\(other.source.title))"))
            }
        }
        return notices
    }

    /// Returns the number of results that judge the loads of a suite.
    func caseCount(ofSuite suite: Int) -> Int {
        loads.lazy.filter { $0.key.suite == suite }.reduce(0) { $0 + ($1.parts.first?.caseCount ?? 0) }
    }

    /// Outputs the loads of a suite, each followed by the results of its thresholds.
    ///
    /// - Parameters:
    ///   - index: The index of the suite in the merged run.
    ///   - position: The position of the first result.
    func replay(
        suite: Int, as index: Int, from position: Int, output: (RunEvent) -> Void
    ) throws(RecordError) {
        var position = position
        for load in loads where load.key.suite == suite {
            try replaySeconds(of: load.parts) { output(.load(.second($0))) }
            guard var summary = try summary(of: load.parts) else { continue }
            summary.suite = index
            output(.load(.finished(summary)))
            for var result in judge(summary) {
                result.test.suite = index
                result.test.position = position
                result.test.ordinal = position
                position += 1
                output(.testCompleted(result))
                output(.testFinished(result))
            }
        }
    }

    /// Reads the seconds of all parts and outputs their sums in order.
    private func replaySeconds(of parts: [Part], output: (LoadSecond) -> Void) throws(RecordError) {
        var lines: [(second: Int64, part: Int, location: MergedTest.Location)] = []
        for (index, part) in parts.enumerated() {
            for second in part.seconds {
                lines.append((second.middle.plus(part.offset) / 1_000_000_000, index, second.location))
            }
        }
        lines.sort { ($0.second, $0.part, $0.location.line) < ($1.second, $1.part, $1.location.line) }
        var merged: MergedSecond?
        for (index, line) in lines.enumerated() {
            let part = parts[line.part]
            guard case .event(.load(.second(let second)), _, _) = try part.source.line(line.location) else { continue }
            if let last = merged, index > 0, lines[index - 1].second != line.second {
                output(last.second)
                merged = MergedSecond(after: last.second.time)
            }
            if merged == nil { merged = MergedSecond(after: nil) }
            // In place, because a copy would copy the histograms.
            merged?.add(second, ofPart: line.part, offset: part.offset)
        }
        if let merged { output(merged.second) }
    }

    /// Reads the results of all parts and returns their sum.
    private func summary(of parts: [Part]) throws(RecordError) -> LoadSummary? {
        var sum: SummedLoad?
        for part in parts {
            guard case .event(.load(.finished(let summary)), _, _) = try part.source.line(part.result) else { continue }
            if sum == nil { sum = SummedLoad(summary, offset: part.offset) } else { sum?.add(summary, part.offset) }
        }
        return sum?.summary
    }
}

/// A second of a merged load.
private struct MergedSecond {
    private(set) var second = LoadSecond(time: 0, duration: 0)
    /// The end of the previous second, or `nil` if it is the first.
    private let previous: Int64?
    private var start = Int64.max
    private var last: (part: Int, inFlight: Int)?

    init(after previous: Int64?) {
        self.previous = previous
        second.isWarmup = true
    }

    /// Adds a second of a part. Those of the same part follow each other.
    mutating func add(_ other: LoadSecond, ofPart part: Int, offset: Int64) {
        let end = other.time.plus(offset)
        second.time = max(second.time, end)
        start = min(start, end.plus(-other.duration))
        second.duration = max(0, second.time - max(previous ?? start, start))
        // The reader accepts only histograms of one configuration, so merging them does not fail.
        try? second.statistics.merge(other.statistics)
        second.started += other.started
        if let last, last.part == part { second.inFlight -= last.inFlight }
        second.inFlight += other.inFlight
        last = (part, other.inFlight)
        // Only a second that is a warm-up for all parts counts in no other figure.
        second.isWarmup = second.isWarmup && other.isWarmup
    }
}
