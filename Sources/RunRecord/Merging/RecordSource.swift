import Diagnostics
import RunModel

/// A record that is merged with others.
final class RecordSource {
    /// The name of the record in messages.
    let name: String
    private var reader: RecordReader
    /// Whether the record has no complete first line, as after a run that was killed at its start.
    let isEmpty: Bool
    var info = RunInfo.none
    /// Nanoseconds from the start of the first run to the start of this one.
    var offset: Int64 = 0
    /// The index of the merged suite for each suite of the record.
    var suites: [Int] = []
    var summary: RunSummary?
    var wasInterrupted = false
    /// Whether the record has an error notice.
    var hasServerError = false
    /// The number of tests with a result that was not cut off.
    var seen = 0
    /// Whether a complete record of the same tests exists, so that the incompleteness of this one does not matter.
    var isSuperseded = false

    /// Opens a record and reads its first line.
    init(_ input: RecordInput) throws(RecordError) {
        guard !input.isStandardInput else {
            throw RecordError(
                id: .fileRequired, path: input.name,
                message: "cannot merge standard input, because each record is read twice: save it to a file")
        }
        name = input.name
        reader = try RecordReader(input)
        guard let line = try reader.next() else {
            isEmpty = true
            return
        }
        isEmpty = false
        guard case .event(.runStarted(let info), _, _) = line.content else {
            throw reader.problem("a record must start with a line whose \"event\" is \"run\"")
        }
        self.info = info
        // All records are open at the same time.
        reader.removeBuffer()
    }

    /// Whether the record includes the exchanges of passed steps, which only reports that need them show.
    var hasAllExchanges: Bool { reader.hasAllExchanges }

    /// Returns the next line, or `nil` at the end. The figures of loads are decoded only by ``line(_:)``.
    func next() throws(RecordError) -> RecordReader.Line? {
        if let line = try reader.next(outlinesLoads: true) { return line }
        reader.removeBuffer()
        return nil
    }

    /// Returns the event of a line that was read before.
    func line(_ location: MergedTest.Location) throws(RecordError) -> RecordLine {
        try reader.line(at: location.bytes, number: Int(location.line))
    }

    /// Reads the summary in the last line, if the run finished.
    func readSummary() throws(RecordError) {
        if case .event(.runFinished(let summary), _, _)? = try reader.lastLine() { self.summary = summary }
    }

    /// Returns an error at the last line read.
    func problem(_ message: String) -> RecordError { reader.problem(message) }

    /// The shard that was run, or `nil` if the record does not belong to a shard.
    var shard: Shard? { info.shard.flatMap(Shard.init(parsing:)) }

    /// Whether the run finished and was not interrupted.
    var isWhole: Bool {
        guard let summary else { return false }
        return !summary.wasInterrupted && summary.missing == nil
    }

    /// Returns whether the record covers at least the same part of the same suites as another one.
    func hasTests(of other: RecordSource) -> Bool {
        info.shard == other.info.shard && suites == other.suites && info.testCount >= other.info.testCount
    }

    /// The shard, or else the name of the record.
    var title: String { info.shard.map { "shard \($0)" } ?? "\"\(name)\"" }

    /// Returns whether this record counts instead of another one that has the same tests of the same shard.
    ///
    /// A complete record precedes an incomplete one, and a later one precedes an earlier one.
    ///
    /// - Parameter isLater: Whether this record was given after the other one.
    func replaces(_ other: RecordSource, isLater: Bool) -> Bool {
        guard shard != nil, hasTests(of: other) else { return false }
        if isWhole != other.isWhole { return isWhole }
        // A later run of only the failed tests does not replace the others.
        guard info.testCount == other.info.testCount else { return false }
        return info.startTime == other.info.startTime ? isLater : info.startTime > other.info.startTime
    }

    /// Returns whether another record belongs to a different shard of the same run.
    ///
    /// The setup and teardown of a suite run in both.
    func isSibling(of other: RecordSource) -> Bool {
        guard let shard, let otherShard = other.shard else { return false }
        return shard.isSibling(of: otherShard)
    }
}
