import Basics
public import RunModel

/// The combined coverage of API descriptions in recorded runs.
public struct RecordedCoverage: Sendable {
    /// The coverage of each description, combined from all records, in order of first appearance.
    public private(set) var coverages: [ContractCoverage] = []
    /// The notices about records that do not contribute to the coverage.
    public private(set) var notes: [RunNotice] = []

    /// Reads the coverage from records.
    ///
    /// - Parameter paths: The paths of the records, or `-` for standard input.
    /// - Throws: ``RecordError`` if a record cannot be read.
    public init(of paths: [String]) throws(RecordError) {
        var all: [ContractCoverage] = []
        for path in paths {
            guard let summary = try Self.summary(of: path) else {
                // The last line has the coverage.
                notes.append(
                    RunNotice(
                        .truncatedRecord, severity: .warning,
                        message: "\(Self.shown(path)) ends before its run finished: its exchanges are not counted"))
                continue
            }
            if summary.coverages.isEmpty {
                notes.append(
                    RunNotice(
                        .recordWithoutContract, severity: .warning,
                        message: "\(Self.shown(path)): no suite of the run has a contract"))
            }
            all += summary.coverages
        }
        coverages = ContractCoverage.merged(all)
    }

    /// Returns the summary of a record's run, or `nil` if the record is truncated.
    private static func summary(of path: String) throws(RecordError) -> RunSummary? {
        var reader = try RecordReader(RecordInput(path: path))
        var result: RunSummary?
        var hasLines = false
        while let line = try reader.next() {
            hasLines = true
            if case .event(.runFinished(let summary), _, _) = line.content { result = summary }
        }
        guard hasLines else {
            throw RecordError(path: path, message: "\(shown(path)) is not a record of a run: it is empty")
        }
        return result
    }

    private static func shown(_ path: String) -> String { path == "-" ? "standard input" : "\"\(path)\"" }
}
