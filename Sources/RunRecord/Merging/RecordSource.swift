import RunModel

/// A record that is merged with others.
final class RecordSource {
    let path: String
    private var reader: RecordReader
    /// Whether not even the run's first line is whole, as of a run that was killed when it began.
    let isEmpty: Bool
    var info = RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    /// Nanoseconds from the first run's start to that of this one.
    var offset: Int64 = 0
    /// The merged suite of each suite.
    var suites: [Int] = []
    var summary: RunSummary?
    var wasInterrupted = false
    /// Whether a notice tells an error.
    var hasServerError = false
    /// The tests of which there is a result that is not cut off.
    var seen = 0
    /// Whether another record of the same tests is whole, so that this one's being cut off does not matter.
    var isSuperseded = false

    /// Opens a record and reads its first line.
    init(path: String) throws(RecordError) {
        guard path != "-" else {
            throw RecordError(path: path, message: "standard input cannot be merged: records are read twice")
        }
        self.path = path
        reader = try RecordReader(path: path)
        guard let line = try reader.next() else {
            isEmpty = true
            return
        }
        isEmpty = false
        guard case .event(.runStarted(let info), _, _) = line.content else {
            throw reader.problem("a record begins with a line whose \"event\" is \"run\"")
        }
        self.info = info
    }

    /// Whether the exchanges of steps that passed are in the record for those reports alone that need them.
    var hasAllExchanges: Bool { reader.hasAllExchanges }

    /// The next line; nil at the end.
    func next() throws(RecordError) -> RecordReader.Line? { try reader.next() }

    /// The event of a line that was read before.
    func line(_ place: MergedTest.Place) throws(RecordError) -> RecordLine {
        try reader.line(at: place.bytes, number: Int(place.line))
    }

    /// An error at the line that was read last.
    func problem(_ message: String) -> RecordError { reader.problem(message) }

    /// The number of the shard and how many there are, where the record is that of one.
    var shard: (index: Int, count: Int)? {
        guard let parts = info.shard?.split(separator: "/"), parts.count == 2, let index = Int(parts[0]),
            let count = Int(parts[1]), index > 0, index <= count, count <= 100_000
        else { return nil }
        return (index, count)
    }

    /// Whether the run neither ended before its time nor was interrupted.
    var isWhole: Bool {
        guard let summary else { return false }
        return !summary.wasInterrupted && summary.missing == nil
    }

    /// Whether another record is of the same part of the same suites.
    func hasTests(of other: RecordSource) -> Bool {
        info.shard == other.info.shard && suites == other.suites && info.testCount >= other.info.testCount
    }

    /// How the record is named among others.
    var title: String { info.shard.map { "shard \($0)" } ?? "\"\(path)\"" }

    /// Whether another record is of another shard of the same run, so that both have the setup and teardown of a suite.
    func isSibling(of other: RecordSource) -> Bool {
        guard let shard, let otherShard = other.shard else { return false }
        return shard.count == otherShard.count && shard.index != otherShard.index
    }
}
